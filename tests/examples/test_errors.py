"""Every error is raised, every cure works, and a message from a terminal is found again."""

import re
import subprocess
import sys
from pathlib import Path

import errors
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from errors import failures, find, likeness, main, message, raised

from docs._make.options import ROOT

# Those of values.py that raise nothing are tested with test_errors_values.py.
NAMES = [name for name, (function, _) in failures().items() if "Raises:" in str(function.__doc__)]
TRACING = ROOT / "docs" / "trouble" / "errors-tracing.md"


@pytest.mark.parametrize("name", NAMES)
def test_an_error_is_the_one_that_the_docstring_names(name: str) -> None:
    function, _ = failures()[name]
    _, stated = str(function.__doc__).split("Raises:")
    names = re.findall(r"^ {8}(?:\w+\.)*(\w+):", stated, re.MULTILINE)
    assert type(raised(function)).__name__ in names


@pytest.mark.parametrize("name", failures())
def test_a_cure_gives_a_result(name: str) -> None:
    _, fixed = failures()[name]
    assert fixed() is not None
    assert ">>>" in (fixed.__doc__ or "")


@pytest.mark.parametrize("name", NAMES)
def test_a_message_finds_its_error(name: str) -> None:
    function, _ = failures()[name]
    assert name in find(message(function))
    assert name in find(str(raised(function)))


def other_terminal(tmp_path: Path, program: str) -> str:
    """The traceback that a reader's own program leaves in the terminal."""
    file = tmp_path / "mine.py"
    file.write_text(f"import jax\nimport jax.numpy as jnp\nimport numpy as np\n{program}")
    return subprocess.run([sys.executable, file], capture_output=True, text=True).stderr


PROGRAMS = {
    "branch_on_value": "jax.jit(lambda q: 1 if q.any() else 2)(jnp.ones({n}))",
    "numpy_function": "jax.jit(lambda q: np.cumsum(np.cos(q)))(jnp.ones(({n}, 2)))",
    "arange_of_argument": "jax.jit(lambda q: jnp.arange(3, q))({n})",
    "slice_to_argument": "jax.jit(lambda q, r: q[..., 1:r])(jnp.ones((2, {n})), {n})",
    "text_argument": "jax.jit(lambda mode, q: q)('mean', {n})",
    "array_as_static": "jax.jit(lambda q: q, static_argnums=0)(jnp.ones(({n}, {n})))",
    "kept_in_list": "seen = []\njax.jit(lambda q: seen.append(q * q))({n})\njnp.sin(seen[0])",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_traceback_of_another_program_finds_the_error(name: str, tmp_path: Path) -> None:
    n = int(np.random.default_rng().integers(2, 90))
    pasted = other_terminal(tmp_path, PROGRAMS[name].format(n=n))
    assert "Traceback" in pasted
    assert name in find(pasted)


def test_further_lines_decide_between_equal_first_lines(tmp_path: Path) -> None:
    pasted = other_terminal(tmp_path, "jax.jit(lambda q: jnp.arange(q))(7)")
    found = find(pasted)
    assert found[0] == "arange_of_argument"
    assert {"number_from_tracer", "unknown_count"} < set(found)


def test_unlike_messages_are_told_apart() -> None:
    assert find("ValueError: could not convert string to float: 'three'") == []
    assert find("") == []
    assert likeness("Pred must be a scalar", "scan body output must be a pair") < errors.LIKE
    pasted = message(lambda: jax.lax.cond(jnp.ones(3) > 0, jnp.sin, jnp.cos, 1.0))
    assert find(pasted) == ["array_as_condition"]


def test_a_function_that_does_not_fail_is_noticed() -> None:
    with pytest.raises(AssertionError, match="sin"):
        message(jnp.sin, 1.0)


def test_the_command_line_lists_shows_and_finds(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    listed = capsys.readouterr().out
    assert re.findall(r"^\w+$", listed, re.MULTILINE) == list(failures())
    assert main(["carry_shape"]) == 0
    shown = capsys.readouterr().out
    assert main(["--find", message(failures()["carry_shape"][0])]) == 0
    assert shown in capsys.readouterr().out


def test_the_jump_list_quotes_messages() -> None:
    said = "\n".join(str(raised(failures()[name][0])) for name in NAMES)
    quoted = re.findall(r"^- `(.+?)`: \[", TRACING.read_text(), re.MULTILINE)
    assert len(quoted) > 20
    # One of these two is what the installed version says.
    slices = {text for text in quoted if "static start/stop/step" in text or "Slice ent" in text}
    assert len(slices) == 2 and any(text in said for text in slices)
    assert [text for text in quoted if text not in said and text not in slices] == []


def test_the_page_shows_every_tracing_error() -> None:
    page = TRACING.read_text()
    from _errors import tracing

    for name in [name for name in vars(tracing) if f"{name}_fixed" in vars(tracing)]:
        assert f"print(message({name}))" in page
        assert re.search(rf"^(assert|result =) {name}_fixed\(\)", page, re.MULTILINE)
