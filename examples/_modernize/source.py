"""Reads Python files and notebooks as one piece of Python code, and writes them back."""

import ast
import io
import json
import re
import tokenize
import warnings
from dataclasses import dataclass, field
from typing import Any

# Cell magics whose cell is Python all the same.
PYTHON_CELLS = {"capture", "time", "timeit", "prun"}
MARK = "_not_python_{}_"
CELL = "# cell {} of this notebook"


@dataclass
class Source:
    """A file.

    Attributes:
        text: As it is, with its line ends.
        encoding: Of the file.
        code: Its Python code; lines that are not Python are names such as ``_not_python_0_``.
        pasted: Whether it has prompts such as ``>>>``; such a text is not changed.
        taken: The lines that were replaced by names.
        notebook: The notebook's JSON, if it is one.
        unread: The numbers of a notebook's code cells that are not Python.
    """

    text: str
    encoding: str
    code: str = ""
    pasted: bool = False
    taken: list[str] = field(default_factory=list)
    notebook: dict[str, Any] | None = None
    unread: list[int] = field(default_factory=list)

    def place(self, line: int) -> str:
        """Name a line of the code: ``:3``, and in a notebook's fourth code cell ``[4]:3``."""
        if self.notebook is None:
            return f":{line}"
        lines = re.split(r"\r\n|\r|\n", self.code)[:line]
        starts = [n for n, text in enumerate(lines, 1) if text.startswith(CELL[:7])]
        return f"[{len(starts)}]:{line - starts[-1]}"

    def restored(self, code: str) -> str:
        """Put back what was replaced by names."""
        return re.sub(MARK.format(r"(\d+)"), lambda mark: self.taken[int(mark[1])], code)

    def with_code(self, code: str) -> str:
        """Return the file's text with this code in place of its own."""
        if self.notebook is None:
            return self.restored(code)
        parts = re.split(CELL.format(r"\d+") + "\n", code)[1:]
        notebook = json.loads(self.text)
        for cell, part in zip(code_cells(notebook), parts, strict=True):
            source = self.restored(part.removesuffix("\n"))
            if source != "".join(cell["source"]):
                as_list = isinstance(cell["source"], list)
                cell["source"] = source.splitlines(keepends=True) if as_list else source
        return written(notebook, like=self.text)


def code_cells(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    """List the cells with code."""
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def written(notebook: dict[str, Any], like: str) -> str:
    """Write a notebook's JSON in the style of a text, so that only what changed differs."""
    before = json.loads(like)
    for indent in (1, 2, 4, None):
        for ascii_only in (False, True):
            style: dict[str, Any] = {"indent": indent, "ensure_ascii": ascii_only}
            end = like[len(like.rstrip()) :]
            if json.dumps(before, **style) + end == like:
                return json.dumps(notebook, **style) + end
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def check(code: str) -> None:
    """Raise SyntaxError if code is not Python, or too deeply nested."""
    flags = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(code, "code", "exec", flags)
        except (ValueError, RecursionError, MemoryError) as error:
            raise SyntaxError(str(error) or "too deeply nested") from None


def is_python(code: str) -> bool:
    """Tell whether code is Python."""
    try:
        check(code)
    except SyntaxError:
        return False
    return True


def without_magics(code: str, taken: list[str]) -> str:
    """Replace each magic or shell command by a name; the whole of a ``%%bash`` cell.

    Raises:
        SyntaxError: If the rest is not Python.

    >>> without_magics("%matplotlib inline\\nx = 1", taken := []), taken
    ('_not_python_0_\\nx = 1', ['%matplotlib inline'])
    """
    if is_python(code):
        return code
    ours = list[str]()
    lines = re.split(r"(\r\n|\r|\n)", code)  # every second one is a line end
    cell = re.match(r"\s*%%(\w+)", code)
    entire = cell is not None and cell[1] not in PYTHON_CELLS
    continued = False
    for number, line in list(enumerate(lines))[::2]:
        magic = re.match(r"\s*(\w+\s*=\s*)?[%!]|\s*\?|[\w.\s]*\?+\s*$", line)
        if line.strip() and (magic or continued or entire):
            text = line if continued or entire else line.lstrip()
            lines[number] = line.removesuffix(text) + MARK.format(len(taken) + len(ours))
            ours.append(text)
            continued = line.endswith("\\")
        else:
            continued = False
    check("".join(lines))
    taken += ours
    return "".join(lines)


def without_prompts(text: str) -> str:
    """Keep what stands after ``>>>``, and empty lines for the rest."""
    lines = []
    for line in text.splitlines():
        prompt = re.match(r"\s*(?:>>>|\.\.\.)(?: |$)", line)
        lines.append(line[prompt.end() :] if prompt else "")
    return "\n".join(lines)


def read(data: bytes) -> Source:
    """Decode a file, and take its Python code out.

    Raises:
        SyntaxError: If there is none.
        UnicodeDecodeError: If it is not a text.

    >>> read(b"%matplotlib inline\\nx = 1").code
    '_not_python_0_\\nx = 1'
    >>> read(b">>> x = 1\\n>>> x\\n1").code
    'x = 1\\nx\\n'
    """
    if data.lstrip().startswith(b"{") and b'"cells"' in data:
        return read_notebook(data.decode("utf-8"))
    lines_only = re.sub(rb"\r\n?", b"\n", data)
    encoding, _ = tokenize.detect_encoding(io.BytesIO(lines_only).readline)
    source = Source(data.decode(encoding), encoding)
    source.code = source.text
    if not is_python(source.text):
        source.pasted = any(line.lstrip().startswith(">>>") for line in source.text.splitlines())
        if source.pasted:
            source.code = without_prompts(source.text)
        elif any(re.match(r"\s*(\w+\s*=\s*)?[%!]", line) for line in source.text.splitlines()):
            source.code = without_magics(source.text, source.taken)
    check(source.code)
    return source


def read_notebook(text: str) -> Source:
    """Join the code cells of a notebook, with a comment before each.

    Raises:
        SyntaxError: If it is not a notebook of format 4.
    """
    try:
        notebook = json.loads(text)
        cells = code_cells(notebook)
        sources = ["".join(cell["source"]) for cell in cells]
    except (ValueError, KeyError, TypeError):
        raise SyntaxError("not a notebook of format 4") from None
    source = Source(text, "utf-8", notebook=notebook)
    for number, code in enumerate(sources, 1):
        try:
            readable = without_magics(code, source.taken)
        except SyntaxError:
            readable = MARK.format(len(source.taken))
            source.taken.append(code)
            source.unread.append(number)
        source.code += f"{CELL.format(number)}\n{readable}\n"
    check(source.code)
    return source
