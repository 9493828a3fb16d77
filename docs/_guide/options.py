"""The command line of `nox -s docs`, which the noxfile checks before it installs anything.

So it imports the standard library only.
"""

import argparse
import ctypes
import os
import runpy
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from docs._guide.machine import at_once

ROOT = Path(__file__).parents[2]
LOCALE = ROOT / "locale"
BUILD = ROOT / "_build"
MARKER = "build.json"  # at the root of every site, and of no other folder
BACKENDS = ("cpu", "cuda", "tpu")
EXTRAS = ("physics",)  # groups of large packages; without them, cells that need one are not run
OMITTABLE = ("torch",)  # groups that may be left out; then cells that need one are not run


class Options(argparse.Namespace):
    """The options of one build."""

    backend: str
    extras: list[str]
    omitted: list[str]
    strict: bool
    languages: tuple[str, ...]
    fresh: bool
    jobs: int
    page: str | None
    store: bool
    site: Path


def configuration() -> dict[str, Any]:
    """The settings in docs/conf.py."""
    return runpy.run_path(str(ROOT / "docs" / "conf.py"))


def configured_languages() -> dict[str, str]:
    """Language codes and names, in the order of docs/conf.py."""
    languages: dict[str, str] = configuration()["languages"]
    return languages


def parse(arguments: Sequence[str]) -> Options:
    """Parse the command line; a wrong option exits with status 2 and one line."""
    languages = configured_languages()
    parser = OneLineParser(prog="nox -s docs --", description="Run the pages, build the site.")
    parser.add_argument(
        "--backend",
        type=available_backend,
        default=os.environ.get("JAX_PLATFORMS") or "cpu",
        help="what runs the pages: cpu, cuda or tpu (default: JAX_PLATFORMS, else cpu)",
    )
    parser.add_argument(
        "--with",
        dest="extras",
        action="append",
        choices=EXTRAS,
        default=[],
        help="also install these packages, and run the cells that need them",
    )
    parser.add_argument(
        "--without",
        dest="omitted",
        action="append",
        choices=OMITTABLE,
        default=[],
        help="do not install this; the cells that need it are not run",
    )
    parser.add_argument(
        "--strict",
        action="store_true",
        help="fail where a measurement does not hold on this machine, or a paragraph is not "
        "translated (default: the page shows it)",
    )
    parser.add_argument(
        "--language",
        dest="languages",
        action="append",
        choices=list(languages),
        help="build this language only; may be repeated (default: all)",
    )
    parser.add_argument("--fresh", action="store_true", help="clear the cache, run every page")
    parser.add_argument(
        "--jobs",
        type=positive,
        help="pages that run at once (default: as many as CPUs and memory allow; on an "
        "accelerator, one)",
    )
    parser.add_argument(
        "--page",
        type=page_name,
        help="only run this page, without building the site (for example transforms/grad)",
    )
    parser.add_argument(
        "--store",
        action="store_true",
        help="only run the pages, and copy their outputs to docs/_outputs, where every build "
        "shows them",
    )
    parser.add_argument(
        "--site",
        type=site_folder,
        default=str(ROOT / "site"),
        help="the folder that becomes the site (default: site)",
    )
    if not os.access(ROOT, os.W_OK):
        parser.error(f"cannot write to {ROOT}: build in a checkout that you can write to")
    options = parser.parse_args(arguments, Options())
    selected = options.languages or languages
    options.languages = tuple(code for code in languages if code in selected)
    options.jobs = options.jobs or (at_once() if options.backend == "cpu" else 1)
    return options


def groups(options: Options) -> list[str]:
    """The groups of packages that these options need beside those of every build."""
    comparisons = [group for group in OMITTABLE if group not in options.omitted]
    return [*comparisons, *([] if options.backend == "cpu" else [options.backend]), *options.extras]


class OneLineParser(argparse.ArgumentParser):
    """argparse without the usage text above an error."""

    def error(self, message: str) -> NoReturn:
        """Exit with status 2 and one line."""
        self.exit(2, f"{message}\n")


def available_backend(name: str) -> str:
    """Return the name of a backend if this machine has it."""
    if name not in BACKENDS:
        problem = f"{name!r} is not a backend"
    elif name == "cuda" and not has_nvidia_gpu():
        problem = "cuda is not available: no NVIDIA GPU or driver (libcuda.so.1) was found"
    elif name == "tpu" and not has_tpu():
        problem = "tpu is not available: no TPU device (/dev/accel*, /dev/vfio/*) was found"
    else:
        return name
    raise argparse.ArgumentTypeError(f"{problem}; choose one of {', '.join(BACKENDS)}")


def has_nvidia_gpu() -> bool:
    """Whether the NVIDIA driver is installed and initializes; JAX itself may not be, yet."""
    try:
        return bool(ctypes.CDLL("libcuda.so.1").cuInit(0) == 0)
    except OSError:
        return False


def has_tpu() -> bool:
    """Whether the machine has a TPU device."""
    return any(Path("/dev").glob("accel*")) or any(Path("/dev/vfio").glob("[0-9]*"))


def positive(text: str) -> int:
    """Parse a whole number of at least 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return int(text)


def page_name(text: str) -> str:
    """Return the name of an existing page, given as a name or as its file."""
    name = text.removeprefix("docs/").removesuffix(".md")
    if not (ROOT / "docs" / f"{name}.md").is_file():
        raise argparse.ArgumentTypeError(f"there is no page docs/{name}.md")
    return name


def site_folder(text: str) -> Path:
    """Return a folder that the build may replace: a site, an empty folder or a new one."""
    folder = Path(text).resolve()  # a link would be renamed in place of the folder
    if folder.exists():
        replaceable = folder.is_dir() and ((folder / MARKER).exists() or not any(folder.iterdir()))
        if not replaceable:
            raise argparse.ArgumentTypeError(
                f"{folder} is not a site, and would be replaced: choose another folder"
            )
        if os.path.ismount(folder):  # it cannot be renamed, and so not be replaced
            raise argparse.ArgumentTypeError(f"{folder} is a mount point: choose a folder in it")
    parent = next(parent for parent in folder.parents if parent.exists())
    if not (parent.is_dir() and os.access(parent, os.W_OK)):
        raise argparse.ArgumentTypeError(f"cannot write to {parent}: choose another folder")
    return folder
