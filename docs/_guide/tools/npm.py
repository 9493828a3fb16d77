"""Install and lock Node's packages, for checks only: nothing of them is in the site."""

import hashlib
import shutil
import subprocess
from pathlib import Path


class NoNode(Exception):
    """npm is not installed."""


def install(settings: Path, work: Path) -> None:
    """Copy a folder with package.json and package-lock.json, and install what they lock."""
    shutil.copytree(settings, work, dirs_exist_ok=True)
    digest = hashlib.sha256((work / "package-lock.json").read_bytes()).hexdigest()
    installed = work / "node_modules" / ".installed"
    if not installed.exists() or installed.read_text() != digest:
        run(work, "ci", "--ignore-scripts")
        installed.write_text(digest)


def lock(settings: Path, upgrade: bool) -> None:
    """Write the package-lock.json of a folder, with hashes and without registry addresses."""
    only = ("--package-lock-only", "--ignore-scripts", "--omit-lockfile-registry-resolved")
    run(settings, "update" if upgrade else "install", *only)


def run(folder: Path, *arguments: str) -> None:
    """Run npm in a folder; raise NoNode if it is not installed."""
    if not shutil.which("npm"):
        raise NoNode("this needs Node.js 20 or later, and npm: https://nodejs.org")
    command = ("npm", *arguments, "--no-audit", "--no-fund", "--loglevel=error")
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
