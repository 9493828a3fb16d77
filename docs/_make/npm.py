"""Node's packages, installed as locked into a folder of _build: for checks, never for the site."""

import hashlib
import shutil
import subprocess
from pathlib import Path


class NoNode(Exception):
    """Node.js is not there; the message says what to do."""


def install(settings: Path, work: Path) -> None:
    """Copy a folder with package.json and package-lock.json, and install what they name.

    Raises:
        NoNode: npm is not there.
    """
    work.mkdir(parents=True, exist_ok=True)
    for setting in settings.iterdir():
        if setting.is_file():
            shutil.copy(setting, work)
    digest = hashlib.sha256((work / "package-lock.json").read_bytes()).hexdigest()
    installed = work / "node_modules" / ".installed"
    if not installed.exists() or installed.read_text() != digest:
        run(work, "ci", "--ignore-scripts")
        installed.write_text(digest)


def lock(settings: Path, upgrade: bool) -> None:
    """Write the package-lock.json of a folder anew, with hashes and without registry addresses.

    Raises:
        NoNode: npm is not there.
    """
    only = ("--package-lock-only", "--ignore-scripts", "--omit-lockfile-registry-resolved")
    run(settings, "update" if upgrade else "install", *only)


def run(folder: Path, *arguments: str) -> str:
    """Run npm in a folder; return what it prints.

    Raises:
        NoNode: npm is not there.
    """
    if not shutil.which("npm"):
        raise NoNode("this needs Node.js 20 or later, and npm: https://nodejs.org")
    command = ("npm", *arguments, "--no-audit", "--no-fund", "--loglevel=error")
    return subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE, text=True).stdout
