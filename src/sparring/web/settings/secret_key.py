"""The file of the secrets that sign cookies, and how to replace them."""

import contextlib
import os
import secrets
from collections.abc import Sequence
from pathlib import Path

from sparring.engine.errors import SparringError

#: The file of the secrets, one per line, newest first; and how many it can hold.
SECRET = "secret.key"
KEYS = 4


class FolderUnavailable(SparringError):
    """The data folder can't be used."""


def read_secrets(file: Path) -> list[str]:
    """Return the server's secrets, newest first. The first one is created on demand, readable for its owner only."""
    if not file.exists():
        with contextlib.suppress(FileExistsError):
            _write_secrets(file, [secrets.token_urlsafe(32)], os.O_EXCL)
    found = file.read_text(encoding="ascii").split()
    if not found:
        raise FolderUnavailable(f"{file} contains no key. Delete the file, and the server creates a new one.")
    return found


def rotate_secret(file: Path, *, forget: bool = False) -> int:
    """Add a new secret, or replace all; return how many older ones are still accepted."""
    elder = [] if forget else read_secrets(file)
    return len(keep_secrets(file, [secrets.token_urlsafe(32), *elder])) - 1


def keep_secrets(file: Path, wanted: Sequence[str]) -> list[str]:
    """Store the newest secrets, as many as the file can hold; return them."""
    kept = list(dict.fromkeys(wanted))[:KEYS]
    new_file = file.with_suffix(".new")
    _write_secrets(new_file, kept, os.O_TRUNC)
    new_file.replace(file)
    return kept


def _write_secrets(file: Path, wanted: Sequence[str], how: int) -> None:
    handle = os.open(file, os.O_CREAT | os.O_WRONLY | how, 0o600)
    with os.fdopen(handle, "w", encoding="ascii") as new:
        new.write("\n".join(wanted) + "\n")
        new.flush()
        os.fsync(handle)
