"""The old names: the page and the tool have the same; what is code counts; files stay whole."""

import ast
import io
import os
import random
import re
import secrets
import shutil
import subprocess
import sys
from pathlib import Path

import modernize
import pytest
from _modernize.advice import SENTENCES, advice, language
from _modernize.find import find, read
from _modernize.rewrite import LOADED, rewrite
from _modernize.rows import ROWS, Row

from docs._make.options import ROOT

RENAMED = [row for row in ROWS if row.change == "rename"]


def old_names(code: str) -> list[tuple[int, str]]:
    return [(finding.line, finding.row.old) for finding in find(code)]


def written(code: str) -> str:
    return rewrite(read(code.encode()))[0]


def test_page_and_tool_know_the_same_names() -> None:
    page = (ROOT / "docs/old-articles/modernize.md").read_text(encoding="utf-8")
    tables = re.findall(
        r'^def \w+\(\):\n    return """\n(.*?)^    """', page, re.DOTALL | re.MULTILINE
    )
    headers = re.findall(r"^    ([\d.]+) ([x!=]+) (.+) -> (.+)$", "".join(tables), re.MULTILINE)
    signs = {"gone": "x", "refused": "x", "warns": "!", "dated": "="}
    assert {(old, new, version, sign[0]) for version, sign, old, new in headers} == {
        (row.old, row.new, row.version, signs[row.kind]) for row in ROWS
    }
    assert len(headers) == len(ROWS) >= 45


def test_the_page_shows_each_name_in_code_that_the_tool_finds() -> None:
    page = (ROOT / "docs/old-articles/modernize.md").read_text(encoding="utf-8")
    imports = page.split('IMPORTS = """')[1].split('"""')[0]
    tables = re.findall(
        r'^def \w+\(\):\n    return """\n(.*?)^    """', page, re.DOTALL | re.MULTILINE
    )
    for block in "\n\n".join(
        re.sub(r"^    ", "", table, flags=re.MULTILINE) for table in tables
    ).split("\n\n"):
        if not block.strip():
            continue
        header, code = block.strip("\n").split("\n", 1)
        old, new = re.split(r"\n--\n", code)
        name = re.split(r" -> ", header)[0].split(" ", 2)[2]
        assert name in [found for _, found in old_names(imports + old)], name
        assert old_names(imports + new.partition("\n== ")[0]) == [], new


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        # What the articles have
        ("import jax\nstate = jax.ops.index_update(state, jax.ops.index[0], z)",
         [(2, "jax.ops.index_update"), (2, "jax.ops.index")]),
        ("from jax import ops\nops.index_add(a, 0, 1)", [(2, "jax.ops.index_add")]),
        ("from jax.ops import index_update\nindex_update(a, 0, 1)",
         [(1, "jax.ops.index_update"), (2, "jax.ops.index_update")]),
        ("import jax.numpy as jnp\ndef f(x: jnp.DeviceArray): pass",
         [(2, "jax.numpy.DeviceArray")]),
        ("from jax import numpy as np\nnp.product(x)", [(2, "jax.numpy.product")]),
        ("from jax import tree_map\ntree_map(f, x)", [(1, "jax.tree_map")]),
        ("from jax.config import config\nconfig.update('jax_enable_x64', True)",
         [(1, "jax.config.config")]),
        ("from jax.experimental import loops", [(1, "jax.experimental.loops")]),
        ("from jax import random\nkey = random.PRNGKey(0)", [(2, "jax.random.PRNGKey")]),
        ("from flax import linen as nn\nnn.LSTMCell()", [(2, "flax.linen.LSTMCell()")]),
        # Aliases
        ("import jax as j\nj.tree_leaves(x)", [(2, "jax.tree_leaves")]),
        ("import jax\nnp = jax.numpy\nnp.alltrue(x)", [(3, "jax.numpy.alltrue")]),
        ("from jax import *\ntree_map(f, x)", [(2, "jax.tree_map")]),
        ("import jax\njax = jax.numpy\njax.in1d(a, b)", [(3, "jax.numpy.in1d")]),
        ("try:\n import jax\nexcept ImportError:\n jax = None\njax.api.jit(f)", [(5, "jax.api")]),
        # Calls
        ("import jax.numpy as jnp\njnp.clip(x, a_min=0)\njnp.clip(x, 0)",
         [(2, "jax.numpy.clip(a_min=)")]),
        ("import jax, functools\n@functools.partial(jax.jit, backend='cpu')\ndef f(): pass",
         [(2, "jax.jit(backend=)")]),
        ("import jax\njax.jit(f, 1)\njax.jit(f, static_argnums=1)", [(2, "jax.jit(f, 1)")]),
        ("import jax\nx.block_host_until_ready()\nx.device_buffer.shape\nx.device()\nx.device(0)",
         [(2, "jax.Array.block_host_until_ready"), (3, "jax.Array.device_buffer"),
          (4, "jax.Array.device()")]),
        # Nothing of JAX
        ("tree_map(f, x); jax.tree_map(f, x)", []),
        ("import torch\nx.device(); x.device_buffer; x.value", []),
        ("import jax, enum\nC.A.value", []),
        ("import jax\n'jax.tree_map'  # jax.tree_map\nf'{1} jax.tree_map'", []),
        ("import jax\ndef f(jax):\n return jax.tree_map(g, 1)", []),
        ("import jax\ndef f():\n jax = other()\n return jax.tree_map(g, 1)", []),
        ("import jax\n[jax.tree_map for jax in xs]; lambda jax: jax.tree_map", []),
        ("import jax\njax = 3\njax.tree_map", []),
        ("import jax\nmatch x:\n case jax:\n  jax.tree_map", []),
        ("from .jax import tree_map\nfrom . import jax\njax.tree_map", []),
        ("import jax\nclass A:\n jax = 1\n def f(self): return jax.tree_map",
         [(4, "jax.tree_map")]),
        ("import jax\ndef f():\n return jax.tree_map\njax = 1", []),
        ("def f():\n import jax\njax.tree_map", []),
        ("import jax\nself.jax.tree_map\ntree_map = 1\nx.tree_map", []),
        ("import numpy as np\nnp.product(x), np.in1d(x, y), np.clip(x, a_min=0)", []),
        ("import jax\njax.tree_util.tree_map; jax.tree.map; jax.experimental.pjit", []),
    ],
)  # fmt: skip
def test_what_is_found(code: str, expected: list[tuple[int, str]]) -> None:
    assert old_names(code) == expected


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("import jax\njax.tree_map(f, jax.tree_map(g, x))",
         "import jax\njax.tree.map(f, jax.tree.map(g, x))"),
        ("from jax import tree_map", "from jax.tree import map as tree_map"),
        ("from jax import tree_map as t", "from jax.tree import map as t"),
        ("from jax import jit, tree_map, grad as g  # a\n",
         "from jax import jit, grad as g\nfrom jax.tree import map as tree_map  # a\n"),
        ("if 1:\r\n  from jax import jit, tree_map\r\n  jit\r\n",
         "if 1:\r\n  from jax import jit\r\n  from jax.tree import map as tree_map\r\n  jit\r\n"),
        ("if 1: from jax import jit, tree_map",
         "if 1: from jax import jit; from jax.tree import map as tree_map"),
        ("from jax.experimental.stax import (Dense,  # 層\n  Relu)\n",
         "from jax.example_libraries.stax import (Dense,  # 層\n  Relu)\n"),
        ("import jax.experimental.stax as s, os\ns.Relu",
         "import jax.example_libraries.stax as s, os\ns.Relu"),
        ("import jax.experimental.stax\njax.experimental.stax.Relu",
         "import jax.example_libraries.stax\njax.example_libraries.stax.Relu"),
        ("import jax\n日本 = '行列'; x = jax.tree_leaves(日本)\n",
         "import jax\n日本 = '行列'; x = jax.tree.leaves(日本)\n"),
        ("%time\nimport jax\n  # jax.tree_map\njax.tree_map",
         "%time\nimport jax\n  # jax.tree_map\njax.tree.map"),
        ("import jax\nimport jax.numpy as jnp\njnp.DeviceArray",
         "import jax\nimport jax.numpy as jnp\njax.Array"),
        ("import jax, functools\njax.partial(f)", "import jax, functools\nfunctools.partial(f)"),
        # Left
        ("import jax.numpy as jnp\njnp.DeviceArray", None),
        ("import jax\njax.partial(f)", None),
        ("import jax\njax.core.Primitive", None),
        ("import jax\njax.ops.index_add(x, 0, 1)", None),
        ("from jax import (jit,\n  tree_map)", None),
        ("import jax\n(jax  # a\n .tree_map)", None),
        (">>> import jax\n>>> jax.tree_map(f, x)\n3\n", None),
    ],
)  # fmt: skip
def test_what_is_changed(before: str, after: str | None) -> None:
    assert written(before) == (after or before)


@pytest.mark.parametrize("row", RENAMED, ids=lambda row: row.old)
def test_a_renaming_says_the_new_name(row: Row) -> None:
    module, _, name = row.new.rpartition(".")
    imported = f"from {row.path.rpartition('.')[0]} import {row.path.rpartition('.')[2]} as it\n"
    if module:
        assert (
            written(imported) == f"from {module} import {name}{'' if name == 'it' else ' as it'}\n"
        )


def test_changes_keep_all_other_bytes() -> None:
    """Fresh files: names, strings, comments and line ends in any order."""
    seed = secrets.randbits(32)
    print("seed", seed)
    rng = random.Random(seed)
    names = ["tree_map", "tree_leaves", "tree_flatten", "treedef_is_leaf"]
    for encoding in ["utf-8", "utf-8-sig", "cp932", "euc-kr"] * 5:
        end = rng.choice(["\n", "\r\n", "\r"])
        word = "행렬" if encoding == "euc-kr" else "行列"
        cookie = [] if encoding.startswith("utf") else [f"# -*- coding: {encoding} -*-"]
        lines, expected = [*cookie, "import jax"], [*cookie, "import jax"]
        for _ in range(rng.randrange(1, 30)):
            name = rng.choice(names)
            new = {"treedef_is_leaf": "tree_util.treedef_is_leaf"}.get(name, name.replace("_", "."))
            line = rng.choice(["{}", f"x = '{word} jax.tree_map', {{}}",
                               f"y = {{}}  # {word} jax.tree_map",
                               f"'{word}'; {{}}; {{}}", "\fz = [{}]"])  # fmt: skip
            lines.append(line.replace("{}", f"jax.{name}"))
            expected.append(line.replace("{}", f"jax.{new}"))
        data = end.join(lines).encode(encoding)
        text, _, left = rewrite(read(data))
        assert text.encode(read(data).encoding) == end.join(expected).encode(encoding)
        assert left == []


def test_old_names_are_found_wherever_they_stand() -> None:
    """Fresh programs: the same use in a function, a class, a comprehension or a decorator."""
    frames = ["{}", "def f():\n    return {}", "class A:\n    x = {}", "x = [{} for i in y]",
              "@{}\ndef f(): pass", "async def f(x={}): pass", "with {} as f: pass",
              "x = lambda y: {}", "if (x := {}): pass", "x: {} = 1", "f'{{{}}}'"]  # fmt: skip
    for row in ROWS:
        if "(" not in row.old and not row.owner:
            root = row.path.split(".")[0]
            for frame in frames:
                code = f"import {root}\n" + frame.format(row.path)
                assert [finding.row for finding in find(code)] == [row], code


def test_a_file_is_changed_and_a_second_time_is_not(tmp_path: Path) -> None:
    file = tmp_path / "日本語.py"
    before = "import jax\r\nx = jax.tree_map(f, '행렬')\r\njax.ops.index_add(x, 0, 1)"
    file.write_bytes(before.encode())
    file.chmod(0o640)
    assert modernize.main([str(file)]) == 1 and file.read_bytes() == before.encode()
    assert modernize.main(["--write", str(file)]) == 1
    after = before.replace("tree_map", "tree.map").encode()
    assert file.read_bytes() == after and file.stat().st_mode & 0o777 == 0o640
    assert modernize.main(["--write", str(file)]) == 1 and file.read_bytes() == after
    assert [path.name for path in tmp_path.iterdir()] == ["日本語.py"]


def test_a_failed_write_leaves_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.py"
    file.write_text("import jax\njax.tree_map")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(shutil, "copymode", full)
    with pytest.raises(SystemExit) as stopped:
        modernize.main(["--write", str(file)])
    assert stopped.value.code == 2
    assert file.read_text() == "import jax\njax.tree_map" and len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("spoken", list(SENTENCES))
def test_every_row_has_advice(
    spoken: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for row in ROWS:
        said = advice(row, spoken)
        assert row.new in said and row.version in said and "{" not in said.replace(row.new, "")
    file = tmp_path / "a.py"
    file.write_text("import jax\njax.tree_map\njax.soft_pmap")
    modernize.main(["--language", spoken, "--write", str(file)])
    changed, left, count = capsys.readouterr().out.splitlines()
    assert changed.startswith(f"{file}:2: jax.tree_map → ") and "jax.tree.map" in changed
    assert left.startswith(f"{file}:3: jax.soft_pmap → ") and "1" in count
    assert modernize.main(["--language", spoken, str(ROOT / "examples/scan.py")]) == 0


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"x = (", "line 1: not Python"),
        (b"x = \xff", "not Python: invalid"),
        (b"\n\nx = '\xff'", "not a text in utf-8"),
        ("x ＝ １".encode(), "line 1: not Python"),
        (b'{"cells": []}', "a notebook"),
        (b"x = '\0'", "not Python"),
        (b"# coding: nonsense\n", "not Python"),
        (b"(" * 2000 + b")" * 2000, "not Python"),
    ],
)
def test_what_is_no_code_is_refused_in_one_line(
    data: bytes, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.py"
    file.write_bytes(data)
    with pytest.raises(SystemExit) as stopped:
        modernize.main([str(file)])
    assert stopped.value.code == 2
    assert said in capsys.readouterr().err.splitlines()[-1]


def test_what_is_pasted_can_be_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pasted = (
        "!pip install jax\nIn words:\n>>> import jax\n>>> for x in y:\n...     jax.tree_map(x)\n3\n"
    )
    for code, line in [(pasted, 5), ("%%time\n!pip install jax\nimport jax\njax.tree_map\n", 4)]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(code.encode())))
        assert modernize.main(["--language", "en"]) == 1
        assert capsys.readouterr().out.startswith(f"-:{line}: jax.tree_map → Removed")


def test_the_language_is_that_of_the_locale(monkeypatch: pytest.MonkeyPatch) -> None:
    for value, expected in [("ja_JP.UTF-8", "ja"), ("ko_KR", "ko"), ("C", "en"), ("fr_FR", "en")]:
        monkeypatch.setenv("LC_ALL", value)
        assert language() == expected


def test_it_runs_as_a_module_and_without_jax(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text("import jax\njax.tree_map")
    code = (
        "import sys, runpy; sys.argv = ['m', '--language=en', sys.argv[1]]\n"
        "try: runpy.run_module('examples.modernize', run_name='__main__')\n"
        "except SystemExit as end: print(end.code, {'jax', 'flax', 'optax'} & {*sys.modules})"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, str(file)], cwd=ROOT, capture_output=True, text=True,
        encoding="utf-8", check=False, env={**os.environ, "PYTHONUTF8": "1"},
    )  # fmt: skip
    assert ran.stdout.splitlines()[-1] == "1 set()", ran.stderr


def test_what_counts_as_loaded_is_loaded() -> None:
    code = f"import jax, flax, optax; print([n for n in {sorted(LOADED)} if eval(n) is None])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.stdout.strip() == "[]", ran.stderr


def test_every_new_name_is_code() -> None:
    for row in ROWS:
        ast.parse(re.sub(r"=\)$", "=1)", row.new))
