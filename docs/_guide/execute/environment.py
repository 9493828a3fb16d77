"""What the outputs of every page depend on, as the name of the folder that caches them."""

import hashlib
import json
import os
import platform
import re
import subprocess
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from docs._guide.machine import available_cpus
from docs._guide.options import BUILD, ROOT

# Raise it when pages are run in another way, so that their outputs change: kernel.py,
# traceback.py, matplotlibrc.
RUNNER = 3

# Variables that change what JAX computes, or how fast: all but where it keeps its caches.
JAX_VARIABLE = re.compile(
    r"XLA_|JAX_(?!PLATFORMS|COMPILATION_CACHE|PERSISTENT_CACHE)|LIBTPU_|OMP_|CUDA_VISIBLE"
)

# Cells that need one of these are skipped where it is not installed: PyTorch has no build for every
# platform (noxfile.py), the others are installed by `--with physics`.
OPTIONAL_PACKAGES = ("torch", "brax", "jax-md")


def installed_packages(backend: str) -> dict[str, str]:
    """Versions of the packages that the locks name and of the optional ones, where installed."""
    locks = [ROOT / "requirements" / "guide.txt", ROOT / "requirements" / f"{backend}.txt"]
    text = "".join(lock.read_text(encoding="utf-8") for lock in locks if lock.exists())
    installed = {}
    for name in [*re.findall(r"^([\w.-]+)==", text, re.MULTILINE), *OPTIONAL_PACKAGES]:
        try:
            installed[name] = version(name)
        except PackageNotFoundError:
            continue  # locked for another Python or system, or optional
    return installed


def jax_variables() -> dict[str, str]:
    """The builder's variables that change what JAX computes."""
    return {name: value for name, value in os.environ.items() if JAX_VARIABLE.match(name)}


def linux_cpu(field: str) -> str:
    """What Linux lists of the first CPU under a name, a regular expression; empty elsewhere."""
    with suppress(OSError):
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
        if line := re.search(rf"^(?:{field})\s*:\s*(.+)$", text, re.MULTILINE):
            return line[1]
    return ""


def processor() -> str:
    """Name of the CPU."""
    # The second is that of macOS; elsewhere there is no such program or key.
    name = linux_cpu("model name") or first_line("sysctl", "-n", "machdep.cpu.brand_string")
    return name or platform.processor() or platform.machine()


def nvidia_gpu(field: str) -> str:
    """What `nvidia-smi` has in a field, such as `name`; empty without NVIDIA's driver."""
    return first_line("nvidia-smi", f"--query-gpu={field}", "--format=csv,noheader")


def first_line(*command: str) -> str:
    """The first line that a program prints; empty where there is none."""
    with suppress(OSError, subprocess.CalledProcessError):
        printed = subprocess.check_output(
            command, text=True, encoding="utf-8", stderr=subprocess.DEVNULL
        )
        return next(iter(printed.splitlines()), "").strip()
    return ""


def machine() -> list[object]:
    """The CPU and how many of it: measurements of another machine are not shown for this one."""
    return [processor(), available_cpus()]


def cache_folder(backend: str) -> Path:
    """Where the outputs of all pages are cached in this environment.

    The name of the folder is readable in front, and exact behind. What only measurements depend
    on is in the keys of the pages that measure (page.py).
    """
    exact = {
        "backend": backend,
        "python": platform.python_version(),
        "packages": installed_packages(backend),
        "variables": jax_variables(),
        "gpu": nvidia_gpu("name") if backend == "cuda" else "",
        "runner": RUNNER,
    }
    digest = hashlib.sha256(json.dumps(exact, sort_keys=True).encode()).hexdigest()[:10]
    python = ".".join(platform.python_version_tuple()[:2])
    return BUILD / "outputs" / f"{backend}-jax{version('jax')}-py{python}-{digest}"


def compiled_folder() -> Path:
    """Where JAX keeps what XLA compiled for this CPU; its own keys cover versions and flags."""
    exact = f"{processor()} {linux_cpu('flags|Features')}"  # an emulator can hide instructions
    return BUILD / "compiled" / f"cpu-{hashlib.sha256(exact.encode()).hexdigest()[:10]}"


def compilation_cache() -> dict[str, str]:
    """Variables with which JAX keeps every program there, not only those that took a second."""
    return {
        "JAX_COMPILATION_CACHE_DIR": str(compiled_folder()),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
    }
