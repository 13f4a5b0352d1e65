"""Host names that the server answers to: IP addresses, localhost, the machine's own name, and configured names.

Otherwise another site could point its own name here, and browsers would treat its pages as ours (DNS rebinding).
"""

import ipaddress
import re
import socket
from collections.abc import Iterable
from functools import lru_cache

#: The form of a Host header: a name, an IPv4 address or an IPv6 address in brackets, with an optional port.
HOST = re.compile(r"([A-Za-z0-9._-]{1,255}|\[(?P<ipv6>[A-Fa-f0-9:.]{2,45})\])(:(?P<port>[0-9]{0,5}))?")
HIGHEST_PORT = 65_535


def own_names(more: Iterable[str] = ()) -> frozenset[str]:
    """Return the names of this machine and configured ones, in lower case."""
    hostname = socket.gethostname()
    names = {"localhost", hostname, f"{hostname.partition('.')[0]}.local", *more}
    return frozenset(name.strip().rstrip(".").lower() for name in names if name.strip())


def is_loopback(host: str) -> bool:
    """Return whether a host name or address is this machine itself."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


@lru_cache(maxsize=64)
def read_host(host: str) -> str:
    """Return the name or address in a Host header, in lower case; empty if it is malformed."""
    match = HOST.fullmatch(host)
    if not match or int(match["port"] or 0) > HIGHEST_PORT:
        return ""
    if match["ipv6"]:
        return match["ipv6"].lower() if ":" in match["ipv6"] and _is_address(match["ipv6"]) else ""
    return match[1].rstrip(".").lower()


@lru_cache(maxsize=64)
def is_served(name: str, names: frozenset[str]) -> bool:
    """Return whether the server answers to a name: one of these, localhost, or any address."""
    return name in names or name.endswith(".localhost") or _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
