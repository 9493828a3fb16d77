"""Write every lock anew, Python's and Node's: `nox -s lock`, or `-- --upgrade` for newer versions.

Hashed, for all supported Pythons, and without a registry's address. uv prints what changed.
"""

import subprocess
import sys
import tomllib
from collections.abc import Sequence

from docs._guide.options import ROOT
from docs._guide.tools import npm

NODE = sorted(
    lock.parent for top in ("locale", "tests") for lock in ROOT.glob(f"{top}/**/package-lock.json")
)


def main(arguments: Sequence[str]) -> int:
    """Write all locks; further options of `uv pip compile` are accepted."""
    try:
        for group in groups():
            write_python(group, arguments)
        for folder in NODE:
            npm.lock(folder, upgrade="--upgrade" in arguments)
    except subprocess.CalledProcessError as problem:
        print(f"the locks are not complete: {problem}", file=sys.stderr)
        return 1
    return 0


def groups() -> list[str]:
    """The dependency groups of pyproject.toml; the others are locked to agree with `guide`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return sorted(project["dependency-groups"], key=lambda group: group != "guide")


def write_python(group: str, arguments: Sequence[str]) -> None:
    """Write the lock of a group."""
    command = [
        *(sys.executable, "-m", "uv", "pip", "compile", "--universal", "--python-version=3.11"),
        *("--generate-hashes", "--no-emit-index-url", "--no-emit-find-links"),
        *("--no-header", "--no-annotate"),
        *(["--constraint=requirements/guide.txt"] if group not in ("guide", "nox") else []),
        *(f"--group={group}", f"--output-file=requirements/{group}.txt", *arguments),
    ]
    print(f"requirements/{group}.txt", flush=True)
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
