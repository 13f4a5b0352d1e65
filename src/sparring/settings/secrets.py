"""Random ids, and the file of the secrets that sign cookies, with how to replace them."""

import base64
import hashlib
import os
import secrets
from collections.abc import Sequence
from pathlib import Path

from sparring.engine.errors import SparringError
from sparring.engine.folders import access_problem, match_owner


def random_id(octets: int) -> str:
    """Return a random URL-safe id of `octets` bytes; a leading dash would look like a command option."""
    while (name := secrets.token_urlsafe(octets)).startswith("-"):
        pass
    return name


def new_id(octets: int, once: str, *subject: str) -> str:
    """Return an id of what a request creates: the same if it is repeated (`Person.once`), otherwise a random one."""
    if not once:
        return random_id(octets)
    digest = hashlib.blake2b("\0".join(subject).encode(), key=once.encode(), digest_size=octets).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=").replace("-", "_")


#: The file of the secrets, one per line, newest first; and how many it can hold.
SECRET = "secret.key"
KEYS = 4
#: The shortest secret, in characters: shorter ones can be guessed.
SHORTEST = 20


class FolderUnavailable(SparringError):
    """The data folder can't be used."""


def read_secrets(file: Path, *, create: bool = True) -> list[str]:
    """Return the server's secrets, newest first. With `create`, make the first one if the file doesn't exist."""
    try:
        if create and not file.exists():
            _write_secrets(file, [secrets.token_urlsafe(32)], replace=False)
        found = file.read_text(encoding="ascii").split()
    except FileNotFoundError:
        raise FolderUnavailable(f"There is no key at {file}. Set SPARRING_DATA to the server's data folder.") from None
    except OSError as problem:
        raise FolderUnavailable(unusable(file, problem)) from None
    except UnicodeDecodeError:
        found = [""]
    if not found or min(map(len, found)) < SHORTEST:
        raise FolderUnavailable(
            f"{file} must contain keys of at least {SHORTEST} characters, one per line. Restore it from a backup, or "
            "delete it: then the server creates a new one, and everyone must sign in again."
        )
    return found


def rotate_secret(file: Path, *, forget: bool = False) -> int:
    """Add a new secret, or replace all; return how many older ones are still accepted."""
    elder = read_secrets(file, create=False)
    return len(keep_secrets(file, [secrets.token_urlsafe(32), *([] if forget else elder)])) - 1


def keep_secrets(file: Path, wanted: Sequence[str]) -> list[str]:
    """Store the newest secrets, as many as the file can hold; return them."""
    kept = list(dict.fromkeys(wanted))[:KEYS]
    try:
        _write_secrets(file, kept, replace=True)
    except OSError as problem:
        raise FolderUnavailable(unusable(file, problem)) from None
    return kept


def unusable(file: Path, problem: OSError) -> str:
    """Return a sentence about a file that can't be used: whose it is, or what the system says."""
    return access_problem(file) or f"Can't use {file}: {problem.strerror or problem}."


def _write_secrets(file: Path, wanted: Sequence[str], *, replace: bool) -> None:
    """Write the file at once: a process never reads half of it, and a full disk leaves the old one."""
    new_file = file.with_name(f"{file.name}.{os.getpid()}.new")
    new_file.unlink(missing_ok=True)
    try:
        with os.fdopen(os.open(new_file, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600), "w", encoding="ascii") as new:
            new.write("\n".join(wanted) + "\n")
            new.flush()
            os.fsync(new.fileno())
        match_owner(new_file)
        if replace:
            new_file.replace(file)
        else:
            try:
                os.link(new_file, file)
            except FileExistsError:
                pass  # another process was faster
            except OSError:  # a file system without links
                new_file.replace(file)
    finally:
        new_file.unlink(missing_ok=True)
