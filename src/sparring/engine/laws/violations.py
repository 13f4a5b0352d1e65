"""Report law violations: which law, where in the rules, how to reproduce it; and interrupt rules that never return."""

import dis
import re
import signal
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

from sparring.engine.compilation.dependencies import reachable_rules
from sparring.engine.game import Game, GameSetup

#: The limit for one computation (seconds of CPU time), far above what any correct game needs.
SECONDS = 20.0


class TimedOut(Exception):
    """A computation exceeded the time limit."""


@contextmanager
def time_limit() -> Iterator[None]:
    """Raise TimedOut if the context takes too long. It works on the main thread of systems with interval timers."""
    is_supported = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    if not is_supported or signal.getitimer(signal.ITIMER_VIRTUAL)[0]:
        yield
        return
    before = signal.signal(signal.SIGVTALRM, _interrupt)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise TimedOut(f"it never returns (interrupted after {SECONDS:g} seconds)")


#: NumPy's message when a missing field is written.
_NO_FIELD = re.compile(r"no field of name (\w+)")
#: The name in a message of the compiler, and the file and line in its traceback.
_NAME = re.compile(r"'(\w+)'")
_LINE = re.compile(r'File "([^"]+)", line (\d+)')


class LawViolation(AssertionError):
    """A game breaks a law; the message says which one, where, and how to reproduce it."""


@dataclass(frozen=True)
class LawContext:
    """The context of a check: the match, and the number of the action."""

    setup: GameSetup
    seats: int
    seed: int
    choice: int | None = None
    #: The call that reproduces this match.
    check: str = "check_match(setup, {seats}, {seed})"

    def __str__(self) -> str:
        at = "" if self.choice is None else f", choice {self.choice}"
        return f"{self.setup.game.name}, {self.seats} seats, options {self.setup.options}, seed {self.seed}{at}"

    def at(self, choice: int) -> "LawContext":
        """Return the context of another action of the same match."""
        return replace(self, choice=choice)

    def violation(self, law: int, message: str) -> LawViolation:
        """Return the error for a law that does not hold here."""
        setup = f"setup = GAME.setup({self.setup.options}{', content' if self.setup.own_content else ''})"
        call = self.check.format(seats=self.seats, seed=self.seed)
        return LawViolation(f"law {law}, {self}: {message}\n  To reproduce: {setup}; {call}")

    def require(self, law: int, holds: object, message: str) -> None:
        """Raise LawViolation with this message unless the law holds."""
        if not holds:
            raise self.violation(law, message)

    @contextmanager
    def reporting(self, law: int) -> Iterator[None]:
        """Turn any exception in the game's code into a violation that names the line."""
        try:
            with time_limit():
                yield
        except (LawViolation, KeyboardInterrupt):
            raise
        except Exception as problem:
            raise self.violation(law, f"{find_line(problem, self.setup.game)}: {describe(problem)}") from problem


def find_line(problem: Exception, game: Game) -> str:
    """Return the last line of the game's files in a traceback; otherwise the line that raised it."""
    frames = traceback.extract_tb(problem.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).parent == game.folder] or frames
    return f"{Path(own[-1].filename).name}:{own[-1].lineno}, in {own[-1].name}, `{own[-1].line}`"


def describe(problem: Exception) -> str:
    """Describe an error, with help for common mistakes of game authors."""
    if isinstance(problem, TimedOut):
        return str(problem)
    missing = _NO_FIELD.search(str(problem))
    record = getattr(problem, "obj", None)
    if isinstance(problem, AttributeError) and isinstance(record, np.void):
        return no_field(str(problem.name), record.dtype.names or ())
    if missing:
        return f"there is no field {missing[1]} in that record"
    if isinstance(problem, IndexError):
        return f"{problem} (an array of the state or of `out` is too short, or a number is too large)"
    return f"{type(problem).__name__}: {problem}"


def no_field(name: str, known: tuple[str, ...]) -> str:
    """Describe a missing field, with a guess at the intended one."""
    near = get_close_matches(name, known, 1)
    return f"there is no field {name}" + (f"; did you mean {near[0]}?" if near else "")


def differing(one: Any, other: Any) -> str:
    """Name the fields in which two states differ, with both values of the first such field."""
    names = [name for name in one.dtype.names if np.any(one[name] != other[name])]
    first = names[0] if names else "filler"
    return f"{', '.join(names)} ({first}: {_short(one[first])} and {_short(other[first])})"


def _short(value: Any) -> str:
    text = str(value.tolist())
    return text if len(text) <= 60 else f"{text[:57]}..."


def compile_reason(problem: Exception, game: Game, root: Callable[..., Any]) -> str:
    """Describe a compiler error by the line in the game's files and the sentence that states the reason."""
    if isinstance(problem, KeyError):
        name = str(problem.args[0])
        return f"{_reader_of(name, root)}there is no field {name} in that record"
    text = str(problem)
    lines = [(Path(file), int(number)) for file, number in _LINE.findall(text)]
    own = [(file, number) for file, number in lines if file.parent == game.folder]
    reasons = [line.strip() for line in text.splitlines() if _is_reason(line)]
    quoted = _NAME.search(reasons[-1]) if reasons else None
    place = f"{own[-1][0].name}:{own[-1][1]}: " if own else _reader_of(quoted[1], root) if quoted else ""
    reason = reasons[-1] if reasons else text.splitlines()[0]
    return f"{place}{reason} (rules use records, arrays, numbers and other rules)"


def _is_reason(line: str) -> bool:
    """Return whether a line of a compiler error states the reason, instead of a location."""
    line = line.strip()
    openings = (
        "Cannot", "Unknown attribute", "Untyped", "No implementation", "No conversion", "Invalid use", "Unsupported",
        "Use of unsupported", "The use of", "Variable", "name '", "cannot", "Undecided", "Illegal",
    )  # fmt: skip
    return line.startswith(openings) or "Error: " in line


def _reader_of(name: str, root: Callable[..., Any]) -> str:
    """Return the file, line and rule that use a field or global of that name; empty if none does."""
    for rule in reachable_rules(root):
        code = rule.__code__
        line = code.co_firstlineno
        for step in dis.get_instructions(code):
            line = step.starts_line or line
            if step.argval == name and step.opname in ("LOAD_ATTR", "STORE_ATTR", "LOAD_METHOD", "LOAD_GLOBAL"):
                return f"{Path(code.co_filename).name}:{line}, in {code.co_name}: "
    return ""
