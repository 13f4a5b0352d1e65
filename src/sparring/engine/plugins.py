"""Other packages: the optional ones of extras, and entry points, of which broken ones are skipped and reported."""

import re
import sys
import traceback
from collections.abc import Callable, Iterator
from importlib.metadata import Distribution, EntryPoint, PackageNotFoundError, distributions, requires
from multiprocessing import parent_process
from pathlib import Path
from typing import TypeVar

from .errors import CONVERT, SparringError


class MissingExtra(SparringError, ImportError):
    """Packages of an extra are missing; also an ImportError, for those who try an import."""

    def __init__(self, need: str, extra: str) -> None:
        super().__init__(missing_extra(need, extra))


def install_command(extra: str) -> str:
    """Return the command that installs the packages of an extra, by name.

    It works wherever Sparring itself came from: a package index, a folder or a repository.
    """
    try:
        needed = requires("sparring") or []
    except PackageNotFoundError:  # run from its source without installing it
        needed = []
    of_extra = [one.partition(";")[0].strip() for one in needed if re.search(f"extra *== *.{extra}\\b", one)]
    return " ".join(["pip install", *(f'"{one}"' for one in of_extra or [f"sparring[{extra}]"])])


def missing_extra(need: str, extra: str) -> str:
    """Return a sentence: what needs the extra, the extra's name, and the command that installs its packages."""
    return f"{need} (extra `{extra}`): {install_command(extra)}."


T = TypeVar("T")

#: The longest error that is shown (characters).
LONGEST = 300


def entry_points(group: str) -> list[EntryPoint]:
    """Return the entry points of a group such as `sparring.bots`, without importing anything.

    If a package is on `sys.path` twice, the first one is used.
    """
    by_package: dict[str, list[EntryPoint]] = {}
    for package in distributions():
        try:
            points = list(package.entry_points.select(group=group))
        except Exception as problem:  # noqa: BLE001 - anything can be wrong in the files of a package
            what = f"Skipping the {_kind(group)}s of package {_name(package)}, whose entry_points.txt is broken"
            _report(what, problem)
            continue
        if points:
            by_package.setdefault(_name(package), points)
    return [point for points in by_package.values() for point in points]


def load_all(group: str, kind: type[T], check: Callable[[T], object] = lambda thing: None) -> Iterator[tuple[str, T]]:
    """Yield the names and objects of the entry points that load as a `kind` and for which `check` does not raise."""
    for point in entry_points(group):
        try:
            thing = point.load()
            if not isinstance(thing, kind):
                raise TypeError(f"{point.value} must be a {kind.__name__}, not {type(thing).__name__}")
            check(thing)
        except (Exception, SystemExit) as problem:  # noqa: BLE001 - importing a package may raise anything
            package = _name(point.dist) if point.dist else "?"
            what = f'Skipping the {_kind(group)} "{point.name}" of package {package}'
            _report(what, problem, _module_file(point), CONVERT if _is_older(problem) else "")
        else:
            yield point.name, thing


def _is_older(problem: BaseException) -> bool:
    """Return whether a package uses a module, a name, a method or a field of `Game` that Sparring no longer has."""
    if isinstance(problem, ImportError):
        return (problem.name or "").split(".")[0] == "sparring"
    if isinstance(problem, AttributeError) and isinstance(problem.obj, type):
        return any(base.__module__.split(".")[0] == "sparring" for base in problem.obj.__mro__)
    return isinstance(problem, TypeError) and str(problem).startswith("Game.__init__() ")


def _kind(group: str) -> str:
    return group.removeprefix("sparring.").removesuffix("s")


def _name(package: Distribution) -> str:
    """Return the name of a package, or the folder of its metadata if these have no name."""
    return str(package.metadata["Name"] or getattr(package, "_path", "?"))


def _module_file(point: EntryPoint) -> str:
    return str(getattr(sys.modules.get(point.value.partition(":")[0].strip()), "__file__", None) or point.value)


def describe_error(problem: BaseException) -> str:
    """Return the type and message of an error in one line."""
    reason = problem.msg if isinstance(problem, SyntaxError) else str(problem)
    return f"{type(problem).__name__}: {' '.join(reason.split())[:LONGEST]}".removesuffix(": ")


def find_line(problem: BaseException) -> tuple[str, int | None] | None:
    """Return the file and line of a package at which an error arose; None if no line of the package ran.

    Frames of the import system, and of other packages that were called from there, are left out.
    """
    if isinstance(problem, SyntaxError) and problem.filename:
        return problem.filename, problem.lineno
    called = traceback.extract_tb(problem.__traceback__)[1:]  # the first frame is where it was caught
    frames = [frame for frame in called if "importlib" not in frame.filename]
    if not frames:
        return None
    folder = Path(frames[0].filename).parent
    last = [frame for frame in frames if Path(frame.filename).is_relative_to(folder)][-1]
    return last.filename, last.lineno


def _report(what: str, problem: BaseException, place: str = "", advice: str = "") -> None:
    """Write an error to stderr, with advice, in the main process only, so that worker processes do not repeat it."""
    if parent_process() is None:
        line = find_line(problem)
        where = f"{line[0]}, line {line[1]}" if line else place
        reason = f"{describe_error(problem)}. {advice}" if advice else describe_error(problem)
        sys.stderr.write(f"{what}: {reason}{where and f' ({where})'}\n")
