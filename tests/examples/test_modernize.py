"""Old names: the page and the tool agree, only code counts, and files stay whole."""

import ast
import io
import re
import shutil
import subprocess
import sys
from pathlib import Path

import modernize
import pytest
from _modernize.advice import SENTENCES, advice, language
from _modernize.find import find, read
from _modernize.rewrite import LOADED, rewrite
from _modernize.rows import ROWS

from docs._guide.options import ROOT
from tests.examples.conftest import Refused

RENAMED = [row for row in ROWS if row.change == "rename"]
PAGE = (ROOT / "docs/old-articles/modernize.md").read_text(encoding="utf-8")
TABLES = re.findall(r'^def \w+\(\):\n    return """\n(.*?)^    """', PAGE, re.DOTALL | re.MULTILINE)


def old_names(code: str) -> list[tuple[int, str]]:
    return [(finding.line, finding.row.old) for finding in find(code)]


def test_page_and_tool_have_the_same_names() -> None:
    headers = re.findall(r"^    ([\d.]+) ([x!=]+) (.+) -> (.+)$", "".join(TABLES), re.MULTILINE)
    signs = {"gone": "x", "refused": "x", "warns": "!", "dated": "="}
    assert {(old, new, version, sign[0]) for version, sign, old, new in headers} == {
        (row.old, row.new, row.version, signs[row.kind]) for row in ROWS
    }
    assert len(headers) == len(ROWS) >= 45


def test_the_tool_finds_each_name_in_the_code_of_the_page() -> None:
    imports = PAGE.split('IMPORTS = """')[1].split('"""')[0]
    blocks = re.sub(r"^    ", "", "\n\n".join(TABLES), flags=re.MULTILINE).split("\n\n")
    for block in filter(str.strip, blocks):
        header, code = block.strip("\n").split("\n", 1)
        old, new = re.split(r"\n--\n", code)
        name = header.split(" -> ")[0].split(" ", 2)[2]
        assert name in [old_name for _, old_name in old_names(imports + old)], name
        assert old_names(imports + new.partition("\n== ")[0]) == [], new


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
        ("import jax\njax = jax.numpy\njax.in1d(a, b)", "3 jax.numpy.in1d"),
        ("try:\n import jax\nexcept ImportError:\n jax = None\njax.api.jit(f)", "5 jax.api"),
        # Calls
        ("import jax.numpy as jnp\njnp.clip(x, a_min=0)\njnp.clip(x, 0)",
         "2 jax.numpy.clip(a_min=)"),
        ("import jax, functools\n@functools.partial(jax.jit, backend='cpu')\ndef f(): pass",
         "2 jax.jit(backend=)"),
        ("import jax\njax.jit(f, 1)\njax.jit(f, static_argnums=1)", "2 jax.jit(f, 1)"),
        ("import jax\nx.device_buffer.shape\nx.device()\nx.device(0)",
         "2 jax.Array.device_buffer; 3 jax.Array.device()"),
        # Another object of that name
        ("tree_map(f, x); jax.tree_map(f, x)", ""),
        ("import torch\nx.device(); x.device_buffer; x.value", ""),
        ("import jax\n'jax.tree_map'  # jax.tree_map\nf'{1} jax.tree_map'", ""),
        ("import jax\ndef f(jax):\n return jax.tree_map(g, 1)", ""),
        ("import jax\ndef f():\n jax = other()\n return jax.tree_map(g, 1)", ""),
        ("import jax\n[jax.tree_map for jax in xs]; lambda jax: jax.tree_map", ""),
        ("import jax\nmatch x:\n case jax:\n  jax.tree_map", ""),
        ("from .jax import tree_map\nfrom . import jax\njax.tree_map", ""),
        ("import jax\nclass A:\n jax = 1\n def f(self): return jax.tree_map", "4 jax.tree_map"),
        ("import jax\ndef f():\n return jax.tree_map\njax = 1", ""),
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
    "from jax import jit, «tree_map, |»grad«|\nfrom jax.tree import map as tree_map»  # a\n",
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
    "from jax import (jit,\n  tree_map)",
    "import jax\n(jax  # a\n .tree_map)",
    ">>> import jax\n>>> jax.tree_map(f, x)\n3\n",
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
             f"y = OLD  # {word} jax.tree_map", f"'{word}'; OLD; OLD", "\fz = [OLD]"]  # fmt: skip
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
    for row in ROWS:
        if "(" not in row.old and not row.owner:
            code = f"import {row.path.split('.')[0]}\n" + frame.format(row.path)
            assert [finding.row for finding in find(code)] == [row], code


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
    file.write_text("import jax\njax.tree_map")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(shutil, "copymode", full)
    assert "No space left" in refused(modernize.main, "--write", file)
    assert file.read_text() == "import jax\njax.tree_map" and len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("spoken", list(SENTENCES))
def test_every_row_has_advice(
    spoken: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for row in ROWS:
        text = advice(row, spoken)
        assert row.new in text and row.version in text and "{" not in text.replace(row.new, "")
    file = tmp_path / "a.py"
    file.write_text("import jax\njax.tree_map\njax.soft_pmap")
    modernize.main(["--language", spoken, "--write", str(file)])
    changed, left, count = capsys.readouterr().out.splitlines()
    assert changed.startswith(f"{file}:2: jax.tree_map → ") and "jax.tree.map" in changed
    assert left.startswith(f"{file}:3: jax.soft_pmap → ") and "1" in count
    assert modernize.main(["--language", spoken, str(ROOT / "examples/scan.py")]) == 0


@pytest.mark.parametrize(
    ("content", "message"),
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


def test_it_runs_as_a_module_and_without_jax(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text("import jax\njax.tree_map")
    code = (
        "import sys, runpy; sys.argv = ['m', '--language=en', sys.argv[1]]\n"
        "try: runpy.run_module('examples.modernize', run_name='__main__')\n"
        "except SystemExit as end: print(end.code, {'jax', 'flax', 'optax'} & {*sys.modules})"
    )
    process = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", code, str(file)],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
    )
    assert process.stdout.splitlines()[-1] == "1 set()", process.stderr


def test_modules_that_count_as_loaded_are_loaded_by_their_package() -> None:
    code = f"import jax, flax, optax; print([n for n in {sorted(LOADED)} if eval(n) is None])"
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert process.stdout.strip() == "[]", process.stderr


def test_every_new_name_is_code() -> None:
    for row in ROWS:
        ast.parse(re.sub(r"=\)$", "=1)", row.new))
