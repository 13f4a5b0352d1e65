"""Optimise a driver once, as a whole.

Numba optimises and assembles every compiled function by itself, and again inside each of its callers. Rules are
small and deeply nested, so that most of the compile time would go into code that nobody calls. Here the rules are
only lowered and linked; short ones and those with a single caller are inlined; the driver that holds them all is
optimised at the end. It leans on inner parts of Numba and changes nothing but speed: with a version of Numba that
lacks these parts everything compiles in the ordinary way.
"""

import dis
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import llvmlite.binding as llvm
from numba.core import codegen

from .reach import as_compiled

#: Rules of at most so many bytecode instructions are inlined wherever they are called.
SHORT = 60


def inlined(rules: Iterable[Callable[..., Any]]) -> set[Callable[..., Any]]:
    """Those rules that are short, or called from one place only."""
    rules = list(rules)
    steps = {rule: list(dis.get_instructions(as_compiled(rule))) for rule in rules}
    calls = Counter(step.argval for made_of in steps.values() for step in made_of if step.opname in _LOADS)
    return {rule for rule in rules if calls[rule.__name__] <= 1 or len(steps[rule]) <= SHORT}


_LOADS = ("LOAD_GLOBAL", "LOAD_DEREF", "LOAD_ATTR", "LOAD_METHOD")


@contextmanager
def as_a_whole(rules: Iterable[Callable[..., Any]]) -> Iterator[None]:
    """Compile these rules only as parts of what calls them."""
    library = getattr(codegen, "JITCodeLibrary", None)
    steps = ("_optimize_functions", "_optimize_final_module", "_finalize_final_module")
    if library is None or not all(hasattr(library, step) for step in steps):
        yield
        return
    names = {as_compiled(rule).__qualname__ for rule in rules}
    kept = {step: getattr(library, step) for step in steps}

    def skipping(step: str, instead: Callable[..., None]) -> Callable[..., None]:
        def chosen(self: Any, *args: Any) -> None:
            (instead if self.name in names else kept[step])(self, *args)

        return chosen

    library._optimize_functions = skipping("_optimize_functions", _only_layout)
    library._optimize_final_module = skipping("_optimize_final_module", _nothing)
    library._finalize_final_module = skipping("_finalize_final_module", _only_environment)
    try:
        yield
    finally:
        for step, function in kept.items():
            setattr(library, step, function)


def _nothing(library: Any) -> None:
    pass


def _only_layout(library: Any, module: Any) -> None:
    module.data_layout = library._codegen._data_layout


def _only_environment(library: Any) -> None:
    """Nobody calls the rule's own machine code; only its environment must have an address."""
    library._finalize_dynamic_globals()
    names = [value.name for value in library._final_module.global_variables if "NumbaEnv" in value.name]
    stub = llvm.parse_assembly("\n".join(f'@"{name}" = common global ptr null' for name in names))
    library._codegen._add_module(stub)
    library._codegen._engine.finalize_object()
    library._finalized = True
