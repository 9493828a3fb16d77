"""The Sphinx extensions of the guide, in the order of docs/conf.py, which says what each does."""
