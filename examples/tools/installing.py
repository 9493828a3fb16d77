"""What JAX finds on this machine, what keeps it from a GPU or TPU, and what to do.

Run it with the Python that has your JAX (not with `uv run`, which would make another one); nothing
but Python is needed. You will see versions, variables, the driver, the devices or the error with
which JAX does not start, and in the last line what to do. With --require gpu the status is 1 if JAX
computes elsewhere, so that a job can stop in its first second.
"""

import argparse
import importlib.metadata
import os
import platform
import subprocess
import sys

VARIABLES = "JAX_PLATFORMS", "CUDA_VISIBLE_DEVICES", "LD_LIBRARY_PATH"
QUERY = ["nvidia-smi", "--query-gpu=driver_version,compute_cap,name", "--format=csv,noheader"]
# In a new process, since JAX may end the one that starts it.
DEVICES = "import jax; print(jax.default_backend(), *(d.device_kind for d in jax.devices()))"
LIMIT_S = 120


def packages():
    """Return the versions of jax, jaxlib, plugins and libtpu, where they are installed."""
    versions = {}
    for each in importlib.metadata.distributions():  # Python imports the first of a name
        versions.setdefault((each.metadata["Name"] or "").lower(), each.version)
    names = [name for name in versions if name in ("jax", "jaxlib", "libtpu")]
    names += [name for name in versions if name.startswith("jax-") and "plugin" in name]
    names += [name for name in versions if name.startswith("jax-") and "pjrt" in name]
    return {name: versions[name] for name in sorted(names)}


def driver():
    """Return NVIDIA's driver, the GPU's compute capability and name; empty without a driver."""
    try:
        run = subprocess.run(QUERY, capture_output=True, text=True, timeout=LIMIT_S)
    except (OSError, subprocess.SubprocessError):
        return ""
    return run.stdout.strip().partition("\n")[0] if run.returncode == 0 else ""


def devices():
    """Start JAX in a new process.

    Returns:
        Its backend and devices, or the last line of its error; and the last line of its warnings.
    """
    try:
        run = subprocess.run(
            [sys.executable, "-c", DEVICES],
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            env=os.environ | {"XLA_PYTHON_CLIENT_PREALLOCATE": "false", "PYTHON_COLORS": "0"},
        )
    except subprocess.TimeoutExpired:
        return f"no answer in {LIMIT_S} s", ""
    printed, warned = ((text.strip().splitlines() or [""])[-1] for text in (run.stdout, run.stderr))
    return (printed, warned) if run.returncode == 0 else (warned or f"status {run.returncode}", "")


def advice(facts):
    """Say what to do so that JAX uses the NVIDIA GPU.

    Args:
        facts: Names and what was found: packages, "driver", "devices", variables.

    >>> base = {"jax": "0.12.0", "jaxlib": "0.12.0", "driver": "580.65.06, 8.9, NVIDIA L4"}
    >>> advice(base | {"devices": "cpu cpu"})
    'pip install -U "jax[cuda13]"'
    >>> advice(base | {"devices": "cpu cpu", "driver": "580.65.06, 7.0, Tesla V100"})
    'pip install -U "jax[cuda12]"'
    >>> advice(base | {"devices": "cpu cpu", "driver": "580.65.06, [N/A], NVIDIA L4"})
    'pip install -U "jax[cuda12]"'
    >>> advice(base | {"devices": "cpu cpu", "driver": ""})
    'install the newest NVIDIA driver, if there is such a GPU'
    >>> advice({"driver": "", "devices": "ModuleNotFoundError: No module named 'jax'"})
    'pip install -U jax'
    >>> advice({"jax": "0.12.0", "driver": "", "devices": "RuntimeError: jaxlib is too old"})
    'JAX does not start: read the error above, and install it again'
    """
    plugins = [name for name in facts if "cuda" in name and name.endswith("-plugin")]
    parts = {name: facts[name] for name in facts if name == "jaxlib" or "-cuda" in name}
    number, capability, _ = (facts["driver"] + ",,").split(",", 2)
    major = number.partition(".")[0]
    version = int(major) if major.isdecimal() else 0
    known = capability.strip().replace(".", "").isdecimal()  # where it is not, it is "[N/A]"
    for_13 = version >= 580 and known and float(capability) >= 7.5
    too_old = version < 580 or (known and not for_13)
    backend = facts["devices"].partition(" ")[0]
    if backend in ("gpu", "tpu"):
        return f"nothing: JAX uses the {backend.upper()}"
    if "jax" not in facts:
        return "pip install -U jax"
    if backend != "cpu":
        return "JAX does not start: read the error above, and install it again"
    if platform.system() != "Linux":
        return "for a GPU, use Linux or WSL2; here, JAX uses the CPU"
    if version < 525:
        return "install the newest NVIDIA driver, if there is such a GPU"
    if not plugins:
        return f'pip install -U "jax[{"cuda13" if for_13 else "cuda12"}]"'
    if too_old and any("cuda13" in name for name in plugins):
        # Where both are installed, JAX takes that of CUDA 13.
        remove = "pip uninstall jax-cuda13-plugin jax-cuda13-pjrt"
        return f'too old for CUDA 13: {remove}, then pip install -U "jax[cuda12]"'
    if len(set(parts.values())) > 1:
        return "install again: " + ", ".join(map(" ".join, parts.items()))
    if chosen := [name for name in VARIABLES if name in facts]:
        return "unset or correct " + " ".join(chosen)
    return "end other processes on the GPU, or read the log with TF_CPP_MIN_LOG_LEVEL=0"


def main(arguments=None):
    """Print the facts about this machine, and what to do."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--require", choices=("cpu", "gpu", "tpu"), help="else the status is 1")
    options = parser.parse_args(arguments)
    facts = packages() | {name: os.environ[name] for name in VARIABLES if name in os.environ}
    facts |= {"driver": driver()} | dict(zip(("devices", "warning"), devices(), strict=True))
    print(f"{'python':22} {platform.python_version()}, {platform.system()} {platform.machine()}")
    for name, fact in facts.items():
        print(f"{name:22} {fact or '-'}")
    print(f"{'what to do':22} {advice(facts)}")
    used = facts["devices"].partition(" ")[0]
    if options.require not in (None, used):
        print(f"JAX does not use the {options.require.upper()}: see the last line", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
