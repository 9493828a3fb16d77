"""The errors of `examples/errors.py`, and what to write instead.

For each error there is a function ``name()`` that raises it, and ``name_fixed()`` that does what
was meant. A new module in this folder is found without being registered.
"""
