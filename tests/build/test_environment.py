"""Outputs of one environment are never shown for another: its folder has another name."""

import sys
from pathlib import Path

import pytest

from docs._guide.execute import environment
from docs._guide.execute.environment import cache_folder, installed_packages
from docs._guide.execute.page import read_page
from tests.conftest import notebook


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


def test_backend_gpu_and_versions_change_it(monkeypatch: pytest.MonkeyPatch) -> None:
    names = {cache_folder("cpu"), cache_folder("cuda")}
    monkeypatch.setattr(environment, "nvidia_gpu", lambda field: "a GPU")
    names.add(cache_folder("cuda"))
    monkeypatch.setattr(environment, "RUNNER", 0)
    names.add(cache_folder("cpu"))
    monkeypatch.setattr(environment, "installed_packages", lambda backend: {"jax": "0"})
    names.add(cache_folder("cpu"))
    monkeypatch.setattr("platform.python_version", lambda: "3.11.0")
    names.add(cache_folder("cpu"))
    assert len(names) == 6


@pytest.mark.parametrize("name", ["available_cpus", "processor"])
def test_the_machine_matters_only_to_pages_that_measure(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def keys() -> list[str]:
        read_page.cache_clear()  # a page computes its key once
        texts = (notebook("1"), notebook("1", ":tags: [measures]\n2"))
        return [page.key for text in texts if (page := read_page("one", text))]

    plain, measuring = keys()
    monkeypatch.setattr(environment, name, lambda: 1000)
    assert keys()[0] == plain
    assert keys()[1] != measuring


def test_nvidia_smi_that_prints_nothing_is_no_gpu(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "nvidia-smi").write_text("#!/bin/sh\n")
    (tmp_path / "nvidia-smi").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert environment.nvidia_gpu("name") == ""
