"""The cell that a notebook begins with: it installs what the page imports.

JAX and what builds on it are pinned to the versions that the page ran with, since their behaviour
is what the page is about. NumPy, Matplotlib and scikit-learn are not: any version serves, Colab has
them all, and exchanging one that is already loaded would make Colab ask for a restart.

Exchanging JAX alone would break it on a machine with an accelerator: its plugin must have the same
version. So the cell asks for the plugin that is there, on Colab or at home.
"""

import ast
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import packages_distributions, requires, version

from docs._make.environment import OPTIONAL_PACKAGES

# What comes with another one; and what pages do without, since it is large.
NOT_ASKED_FOR = {"jax", "jaxlib", *OPTIONAL_PACKAGES}

INSTALL = """\
from importlib.util import find_spec
plugins = {{"cuda12": "jax_cuda12_plugin", "cuda13": "jax_cuda13_plugin", "tpu": "libtpu"}}
extras = ",".join(extra for extra in plugins if find_spec(plugins[extra]))
%pip install -q "jax[{{extras}}]=={jax}"{others}"""
LAYOUT = """
import matplotlib
matplotlib.rcParams["figure.constrained_layout.use"] = True"""


def source(imports: Iterable[str], more: Iterable[str] = ()) -> str:
    """Write the cell for a page with these imports, which needs `more` without importing it.

    >>> print(source(["import sys, jax.numpy as jnp", "from sklearn import svm"]).splitlines()[-1])
    ... # doctest: +ELLIPSIS
    %pip install -q "jax[{extras}]==..." scikit-learn
    """
    packages = {*imported_packages(imports), *more}
    others = "".join(f" {requirement(package)}" for package in sorted(packages - NOT_ASKED_FOR))
    layout = LAYOUT if "matplotlib" in packages else ""  # as docs/_make/matplotlibrc has it
    return INSTALL.format(jax=version("jax"), others=others) + layout


@cache
def requirement(package: str) -> str:
    """Name a package, with its version where it builds on JAX.

    >>> requirement("numpy"), requirement("optax").startswith('"optax==')
    ('numpy', True)
    """
    builds_on_jax = any(need.startswith("jax") for need in requires(package) or [])
    return f'"{package}=={version(package)}"' if builds_on_jax else package


def imported_packages(imports: Iterable[str]) -> Iterator[str]:
    """Names, for pip, of all that is imported and Python does not have itself.

    >>> sorted(imported_packages(["import os, numpy", "from mpl_toolkits import x"]))
    ['matplotlib', 'numpy']
    """
    for statement in ast.parse("\n".join(imports)).body:
        if isinstance(statement, ast.Import):
            names = [alias.name for alias in statement.names]
        else:
            names = [getattr(statement, "module", "") or ""]
        for name in names:
            module = name.split(".")[0]
            if module not in sys.stdlib_module_names:
                yield from distributions().get(module, [])[:1]


@cache
def distributions() -> dict[str, list[str]]:
    """Which packages bring which modules: asking takes a while."""
    return {module: [*names] for module, names in packages_distributions().items()}
