"""Random numbers of a match: a small generator that is part of the state.

The generator is xoshiro128** (Blackman and Vigna 2018): four 32-bit words in an int64 array of shape (4,), so that no
step overflows, interpreted or compiled. `g` is always such an array.
"""

from .rule import rule
from .types import Generator

MASK = 0xFFFFFFFF

# Named streams: one seed gives independent generators for separate purposes.
DEAL = 0  # the generator in the state: the deal and all other chance in a match
CHOICES = 1  # random play
DETERMINIZATION = 2  # filling in hidden information
BOT = 3  # BOT + seat (from 0): a bot's decisions


@rule
def scramble(x: int) -> int:
    """Mix 32 bits; both multipliers are below 2**31, so products stay below 2**63."""
    x = (x ^ (x >> 16)) * 0x21F0AAAD & MASK
    x = (x ^ (x >> 15)) * 0x735A2D97 & MASK
    return x ^ (x >> 15)


@rule
def seed(g: Generator, number: int, stream: int) -> None:
    """Seed a generator from a number (0 to 2**63 - 1) and a stream; different pairs give different generators."""
    low = number & MASK
    high = (number >> 32) & MASK
    for i in range(4):
        word = scramble((low + (i + 1) * 0x3C6EF372) & MASK)
        word = scramble(word ^ high)
        g[i] = scramble((word + (stream + 1) * 0x1B873593) & MASK)
    if g[0] == 0 and g[1] == 0 and g[2] == 0 and g[3] == 0:
        g[0] = 1


@rule
def forget(g: Generator) -> None:
    """Erase a generator, so that its future numbers cannot be predicted."""
    for i in range(4):
        g[i] = 0


@rule
def reseed(g: Generator, other: Generator) -> None:
    """Seed a generator with random bits from another one."""
    for i in range(4):
        g[i] = bits(other)


@rule
def copy_generator(g: Generator, other: Generator) -> None:
    """Copy a generator: both give the same numbers from here on."""
    for i in range(4):
        g[i] = other[i]


@rule
def bits(g: Generator) -> int:
    """Return the next 32 random bits."""
    g0, g1, g2, g3 = int(g[0]), int(g[1]), int(g[2]), int(g[3])
    x = (g1 * 5) & MASK
    x = ((x << 7) | (x >> 25)) & MASK
    result = (x * 9) & MASK
    g2 ^= g0
    g3 ^= g1
    g[0] = g0 ^ g3
    g[1] = g1 ^ g2
    g[2] = g2 ^ ((g1 << 9) & MASK)
    g[3] = ((g3 << 11) | (g3 >> 21)) & MASK
    return result


@rule
def below(g: Generator, n: int) -> int:
    """Return a uniformly random integer from 0 to n - 1, for 1 <= n < 2**31 (Lemire 2019)."""
    n = int(n)
    product = bits(g) * n
    if (product & MASK) < n:
        floor = (MASK + 1 - n) % n
        while (product & MASK) < floor:
            product = bits(g) * n
    return product >> 32


@rule
def unit(g: Generator) -> float:
    """Return a uniformly random number from [0, 1), in steps of 2**-32."""
    return bits(g) / 4294967296.0


@rule
def die(g: Generator, faces: int) -> int:
    """Roll a die with faces 1 to `faces`."""
    return below(g, faces) + 1
