"""Install and lock Node's packages, for checks only: nothing of them is in the site."""

import shutil
import subprocess
from pathlib import Path


def install(settings: Path, work: Path) -> None:
    """Copy a folder with package.json and package-lock.json, and install what they lock."""
    shutil.copytree(settings, work, dirs_exist_ok=True)
    run(work, "install", "--ignore-scripts")  # nothing, where they are installed


def lock(settings: Path, upgrade: bool) -> None:
    """Write the package-lock.json of a folder, with hashes and without registry addresses."""
    only = ("--package-lock-only", "--ignore-scripts", "--omit-lockfile-registry-resolved")
    run(settings, "update" if upgrade else "install", *only)


def run(folder: Path, *arguments: str) -> None:
    """Run npm in a folder."""
    command = ("npm", *arguments, "--no-audit", "--no-fund", "--loglevel=error")
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
