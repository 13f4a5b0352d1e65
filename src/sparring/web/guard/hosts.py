"""Under which names this server may be asked: addresses, localhost, the machine's own name, and what its owner adds.

A page of somebody else's that has its own name point here would otherwise be taken for ours by a browser.
"""

import ipaddress
import socket
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import urlsplit


def own_names(more: Iterable[str] = ()) -> frozenset[str]:
    """The names of this machine, and others that its owner gave it, in small letters."""
    here = socket.gethostname()
    names = {"localhost", here, f"{here.partition('.')[0]}.local", *more}
    return frozenset(name.strip().rstrip(".").lower() for name in names if name.strip())


def is_loopback(host: str) -> bool:
    """Return whether a host name or address leads to the machine itself."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


@lru_cache(maxsize=64)
def is_ours(host: str, names: frozenset[str]) -> bool:
    """Whether a Host header names an address, or one of these names."""
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    name = name.rstrip(".")
    if name in names or name.endswith(".localhost"):
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
