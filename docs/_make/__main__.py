"""Run the pages once, build the site in every language: `python -m docs._make [--backend ...]`.

What the options are: docs/_make/options.py. `nox -s docs` calls this in the right environment.
"""

import asyncio
import sys
import time
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from filelock import FileLock, Timeout
from sqlalchemy.exc import SQLAlchemyError

from docs._make.environment import folder_name, forget
from docs._make.languages import BUILD, build, html_folder, untranslated
from docs._make.options import ROOT, Options, configured_languages, parse
from docs._make.page import UnreadablePage, read_if_it_runs
from docs._make.publish import carried_over, publish
from docs._make.ready import ReadyPages
from docs._make.search_index import index, index_folder
from docs._make.store import open_store
from docs._make.versions import Unfit, line_of, refuse_older


def main(arguments: Sequence[str]) -> int:
    """Build what was asked for; tell in one line what stopped it."""
    options = parse(arguments)
    try:
        BUILD.mkdir(exist_ok=True)
        with FileLock(BUILD / "lock", blocking=False):
            return make(options)
    except Timeout:
        problem = "another build is running in this checkout: wait until it ends, or stop it"
    except KeyboardInterrupt:
        problem = "interrupted: pages that had run are kept; the same command goes on from there"
    except Unfit as error:
        problem = str(error)
    except OSError as error:
        problem = f"{error}: pages that had run are kept, and the site is as it was"
    except UnreadablePage as error:
        problem = f"{error}; the site is as it was"
    except SQLAlchemyError as error:
        problem = f"cannot write outputs: {error.__cause__ or error}; the site is as it was"
    print(problem, file=sys.stderr)
    return 1


def make(options: Options) -> int:
    """Run the pages, then build and publish the languages."""
    started = time.perf_counter()
    line = line_of(version("jax"))
    if not options.page:
        refuse_older(line, options.site)
    outputs = BUILD / "outputs" / folder_name(options.backend)
    if options.fresh and not options.page:
        forget(outputs)
    if not run(options, outputs):
        return 1
    if options.page:
        return 0
    languages = configured_languages()
    carried = carried_over(list(languages), options.languages, options.site)
    published = [code for code in languages if code in (*options.languages, *carried)]
    if not build("html", options.languages, outputs, published):
        return 1
    folders = {
        code: options.site / code if code in carried else html_folder(code) for code in published
    }
    index(options.languages)
    indexes = {code: index_folder(code) for code in options.languages}
    publish(folders, indexes, languages, options.site, line)
    for code in options.languages:
        if code != next(iter(languages)):
            print(f"{code}: {untranslated(code)} untranslated paragraphs")
    seconds = time.perf_counter() - started
    print(f"built in {seconds:.0f} s: open {options.site / 'index.html'}, or run nox -s serve")
    return 0


def run(options: Options, outputs: Path) -> bool:
    """Run the pages that have no stored outputs; tell whether all of them have some now."""
    store, ready = open_store(outputs), ReadyPages(outputs)
    if options.page:
        text = (ROOT / "docs" / f"{options.page}.md").read_text(encoding="utf-8")
        page = read_if_it_runs(options.page, text)
        todo = [page] if page else []
    else:
        todo = ready.update(store)
        pages = len({*ready.pages, *(page.name for page in todo)})
        print(f"{pages} pages, {len(todo)} to run: {outputs.name}", flush=True)
    failures = []
    if todo:
        from docs._make.runner import run_pages  # imports nbclient, which most builds do not need

        failures = asyncio.run(run_pages(store, todo, options.backend, options.jobs))
    for failure in failures:
        print(f"\n{failure}", file=sys.stderr)
    if failures:
        kept = len(todo) - len(failures)
        print(
            f"\n{len(failures)} of {len(todo)} pages failed; {kept} ran and are kept",
            file=sys.stderr,
        )
        return False
    ready.save(store, todo)
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
