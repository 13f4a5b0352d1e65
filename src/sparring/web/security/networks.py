"""Networks: count addresses together if one person can easily have many of them."""

import hashlib
import ipaddress
from functools import lru_cache

#: How many bits of an address name its network: a /24 of IPv4, and of IPv6 the /56 that providers give a home.
BITS = {4: 24, 6: 56}


@lru_cache(maxsize=4096)
def network(address: str) -> str:
    """Return the unit in which addresses are counted: an IPv4 address, or an IPv6 /64, which one machine can use up."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped:
            return str(parsed.ipv4_mapped)
        return str(ipaddress.ip_network((parsed, 64), strict=False))
    return str(parsed)


def neighbourhood(address: str) -> str:
    """Return the network of an address, or of a smaller network as `network` returns it."""
    try:
        parsed = ipaddress.ip_network(address, strict=False)
    except ValueError:
        return address
    return str(parsed.supernet(new_prefix=min(BITS[parsed.version], parsed.prefixlen)))


@lru_cache(maxsize=1024)
def keyed(address: str, secret: str) -> str:
    """Return a keyed hash of an address's network, equal for equal networks, from which no address can be read."""
    if not address:
        return ""
    key = secret.encode()[:64]
    return hashlib.blake2b(neighbourhood(address).encode(), key=key, digest_size=16, person=b"network").hexdigest()
