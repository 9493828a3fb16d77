"""Run the pages once, outside Sphinx, and cache what their cells print.

In: the pages of docs/ (page.py) and the environment they run in (environment.py).
Out: one notebook a page in `_build/outputs/<environment>/` (cache.py), written by runner.py with
a kernel a page (kernel.py); docs/_guide/ext/outputs.py shows them.
Imports nothing of docs/_guide but options.py and machine.py.
"""
