"""Outputs of one environment are never shown for another: its folder has another name."""

import subprocess
import sys

import pytest

from docs._guide.execute import environment
from docs._guide.execute.environment import cache_folder, installed_packages
from tests.conftest import SmallGuide


def test_the_name_starts_with_backend_jax_and_python() -> None:
    jax = installed_packages("cpu")["jax"]
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert cache_folder("cpu").name.startswith(f"cpu-jax{jax}-py{python}-")


@pytest.mark.parametrize(
    ("variable", "value", "changes"),
    [
        ("XLA_FLAGS", "--xla_cpu_prefer_vector_width=512", True),
        ("JAX_NUM_CPU_DEVICES", "8", True),
        ("JAX_ENABLE_X64", "1", True),
        ("OMP_NUM_THREADS", "1", True),
        ("JAX_PLATFORMS", "cpu", False),
        ("LANG", "ja_JP.UTF-8", False),
    ],
)
def test_variables_of_jax_change_it(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, changes: bool
) -> None:
    before = cache_folder("cpu")
    monkeypatch.setenv(variable, value)
    assert (cache_folder("cpu") != before) == changes


def test_backend_machine_and_versions_change_it(monkeypatch: pytest.MonkeyPatch) -> None:
    names = {cache_folder("cpu"), cache_folder("cuda")}
    for name, value in (("available_cpus", 1000), ("processor", "a processor")):
        monkeypatch.setattr(environment, name, lambda value=value: value)
        names.add(cache_folder("cpu"))
    monkeypatch.setattr(environment, "installed_packages", lambda backend: {"jax": "0"})
    names.add(cache_folder("cpu"))
    monkeypatch.setattr("platform.python_version", lambda: "3.11.0")
    names.add(cache_folder("cpu"))
    assert len(names) == 6


def test_how_pages_are_run_changes_it(small_guide: SmallGuide) -> None:
    command = "from docs._guide.execute import environment as e; print(e.cache_folder('cpu').name)"
    arguments = [sys.executable, "-c", command]
    names = {cache_folder("cpu").name}
    for file in ("kernel.py", "matplotlibrc"):
        with (small_guide.root / "docs" / "_guide" / "execute" / file).open("a") as text:
            text.write("# A comment.\n")
        names.add(subprocess.check_output(arguments, cwd=small_guide.root, text=True).strip())
    assert len(names) == 3
