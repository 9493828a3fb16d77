"""Outputs of one environment are never shown for another."""

import pytest

from docs._make.environment import folder_name, installed_packages


def test_name_tells_backend_jax_and_python() -> None:
    assert folder_name("cpu").startswith(f"cpu-jax{installed_packages('cpu')['jax']}-py3.")


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("XLA_FLAGS", "--xla_cpu_prefer_vector_width=512"),
        ("JAX_NUM_CPU_DEVICES", "8"),
        ("JAX_ENABLE_X64", "1"),
        ("OMP_NUM_THREADS", "1"),
    ],
)
def test_flags_change_it(monkeypatch: pytest.MonkeyPatch, variable: str, value: str) -> None:
    before = folder_name("cpu")
    monkeypatch.setenv(variable, value)
    assert folder_name("cpu") != before


def test_what_cannot_change_an_output_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    before = folder_name("cpu")
    monkeypatch.setenv("JAX_PLATFORMS", "cpu")
    monkeypatch.setenv("LANG", "ja_JP.UTF-8")
    assert folder_name("cpu") == before


def test_backend_cpus_and_versions_change_it(monkeypatch: pytest.MonkeyPatch) -> None:
    names = {folder_name("cpu"), folder_name("cuda")}
    monkeypatch.setattr("docs._make.environment.available_cpus", lambda: 1000)
    names.add(folder_name("cpu"))
    monkeypatch.setattr("docs._make.environment.installed_packages", lambda backend: {"jax": "0"})
    names.add(folder_name("cpu"))
    monkeypatch.setattr("platform.python_version", lambda: "3.11.0")
    names.add(folder_name("cpu"))
    assert len(names) == 5
