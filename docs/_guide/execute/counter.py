"""Runs in a page's kernel before its first cell: counts the programs that XLA compiles.

`jax.monitoring` reports each of them, but JAX must not be imported for it: pages set variables
that JAX reads when it is imported. So the counter is registered when a cell imports JAX.
"""

import importlib.util
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

EVENT = "/jax/core/compile/backend_compile_duration"
compilations = 0


def count(event: str, duration: float, **_details: object) -> None:
    """Count a compilation."""
    global compilations
    compilations += event == EVENT


class AfterImport:
    """An import hook that runs once, for `jax`."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the module's own specification, with a loader that registers the counter."""
        if name != "jax":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec("jax")
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def exec_module(module: ModuleType) -> None:
            execute(module)
            module.monitoring.register_event_duration_secs_listener(count)

        spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec


sys.meta_path.insert(0, AfterImport())
