"""Find the dependencies of a rule: all rules it calls and all constants it reads, transitively."""

import dis
import hashlib
import types
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from typing import Any

import numba
import numpy as np

from sparring.engine.rule import zeros

from . import board_sets, vectors  # noqa: F401 - replace rules by machine code

Function = Callable[..., Any]

#: Numba settings that affect the generated code.
SETTINGS = ("BOUNDSCHECK", "OPT", "DEBUGINFO_DEFAULT", "LOOP_VECTORIZE", "SLP_VECTORIZE")

#: NumPy's functions that make arrays.
MAKERS = {"arange", "array", "empty", "empty_like", "full", "full_like", "ones", "ones_like", "zeros", "zeros_like"}


def compiled_form(function: Function) -> Function:
    """Return the function that Numba compiles: the function itself, or its replacement (`rule.machine_code`)."""
    return getattr(function, "machine_code", function)


def reachable_rules(root: Function) -> list[Function]:
    """Return a function and all rules that it calls, transitively. Raises TypeError if one calls a plain function."""
    rules: list[Function] = []
    queue = [root]
    while queue:
        function = queue.pop(0)
        if function in rules:
            continue
        rules.append(function)
        for name, value in _names_read(compiled_form(function)):
            if getattr(value, "is_rule", False):
                queue.append(value)
            elif isinstance(value, types.FunctionType):
                raise TypeError(f"{function.__module__}.{function.__name__} calls {name}, which is not a @rule.")
    return rules


@cache
def allocates(root: Function) -> bool:
    """Return whether a function, or a rule that it calls, makes arrays other than by `zeros`."""
    rules = [compiled_form(rule) for rule in reachable_rules(root) if rule is not zeros]
    return any(_makes_arrays(rule) or _stores_slices(rule) for rule in rules)


def _makes_arrays(function: Function) -> bool:
    steps = list(dis.get_instructions(function))
    return any(
        function.__globals__.get(step.argval) is np and following.argval in MAKERS
        for step, following in pairwise(steps)
        if step.opname == "LOAD_GLOBAL"
    )


def _stores_slices(function: Function) -> bool:
    """Return whether a function assigns to a slice: Numba makes a copy, in case the arrays overlap."""
    steps = list(dis.get_instructions(function))
    return any(
        step.opname == "STORE_SLICE"
        or (step.opname == "STORE_SUBSCR" and any(map(_makes_slice, steps[max(0, n - 3) : n])))
        for n, step in enumerate(steps)
    )


def makes_slices(function: Function) -> bool:
    """Return whether a function makes slices of arrays."""
    return any(map(_makes_slice, dis.get_instructions(compiled_form(function))))


def _makes_slice(step: dis.Instruction) -> bool:
    constants = step.argval if isinstance(step.argval, tuple) else (step.argval,)
    return step.opname == "BUILD_SLICE" or any(isinstance(each, slice) for each in constants)


def fingerprint(root: Function, *inputs: object) -> str:
    """Return a hash of everything that the compiled code of `root` depends on.

    These are the bytecode of each reachable rule, the value of each name in it, `inputs` (dtypes, compiler options),
    Numba's settings, and the versions of Numba and NumPy. Numba itself distinguishes processors and Python versions.
    """
    rules = reachable_rules(root)
    hashed = [f"{name}={getattr(numba.config, name, None)}" for name in SETTINGS]
    hashed += [str(thing) for thing in inputs] + [numba.__version__, np.__version__]
    for rule in map(compiled_form, rules):
        hashed += [_bytecode(rule.__code__), repr(rule.__defaults__), repr(rule.__kwdefaults__)]
        hashed += [f"{name}={_as_text(value, rules)}" for name, value in _names_read(rule)]
    return hashlib.blake2b("\0".join(hashed).encode(), digest_size=12).hexdigest()


def _as_text(value: Any, rules: list[Function]) -> str:
    """Return the value of a name as text: rules by index, other functions and types by name, constants by value."""
    if getattr(value, "is_rule", False):
        return f"rule {rules.index(value)}"
    if isinstance(value, np.ndarray):
        return f"{value.dtype.descr} {value.shape} {value.tobytes().hex()}"
    if isinstance(value, types.ModuleType):
        return value.__name__
    if callable(value):
        return f"{value.__module__}.{getattr(value, '__qualname__', type(value).__qualname__)}"
    return _stable_repr(value)


def _stable_repr(value: object) -> str:
    """Return a representation of a constant that is the same in every process."""
    return repr(sorted(map(repr, value))) if isinstance(value, frozenset) else repr(value)


def _bytecode(code: types.CodeType) -> str:
    """Return the bytecode of a function and what it refers to, without line numbers."""
    names = code.co_names, code.co_varnames, code.co_freevars
    signature = (code.co_argcount, code.co_kwonlyargcount, code.co_flags, *names)
    consts = [_bytecode(each) if isinstance(each, types.CodeType) else _stable_repr(each) for each in code.co_consts]
    exception_table = getattr(code, "co_exceptiontable", b"").hex()
    return f"{code.co_name}{signature}{consts}{code.co_code.hex()}{exception_table}"


def _names_read(function: Function) -> Iterator[tuple[str, Any]]:
    """Yield the globals and closure values that a function reads, by name; for a module, the attributes it names."""
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        yield name, cell.cell_contents
    names = _names(function.__code__)
    for name in names:
        if name in function.__globals__:
            value = function.__globals__[name]
            yield name, value
            if isinstance(value, types.ModuleType) and value.__name__.partition(".")[0] not in ("numpy", "math"):
                yield from ((f"{name}.{part}", vars(value)[part]) for part in names if part in vars(value))


def _names(code: types.CodeType) -> list[str]:
    inner = [const for const in code.co_consts if isinstance(const, types.CodeType)]
    return [*code.co_names, *(name for part in inner for name in _names(part))]
