"""Tracebacks as a page shows them: what the reader's own code did, and the message."""

import re

ANSI = re.compile(r"\x1b\[[0-9;]*m")
CELL_FILE = re.compile(r"\S*/ipykernel_\d+/\d+\.py")  # where JAX reports a function of a cell
LIBRARIES = re.compile(r"/\S*/site-packages/")  # where the builder installed them
HIDDEN = re.compile(r"\[\.\.\. skipping hidden (\d+) frame")


def shorten(traceback: list[str]) -> list[str]:
    """Shorten IPython's traceback: of libraries only the number of frames is left.

    Of chained exceptions the last is left. IPython's ruled line goes, and so do the folders of the
    builder's machine: a cell's file is called "cell", a library's file begins with its package.

    >>> shorten([
    ...     "TypeError   Traceback (most recent call last)",
    ...     "Cell In[3], line 1\\n----> 1 jax.grad(f)(x)\\n",
    ...     "File /usr/lib/site-packages/jax/_src/api.py:554, in _check_scalar(x)\\n",
    ...     "    [... skipping hidden 4 frame]\\n",
    ...     "TypeError: Gradient is only defined for scalars (/usr/lib/site-packages/jax/a.py).",
    ... ])[2:]
    ['    [... 5 library frames]\\n', 'TypeError: Gradient is only defined for scalars (jax/a.py).']
    """
    lines = [line for line in traceback if set(ANSI.sub("", line)) != {"-"}]
    starts = [n for n, line in enumerate(lines) if "Traceback (most recent call last)" in line]
    shortened, hidden = [], 0
    for line in lines[starts[-1] if starts else 0 :]:
        if count := library_frames(ANSI.sub("", line)):
            hidden += count
            continue
        if hidden:
            shortened.append(f"    [... {hidden} library frame{'s' if hidden > 1 else ''}]\n")
        hidden = 0
        shortened.append(LIBRARIES.sub("", CELL_FILE.sub("cell", line)))
    return shortened


def library_frames(text: str) -> int:
    """Return how many frames of libraries an element of a traceback stands for."""
    skipped = HIDDEN.search(text)
    return int(skipped[1]) if skipped else int(text.lstrip().startswith("File "))
