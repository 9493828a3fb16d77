"""What the workflows and Read the Docs name is there, and strangers' code meets no secret."""

import ast
import re
from typing import Any

import pytest
import yaml

from docs._make.options import ROOT
from docs._make.page_report import CHARACTERS, report
from tests.conftest import SmallGuide, notebook

WORKFLOWS = {file.stem: file.read_text() for file in (ROOT / ".github/workflows").glob("*.yml")}
HOSTING = {**WORKFLOWS, "readthedocs": (ROOT / ".readthedocs.yaml").read_text()}
NOXFILE = ast.parse((ROOT / "noxfile.py").read_text())
ON = True  # YAML 1.1 reads `on` so


def read(name: str) -> Any:
    return yaml.safe_load(HOSTING[name])


def pythons() -> list[str]:
    for node in NOXFILE.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "PYTHONS":
            return list(ast.literal_eval(node.value))
    raise AssertionError("noxfile.py names no PYTHONS")


@pytest.mark.parametrize("name", HOSTING)
def test_what_is_named_exists(name: str) -> None:
    text = HOSTING[name]
    functions = {node.name for node in NOXFILE.body if isinstance(node, ast.FunctionDef)}
    sessions = set(re.findall(r'nox -s "?(\w+)', text))
    assert sessions
    assert sessions <= functions
    settings = set(re.findall(r"\bGUIDE_\w+", text))
    assert settings <= set(re.findall(r"GUIDE_\w+", (ROOT / "docs/conf.py").read_text()))
    for file in re.findall(r"\b(?:docs|requirements)/\S+\.\w+", text):
        assert (ROOT / file).is_file()


@pytest.mark.parametrize("name", ["site", "check"])
def test_a_cold_build_is_the_command_of_the_readme(name: str) -> None:
    session = {"site": "docs", "check": "tests"}[name]
    readme = (ROOT / "README.md").read_text()
    command = re.search(rf"^python3 -m venv .*nox -s {session}$", readme, re.MULTILINE)
    assert command
    assert f"- run: {command[0]}\n" in HOSTING[name]


def test_each_python_is_tried() -> None:
    check = read("check")["jobs"]
    own = check["guide"]["steps"][1]["with"]["python-version"]
    others = check["compat"]["strategy"]["matrix"]["python"]
    assert [own, *others] == pythons()
    newest = [
        read("site")["jobs"]["build"]["steps"][1]["with"]["python-version"],
        read("weekly")["jobs"]["pages"]["steps"][1]["with"]["python-version"],
        read("readthedocs")["build"]["tools"]["python"],
    ]
    assert newest == [pythons()[-1]] * 3


def test_code_of_pages_runs_where_nothing_can_be_written() -> None:
    for name, text in WORKFLOWS.items():
        assert "secrets." not in text, name
        assert "pull_request_target" not in yaml.safe_load(text)[ON], name
        for job in read(name)["jobs"].values():
            if "nox" in yaml.safe_dump(job["steps"]):
                assert set(job["permissions"].values()) == {"read"}, name
                assert "github.token" not in yaml.safe_dump(job), name
                assert job["steps"][0]["with"] == {"persist-credentials": False}, name
            else:
                assert "checkout" not in yaml.safe_dump(job), name


def test_no_pull_request_reaches_a_runner_of_our_own() -> None:
    own = [name for name, text in WORKFLOWS.items() if "self-hosted" in text]
    assert own == ["gpu"]
    assert set(read("gpu")[ON]) == {"schedule", "workflow_dispatch"}


def test_the_report_says_what_a_real_build_said(small_guide: SmallGuide) -> None:
    page = notebook("print('```')\nraise ValueError('gone')")
    line = page.splitlines().index("raise ValueError('gone')") + 1
    small_guide.write("docs/two.md", page)
    made = small_guide.make("--jobs=1")
    assert made.returncode == 1
    said = report("newest JAX", made.stdout + made.stderr)
    assert said.startswith("## newest JAX: 1 page failed\n\n`2 pages, 2 to run: cpu-jax")
    assert "### two\n\n" in said
    assert f"docs/two.md:{line}: cell 1 of 1 raised ValueError" in said
    assert said.count("ValueError: gone") == 1
    small_guide.write("docs/two.md", notebook("print('right')"))
    made = small_guide.make("--jobs=1", "--language=en")
    assert made.returncode == 0
    assert report("newest JAX", made.stdout).startswith("## newest JAX: every page ran\n")


def test_a_build_that_did_not_come_to_the_pages_is_told_by_its_end() -> None:
    said = report("nightly JAX", "\n".join([*map(str, range(99)), "No matching distribution"]))
    assert said.startswith("## nightly JAX: the build stopped\n")
    assert said.endswith("98\nNo matching distribution\n```\n")


def test_two_long_reports_fit_into_an_issue() -> None:
    pages = [f"a/{number}" for number in range(200)]
    log = "".join(f"[1/200] FAILED {page} in 1.0 s\n" for page in pages)
    for page in pages:
        trace = "    at `f`\n" * 400
        log += f"\ndocs/{page}.md:1: cell 1 of 1 raised E\n{trace}To try just this page: x\n"
    said = report("newest JAX", log)
    assert len(said) <= CHARACTERS
    assert all(f"- {page}\n" in said for page in pages)
