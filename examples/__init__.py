"""One runnable, doctested script a subject; the pages show the same code."""

import sys
from pathlib import Path

# `python -m examples.grad` and `import examples.grad` find the modules beside a script too, as
# `python examples/grad.py` does.
sys.path.append(str(Path(__file__).parent))
