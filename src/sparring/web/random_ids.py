"""What chance calls people and tables."""

import secrets


def chance_id(octets: int) -> str:
    """A name by chance, of so many octets, for links and command lines: a dash at its beginning would be an option."""
    while (name := secrets.token_urlsafe(octets)).startswith("-"):
        pass
    return name
