"""All chance of a match: a small generator that lives in the state, and what is drawn from it.

The generator is xoshiro128** (Blackman and Vigna 2018): four 32-bit words, kept in `int64` so that no step
overflows, interpreted or compiled. `g` is always such an array of four.
"""

from .rule import rule

MASK = 0xFFFFFFFF

# Named streams: the same seed gives independent generators for what must not be entangled.
DEAL = 0  # lives in the state: the deal and all chance of the match
CHOICES = 1  # random play
IMAGINATION = 2  # what a bot supposes of hidden things
BOT = 3  # BOT + seat: a bot's own choices


@rule
def scramble(x):
    """A 32-bit mixing step; both multipliers stay under 2**31, so products stay under 2**63."""
    x = (x ^ (x >> 16)) * 0x21F0AAAD & MASK
    x = (x ^ (x >> 15)) * 0x735A2D97 & MASK
    return x ^ (x >> 15)


@rule
def seed(g, number, stream):
    """Start the generator from a seed (0 up to 2**63 - 1) and a stream; different pairs start differently."""
    low = number & MASK
    high = (number >> 32) & MASK
    for i in range(4):
        word = scramble((low + (i + 1) * 0x3C6EF372) & MASK)
        word = scramble(word ^ high)
        g[i] = scramble((word + (stream + 1) * 0x1B873593) & MASK)
    if g[0] == 0 and g[1] == 0 and g[2] == 0 and g[3] == 0:
        g[0] = 1


@rule
def forget(g):
    """Leave nothing of a generator: what it will bring is nobody's to know."""
    for i in range(4):
        g[i] = 0


@rule
def reseed(g, other):
    """Start a generator anew by another one's chance."""
    for i in range(4):
        g[i] = bits(other)


@rule
def bits(g):
    """The next 32 random bits."""
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
def below(g, n):
    """A whole number from 0 to n - 1, each equally likely (Lemire 2019), for 1 <= n < 2**31."""
    n = int(n)
    product = bits(g) * n
    if (product & MASK) < n:
        floor = (MASK + 1 - n) % n
        while (product & MASK) < floor:
            product = bits(g) * n
    return product >> 32


@rule
def unit(g):
    """A number from 0 up to 1, in steps of 2**-32."""
    return bits(g) / 4294967296.0


@rule
def die(g, faces):
    """A throw of a die with faces 1 to `faces`."""
    return below(g, faces) + 1
