"""The parts of `examples/modernize.py`: old names, their finder, safe changes, and advice."""
