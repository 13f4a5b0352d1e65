"""Optimise a driver once, as a whole.

Numba links, optimises and assembles every compiled function by itself, and again inside each of its callers. Rules are
small and deeply nested, so that most of the compile time would go into code that nobody calls. Here the rules are
only lowered; the driver links each of them once, however far down it is called; short ones and those with a single
caller are inlined; what holds them all is optimised at the end. What a driver was linked of it keeps to itself: Numba
names functions by counting, anew in every process, so that in code from the cache the same name can stand for a rule of
two games, and whichever is loaded first would be called by both. A driver that is made `carefully` checks every access
to an array, as do the rules in it: they may be somebody's first try, and what is written out of bounds is found much
later as a crash of something else. It is optimised less, because compiling is most of its time if it runs for seconds.
All this leans on inner parts of Numba and changes nothing else that rules do: with a version of Numba that lacks these
parts everything compiles in the ordinary way.
"""

import dis
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import llvmlite.binding as llvm
from numba.core import codegen, config, cpu

from .dependencies import as_compiled

#: Rules of at most so many bytecode instructions are inlined wherever they are called.
SHORT = 60

#: How a function is marked that was linked into a module, and may be in others as well.
LINKED = "linkonce_odr"


def inlined(rules: Iterable[Callable[..., Any]]) -> set[Callable[..., Any]]:
    """Those rules that are short, or called from one place only."""
    rules = list(rules)
    steps = {rule: list(dis.get_instructions(as_compiled(rule))) for rule in rules}
    calls = Counter(step.argval for made_of in steps.values() for step in made_of if step.opname in _LOADS)
    return {rule for rule in rules if calls[rule.__name__] <= 1 or len(steps[rule]) <= SHORT}


_LOADS = ("LOAD_GLOBAL", "LOAD_DEREF", "LOAD_ATTR", "LOAD_METHOD")


@contextmanager
def as_a_whole(rules: Iterable[Callable[..., Any]], *, carefully: bool = False) -> Iterator[None]:
    """Compile these rules only as parts of what calls them; `carefully`, with bounds checked and optimised less."""
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
    """Compile rules so that an access out of bounds raises IndexError; Numba keeps them apart from others by this."""
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
    """Take one round of LLVM's passes. Numba takes a cheap one before it, and vectors for loops that are short here."""
    passes, builder = library._codegen._module_pass_manager(loop_vectorize=False)
    passes.run(library._final_module, builder)


def _optimize_lightly(library: Any) -> None:
    """Make wishes of the orders to inline, and take one short round of passes instead of all of Numba's."""
    module = library._final_module
    library._final_module = llvm.parse_assembly(str(module).replace(" alwaysinline", " inlinehint"))
    library._final_module.name = module.name
    level = min(1, int(config.OPT))  # type: ignore[attr-defined]
    passes, builder = library._codegen._module_pass_manager(opt=level, loop_vectorize=False, slp_vectorize=False)
    passes.run(library._final_module, builder)


def _keep_to_itself(module: Any) -> None:
    """Nobody else finds by its name what was linked into a module; it can go when it has been inlined everywhere."""
    for function in module.functions:
        if not function.is_declaration and function.linkage.name == LINKED:
            function.linkage = "internal"


def _link_rules(library: Any, names: set[str]) -> None:
    """Put the rules that a library calls, however far down, into it; what else they call is left to be linked."""
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
    """Nobody calls the rule's own machine code; only its environment must have an address."""
    library._finalize_dynamic_globals()
    names = [value.name for value in library._final_module.global_variables if "NumbaEnv" in value.name]
    stub = llvm.parse_assembly("\n".join(f'@"{name}" = common global ptr null' for name in names))
    library._codegen._add_module(stub)
    library._codegen._engine.finalize_object()
    library._finalized = True
