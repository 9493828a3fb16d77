"""Which backend JAX uses on this machine, and whether it is the one you need.

The list names the versions, the installed plugins, the chosen platforms and the devices. With
``--require gpu`` the exit status is 1 if JAX computes elsewhere, so a job can stop in its first
second instead of running slowly on the CPU. ``--start cpu cuda`` starts JAX in new processes, once
for each value of JAX_PLATFORMS, and prints the devices or the error.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib"]
# ///

import importlib.metadata
import os
import platform
import re
import subprocess
import sys
from collections.abc import Sequence

import jax
from _command_line import command_line

# For every new process: no colours in its messages, and no reserve of a GPU's memory.
CHILD = {"PYTHON_COLORS": "0", "XLA_PYTHON_CLIENT_PREALLOCATE": "false"}

QUESTION = "import jax; print(jax.default_backend(), len(jax.devices()))"


def packages(extra: str) -> list[str]:
    """List the packages that ``pip install "jax[extra]"`` adds to jax and jaxlib.

    >>> any("jax-cuda13-plugin" in line for line in packages("cuda13"))
    True
    """
    lines = importlib.metadata.requires("jax") or []
    return [
        line.split(";")[0].strip()
        for line in lines
        if f'extra == "{extra}"' in line and not line.startswith("jaxlib")
    ]


def installed_plugins() -> list[str]:
    """List the installed packages with which JAX can use more than the CPU."""
    names = {d.name.lower() for d in importlib.metadata.distributions()}
    return sorted(
        name
        for name in names
        if name == "libtpu" or (name.startswith("jax-") and name.endswith("-plugin"))
    )


def last_line(text: str) -> str:
    """Return the last line of a text that is not blank, or "" if there is none."""
    return (text.strip().splitlines() or [""])[-1]


def new_process(code: str, **variables: str) -> tuple[str, str]:
    """Run Python code for at most 120 s in a new process, where JAX has not started yet.

    Returns:
        The last line of its output and the last line of its errors, each "" if there is none.

    >>> new_process("import os; print(os.environ['JAX_PLATFORMS'])", JAX_PLATFORMS="tpu")
    ('tpu', '')
    >>> new_process("1 / 0")
    ('', 'ZeroDivisionError: division by zero')
    """
    run = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=os.environ | CHILD | variables,
        timeout=120,
    )
    return last_line(run.stdout), last_line(run.stderr)


def describe_backend() -> dict[str, str | int]:
    """Collect what a question about a JAX installation should contain."""
    devices = jax.devices()
    return {
        "python": platform.python_version(),
        "jax": jax.__version__,
        "jaxlib": importlib.metadata.version("jaxlib"),
        "plugins": " ".join(installed_plugins()) or "-",
        "jax_platforms": jax.config.values["jax_platforms"] or "-",
        "backend": jax.default_backend(),
        "devices": len(devices),
        "device_kind": devices[0].device_kind,
    }


def advice(name: str) -> str:
    """Name what to set, to install or to run to get a backend."""
    if name == "cpu":
        return "set JAX_PLATFORMS=cpu"
    extras, value = (("cuda13", "cuda12"), "cuda") if name == "gpu" else (("tpu",), "tpu")
    added = {re.split(r"[^\w-]", line)[0] for extra in extras for line in packages(extra)}
    for plugin in added.intersection(installed_plugins()):
        return f"{plugin} is installed, and --start {value} prints why it does not start"
    return "run " + " or ".join(f'pip install -U "jax[{extra}]"' for extra in extras)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the checklist, and test what was asked for."""
    parser = command_line(__doc__)
    add = parser.add_argument
    add("--require", choices=("cpu", "gpu", "tpu"), help="exit with status 1 if JAX uses another")
    tried = "values of JAX_PLATFORMS to start JAX with, each in a new process"
    add("--start", choices=("cpu", "cuda", "rocm", "tpu"), nargs="+", default=(), help=tried)
    options = parser.parse_args(arguments)

    for value in options.start:
        try:
            answer, error = new_process(QUESTION, JAX_PLATFORMS=value)
        except subprocess.TimeoutExpired as late:
            answer, error = "", f"no answer in {late.timeout:.0f} s"
        print(f"JAX_PLATFORMS={value}: {answer or error}", flush=True)
    try:
        facts = describe_backend()
    except (AssertionError, RuntimeError) as error:
        # Where JAX skips every platform of the list, it raises an assertion without a text.
        reason = str(error) or "no such device; set JAX_PLATFORMS= for an automatic choice"
        print(f"JAX_PLATFORMS={jax.config.values['jax_platforms']}: {reason}", file=sys.stderr)
        return 1
    for name, fact in facts.items():
        print(f"{name:14} {fact}")
    used, needed = facts["backend"], options.require
    if needed not in (None, used):
        print(f"JAX uses {used}, not {needed}: {advice(needed)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
