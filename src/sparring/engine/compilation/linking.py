"""Optimize a driver once, as a whole.

Numba links, optimizes and assembles every compiled function by itself, and again inside each of its callers. Rules are
small and deeply nested, so most of the compile time would go into code that is never called directly. Here rules are
only lowered. The driver links each of them once, however deep the call; short rules and those with a single caller are
inlined; the whole module is optimized at the end.

Linked rules become internal to their driver. Numba numbers functions anew in every process, so the same name can stand
for rules of two games in cached code, and the one loaded first would serve both.

A *careful* driver checks every array access, as do its rules: they may be a first attempt, and a write out of bounds
would crash much later, somewhere else. It is optimized less, because it runs for seconds and compilation dominates.

This relies on Numba internals and changes nothing else about rules. With a version of Numba that lacks them, everything
compiles the ordinary way.
"""

import dis
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import llvmlite.binding as llvm
from numba.core import codegen, config, cpu

from .dependencies import as_compiled

#: Rules of at most this many bytecode instructions are always inlined.
SHORT = 60

#: The linkage of a function that may be in several modules.
LINKED = "linkonce_odr"


def inlined(rules: Iterable[Callable[..., Any]]) -> set[Callable[..., Any]]:
    """Return the rules that are short or called from only one place."""
    rules = list(rules)
    steps = {rule: list(dis.get_instructions(as_compiled(rule))) for rule in rules}
    calls = Counter(step.argval for made_of in steps.values() for step in made_of if step.opname in _LOADS)
    return {rule for rule in rules if calls[rule.__name__] <= 1 or len(steps[rule]) <= SHORT}


_LOADS = ("LOAD_GLOBAL", "LOAD_DEREF", "LOAD_ATTR", "LOAD_METHOD")


@contextmanager
def as_a_whole(rules: Iterable[Callable[..., Any]], *, carefully: bool = False) -> Iterator[None]:
    """Compile these rules only as parts of their callers; `carefully`: with bounds checks and less optimization."""
    library, maker = getattr(codegen, "JITCodeLibrary", None), getattr(codegen, "CPUCodegen", None)
    steps = ("_optimize_functions", "_optimize_final_module", "finalize")
    is_known = all(hasattr(library, step) for step in (*steps, "_finalize_dynamic_globals"))
    if library is None or not (is_known and hasattr(maker, "_module_pass_manager")):
        yield
        return
    names = {as_compiled(rule).__qualname__ for rule in rules}
    kept = {step: getattr(library, step) for step in steps}
    optimize = _optimize_lightly if carefully else _optimize

    def optimize_functions(self: Any, module: Any) -> None:
        if carefully or self.name in names:
            module.data_layout = self._codegen._data_layout
        else:
            kept["_optimize_functions"](self, module)

    def finalize(self: Any) -> None:
        if self.name in names:
            _only_environment(self)
        else:
            _link_rules(self, names)
            kept["finalize"](self)

    def optimize_final_module(self: Any) -> None:
        _keep_to_itself(self._final_module)
        optimize(self)

    library._optimize_functions, library.finalize = optimize_functions, finalize
    library._optimize_final_module = optimize_final_module
    try:
        with _checking_bounds() if carefully else nullcontext():
            yield
    finally:
        for step, function in kept.items():
            setattr(library, step, function)


@contextmanager
def _checking_bounds() -> Iterator[None]:
    """Compile with bounds checks that raise IndexError; Numba caches such code separately."""
    options: Any = getattr(cpu, "CPUTargetOptions", None)
    if not hasattr(options, "finalize"):
        yield
        return
    kept = options.finalize

    def finalize(self: Any, flags: Any, given: Any) -> None:
        flags.boundscheck = True
        kept(self, flags, given)

    options.finalize = finalize
    try:
        yield
    finally:
        options.finalize = kept


def _optimize(library: Any) -> None:
    """Run LLVM's passes once, without Numba's cheap first round and without vectorization: loops here are short."""
    passes, builder = library._codegen._module_pass_manager(loop_vectorize=False)
    passes.run(library._final_module, builder)


def _optimize_lightly(library: Any) -> None:
    """Turn forced inlining into a hint, and run one short round of passes."""
    module = library._final_module
    library._final_module = llvm.parse_assembly(str(module).replace(" alwaysinline", " inlinehint"))
    library._final_module.name = module.name
    level = min(1, int(config.OPT))  # type: ignore[attr-defined]
    passes, builder = library._codegen._module_pass_manager(opt=level, loop_vectorize=False, slp_vectorize=False)
    passes.run(library._final_module, builder)


def _keep_to_itself(module: Any) -> None:
    """Make linked functions internal to the module, so that they can be removed once inlined everywhere."""
    for function in module.functions:
        if not function.is_declaration and function.linkage.name == LINKED:
            function.linkage = "internal"


def _link_rules(library: Any, names: set[str]) -> None:
    """Link all rules that a library calls, transitively, into it; leave other libraries to the linker."""
    module, called = library._final_module, {}
    own = {function.name for function in module.functions if not function.is_declaration}
    waiting = list(library._linking_libraries)
    while waiting:
        other = waiting.pop(0)
        if other not in called:
            called[other] = other.name in names
            if called[other]:
                waiting += other._linking_libraries
                module.link_in(other._final_module, preserve=True)
                library._reload_init.update(other._reload_init)
    for function in module.functions:
        if not function.is_declaration and function.name not in own:
            function.linkage = LINKED
    library._linking_libraries = [other for other, is_rule in called.items() if not is_rule]


def _only_environment(library: Any) -> None:
    """Emit only a rule's environment: its own machine code is never called."""
    library._finalize_dynamic_globals()
    names = [value.name for value in library._final_module.global_variables if "NumbaEnv" in value.name]
    stub = llvm.parse_assembly("\n".join(f'@"{name}" = common global ptr null' for name in names))
    library._codegen._add_module(stub)
    library._codegen._engine.finalize_object()
    library._finalized = True
