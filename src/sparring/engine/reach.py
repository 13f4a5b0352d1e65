"""What a rule is made of: all rules it calls and all constants it reads, however far down."""

import hashlib
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numba
import numpy as np

Function = Callable[..., Any]

#: What of Numba's settings changes the code it makes.
SETTINGS = ("BOUNDSCHECK", "OPT", "DEBUGINFO_DEFAULT", "LOOP_VECTORIZE", "SLP_VECTORIZE")


def parts(roots: Iterable[Function]) -> tuple[list[Function], dict[str, str]]:
    """The rules that `roots` call (themselves first), and every constant they read, by full name."""
    rules: list[Function] = []
    constants: dict[str, str] = {}
    waiting = list(roots)
    while waiting:
        function = waiting.pop(0)
        if function in rules:
            continue
        rules.append(function)
        for name, value in _read_by(function):
            if getattr(value, "is_rule", False):
                waiting.append(value)
            elif isinstance(value, types.FunctionType):
                raise TypeError(f"{function.__module__}.{function.__name__} calls {name}, which is no @rule.")
            elif not isinstance(value, type | types.ModuleType) and not callable(value):
                constants[f"{function.__module__}.{name}"] = repr(value)
    return rules, constants


def fingerprint(roots: Iterable[Function], *more: object) -> str:
    """A short name that changes whenever anything changes that the compiled code of `roots` is made from.

    That is: the bytecode of each reachable rule, the value of each constant, whatever else is given (record types, how
    it is compiled), and the versions and settings of Numba and NumPy. Numba itself keeps processors and Pythons apart.
    """
    rules, constants = parts(roots)
    told = [f"{_bytecode(rule.__code__)}{rule.__defaults__}" for rule in rules]
    told += [f"{name}={value}" for name, value in sorted(constants.items())]
    told += [f"{name}={getattr(numba.config, name, None)}" for name in SETTINGS]
    told += [str(thing) for thing in more] + [numba.__version__, np.__version__]
    return hashlib.blake2b("\0".join(told).encode(), digest_size=12).hexdigest()


def _read_by(function: Function) -> Iterator[tuple[str, Any]]:
    """The globals and closed-over values a function reads, by name; of a module those attributes that are named too."""
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        yield name, cell.cell_contents
    names = _names(function.__code__)
    for name in names:
        if name in function.__globals__:
            value = function.__globals__[name]
            yield name, value
            if isinstance(value, types.ModuleType) and value.__name__.partition(".")[0] not in ("numpy", "math"):
                yield from ((f"{name}.{part}", vars(value)[part]) for part in names if part in vars(value))


def _bytecode(code: types.CodeType) -> str:
    """What a function does: no comment and no line number of it."""
    read = (code.co_argcount, code.co_names, code.co_varnames, code.co_freevars)
    consts = [_bytecode(const) if isinstance(const, types.CodeType) else repr(const) for const in code.co_consts]
    return f"{code.co_name}{read}{consts}{code.co_code.hex()}"


def _names(code: types.CodeType) -> list[str]:
    inner = [const for const in code.co_consts if isinstance(const, types.CodeType)]
    return [*code.co_names, *(name for part in inner for name in _names(part))]
