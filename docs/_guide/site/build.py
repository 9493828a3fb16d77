"""Build each language with Sphinx: one `sphinx-build` process a language, side by side.

Sphinx rebuilds what changed in a page's source or translation. Whatever else goes into a page is
hashed here into a fingerprint; when that changes, or when the last build did not end well, the
language is built from scratch.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from docs._guide.machine import at_once
from docs._guide.options import BUILD, LOCALE, ROOT

DOCS = ROOT / "docs"
# What all pages are made with: Sphinx does not notice when one of these changes.
SHARED = (
    *("_guide/**/*.py", "_templates/**/*", "_static/**/*", "_locale/**/*.po"),
    *("_outputs/**/*", "conf.py", "../requirements/*.txt"),
)


def build(builder: str, languages: Sequence[str], outputs: Path, published: Sequence[str]) -> bool:
    """Build the languages, print the log of each, and return whether all succeeded.

    As many run at a time as the machine holds.
    """
    print(f"building {', '.join(languages)}", flush=True)
    stamp = fingerprint(outputs, published)
    processes: dict[str, subprocess.Popen[str]] = {}

    def run(language: str) -> str:
        prepare(language, builder, stamp)
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
            stamp_file(language, builder).write_text(stamp, encoding="utf-8")
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
        "stored_outputs": os.fspath(outputs),
    }
    command: list[str | Path] = [
        *(sys.executable, "-m", "sphinx", "--builder", builder),
        *("--fail-on-warning", "--quiet", "--no-color"),
        *("--doctree-dir", doctrees(language, builder)),
        *(f"--define={name}={value}" for name, value in settings.items()),
        *(DOCS, output(language, builder)),
    ]
    return subprocess.Popen(
        command,
        cwd=ROOT,
        env=os.environ | {"PYTHONUTF8": "1"},  # in any locale
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        close_fds=False,  # the lock (lock.py)
    )


def prepare(language: str, builder: str, stamp: str) -> None:
    """Remove what an earlier build left, unless it succeeded with the same fingerprint."""
    file = stamp_file(language, builder)
    if not (file.exists() and file.read_text(encoding="utf-8") == stamp):
        shutil.rmtree(doctrees(language, builder).parent, ignore_errors=True)
        for folder in (LOCALE / language, DOCS / "_locale" / language):
            for compiled in folder.rglob("*.mo"):  # Sphinx would use that of a .po that is gone
                compiled.unlink()
    output(language, builder).mkdir(parents=True, exist_ok=True)
    file.unlink(missing_ok=True)  # until this build has succeeded


def fingerprint(outputs: Path, published: Sequence[str]) -> str:
    """Hash of what goes into every page, and of which pages and translations there are.

    The path of the outputs stands for the versions of the packages. A page that loses its cells
    counts as another page: its notebook must go.
    """
    digest = hashlib.sha256()
    for file in sorted({file for pattern in SHARED for file in DOCS.glob(pattern)}):
        if file.is_file():
            digest.update(f"{file.relative_to(ROOT)}\0".encode() + file.read_bytes())
    pages = sorted((str(file), b"{code-cell}" in file.read_bytes()) for file in DOCS.rglob("*.md"))
    catalogs = sorted(map(str, LOCALE.rglob("*.po")))
    settings = sorted(item for item in os.environ.items() if item[0].startswith("GUIDE_"))
    everything = [pages, catalogs, settings, str(outputs), *published]
    digest.update(json.dumps(everything).encode())
    return digest.hexdigest()


def doctrees(language: str, builder: str) -> Path:
    """Where Sphinx saves the parsed pages."""
    return BUILD / language / builder / "doctrees"


def output(language: str, builder: str) -> Path:
    """Where Sphinx writes a language."""
    return BUILD / language / builder / builder


def stamp_file(language: str, builder: str) -> Path:
    """The fingerprint of a builder's last successful build."""
    return BUILD / language / f"{builder}.stamp"
