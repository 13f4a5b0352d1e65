"""The dependencies of a rule: all rules it calls and all constants it reads, transitively."""

import hashlib
import types
from collections.abc import Callable, Iterator
from typing import Any

import numba
import numpy as np

Function = Callable[..., Any]

#: Numba settings that affect the generated code.
SETTINGS = ("BOUNDSCHECK", "OPT", "DEBUGINFO_DEFAULT", "LOOP_VECTORIZE", "SLP_VECTORIZE")


def as_compiled(function: Function) -> Function:
    """Return the function that is compiled: the function itself, or its replacement (`rule.machine_code`)."""
    return getattr(function, "machine_code", function)


def parts(root: Function) -> list[Function]:
    """Return a function and all rules that it calls, transitively. Raises TypeError for a call of a plain function."""
    rules: list[Function] = []
    waiting = [root]
    while waiting:
        function = waiting.pop(0)
        if function in rules:
            continue
        rules.append(function)
        for name, value in _read_by(as_compiled(function)):
            if getattr(value, "is_rule", False):
                waiting.append(value)
            elif isinstance(value, types.FunctionType):
                raise TypeError(f"{function.__module__}.{function.__name__} calls {name}, which is not a @rule.")
    return rules


def fingerprint(root: Function, *more: object) -> str:
    """Return a hash of everything that the compiled code of `root` depends on.

    That is: the bytecode of each reachable rule, the value of each name in it, anything in `more` (dtypes, compiler
    options), and the versions and settings of Numba and NumPy. Numba itself distinguishes processors and Python
    versions.
    """
    rules = parts(root)
    told = [f"{name}={getattr(numba.config, name, None)}" for name in SETTINGS]
    told += [str(thing) for thing in more] + [numba.__version__, np.__version__]
    for rule in map(as_compiled, rules):
        told += [_bytecode(rule.__code__), repr(rule.__defaults__), repr(rule.__kwdefaults__)]
        told += [f"{name}={_meaning(value, rules)}" for name, value in _read_by(rule)]
    return hashlib.blake2b("\0".join(told).encode(), digest_size=12).hexdigest()


def _meaning(value: Any, rules: list[Function]) -> str:
    """Return the value of a name: rules by index, other functions and types by name, constants by value."""
    if getattr(value, "is_rule", False):
        return f"rule {rules.index(value)}"
    if isinstance(value, np.ndarray):
        return f"{value.dtype.descr} {value.shape} {value.tobytes().hex()}"
    if isinstance(value, types.ModuleType):
        return value.__name__
    if callable(value):
        return f"{value.__module__}.{getattr(value, '__qualname__', type(value).__qualname__)}"
    return _exact(value)


def _exact(value: Any) -> str:
    """Return a constant in a form that is the same in every process."""
    return repr(sorted(map(repr, value))) if isinstance(value, frozenset) else repr(value)


def _bytecode(code: types.CodeType) -> str:
    """Return what a function does, without comments and line numbers."""
    read = (code.co_argcount, code.co_kwonlyargcount, code.co_flags, code.co_names, code.co_varnames, code.co_freevars)
    consts = [_bytecode(const) if isinstance(const, types.CodeType) else _exact(const) for const in code.co_consts]
    handled = getattr(code, "co_exceptiontable", b"").hex()
    return f"{code.co_name}{read}{consts}{code.co_code.hex()}{handled}"


def _read_by(function: Function) -> Iterator[tuple[str, Any]]:
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
