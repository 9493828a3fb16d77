"""What the outputs of every page depend on, as the name of the folder that caches them."""

import hashlib
import json
import os
import platform
import re
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from docs._guide.options import BUILD, ROOT

# Variables that change what JAX computes, or how fast: all but where it keeps its caches.
JAX_VARIABLE = re.compile(r"XLA_|JAX_(?!PLATFORMS|COMPILATION_CACHE_DIR)|LIBTPU_|OMP_|CUDA_VISIBLE")

# Cells that need one of these are skipped where it is not installed: PyTorch has no build for every
# platform (noxfile.py), the others are installed by `--with physics`.
OPTIONAL_PACKAGES = ("torch", "brax", "jax-md")

# The files that determine how a page is run and how its figures look.
RUNNER = ("kernel.py", "traceback.py", "matplotlibrc")


def installed_packages(backend: str) -> dict[str, str]:
    """Versions of the packages that the locks name and of the optional ones, where installed."""
    locks = [ROOT / "requirements" / "guide.txt", ROOT / "requirements" / f"{backend}.txt"]
    text = "".join(lock.read_text() for lock in locks if lock.exists())
    installed = {}
    for name in [*re.findall(r"^([\w.-]+)==", text, re.MULTILINE), *OPTIONAL_PACKAGES]:
        try:
            installed[name] = version(name)
        except PackageNotFoundError:
            continue  # locked for another Python or system, or optional
    return installed


def available_cpus() -> int:
    """CPUs that this process may use, which can be fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def processor() -> str:
    """Name of the CPU."""
    description = Path("/proc/cpuinfo")
    if description.exists():
        names = re.findall(r"^model name\s*:\s*(.+)$", description.read_text(), re.MULTILINE)
        if names:
            return str(names[0])
    return platform.processor() or platform.machine()


def cache_folder(backend: str) -> Path:
    """Where the outputs of all pages are cached in this environment.

    The name of the folder is readable in front, and exact behind.
    """
    exact = {
        "backend": backend,
        "python": platform.python_version(),
        "packages": installed_packages(backend),
        "variables": {k: v for k, v in os.environ.items() if JAX_VARIABLE.match(k)},
        "processor": processor(),
        "cpus": available_cpus(),
        "runner": [Path(__file__).with_name(name).read_text() for name in RUNNER],
    }
    digest = hashlib.sha256(json.dumps(exact, sort_keys=True).encode()).hexdigest()[:10]
    python = ".".join(platform.python_version_tuple()[:2])
    return BUILD / "outputs" / f"{backend}-jax{version('jax')}-py{python}-{digest}"
