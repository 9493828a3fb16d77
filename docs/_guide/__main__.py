"""Run the pages, build the site in every language, publish it: `python -m docs._guide`.

The options are in options.py; `nox -s docs` calls this in the right environment.
"""

import asyncio
import fcntl
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path

from docs._guide.execute import cache
from docs._guide.execute.environment import cache_folder, compiled_folder
from docs._guide.execute.page import Page, UnreadablePage, executed_pages, named_page
from docs._guide.execute.stored import STORED, stale, store
from docs._guide.options import BUILD, ROOT, Options, configured_languages, parse


class Locked(Exception):
    """Another build is running."""


@contextmanager
def build_lock() -> Iterator[None]:
    """Hold the lock of the checkout.

    Subprocesses that write to `_build` inherit it (`close_fds=False`), so a killed build stays
    locked until they have ended; filelock closes its file on exec.

    Raises:
        Locked: another build holds it.
    """
    BUILD.mkdir(exist_ok=True)
    with (BUILD / "lock").open("w", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise Locked(
                "another build is running in this checkout: wait until it ends, or stop it"
            ) from error
        os.set_inheritable(file.fileno(), True)
        yield


def make(options: Options) -> int:
    """Run the pages, then build and publish the languages."""
    started = time.perf_counter()
    outputs = cache_folder(options.backend)
    if not run_missing_pages(options, outputs):
        return 1
    print_not_held(outputs, selected(options))
    if options.store:
        return store_outputs(options, outputs)
    if options.page:
        return 0
    # A machine that only runs pages needs no theme and no search.
    from docs._guide.site.build import build_languages, output_folder
    from docs._guide.site.publish import carried_over, publish, restore, untranslated
    from docs._guide.site.search import index

    restore(options.site)
    languages = configured_languages()
    carried = carried_over(list(languages), options.languages, options.site)
    published = [code for code in languages if code in (*options.languages, *carried)]
    if not build_languages("html", options.languages, outputs, published):
        return 1
    folders = {
        code: options.site / code if code in carried else output_folder(code, "html")
        for code in published
    }
    translations = [code for code in options.languages if code != next(iter(languages))]
    missing = {code: untranslated(folders[code]) for code in translations}
    lagging = [
        f"{code}: {count} untranslated paragraphs" for code, count in missing.items() if count
    ]
    if lagging and options.strict:
        print(*lagging, "with --strict, all must be translated", sep="\n", file=sys.stderr)
        return 1
    indexes = {code: index(code) for code in options.languages}
    publish(folders, indexes, languages, options.site)
    cache.prune(outputs)
    cache.prune(compiled_folder())
    for line in lagging:
        print(f"warning: {line}, which the pages show in English")
    if old := stale(executed_pages()):
        print(f"docs/_outputs: not shown, since the code has changed: {', '.join(old)}")
    seconds = time.perf_counter() - started
    print(f"built in {seconds:.0f} s: open {options.site / 'index.html'}, or run nox -s serve")
    return 0


def store_outputs(options: Options, outputs: Path) -> int:
    """Copy what the pages printed on this backend into the repository."""
    folder = STORED / options.backend
    names = store(outputs, selected(options), folder)
    print(f"{folder.relative_to(ROOT)}: the outputs of {len(names)} pages; commit them")
    return 0


def selected(options: Options) -> list[Page]:
    """All pages with code cells, or that of `--page`."""
    if options.page:
        page = named_page(options.page)
        return [page] if page else []
    return executed_pages()


def run_missing_pages(options: Options, outputs: Path) -> bool:
    """Run the pages that are not cached, or that of `--page`; return whether all succeeded."""
    if options.fresh and not options.page:
        shutil.rmtree(outputs, ignore_errors=True)
    pages = selected(options)
    todo = pages if options.page else cache.missing(outputs, pages, options.strict)
    print(f"{len(pages)} pages, {len(todo)} to run: {outputs.name}", flush=True)
    if not todo:
        return True
    from docs._guide.execute.runner import run_pages  # imports nbclient: most builds run no page

    running = run_pages(outputs, todo, options.backend, options.jobs, options.strict)
    failures = asyncio.run(running)
    for failure in failures:
        print(f"\n{failure}", file=sys.stderr)
    if failures:
        cached = len(todo) - len(failures)
        print(
            f"\n{len(failures)} of {len(todo)} pages failed; the outputs of {cached} are cached",
            file=sys.stderr,
        )
    return not failures


def print_not_held(outputs: Path, pages: Sequence[Page]) -> None:
    """Print the assertions on measurements that failed; the pages show them too."""
    if lines := cache.not_held(outputs, pages):
        print("measurements that did not hold on this machine:", *lines, sep="\n  ")


def main(arguments: Sequence[str], work: Callable[[Options], int] = make) -> int:
    """Make what the options select; on failure, print the reason in one line and return 1."""
    options = parse(arguments)
    if isinstance(sys.stdout, TextIOWrapper):  # a terminal in another locale lacks some letters
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        with build_lock():
            return work(options)
    except KeyboardInterrupt:
        problem = "interrupted: finished pages are cached, and the same command resumes"
    except OSError as error:
        problem = f"{error}: finished pages are cached, and the site is as it was"
    except (Locked, UnreadablePage) as error:
        problem = str(error)
    print(problem, file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
