"""What JAX has found on this machine, what keeps it from the NVIDIA GPU, and what to do.

The list names the versions of JAX's packages, the environment variables that matter, the driver,
and the devices, or the error with which JAX does not start. The last line says what to do.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib"]
# ///

import importlib.metadata
import os
import platform
import subprocess
from collections.abc import Sequence

from _command_line import command_line

VARIABLES = "JAX_PLATFORMS", "CUDA_VISIBLE_DEVICES", "LD_LIBRARY_PATH"
QUERY = ["nvidia-smi", "--query-gpu=driver_version,name", "--format=csv,noheader"]


def found() -> dict[str, str]:
    """Collect versions, variables, the driver and the devices; nothing here raises an error.

    >>> {"jax", "jaxlib", "driver", "devices"} <= set(found())
    True
    """
    facts = {
        d.name.lower(): d.version
        for d in importlib.metadata.distributions()
        if d.name.lower() in ("jax", "jaxlib") or d.name.lower().startswith("jax-")
    }
    facts |= {name: os.environ[name] for name in VARIABLES if name in os.environ}
    try:
        run = subprocess.run(QUERY, capture_output=True, text=True, timeout=60)
        facts["driver"] = run.stdout.strip().partition("\n")[0] if run.returncode == 0 else ""
    except (OSError, subprocess.SubprocessError):
        facts["driver"] = ""
    try:
        import jax

        facts["devices"] = " ".join(device.platform for device in jax.devices())
    except Exception as error:
        facts["devices"] = f"{type(error).__name__}: {error}".partition("\n")[0]
    return facts


def advice(facts: dict[str, str]) -> str:
    """Say what to do so that JAX uses the NVIDIA GPU.

    Args:
        facts: What ``found`` returns.

    >>> base = {"jaxlib": "0.12.0", "driver": "580.65.06, NVIDIA L4", "devices": "cpu"}
    >>> advice(base)
    'pip install -U "jax[cuda13]"'
    >>> advice(base | {"driver": ""})
    'install the newest NVIDIA driver, if there is such a GPU'
    """
    plugins = [name for name in facts if "cuda" in name and name.endswith("-plugin")]
    parts = {name: facts[name] for name in facts if name == "jaxlib" or "-cuda" in name}
    major = facts["driver"].partition(".")[0]
    driver = int(major) if major.isdecimal() else 0
    if "gpu" in facts["devices"].split() or "cuda" in facts["devices"].split():
        return "nothing: JAX uses the GPU"
    if driver < 525:
        return "install the newest NVIDIA driver, if there is such a GPU"
    if not plugins:
        return f'pip install -U "jax[{"cuda13" if driver >= 580 else "cuda12"}]"'
    if len(set(parts.values())) > 1:
        return "install again: " + ", ".join(map(" ".join, parts.items()))
    if chosen := [name for name in VARIABLES if name in facts]:
        return "unset or correct " + " ".join(chosen)
    return "end other processes on the GPU, or read the log with TF_CPP_MIN_LOG_LEVEL=0"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the facts about this machine, and what to do."""
    parser = command_line(__doc__)
    parser.add_argument("--report", action="store_true", help="add what a bug report should have")
    options = parser.parse_args(arguments)
    facts = found()
    print(f"{'python':20} {platform.python_version()}, {platform.system()} {platform.machine()}")
    for name, fact in facts.items():
        print(f"{name:20} {fact or '-'}")
    if "tpu" in facts["devices"].split():
        todo = "nothing: JAX uses the TPU"
    elif platform.system() != "Linux":
        todo = "for a GPU, use Linux or WSL2; on a Mac, the CPU"
    else:
        todo = advice(facts)
    print(f"{'what to do':20} {todo}")
    if options.report:
        import jax  # only here, since an installation that is broken should still be described

        jax.print_environment_info()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
