"""Random ids of people and tables."""

import secrets


def random_id(octets: int) -> str:
    """Return a random URL-safe id of `octets` bytes; a leading dash would look like a command option."""
    while (name := secrets.token_urlsafe(octets)).startswith("-"):
        pass
    return name
