"""Old names: the page and the tool agree, only code counts, and files stay whole."""

import ast
import io
import json
import re
import shutil
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from docs._guide.options import ROOT
from tests.examples.conftest import Refused, example

modernize = example("tools/modernize.py")
ROWS, LOADED, SENTENCES = modernize.ROWS, modernize.LOADED, modernize.SENTENCES
advice, language, lookup = modernize.advice, modernize.language, modernize.lookup
find, read, rewrite = modernize.find, modernize.read, modernize.rewrite


def run(code: str, scope: dict[str, Any]) -> object:
    """Run code; the value of its last line is the result."""
    body = ast.parse(code).body
    last = body.pop() if isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), "<row>", "exec"), scope)
    return eval(ast.unparse(last), scope) if last else None


def sign(path: str) -> str:
    """Import what a path names: an error `x`, a warning `!`, or neither `=`."""
    module, _, name = path.rpartition(".")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            run(f"from {module} import {name}" if module else f"import {name}", {})
        except Exception:
            return "x"
    return "!" if caught else "="


RENAMED = [row for row in ROWS if row.change == "rename"]
PAGE = (ROOT / "docs/old-articles/modernize.md").read_text(encoding="utf-8")
TABLES = re.findall(r'^\w+_rows = """\n(.*?)\n"""', PAGE, re.DOTALL | re.MULTILINE)
BLOCKS = [re.split(r"\n(?! )", block) for block in "\n\n".join(TABLES).split("\n\n")]
IMPORTS = PAGE.split('IMPORTS = """')[1].split('"""')[0]


def old_names(code: str) -> list[tuple[int, str]]:
    return [(finding.line, finding.row.old) for finding in find(code)[0]]


def test_rows_of_the_page_are_rows_of_the_tool() -> None:
    signs = {"gone": "x", "refused": "x", "warns": "!", "dated": "="}
    rows = {(row.version, signs[row.kind], row.old, row.new) for row in ROWS}
    headers = [re.fullmatch(r"(\S+) (\S) (.+) -> (.+)", block[0]) for block in BLOCKS]
    assert {header.groups() for header in headers if header} <= rows
    assert len(headers) >= 50
    assert len(ROWS) == len({row.old for row in ROWS}) >= 1000


def test_the_tool_finds_each_name_in_the_code_of_the_page() -> None:
    for header, old, new in BLOCKS:
        name = header.split(" -> ")[0].split(" ", 2)[2]
        assert name in [old_name for _, old_name in old_names(IMPORTS + old)], name
        assert old_names(IMPORTS + new.rpartition(" == ")[0]) == [], new


def test_the_first_example_of_the_page_prints_what_the_page_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    [code] = re.findall(r":tags: \[raises-exception\]\n(import.*?)```", PAGE, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    Path("article.py").write_text(code, encoding="utf-8")
    modernize.main(["--language", "en", "article.py"])
    assert f"article.py\n{capsys.readouterr().out}```" in PAGE


GONE = [row for row in ROWS if row.kind == "gone" and not row.form and row.old == row.path]
METHODS = ("jax.Array.", "flax.core.FrozenDict.", "flax.nnx.Optimizer.", "flax.nnx.Variable.",
           "flax.optim.Optimizer.")  # fmt: skip
# JAX 0.10 still has them, with a warning; the newest JAX does not.
RECENT = {"0.11.0"}


def test_removed_names_are_not_in_the_installed_libraries() -> None:
    names = [row.path for row in GONE if not row.path.startswith(METHODS) | (row.version in RECENT)]
    assert [name for name in names if sign(name) != "x"] == []


def test_new_names_exist() -> None:
    assert {row.new for row in RENAMED if sign(row.new) == "x"} == set()
    old = {row.new for row in RENAMED if (new := lookup(row.new)) and new.broken}
    assert old == set()


def test_names_that_still_work_exist() -> None:
    names = [row.path for row in ROWS if row.kind in ("warns", "dated") and not row.form]
    assert [name for name in names if not name.startswith(METHODS) and sign(name) == "x"] == []


LISTS = sorted({row.path for row in ROWS if row.form == "([])"})


@pytest.mark.parametrize("path", LISTS)
def test_functions_refuse_lists(path: str) -> None:
    function: Any = run(path, {"jax": jax})
    whole, real, square = [1, 2], [1.0, 2.0], [[2.0, 1.0], [1.0, 2.0]]
    arguments = [(real,), (whole, whole), (real, real), (whole, 1), (real, 1), (whole, (2, 1)),
                 ([1.0, 2.0, 3.0], [1.0, 2.0, 3.0], [1.0, 2.0, 3.0]), ([True, False], 1, 0),
                 (whole, 0, 1), (real, jnp.ones(2)), (whole, jnp.ones(2, int)), (square,),
                 (square, 1), (square, real)]  # fmt: skip
    messages = []
    for values in arguments:
        try:
            function(*values)
        except Exception as error:
            messages.append(str(error))
    assert any("got <class 'list'>" in message for message in messages), messages


def test_options_that_are_gone_are_refused() -> None:
    options = [row.form[2:-2] for row in ROWS if row.path == "jax.config.update"]
    assert len(options) > 5
    for option in options:
        with pytest.raises(AttributeError, match="Unrecognized config option"):
            jax.config.update(option, True)  # type: ignore[no-untyped-call]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        # What the articles have
        ("import jax\nstate = jax.ops.index_update(state, jax.ops.index[0], z)",
         "2 jax.ops.index_update; 2 jax.ops.index"),
        ("from jax import ops\nops.index_add(a, 0, 1)", "2 jax.ops.index_add"),
        ("from jax.ops import index_update\nindex_update(a, 0, 1)",
         "1 jax.ops.index_update; 2 jax.ops.index_update"),
        ("import jax.numpy as jnp\ndef f(x: jnp.DeviceArray): pass", "2 jax.numpy.DeviceArray"),
        ("from jax import numpy as np\nnp.product(x)", "2 jax.numpy.product"),
        ("from jax import tree_map\ntree_map(f, x)", "1 jax.tree_map"),
        ("from jax.config import config\nconfig.update('jax_enable_x64', True)",
         "1 jax.config.config"),
        ("from jax.experimental import loops", "1 jax.experimental.loops"),
        ("from jax import random\nkey = random.PRNGKey(0)", "2 jax.random.PRNGKey"),
        ("from flax import linen as nn\nnn.LSTMCell()", "2 flax.linen.LSTMCell()"),
        # Aliases
        ("import jax as j\nj.tree_leaves(x)", "2 jax.tree_leaves"),
        ("import jax\nnp = jax.numpy\nnp.alltrue(x)", "3 jax.numpy.alltrue"),
        ("from jax import *\ntree_map(f, x)", "2 jax.tree_map"),
        ("try:\n import jax\nexcept ImportError:\n jax = None\njax.api.jit(f)", "5 jax.api.jit"),
        # Calls
        ("import jax.numpy as jnp\njnp.clip(x, a_min=0)\njnp.clip(x, 0)\njnp.clip(x, a_max=1)",
         "2 jax.numpy.clip(a_min=); 4 jax.numpy.clip(a_max=)"),
        ("import jax.numpy as jnp\njnp.sum([1, 2])\njnp.array([1]), jnp.stack([x, x])",
         "2 jax.numpy.sum([])"),
        ("from jax.config import config\nconfig.update('jax_array', 1)\nconfig.update('x', 1)",
         "1 jax.config.config; 2 jax.config.update(\"jax_array\")"),
        ("import jax.config", "1 import jax.config"),
        ("import jax\njax.lax.cond(p, true_operand=x, true_fun=f, false_operand=x, false_fun=g)",
         "2 jax.lax.cond(true_operand=)"),
        ("from flax import linen as nn\nnn.GRUCell.initialize_carry(key, (3,), 8)\n"
         "cell.initialize_carry(key, (3, 8))",
         "2 flax.linen.GRUCell.initialize_carry(rng, batch_dims, size)"),
        # Fragments without imports, as pasted from a blog
        ("x = jax.ops.index_update(x, 0, 1)\nkey = random.PRNGKey(0)\ny = jnp.product(x)",
         "1 jax.ops.index_update; 2 jax.random.PRNGKey; 3 jax.numpy.product"),
        ("nn.LSTMCell()\nrandom.seed(0); np.product(x)", "1 flax.linen.LSTMCell()"),
        ("jax = other()\njax.tree_map(f, x)", ""),
        # Modules that moved only in part
        ("from jax.api import _argnums_partial, jit", "1 jax.api._argnums_partial; 1 jax.api.jit"),
        ("from jax.experimental import maps\nmaps.mesh, maps.SerialLoop, maps.x",
         "1 jax.experimental.maps; 2 jax.experimental.maps.mesh; "
         "2 jax.experimental.maps.SerialLoop; 2 jax.experimental.maps.x"),
        ("import jax\njax.core.JaxprEqn, jax.core.unit; jax.lib.xla_client.x",
         "2 jax.core.JaxprEqn; 2 jax.core.unit; 2 jax.lib.xla_client"),
        ("from jax.experimental.host_callback import call", 
         "1 jax.experimental.host_callback.call"),
        ("from jax.experimental import stax\nstax.Dense, stax._private",
         "1 jax.experimental.stax; 2 jax.experimental.stax._private"),
        # An alternative that works
        ("try:\n from jax import tree_map\nexcept ImportError:\n from jax.tree import map\n", ""),
        ("try:\n from jax.example_libraries import stax\nexcept ImportError:\n"
         " from jax.experimental import stax\nstax.Dense", ""),
        # Objects, by where they come from
        ("from flax import nnx\ns.value; w = nnx.Param(x)\nw.value, l.kernel.value",
         "3 flax.nnx.Variable.value; 3 flax.nnx.Variable.value"),
        ("from flax import nnx\ndef f(o: nnx.Optimizer, p):\n o.update(g); p.update(g)\n"
         " o.update(m, g)", "3 flax.nnx.Optimizer.update(grads)"),
        ("import flax\nlayer.unfreeze(); v = model.init(k, x)\nv['params'].unfreeze()",
         "3 flax.core.FrozenDict.unfreeze()"),
        ("import flax\ns, p = v.pop('params'); d.pop('x'); v.copy(); v.copy({'a': 1})",
         "2 flax.core.FrozenDict.pop(key); 2 flax.core.FrozenDict.copy({})"),
        ("from flax.core import freeze\nb = freeze(b)\nb, y = b.pop('y')", ""),
        ("from flax import optim\no = optim.Adam().create(p)\no.target; x.target\n"
         "o.apply_gradient(g)",
         "1 flax.optim; 2 flax.optim.Adam; 3 flax.optim.Optimizer.target; "
         "4 flax.optim.Optimizer.apply_gradient(grads)"),
        ("from flax import optim\noptim.Adam\ndef f(optimizer, optimizer_def):\n"
         " s = optimizer.state.step\n return optimizer_def.create(p)",
         "1 flax.optim; 2 flax.optim.Adam; 4 flax.optim.Optimizer.state; "
         "5 flax.optim.Optimizer.create(params)"),
        ("import jax, functools\n@functools.partial(jax.jit, backend='cpu')\ndef f(): pass",
         "2 jax.jit(backend=)"),
        ("import jax\njax.jit(f, 1)\njax.jit(f, static_argnums=1)", "2 jax.jit(f, 1)"),
        ("import jax\nx.device_buffer.shape\nx.device()\nx.device(0)",
         "2 jax.Array.device_buffer; 3 jax.Array.device()"),
        # Another object of that name
        ("tree_map(f, x)", ""),
        ("import torch\nx.device(); x.device_buffer; x.value", ""),
        ("import jax\n'jax.tree_map'  # jax.tree_map\nf'{1} jax.tree_map'", ""),
        ("import jax\ndef f(jax):\n return jax.tree_map(g, 1)", ""),
        ("import jax\ndef f():\n jax = other()\n return jax.tree_map(g, 1)", ""),
        ("import jax\n[jax.tree_map for jax in xs]; lambda jax: jax.tree_map", ""),
        ("from .jax import tree_map\nfrom . import jax\njax.tree_map", ""),
        ("import jax\nclass A:\n jax = 1\n def f(self): return jax.tree_map", "4 jax.tree_map"),
        ("import jax\nself.jax.tree_map\ntree_map = 1\nx.tree_map", ""),
        ("import numpy as np\nnp.product(x), np.in1d(x, y), np.clip(x, a_min=0)", ""),
        ("import jax\njax.tree_util.tree_map; jax.tree.map; jax.experimental.pjit", ""),
    ],
)  # fmt: skip
def test_old_names_are_found_in_code_only(code: str, expected: str) -> None:
    assert "; ".join(f"{line} {name}" for line, name in old_names(code)) == expected


RENAMINGS = [
    "import jax\n«jax.tree_map|jax.tree.map»(f, «jax.tree_map|jax.tree.map»(g, x))",
    "from «jax import tree_map|jax.tree import map as tree_map»",
    "from «jax import tree_map|jax.tree import map» as t",
    "from jax import jit, «tree_map, |»grad  # a\n«|from jax.tree import map as tree_map\n»",
    "from jax import (jit«,\n  tree_map|»)«|\nfrom jax.tree import map as tree_map»",
    "import jax\nfrom «jax.api|jax» import grad",
    "if 1:\r\n  from jax import jit«, |\r\n  from jax.tree import map as »tree_map\r\n  jit\r\n",
    "if 1: from jax import jit«, |; from jax.tree import map as »tree_map",
    "from «jax.experimental|jax.example_libraries».stax import (Dense,  # 層\n  Relu)\n",
    "import «jax.experimental|jax.example_libraries».stax as s, os\ns.Relu",
    "import jax.«experimental|example_libraries».stax\njax.«experimental|example_libraries».stax",
    "import jax\n日本 = '行列'; x = «jax.tree_leaves|jax.tree.leaves»(日本)\n",
    "%time\nimport jax\n  # jax.tree_map\n«jax.tree_map|jax.tree.map»",
    "import jax\nimport jax.numpy as jnp\n«jnp.DeviceArray|jax.Array»",
    "import jax, functools\n«jax.partial|functools.partial»(f)",
    # What stays
    "import jax.numpy as jnp\njnp.DeviceArray",
    "import jax\njax.partial(f)",
    "import jax\njax.core.Primitive",
    "import jax\njax.ops.index_add(x, 0, 1)",
    "from jax import (jit,  # a\n  tree_map)",
    "from jax.api import _argnums_partial",
    "from jax.experimental.stax import _private",
    "import jax\ndef f(jax): pass\ndef g(jax=jax): return jax.tree_map",
    "import jax\n(jax  # a\n .tree_map)",
    ">>> import jax\n>>> jax.tree_map(f, x)\n3\n",
    "import jax\n\fjax.tree_map",
    "import jax\nf = «jax.tree_map|jax.tree.map»\nf(x)",
]


@pytest.mark.parametrize("code", RENAMINGS)
def test_renamings_are_written(code: str) -> None:
    before, after = (re.sub(r"(?s)«(.*?)\|(.*?)»", part, code) for part in (r"\1", r"\2"))
    assert rewrite(read(before.encode()))[0] == after


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932", "euc-kr"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_changes_keep_all_other_bytes(encoding: str, end: str) -> None:
    word = "행렬" if encoding == "euc-kr" else "行列"
    lines = [f"# -*- coding: {encoding} -*-", "import jax", f"x = '{word} jax.tree_map', OLD",
             f"y = OLD  # {word} jax.tree_map", f"'{word}'; OLD; OLD", "z = [OLD]"]  # fmt: skip
    before = end.join(lines).replace("OLD", "jax.treedef_is_leaf")
    after = end.join(lines).replace("OLD", "jax.tree_util.treedef_is_leaf")
    source = read(before.encode(encoding))
    text, _, left = rewrite(source)
    assert text.encode(source.encoding) == after.encode(encoding)
    assert left == []


FRAMES = ["{}", "def f():\n    return {}", "class A:\n    x = {}", "x = [{} for i in y]",
          "@{}\ndef f(): pass", "async def f(x={}): pass", "with {} as f: pass",
          "x = lambda y: {}", "if (x := {}): pass", "x: {} = 1", "f'{{{}}}'"]  # fmt: skip


@pytest.mark.parametrize("frame", FRAMES)
def test_old_names_are_found_in_every_place(frame: str) -> None:
    rows = [row for row in ROWS if not row.form and not row.path.startswith(METHODS)
            and not row.old.startswith("import ")]  # fmt: skip
    paths = ", ".join(row.path for row in rows[::5])
    code = "import jax, flax, optax\n" + frame.format(f"[{paths}]")
    assert {finding.row.path for finding in find(code)[0]} == {row.path for row in rows[::5]}


def notebook(*sources: str, **style: object) -> str:
    cells: list[dict[str, object]] = [
        {"cell_type": "markdown", "metadata": {}, "source": ["jax.tree_map"]}
    ]
    cells += [
        {"cell_type": "code", "execution_count": 1, "metadata": {}, "source": source.splitlines(
            keepends=True), "outputs": [{"output_type": "stream", "text": ["jax.tree_map 木"]}]}
        for source in sources
    ]  # fmt: skip
    book = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(book, **style)  # type: ignore[arg-type]


@pytest.mark.parametrize("style", [{"indent": 1, "ensure_ascii": False}, {"indent": 2}, {}])
def test_notebooks_are_rewritten_cell_by_cell(
    style: dict[str, object], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = [
        "!pip install jax\\\n  flax\n%matplotlib inline\nimport jax",
        "%%bash\njax.tree_map",
        "%%time\nfiles = !ls\njax.tree_map?\ny = jax.tree_map(f, x)  # 木",
        "print 'old Python'",
        "from jax import ops\nx = ops.index_add(x, 0, 1)\n",
    ]
    after = [source.replace("y = jax.tree_map", "y = jax.tree.map") for source in before]
    file = tmp_path / "article.ipynb"
    file.write_text(notebook(*before, **style) + "\n", encoding="utf-8")
    assert modernize.main(["--language", "en", "--write", str(file)]) == 1
    assert file.read_text(encoding="utf-8") == notebook(*after, **style) + "\n"
    unread, changed, left, _ = capsys.readouterr().out.splitlines()
    assert unread == f"{file}[4]: Not Python, not checked."
    assert changed.startswith(f"{file}[3]:4: jax.tree_map → Changed")
    assert left.startswith(f"{file}[5]:2: jax.ops.index_add → Removed")


def test_the_status_counts_what_no_longer_works(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.py"
    file.write_text("import jax\nkey = jax.random.PRNGKey(0)", encoding="utf-8")
    assert modernize.main(["--language", "en", str(file)]) == 0
    assert "Still works" in capsys.readouterr().out
    assert modernize.main(["--language", "en", "--only-broken", str(file)]) == 0
    assert capsys.readouterr().out == f"{file}: nothing to change\n"


def test_a_file_is_changed_once(tmp_path: Path) -> None:
    file = tmp_path / "日本語.py"
    before = "import jax\r\nx = jax.tree_map(f, '행렬')\r\njax.ops.index_add(x, 0, 1)"
    file.write_bytes(before.encode())
    file.chmod(0o640)
    assert modernize.main([str(file)]) == 1 and file.read_bytes() == before.encode()
    after = before.replace("tree_map", "tree.map").encode()
    for _ in range(2):
        assert modernize.main(["--write", str(file)]) == 1 and file.read_bytes() == after
    assert file.stat().st_mode & 0o777 == 0o640
    assert [path.name for path in tmp_path.iterdir()] == ["日本語.py"]


def test_a_failed_write_leaves_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: Refused
) -> None:
    file = tmp_path / "a.py"
    file.write_text("import jax\njax.tree_map", encoding="utf-8")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(shutil, "copymode", full)
    assert "No space left" in refused(modernize.main, "--write", file)
    assert file.read_text(encoding="utf-8") == "import jax\njax.tree_map"
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("code", list(SENTENCES))
def test_every_row_has_advice(
    code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for row in ROWS:
        text = advice(row, code)
        assert row.new in text and row.version in text
        assert "{" not in (text.replace(row.new, "") if row.new else text)
    file = tmp_path / "a.py"
    file.write_text("import jax\njax.tree_map\njax.soft_pmap", encoding="utf-8")
    modernize.main(["--language", code, "--write", str(file)])
    changed, left, counts = capsys.readouterr().out.splitlines()
    assert changed.startswith(f"{file}:2: jax.tree_map → ") and "jax.tree.map" in changed
    assert left.startswith(f"{file}:3: jax.soft_pmap → ") and "1" in counts
    assert modernize.main(["--language", code, str(ROOT / "examples/basics/scan.py")]) == 0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"x = (", "line 1: not Python"),
        (b"x = \xff", "not Python: invalid"),
        (b"\n\nx = '\xff'", "not a text in utf-8"),
        ("x ＝ １".encode(), "line 1: not Python"),
        (b'{"cells": 1}', "not a notebook of format 4"),
        (b"x = '\0'", "not Python"),
        (b"# coding: nonsense\n", "not Python"),
        (b"(" * 2000 + b")" * 2000, "not Python"),
    ],
)
def test_files_without_python_are_refused(
    content: bytes, message: str, tmp_path: Path, refused: Refused
) -> None:
    file = tmp_path / "a.py"
    file.write_bytes(content)
    assert message in refused(modernize.main, file)


@pytest.mark.parametrize(
    ("pasted", "line"),
    [
        ("!pip install jax\nText:\n>>> import jax\n>>> if x:\n...     jax.tree_map(f, x)\n3\n", 5),
        ("%%time\n!pip install jax\nimport jax\njax.tree_map\n", 4),
    ],
)
def test_pasted_sessions_and_cells_can_be_read(
    pasted: str, line: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(pasted.encode())))
    assert modernize.main(["--language", "en"]) == 1
    assert capsys.readouterr().out.startswith(f"-:{line}: jax.tree_map → Removed")


@pytest.mark.parametrize(
    ("value", "expected"), [("ja_JP.UTF-8", "ja"), ("ko_KR", "ko"), ("C", "en"), ("fr_FR", "en")]
)
def test_the_language_follows_the_locale(
    value: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", value)
    assert language() == expected


def test_it_needs_libcst_only(tmp_path: Path) -> None:
    copy = tmp_path / "modernize.py"
    shutil.copy(ROOT / "examples" / "tools" / "modernize.py", copy)
    (tmp_path / "a.py").write_text("import jax\njax.tree_map", encoding="utf-8")
    code = (
        "import sys, runpy; sys.argv = ['m', '--language=en', 'a.py']\n"
        "hidden = dict.fromkeys(('jax', 'flax', 'optax', 'matplotlib', *sys.argv[3:]))\n"
        "sys.modules |= hidden\n"
        "try: runpy.run_path('modernize.py', run_name='__main__')\n"
        "except SystemExit as end: print(end.code)"
    )

    def last_line(code: str) -> str:
        command = [sys.executable, "-X", "utf8", "-c", code]
        return subprocess.check_output(command, cwd=tmp_path, encoding="utf-8").splitlines()[-1]

    assert last_line(code) == "1"
    assert "pip install libcst" in last_line(code.replace("'matplotlib'", "'libcst'"))


def test_modules_that_count_as_loaded_are_loaded_by_their_package() -> None:
    code = f"import jax, flax, optax; print([n for n in {sorted(LOADED)} if eval(n) is None])"
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8")
    assert process.stdout.strip() == "[]", process.stderr


def test_every_new_name_is_code() -> None:
    for row in ROWS:
        ast.parse(re.sub(r"=\)$", "=1)", row.new))
