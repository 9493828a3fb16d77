"""What `nox -s docs -- ...` was asked for, refused in one line where it cannot be done.

Run by itself (`python docs/_make/options.py ...`) it only checks, with nothing but a bare
Python: the noxfile does so before it installs or builds anything.
"""

import argparse
import ctypes
import os
import runpy
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

ROOT = Path(__file__).parents[2]
LOCALE = ROOT / "locale"
SITE_LIST = "versions.json"  # its lines of JAX, at the root of every site that was made here


@dataclass(frozen=True)
class Options:
    """One build: which backend runs the pages, and what is made of them."""

    backend: str
    languages: tuple[str, ...]
    fresh: bool
    jobs: int
    page: str | None
    site: Path


def configured_languages() -> dict[str, str]:
    """Language codes and their own names, in order, as docs/conf.py lists them."""
    languages: dict[str, str] = configuration()["languages"]
    return languages


def configured_site_url() -> str:
    """Where the site will live, as docs/conf.py has it; empty where that is unknown."""
    return str(configuration()["site_url"])


def configuration() -> dict[str, Any]:
    """Everything that docs/conf.py says."""
    return runpy.run_path(str(ROOT / "docs" / "conf.py"))


def missing_for_cuda() -> str | None:
    """Say what an NVIDIA GPU lacks here, without importing JAX: that would take seconds."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return "no NVIDIA driver (libcuda.so.1) was found"
    if driver.cuInit(0) != 0:
        return "the NVIDIA driver finds no GPU"
    return None


def missing_for_tpu() -> str | None:
    """Say what a TPU lacks here."""
    if any(Path("/dev").glob("accel*")) or any(Path("/dev/vfio").glob("[0-9]*")):
        return None
    return "no TPU device (/dev/accel*, /dev/vfio/*) was found"


def missing_for_cpu() -> None:
    """Every machine has one."""


BACKENDS: Mapping[str, Callable[[], str | None]] = {
    "cpu": missing_for_cpu,
    "cuda": missing_for_cuda,
    "tpu": missing_for_tpu,
}


class OneLineParser(argparse.ArgumentParser):
    """argparse, without the usage text above the one line that matters."""

    def error(self, message: str) -> NoReturn:
        """Exit with status 2 and one line."""
        self.exit(2, f"{message}\n")


def available_backend(name: str) -> str:
    """Return `name` if it is a backend that is here; else say which ones are."""
    choices = ", ".join(BACKENDS)
    if name not in BACKENDS:
        raise argparse.ArgumentTypeError(f"{name!r} is not a backend; choose one of {choices}")
    if missing := BACKENDS[name]():
        raise argparse.ArgumentTypeError(
            f"{name} is not available: {missing}; choose one of {choices}"
        )
    return name


def positive(text: str) -> int:
    """Return a whole number of at least 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return int(text)


def page_name(text: str) -> str:
    """Return the name of an existing page, whichever way its file was written."""
    name = text.removeprefix("docs/").removesuffix(".md")
    if not (ROOT / "docs" / f"{name}.md").is_file():
        raise argparse.ArgumentTypeError(f"there is no page docs/{name}.md")
    return name


def site_folder(text: str) -> Path:
    """Return a folder that can become the site: it is replaced, with all that is in it."""
    folder = Path(text).absolute()
    site = folder.is_dir() and ((folder / SITE_LIST).exists() or not any(folder.iterdir()))
    if folder.exists() and not site:
        raise argparse.ArgumentTypeError(
            f"{folder} holds something else than a site, which would be lost: choose another folder"
        )
    above = next(parent for parent in folder.parents if parent.exists())
    if not (above.is_dir() and os.access(above, os.W_OK)):
        raise argparse.ArgumentTypeError(f"cannot write to {above}: choose another folder")
    return folder


def parse(arguments: Sequence[str]) -> Options:
    """Read the command line; what it leaves out comes from the environment or is the default."""
    languages = configured_languages()
    parser = OneLineParser(prog="nox -s docs --", description="Run the pages, build the site.")
    parser.add_argument(
        "--backend",
        type=available_backend,
        default=os.environ.get("JAX_PLATFORMS") or "cpu",
        help="what runs the pages: cpu, cuda or tpu (default: JAX_PLATFORMS, else cpu)",
    )
    parser.add_argument(
        "--language",
        action="append",
        choices=list(languages),
        help="build this language only; may be given several times (default: all)",
    )
    parser.add_argument(
        "--fresh", action="store_true", help="forget all stored outputs and run every page"
    )
    parser.add_argument(
        "--jobs",
        type=positive,
        default=os.cpu_count() or 1,
        help="pages that run at once on a CPU (default: %(default)s); an accelerator runs one",
    )
    parser.add_argument(
        "--page",
        type=page_name,
        help="only try this page, without building the site (for example transforms/grad)",
    )
    parser.add_argument(
        "--site",
        type=site_folder,
        default=str(ROOT / "site"),
        help="the folder that becomes the site (default: site)",
    )
    given = parser.parse_args(arguments)
    return Options(
        backend=given.backend,
        languages=tuple(code for code in languages if code in (given.language or languages)),
        fresh=given.fresh,
        jobs=given.jobs if given.backend == "cpu" else 1,
        page=given.page,
        site=given.site,
    )


def writable() -> None:
    """Refuse a tree in which nothing can be built, before minutes are spent on it."""
    probe = ROOT / ".writable"
    try:
        probe.touch()
        probe.unlink()
    except OSError as error:
        sys.exit(f"cannot write to {ROOT}: {error.strerror}; build in a checkout you can write to")


if __name__ == "__main__":
    writable()
    options = parse(sys.argv[1:])
    print(f"backend: {options.backend}")
