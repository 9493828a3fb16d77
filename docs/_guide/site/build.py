"""Build each language with Sphinx: one `sphinx-build` process a language, side by side.

Sphinx reads and writes again what changed. It does not see changes of the files that all pages are
made with, so a hash of them is one of its settings.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

from docs._guide.machine import at_once
from docs._guide.options import BUILD, LOCALE, ROOT

DOCS = ROOT / "docs"
# What all pages are made with.
SHARED = (
    *("_guide/**/*.py", "_templates/**/*", "_static/**/*", "_locale/**/*.po"),
    *(
        "_outputs/**/*",
        "conf.py",
        "../requirements/*.txt",
        "../locale/*.csv",
        "../locale/*/LC_MESSAGES/sphinx.po",
    ),
)


def build_languages(
    builder: str, languages: Sequence[str], outputs: Path, published: Sequence[str]
) -> bool:
    """Build the languages, print the log of each, and return whether all succeeded.

    As many run at a time as the machine holds.
    """
    print(f"building {', '.join(languages)}", flush=True)
    processes: dict[str, subprocess.Popen[str]] = {}

    def run(language: str) -> str:
        prepare(language, builder)
        processes[language] = start(builder, language, outputs, published)
        return processes[language].communicate()[0]

    with ThreadPoolExecutor(at_once()) as threads:
        try:
            logs = dict(zip(languages, threads.map(run, languages), strict=True))
        finally:  # Ctrl-C reaches the processes too; any other exception must not leave them behind
            threads.shutdown(wait=False, cancel_futures=True)
            for process in processes.values():
                process.kill()
                process.wait()
    failed = [language for language, process in processes.items() if process.returncode]
    for language, process in processes.items():
        print(logs[language], end="", flush=True)
        if process.returncode == 0:
            unfinished(language, builder).unlink()
        elif process.returncode < 0:
            signal = -process.returncode
            print(f"{language}: signal {signal} ended Sphinx; memory may have been full")
    if failed:
        print(f"Sphinx did not build: {', '.join(failed)}; the site stays as it was", flush=True)
    return not failed


def start(
    builder: str, language: str, outputs: Path, published: Sequence[str]
) -> subprocess.Popen[str]:
    """Start Sphinx on a language; it prints all warnings, then fails if there was one."""
    settings = {
        "language": language,
        "nitpicky": "1",  # a link to nothing is a warning
        "published_languages": ",".join(published),
        "cached_outputs": os.fspath(outputs),
        "shared_files": shared_files(),
    }
    command: list[str | Path] = [
        *(sys.executable, "-m", "sphinx", "--builder", builder),
        *("--fail-on-warning", "--quiet", "--no-color"),
        *("--doctree-dir", doctrees(language, builder)),
        *(f"--define={name}={value}" for name, value in settings.items()),
        *(DOCS, output_folder(language, builder)),
    ]
    return subprocess.Popen(
        command,
        cwd=ROOT,
        env=os.environ | {"PYTHONUTF8": "1"},  # in any locale
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        close_fds=False,  # the lock (__main__.py)
    )


def prepare(language: str, builder: str) -> None:
    """Remove what a failed or stopped build left, which Sphinx would not warn of again."""
    if unfinished(language, builder).exists():
        shutil.rmtree(doctrees(language, builder).parent)
    for compiled in (LOCALE / language).rglob("*.mo"):
        if not compiled.with_suffix(".po").exists():  # Sphinx would go on using it
            compiled.unlink()
    output_folder(language, builder).mkdir(parents=True, exist_ok=True)
    unfinished(language, builder).touch()


@cache
def shared_files() -> str:
    """Hash of what all pages are made with."""
    digest = hashlib.sha256()
    for file in sorted({file for pattern in SHARED for file in DOCS.glob(pattern)}):
        if file.is_file():
            digest.update(f"{file.relative_to(ROOT)}\0".encode() + file.read_bytes())
    return digest.hexdigest()


def doctrees(language: str, builder: str) -> Path:
    """Where Sphinx saves the parsed pages."""
    return BUILD / language / builder / "doctrees"


def output_folder(language: str, builder: str) -> Path:
    """Where Sphinx writes a language."""
    return BUILD / language / builder / builder


def unfinished(language: str, builder: str) -> Path:
    """A file that exists until a build has succeeded."""
    return BUILD / language / builder / "unfinished"
