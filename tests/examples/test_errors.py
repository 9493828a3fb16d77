"""Every error is raised, every cure works, and a message from a terminal leads to its error."""

import re
import traceback

import errors
import jax
import jax.numpy as jnp
import pytest
from _errors import tracing
from errors import failures, find, likeness, main, message, raised

from docs._guide.options import ROOT

# Those of values.py that raise nothing are tested in test_errors_values.py.
NAMES = [name for name, (function, _) in failures().items() if "Raises:" in str(function.__doc__)]
TRACING = (ROOT / "docs" / "trouble" / "errors-tracing.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_the_documented_error_is_raised_and_its_message_leads_to_it(name: str) -> None:
    function, _ = failures()[name]
    _, documented = str(function.__doc__).split("Raises:")
    error = raised(function)
    assert type(error).__name__ in re.findall(r"^ {8}(?:\w+\.)*(\w+):", documented, re.MULTILINE)
    assert name in find(message(function))
    assert name in find(str(error))


@pytest.mark.parametrize("name", failures())
def test_a_cure_gives_a_result(name: str) -> None:
    _, fixed = failures()[name]
    assert fixed() is not None


PROGRAMS = {
    "branch_on_value": "jax.jit(lambda q: 1 if q.any() else 2)(jnp.ones(23))",
    "numpy_function": "jax.jit(lambda q: np.cumsum(np.cos(q)))(jnp.ones((23, 2)))",
    "arange_of_argument": "jax.jit(lambda q: jnp.arange(3, q))(23)",
    "slice_to_argument": "jax.jit(lambda q, r: q[..., 1:r])(jnp.ones((2, 23)), 23)",
    "text_argument": "jax.jit(lambda mode, q: q)('mean', 23)",
    "array_as_static": "jax.jit(lambda q: q, static_argnums=0)(jnp.ones((23, 23)))",
    "kept_in_list": "seen = []\njax.jit(lambda q: seen.append(q * q))(23)\njnp.sin(seen[0])",
}


def terminal(program: str) -> str:
    """The traceback that a reader's own program leaves in the terminal."""
    code = compile(
        f"import jax\nimport jax.numpy as jnp\nimport numpy as np\n{program}", "m", "exec"
    )
    try:
        exec(code, {})
    except Exception:
        return traceback.format_exc()
    raise AssertionError(program)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_traceback_of_another_program_leads_to_the_error(name: str) -> None:
    assert name in find(terminal(PROGRAMS[name]))


def test_further_lines_decide_between_equal_first_lines() -> None:
    names = find(terminal("jax.jit(lambda q: jnp.arange(q))(7)"))
    assert names[0] == "arange_of_argument"
    assert {"number_from_tracer", "unknown_count"} < set(names)


def test_unlike_messages_are_kept_apart() -> None:
    assert find("ValueError: could not convert string to float: 'three'") == []
    assert find("") == []
    assert likeness("Pred must be a scalar", "scan body output must be a pair") < errors.LIKE
    pasted = message(lambda: jax.lax.cond(jnp.ones(3) > 0, jnp.sin, jnp.cos, 1.0))
    assert find(pasted) == ["array_as_condition"]


def test_the_command_line_shows_one_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["carry_shape"]) == 0
    shown = capsys.readouterr().out
    assert main(["--find", message(failures()["carry_shape"][0])]) == 0
    assert shown in capsys.readouterr().out


def test_the_jump_list_of_the_page_quotes_messages() -> None:
    messages = "\n".join(str(raised(failures()[name][0])) for name in NAMES)
    quoted = re.findall(r"^- `(.+?)`: \[", TRACING, re.MULTILINE)
    assert len(quoted) > 20
    # The installed version of JAX has one of these two.
    slices = {text for text in quoted if "static start/stop/step" in text or "Slice ent" in text}
    assert len(slices) == 2 and any(text in messages for text in slices)
    assert [text for text in quoted if text not in messages and text not in slices] == []


@pytest.mark.parametrize(
    "name", [name for name in vars(tracing) if f"{name}_fixed" in vars(tracing)]
)
def test_the_page_shows_every_tracing_error(name: str) -> None:
    assert f"print(message({name}))" in TRACING
    assert re.search(rf"^(assert|result =) {name}_fixed\(\)", TRACING, re.MULTILINE)
