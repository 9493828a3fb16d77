"""What a build printed, as a report in Markdown, page by page.

`python3 docs/_make/page_report.py TITLE LOG` serves the weekly build: GitHub shows a log, and a
page's failure is somewhere in its middle. What pages printed is quoted, never interpreted.
"""

import re
import sys
from pathlib import Path

# What docs/_make/runner.py, failure.py and __main__.py print.
FAILED = re.compile(r"^\[\d+/\d+\] FAILED (\S+) in ", re.MULTILINE)
TOLD = re.compile(r"^(docs/(\S+)\.md:\d+: .*?)^To try just this page: ", re.MULTILINE | re.DOTALL)
ENVIRONMENT = re.compile(r"^\d+ pages, \d+ to run: \S+", re.MULTILINE)
BUILT = re.compile(r"^built in \d+ s: ", re.MULTILINE)

LINES = 30  # of what is told about one page
CHARACTERS = 30_000  # an issue has room for two reports


def report(title: str, log: str) -> str:
    r"""Say which pages failed and how; or that all ran; or how the build ended without either.

    >>> print(report("nightly JAX", '''2 pages, 2 to run: cpu-jax1.2-py3.13-0
    ... [1/2] FAILED arrays/axes in 3.1 s
    ... [2/2] ran arrays/shapes in 0.4 s
    ...
    ... docs/arrays/axes.md:12: cell 2 of 3 raised TypeError
    ...     TypeError: `axis` is gone
    ... To try just this page: nox -s docs -- --page arrays/axes
    ... '''))
    ## nightly JAX: 1 page failed
    <BLANKLINE>
    `2 pages, 2 to run: cpu-jax1.2-py3.13-0`
    <BLANKLINE>
    ### arrays/axes
    <BLANKLINE>
    ```
    docs/arrays/axes.md:12: cell 2 of 3 raised TypeError
        TypeError: `axis` is gone
    ```
    <BLANKLINE>
    """
    environment = ENVIRONMENT.search(log)
    ran_on = [f"`{environment[0]}`"] if environment else []
    failed = FAILED.findall(log)
    if failed:
        told = {page: what for what, page in TOLD.findall(log)}  # of two tries, the second
        result = f"{len(failed)} page{'s' * (len(failed) > 1)} failed"
        parts = [f"### {page}\n\n{quoted(told.get(page, 'see the log'))}" for page in failed]
    elif BUILT.search(log):
        result, parts = "every page ran", []
    else:
        result, parts = "the build stopped", [quoted(log)]
    whole = "\n\n".join([f"## {title}: {result}", *ran_on, *parts]) + "\n"
    if len(whole) <= CHARACTERS:
        return whole
    return "\n\n".join([f"## {title}: {result}", *ran_on, *(f"- {page}" for page in failed)]) + "\n"


def quoted(text: str) -> str:
    """Put the first line and the last ones into a fence that the text cannot end.

    >>> quoted("a\\n```\\nb")
    '````\\na\\n```\\nb\\n````'
    """
    lines = text.strip().splitlines()
    if len(lines) > LINES:
        lines = [lines[0], "...", *lines[2 - LINES :]]
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join([fence, *lines, fence])


if __name__ == "__main__":
    title, log = sys.argv[1:]
    print(report(title, Path(log).read_text(encoding="utf-8", errors="replace")), end="")
