"""Extras: the optional packages that parts of Sparring need."""

import re
from importlib.metadata import PackageNotFoundError, requires

from .errors import SparringError


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
