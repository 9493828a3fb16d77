"""The first cell of a notebook, which installs what the page imports.

JAX and what builds on it are pinned to the versions that the page ran with, since the page is about
their behavior. NumPy, Matplotlib and scikit-learn are not: any version serves, Colab has them all,
and replacing one that is already loaded would make Colab ask for a restart. Replacing JAX alone
would break it on a machine with an accelerator, whose plugin must have the same version: so the
cell also installs the plugin that is there.
"""

import ast
import sys
from collections.abc import Iterable
from functools import cache
from importlib.metadata import packages_distributions, requires, version

from docs._guide.execute.environment import OPTIONAL_PACKAGES
from docs._guide.execute.page import statements

# Pinned by the cell itself, or so large that pages work without.
NOT_INSTALLED = {"jax", "jaxlib", *OPTIONAL_PACKAGES}

INSTALL = """\
from importlib.util import find_spec
plugins = {{"cuda12": "jax_cuda12_plugin", "cuda13": "jax_cuda13_plugin", "tpu": "libtpu"}}
extras = ",".join(extra for extra in plugins if find_spec(plugins[extra]))
%pip install -q "jax[{{extras}}]=={jax}"{others}"""
# As in docs/_guide/execute/matplotlibrc.
LAYOUT = """
import matplotlib
matplotlib.rcParams["figure.constrained_layout.use"] = True"""

distributions = cache(packages_distributions)


def install_code(cells: Iterable[str], more: Iterable[str] = ()) -> str:
    """Return the code for a page with these cells, which needs `more` without importing it.

    >>> code = install_code(["import sys, jax.numpy as jnp", "from sklearn import svm"])
    >>> print(code.splitlines()[-1])  # doctest: +ELLIPSIS
    %pip install -q "jax[{extras}]==..." scikit-learn
    """
    nodes = (node for cell in cells for tree in statements(cell) for node in ast.walk(tree))
    packages = {
        name
        for module in imported_modules(nodes) - sys.stdlib_module_names
        for name in distributions().get(module, [])[:1]
    }
    packages |= {*more}
    others = "".join(f" {requirement(name)}" for name in sorted(packages - NOT_INSTALLED))
    layout = LAYOUT if "matplotlib" in packages else ""
    return INSTALL.format(jax=version("jax"), others=others) + layout


def imported_modules(code: Iterable[ast.AST]) -> set[str]:
    """Return the top-level modules that code imports."""
    names: list[str] = []
    for node in code:
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.append(node.module)
    return {name.partition(".")[0] for name in names}


@cache
def requirement(package: str) -> str:
    """Return pip's name for a package, with its version where it builds on JAX.

    >>> requirement("numpy"), requirement("optax").startswith('"optax==')
    ('numpy', True)
    """
    builds_on_jax = any(name.startswith("jax") for name in requires(package) or [])
    return f'"{package}=={version(package)}"' if builds_on_jax else package
