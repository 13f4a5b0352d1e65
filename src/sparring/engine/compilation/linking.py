"""Compile a driver with all its rules as one LLVM module, and each rule once for all widths of its arguments.

Numba optimizes and assembles every compiled function separately, and again inside each of its callers. Rules are small
and deeply nested, so most of the compile time would go into code that is never called directly. Here rules are only
lowered to LLVM. The driver links each of them once, short rules and those with a single caller are inlined, and the
whole module is optimized at the end.

Linked rules become internal to their driver. In every process Numba numbers functions from the start, so rules of two
games can have the same name in cached code; without this, the one loaded first would be used for both.

A driver marked with `check_bounds`, and its rules, check every array access: the rules may be a first attempt, and a
write out of bounds would cause a crash much later. It is optimized less, because it runs for seconds and compilation
dominates.

This relies on Numba internals. With a version of Numba that lacks them, everything compiles the ordinary way.

Numba compiles a function for each combination of argument types: an action may be int16 (from an array of legal ones)
or int64 (from a loop), and a pile may have room for 8 cards or 80. For a rule these make no difference. So rules are
compiled for int64 and arrays of any length, and callers convert their arguments. This relies on Numba internals; with a
version that lacks them, a rule is compiled for every width.
"""

import dis
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import llvmlite.binding as llvm
from numba.core import codegen, config, cpu, types
from numba.core.typing import templates
from numba.extending import lower_cast

from .dependencies import compiled_form

#: Rules of at most this many bytecode instructions are always inlined.
SHORT = 60

#: The linkage of a function that may be in several modules.
LINKED = "linkonce_odr"


def inlined(rules: Iterable[Callable[..., Any]]) -> set[Callable[..., Any]]:
    """Return the rules to inline: those that are short or called from only one place."""
    rules = list(rules)
    instructions = {rule: list(dis.get_instructions(compiled_form(rule))) for rule in rules}
    loads = (each for code in instructions.values() for each in code if each.opname in _LOADS)
    calls = Counter(each.argval for each in loads)
    return {rule for rule in rules if calls[rule.__name__] <= 1 or len(instructions[rule]) <= SHORT}


_LOADS = ("LOAD_GLOBAL", "LOAD_DEREF", "LOAD_ATTR", "LOAD_METHOD")


@contextmanager
def whole_program(rules: Iterable[Callable[..., Any]], *, bounds_checked: bool = False) -> Iterator[None]:
    """Compile these rules only as parts of their callers, inside the context.

    `bounds_checked` adds bounds checks and optimizes less.
    """
    library, generator = getattr(codegen, "JITCodeLibrary", None), getattr(codegen, "CPUCodegen", None)
    steps = ("_optimize_functions", "_optimize_final_module", "finalize")
    is_known = all(hasattr(library, step) for step in (*steps, "_finalize_dynamic_globals"))
    if library is None or not (is_known and hasattr(generator, "_module_pass_manager")):
        yield
        return
    names = {compiled_form(rule).__qualname__ for rule in rules}
    original = {step: getattr(library, step) for step in steps}
    optimize = _optimize_lightly if bounds_checked else _optimize

    def optimize_functions(self: Any, module: Any) -> None:
        if bounds_checked or self.name in names:
            module.data_layout = self._codegen._data_layout
        else:
            original["_optimize_functions"](self, module)

    def finalize(self: Any) -> None:
        if self.name in names:
            _emit_environment_only(self)
        else:
            _link_rules(self, names)
            original["finalize"](self)

    def optimize_final_module(self: Any) -> None:
        _make_internal(self._final_module)
        optimize(self)

    library._optimize_functions, library.finalize = optimize_functions, finalize
    library._optimize_final_module = optimize_final_module
    try:
        with _checking_bounds() if bounds_checked else nullcontext():
            yield
    finally:
        for step, function in original.items():
            setattr(library, step, function)


@contextmanager
def _checking_bounds() -> Iterator[None]:
    """Compile with bounds checks that raise IndexError; Numba caches such code separately."""
    options: Any = getattr(cpu, "CPUTargetOptions", None)
    if not hasattr(options, "finalize"):
        yield
        return
    original = options.finalize

    def finalize(self: Any, flags: Any, given: Any) -> None:
        flags.boundscheck = True
        original(self, flags, given)

    options.finalize = finalize
    try:
        yield
    finally:
        options.finalize = original


def _optimize(library: Any) -> None:
    """Run LLVM's passes once, without Numba's cheap first round and without loop vectorization: loops are short."""
    passes, builder = library._codegen._module_pass_manager(loop_vectorize=False)
    passes.run(library._final_module, builder)


def _optimize_lightly(library: Any) -> None:
    """Turn forced inlining into a hint, and run few passes."""
    module = library._final_module
    library._final_module = llvm.parse_assembly(str(module).replace(" alwaysinline", " inlinehint"))
    library._final_module.name = module.name
    level = min(1, int(config.OPT))  # type: ignore[attr-defined]
    passes, builder = library._codegen._module_pass_manager(opt=level, loop_vectorize=False, slp_vectorize=False)
    passes.run(library._final_module, builder)


def _make_internal(module: Any) -> None:
    """Make linked functions internal to the module, so that they can be removed once inlined everywhere."""
    for function in module.functions:
        if not function.is_declaration and function.linkage.name == LINKED:
            function.linkage = "internal"


def _link_rules(library: Any, names: set[str]) -> None:
    """Link all rules that a library calls, transitively, into its module; leave other libraries to the linker."""
    module, libraries = library._final_module, {}
    own = {function.name for function in module.functions if not function.is_declaration}
    queue = list(library._linking_libraries)
    while queue:
        other = queue.pop(0)
        if other not in libraries:
            libraries[other] = other.name in names
            if libraries[other]:
                queue += other._linking_libraries
                module.link_in(other._final_module, preserve=True)
                library._reload_init.update(other._reload_init)
    for function in module.functions:
        if not function.is_declaration and function.name not in own:
            function.linkage = LINKED
    library._linking_libraries = [other for other, is_rule in libraries.items() if not is_rule]


def _emit_environment_only(library: Any) -> None:
    """Emit only a rule's environment: its own machine code is never called."""
    library._finalize_dynamic_globals()
    names = [value.name for value in library._final_module.global_variables if "NumbaEnv" in value.name]
    stub = llvm.parse_assembly("\n".join(f'@"{name}" = common global ptr null' for name in names))
    library._codegen._add_module(stub)
    library._codegen._engine.finalize_object()
    library._finalized = True


#: Integer types that fit into int64.
NARROW = {types.int8, types.int16, types.int32, types.uint8, types.uint16, types.uint32}


@contextmanager
def widen_arguments() -> Iterator[None]:
    """Compile rules for wide argument types, inside the context."""
    template: Any = getattr(templates, "_OverloadFunctionTemplate", None)
    if not hasattr(template, "generic"):
        yield
        return
    original = template.generic

    def generic(self: Any, args: Any, kws: Any) -> Any:
        if getattr(self.key, "is_rule", False):
            args, kws = tuple(map(wide, args)), {name: wide(kind) for name, kind in kws.items()}
        return original(self, args, kws)

    template.generic = generic
    try:
        yield
    finally:
        template.generic = original


def wide(kind: Any) -> Any:
    """Return the type that a rule uses for an argument of this type."""
    if kind in NARROW:
        return types.int64
    if isinstance(kind, types.NestedArray):
        return types.Array(kind.dtype, kind.ndim, "C")
    return kind


@lower_cast(types.NestedArray, types.Array)  # type: ignore[no-untyped-call, untyped-decorator]
def _of_any_length(_context: object, _builder: object, _source: object, _target: object, array: Any) -> Any:
    """Return the array unchanged: the type of an array in a record differs from others only by its length."""
    return array
