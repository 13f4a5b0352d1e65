"""Random ids of people, tables and sets."""

import base64
import hashlib
import secrets


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
