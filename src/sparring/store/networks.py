"""Networks: count addresses together if one person can easily have many of them."""

import hashlib
import ipaddress
from collections.abc import Mapping
from functools import lru_cache

#: How many bits of an address name its network: a /24 of IPv4, or a /48 of IPv6, which has as many /56 for homes.
BITS = {4: 24, 6: 48}
#: Where a client with an IPv6 address counts, by the bits that name the network, and how many times the limit of one
#: address may be used there: the /64 of a machine, the /56 of a home, and the /48 of an organization.
SHARES = {64: 1, 56: 2, 48: 4}
#: How many digits of a keyed address name the networks that it is in (`keyed_networks`), with the same multiples.
DIGITS = {32: 1, 20: 2, 10: 4}


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


@lru_cache(maxsize=4096)
def shares(address: str) -> Mapping[str, int]:
    """Return where a client counts: the networks of an address from `network`, the smallest first.

    Each comes with the multiple of an address's limit that may be used there. An IPv4 address counts alone.
    """
    try:
        parsed = ipaddress.ip_network(address)
    except ValueError:
        return {address: 1} if address else {}
    if parsed.version == 4:
        return {address: 1}
    return {str(parsed.supernet(new_prefix=min(bits, parsed.prefixlen))): times for bits, times in SHARES.items()}


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


def keyed_networks(address: str, secret: str) -> str | None:
    """Return keyed hashes of an address's networks in 32 digits, to store for counting only.

    The widest comes first, so that all addresses of a network have the same first digits (`stored_shares`).
    """
    if not address:
        return None
    key, networks = secret.encode()[:64], reversed(list(shares(address)))
    lengths = (5, 5, 6) if len(shares(address)) > 1 else (16,)
    return "".join(
        hashlib.blake2b(each.encode(), key=key, digest_size=size).hexdigest()
        for each, size in zip(networks, lengths, strict=True)
    )


@lru_cache(maxsize=4096)
def turn_of(address: str) -> tuple[str, ...]:
    """Return the networks of an address for a queue, the widest first; an IPv4 address stands for all three."""
    return tuple(([*shares(address)] * 3 or [""] * 3)[2::-1])


def keyed_turn(keyed_address: str) -> tuple[str, ...]:
    """Return the same for a keyed address."""
    return tuple(keyed_address[:digits] for digits in reversed(DIGITS))


def stored_shares(keyed_address: str) -> Mapping[str, int]:
    """Return the first digits of the networks that a keyed address counts in, with multiples as in `shares`."""
    return {keyed_address[:digits]: times for digits, times in DIGITS.items()}
