"""Every script is complete in one file: a copy runs in an empty folder with its packages only."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from docs._guide.execute.environment import compilation_cache
from docs._guide.options import ROOT

EXAMPLES = ROOT / "examples"
SCRIPTS = sorted(str(file.relative_to(EXAMPLES)) for file in EXAMPLES.glob("*/*.py"))
PROGRAMS = [name for name in SCRIPTS if not name.startswith("tools/")]
HEADER = re.compile(r"^# /// script\n((?:# .*\n)+)# ///\n", re.MULTILINE)

# Smaller numbers in the copies, so that a run takes seconds.
SHORTER = {
    "training/environments.py": ["SEEDS, ITERATIONS = 2, 3"],
    "training/language_model.py": ["STEPS, CHUNK, BATCH = 100, 50, 16"],
    "training/train.py": ["EPOCHS, BATCH = 3, 64"],
    "training/transfer.py": ["STEPS, BATCH, SEEDS = 100, 32, 2"],
    "science/bayes.py": ["DRAWS, CHAINS = 500, 4"],
    "science/differential_equations.py": ["SIMULATIONS = 4"],
    "science/physics.py": ["TEMPERATURES, SEEDS = (0.1, 1.2), 2", "STEPS, DT = 400, 0.01"],
    "cases/ukr.py": ["POINTS, BANDWIDTH = 300, 0.3", "RATE, STEPS = 0.02, 100 "],
}
# What is printed, with one number in it, and between which numbers that must be.
PRINTED = {
    "basics/async_dispatch.py": (r"n =   256: .* the result +([\d.]+) ms", 0, 1e4),
    "basics/grad.py": (r"largest error (\S+)", 0, 1e-5),
    "basics/jit.py": (r"100 numbers: +([\d.]+) times", 2, 1e4),
    "basics/scan.py": (r"descent: +([\d.]+) x", 2.5, 3.5),
    "basics/vmap.py": (r"540000 points, ([\d.]+)%", 0.1, 60),
    "training/environments.py": (r"seed 1: .* at the end ([\d.]+)", 20, 500),
    "training/evolution.py": (r"end .*: ([\d.]+) a day", 5, 12),
    "training/language_model.py": (r"step  100: ([\d.]+) bits", 0.2, 1.5),
    "training/linen_to_nnx.py": (r"losses from the checkpoint +(\S+)", 0, 1e-2),
    "training/network_by_hand.py": (r"validation accuracy ([\d.]+)%", 85, 100),
    "training/serving.py": (r"([\d.]+)% of the answers", 60, 100),
    "training/train.py": (r"([\d.]+)% of 360 test images", 80, 100),
    "training/transfer.py": (r"all layers +([\d.]+)%", 30, 100),
    "science/bayes.py": (r"stiffness ([\d.]+) ±", 38, 43),
    "science/differential_equations.py": (r"births +([\d.]+) ±", 0.45, 0.65),
    "science/optimization.py": (r"lifetime 2 / ns +([\d.]+) ±", 2.7, 3.3),
    "science/physics.py": (r"0\.10 +[\d.]+ +[\d.]+ to +[\d.]+ +(\S+)", 0, 0.1),
    "science/throw.py": (r"best  throw: .* by ([\d.]+) m", 0, 6),
    "scale/processes.py": (r"steps 50 to 100, processes: 2, loss (\S+)", 0, 1e-3),
    "scale/sharded_training.py": (r"tensor +(\S+)", 0, 1e-4),
    "cases/ukr.py": (r"by_blocks .* to ([\d.]+)", 0, 0.05),
}

# Runs in the process of the script: hides all packages but the given ones, imports the script,
# and runs it if the import has not started JAX.
ALONE = """
import sys, runpy
file, *hidden = sys.argv[1:]
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in hidden:
            raise ModuleNotFoundError(f"{name} is not among the declared packages", name=name)
sys.meta_path.insert(0, Hidden())
sys.argv = [file]
runpy.run_path(file, run_name="imported")
import jax
jax.config.update("jax_num_cpu_devices", 1)  # an error once JAX has started
runpy.run_path(file, run_name="__main__")
"""


def declared(text: str) -> list[Requirement]:
    """The requirements in the header of a script."""
    header = HEADER.search(text)
    assert header
    metadata = tomllib.loads(re.sub("^# ", "", header[1], flags=re.MULTILINE))
    assert metadata["requires-python"] == ">=3.11"
    return [Requirement(line) for line in metadata["dependencies"]]


@cache
def closure(name: str, extras: frozenset[str] = frozenset()) -> frozenset[str]:
    """A distribution and all that it needs here."""
    names = {name}
    with suppress(PackageNotFoundError):
        for needed in map(Requirement, requires(name) or []):
            marks = [{"extra": extra} for extra in ("", *extras)]
            child = canonicalize_name(needed.name)
            if child != name and (not needed.marker or any(map(needed.marker.evaluate, marks))):
                names |= closure(child, frozenset(needed.extras))
    return frozenset(names)


def hidden_modules(requirements: list[Requirement]) -> list[str]:
    """The top-level modules of all installed packages but the required ones and theirs."""
    allowed: set[str] = set()
    for requirement in requirements:
        allowed |= closure(canonicalize_name(requirement.name), frozenset(requirement.extras))
    return [
        module
        for module, owners in packages_distributions().items()
        if not allowed & {canonicalize_name(owner) for owner in owners}
    ]


def short_copy(name: str, folder: Path) -> Path:
    """Copy a script into a folder, with smaller numbers."""
    text = (EXAMPLES / name).read_text(encoding="utf-8")
    for line in SHORTER.get(name, []):
        names = re.escape(line.partition(" = ")[0])
        text, count = re.subn(rf"^{names} = [^#\n]+", line, text, flags=re.MULTILINE)
        assert count == 1, line
    copy = folder / Path(name).name
    copy.write_text(text, encoding="utf-8")
    return copy


def test_all_programs_are_run_here() -> None:
    assert sorted(PRINTED) == PROGRAMS
    assert SHORTER.keys() <= PRINTED.keys()


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_copy_runs_with_its_declared_packages(name: str, tmp_path: Path) -> None:
    copy = short_copy(name, tmp_path)
    hidden = hidden_modules(declared(copy.read_text(encoding="utf-8")))
    assert {"sphinx", "pytest", "docs"} & {*hidden}
    environment = {key: text for key, text in os.environ.items() if not key.startswith("PYTHON")}
    run = subprocess.run(
        [sys.executable, "-c", ALONE, copy.name, *hidden],
        cwd=tmp_path,
        env=environment | compilation_cache() | {"MPLBACKEND": "agg", "PYTHONUTF8": "1"},
        capture_output=True,
        encoding="utf-8",
        timeout=600,
    )
    assert run.returncode == 0, run.stderr[-3000:]
    pattern, low, high = PRINTED[name]
    match = re.search(pattern, run.stdout)
    assert match and low <= float(match[1]) <= high, run.stdout
    draws = "savefig" in copy.read_text(encoding="utf-8")
    assert copy.with_suffix(".png").exists() == draws


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_can_be_read_and_started_from(name: str) -> None:
    text = (EXAMPLES / name).read_text(encoding="utf-8")
    tree = ast.parse(text)
    summary, _, rest = (ast.get_docstring(tree) or "").partition("\n\n")
    assert summary.endswith(".") and len(summary) <= 100 and rest
    if name not in ("tools/errors.py", "tools/installing.py"):  # these need nothing
        requirements = declared(text)
        assert name.startswith("tools/") or "jax>=0.10" in map(str, requirements)
    assert len(text.splitlines()) <= (260 if name in PROGRAMS else 1400)
    siblings = {Path(other).stem for other in SCRIPTS}
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    modules = {alias.name for node in imports for alias in node.names if node.col_offset == 0}
    assert not siblings & modules, "a script imports no other"
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    assert [node.name for node in functions if not ast.get_docstring(node)] == []


@pytest.mark.parametrize("language", ["", ".ja", ".ko"])
def test_the_table_lists_every_script_with_its_packages(language: str) -> None:
    text = (EXAMPLES / f"README{language}.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[`([^`]+)`\]\(([^)]+)\) \|(.*)\|$", text, re.MULTILINE)
    assert sorted(link for _, link, _ in rows) == SCRIPTS
    for name, link, row in rows:
        assert name == link
        source = (EXAMPLES / link).read_text(encoding="utf-8")
        names = [] if not HEADER.search(source) else [each.name for each in declared(source)]
        packages = row.rsplit("|", 1)[1].strip().replace("`", "")
        assert packages == (", ".join(names) or "–"), link


def test_a_package_that_is_not_declared_is_an_error(tmp_path: Path) -> None:
    """Or the copies above would prove nothing."""
    copy = short_copy("basics/grad.py", tmp_path)
    text = copy.read_text(encoding="utf-8")
    copy.write_text(text.replace("import jax\n", "import jax\nimport optax\n", 1), encoding="utf-8")
    hidden = hidden_modules(declared(text))
    command = [sys.executable, "-c", ALONE, copy.name, *hidden]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8")
    assert "optax is not among the declared packages" in run.stderr
