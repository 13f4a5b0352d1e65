"""World of Fighters: drawings of portraits, cards and tokens.

A fighter has a custom portrait or the one for its name; any other name gets a face derived from it.
"""

from dataclasses import dataclass
from functools import lru_cache

from sparring.scene import Picture
from sparring.scene.patterns import fill, seat_pattern
from sparring.scene.pictures import custom_picture

from .params import KINDS

FIST = "M22 46v-7q0-3 3-3t3 3q0-3 3.5-3t3.5 3q0-3 3-3t3 3v8q0 8-8 8h-3q-5 0-6-6z"

#: The backs of Action and Movement cards: the same upside down, so that a turned card is not marked.
ACTION_BACK = Picture(
    "fists",
    '<rect width="63" height="88" rx="4" class="paper"/><rect x="3" y="3" width="57" height="82" rx="3" class="ground"/>'
    '<path class="rays" d="M31.5 44 3 20V3h8zM31.5 44 24 3h15zM31.5 44 52 3h8v17zM31.5 44l28.5-9v18zM31.5 44 60 68v17h-8z'
    'M31.5 44 39 85H24zM31.5 44 11 85H3V68zM31.5 44 3 53V35z"/><circle class="disc" cx="31.5" cy="44" r="15"/>'
    + "".join(f'<path class="sign" transform="{turn}translate(31.5 36.4) scale(.6) translate(-31.5 -45)" d="{FIST}"/>'
              for turn in ("", "rotate(180 31.5 44) ")),
)  # fmt: skip
MOVEMENT_BACK = Picture(
    "steps",
    '<rect width="63" height="88" rx="4" class="paper"/><rect x="3" y="3" width="57" height="82" rx="3" class="ground"/>'
    '<path class="grid" d="M3 23.5h57M3 44h57M3 64.5h57M22 3v82M41 3v82"/>'
    '<path class="sign" d="M31.5 26l8 9h-5v5h5v-5l9 9-9 9v-5h-5v5h5l-8 9-8-9h5v-5h-5v5l-9-9 9-9v5h5v-5h-5z"/>',
)


# Portraits

SKINS = ("#f3cda8", "#dfa777", "#b87a4c", "#8c5a36", "#613c25")
HAIRS = ("#211a17", "#5a3420", "#b8722c", "#e2c060", "#b9b4ac", "#7d2f2a")
SHIRTS = ("#c8352f", "#2a6db3", "#2e8b4a", "#d99a1c", "#6a3f9b", "#15808a", "#d55f8c", "#3b4450")


@dataclass(frozen=True)
class Look:
    """A fighter's looks: indices into SKINS, HAIRS and SHIRTS, and keys of CUTS and EXTRAS."""

    skin: int
    hair: int
    shirt: int
    cut: str
    extra: str


LOOKS = {
    "hai wu": Look(0, 0, 3, "topknot", "headband"),
    "milton brown": Look(4, 0, 7, "bald", "beard"),
    "beatriz lima": Look(2, 1, 2, "curls", "earrings"),
    "duke rafferty": Look(0, 5, 0, "flat", "moustache"),
    "ingrid solberg": Look(0, 3, 5, "braids", "paint"),
    "kenji aoki": Look(1, 0, 1, "spikes", "plaster"),
    "amara diallo": Look(3, 0, 6, "crop", "earrings"),
    "rosa quintero": Look(1, 0, 4, "long", "mask"),
}

#: Hair behind the head, and in front of it.
CUTS = {
    "topknot": ('<circle cx="50" cy="10" r="9"/>', '<path d="M26 42q-3-28 24-28t24 28q-8-14-24-14T26 42z"/>'),
    "bald": ("", ""),
    "curls": (
        '<path d="M18 60q-10-14 2-24-6-18 14-22 14-16 32 0 20 4 14 22 12 10 2 24-4 10-14 8H32q-10 2-14-8z"/>',
        '<path d="M27 40q4-16 23-14 19-2 23 14-2-24-23-24T27 40z"/>',
    ),
    "flat": ("", '<path d="M26 42V18l8-6h32l8 6v24l-5-13H31z"/>'),
    "braids": (
        '<path d="M24 30q-8 18-4 36l-5 18 11 2 4-40zM76 30q8 18 4 36l5 18-11 2-4-40z"/>',
        '<path d="M26 44q-4-30 24-30t24 30q-4-16-24-18-20 2-24 18z"/>',
    ),
    "spikes": ("", '<path d="M25 42 20 24l10 2 1-14 10 7 9-12 9 12 10-7 1 14 10-2-5 18-7-12H32z"/>'),
    "crop": ("", '<path d="M25 42q-3-30 25-30t25 30q-2-10-8-15-17-6-34 0-6 5-8 15z"/>'),
    "long": (
        '<path d="M20 86q-4-30 2-50 4-24 28-24t28 24q6 20 2 50z"/>',
        '<path d="M26 46q-4-32 24-32t24 32q-3-14-12-18-14 8-36 18z"/>',
    ),
}

EXTRAS = {
    "headband": '<path fill="#fff8e8" d="M25 33q25-9 50 0v8q-25-9-50 0z"/><path fill="#fff8e8" d="M75 35l13 4-3 9-11-7z"/>',
    "beard": '<path fill="#211a17" d="M27 50q2 26 23 27 21-1 23-27-4 8-11 8-12-5-24 0-7 0-11-8z"/><path class="thin" d="M42 65q8 3 16 0"/>',
    "earrings": '<circle cx="25" cy="56" r="5" fill="#f4c542"/><circle cx="75" cy="56" r="5" fill="#f4c542"/>',
    "moustache": '<path fill="#7d2f2a" d="M33 62q9-10 17-4 8-6 17 4-9 5-17 0-8 5-17 0z"/>',
    "paint": '<path class="thin" stroke="#2a6db3" d="M29 53l11 3M29 59l10 1M71 53l-11 3M71 59l-10 1"/>',
    "plaster": '<path fill="#fff8e8" d="M42 51l14-5 3 7-14 5z"/>',
    "mask": '<path fill="#d99a1c" d="M25 41q25-8 50 0l-3 13q-12 4-17-3h-10q-5 7-17 3z"/>',
    "scar": '<path class="thin" stroke="#a33" d="M62 34l6 22M60 42l8-2M63 50l8-2"/>',
}

FACE = (
    '<circle cx="40" cy="47" r="3.6" fill="#1d1a16"/><circle cx="60" cy="47" r="3.6" fill="#1d1a16"/>'
    '<path class="thin" d="M33 40q6-4 12-1M55 39q6-3 12 1M50 49l-3 9h5M42 66q8 4 16-1"/>'
)


def look_of(name: str) -> Look:
    """Return a fighter's looks: those in LOOKS, or derived from the name."""
    if name.casefold() in LOOKS:
        return LOOKS[name.casefold()]
    number = sum((place + 1) * ord(sign) for place, sign in enumerate(name.casefold()))
    return Look(
        number % len(SKINS), number // 5 % len(HAIRS), number // 30 % len(SHIRTS),
        list(CUTS)[number // 7 % len(CUTS)], list(EXTRAS)[number // 11 % len(EXTRAS)],
    )  # fmt: skip


@lru_cache(maxsize=64)
def head(name: str) -> str:
    """Return the SVG of a fighter's head, in the upper three quarters of 100 x 100."""
    look = look_of(name)
    behind, before = CUTS[look.cut]
    hair, skin = HAIRS[look.hair], SKINS[look.skin]
    return (
        f'<g fill="{hair}">{behind}</g><circle cx="26" cy="48" r="6" fill="{skin}"/><circle cx="74" cy="48" r="6" fill="{skin}"/>'
        f'<path fill="{skin}" d="M26 38q0-24 24-24t24 24v14q0 26-24 26T26 52z"/>{FACE}'
        f'<g fill="{hair}">{before}</g>{EXTRAS[look.extra]}'
    )


@lru_cache(maxsize=64)
def portrait(name: str, own: str = "") -> Picture:
    """Return a custom portrait, or a fighter's head and shoulders, 100 x 100."""
    if drawn := custom_picture(own):
        return drawn
    look = look_of(name)
    body = (
        f'<path fill="{SHIRTS[look.shirt]}" d="M6 100q2-22 26-25l8 8h20l8-8q24 3 26 25z"/>'
        f'<path fill="{SKINS[look.skin]}" d="M40 70h20v10q-10 10-20 0z"/>'
    )
    return Picture(name, body + head(name))


# Cards

PICTURES = {
    "Punch": (
        '<path class="t" d="M2 62h30v26H2z"/><path class="p" d="M30 46q0-9 9-9 1-10 11-9 3-8 12-5 8-5 14 4 12 1 11 14l2 22'
        'q0 24-26 25H40q-10-2-10-14z"/><path d="M39 37v18M50 29v22M62 24v22M76 28v18M30 58h26q10 0 10 9t-10 9H44"/>'
        '<path class="thin" d="M90 14l7-9M94 28l6-2M78 10l2-8"/>'
    ),
    "Kick": (
        '<path class="t" d="M4 92 26 44l24 10-14 38z"/><path class="p" d="M26 44 58 22q8-5 13 2l16 19q5-10 11-6 3 10-4 27'
        '-4 8-12 6-6-2-7-9L60 46 50 54z"/><path d="M66 52l18-18"/><path class="thin" d="M60 8l2-7M76 10l5-8M48 14l-4-8"/>'
    ),
    "Grapple": (
        '<path class="t" d="M2 30h26v40H2zM98 30H72v40h26z"/><path class="p" d="M28 34h18q18 0 24 10l2 8-12 14q-8 8-18 5'
        'L28 66z"/><path class="p" d="M72 66H54q-10-1-11-9-1-7 7-9l14-2q-8-6-12-8-6-3-3-8 4-6 12-1l13 7z"/>'
        '<path d="M50 48h14M52 57h14"/>'
    ),
    "Block": (
        '<path class="p" d="M50 6q18 12 38 12 0 52-38 76Q12 70 12 18q20 0 38-12z"/>'
        '<path class="t" d="M50 18q12 8 26 9-1 36-26 53z"/><path d="M50 18v62M24 27q14-1 26-9"/>'
    ),
}  # fmt: skip


@lru_cache(maxsize=8)
def action_picture(kind: str) -> Picture:
    """Return the picture of a kind of Action card: a fist, a foot, two hands or a shield."""
    return Picture(kind, PICTURES[kind])


@lru_cache(maxsize=4)
def movement_picture(steps: int) -> Picture:
    """Return the picture of a Movement card: squares with an arrow, and the eight directions."""
    size = {1: 40, 2: 34, 3: 28}[steps]
    left = 50 - size * steps / 2
    squares = "".join(
        f'<rect class="p" x="{left + size * i:g}" y="52" width="{size}" height="{size}"/>' for i in range(steps)
    )
    end = left + size * steps - size / 2
    star = '<path d="M50 5v34M33 22h34M38 10l24 24M62 10 38 34"/>'
    arrow = f'<path class="k" d="M{end + 9:g} {52 + size / 2:g}l-14-10v20z"/><path class="way" d="M{left + 6:g} {52 + size / 2:g}H{end:g}"/>'
    return Picture(f"{steps} squares", star + squares + arrow)


@lru_cache(maxsize=512)
def score_strip(scores: tuple[int, ...], range_: int = 0) -> Picture:
    """Return the lower edge of an attack card: scores at range 1, 2 and 3, with `range_` highlighted."""
    boxes = "".join(
        f'<g class="{"here" if n == range_ else "there"}"><rect x="{4 + 18.6 * (n - 1):.1f}" y="0.5" width="17.4" height="15.5" rx="2"/>'
        f'<text class="unit" x="{7.6 + 18.6 * (n - 1):.1f}" y="5.8" font-size="5">{n}</text>'
        f'<text x="{14 + 18.6 * (n - 1):.1f}" y="13.2" font-size="12">{score or "–"}</text></g>'
        for n, score in enumerate(scores, 1)
    )
    return Picture(f"scores {scores}", f'<g class="strip">{boxes}</g>')


@lru_cache(maxsize=32)
def block_strip(points: int) -> Picture:
    """Return the lower edge of a Block: what it subtracts from an attack."""
    return Picture(
        f"block {points}",
        '<g class="strip there"><rect x="4" y="0.5" width="54.6" height="15.5" rx="2"/>'
        f'<text x="31.3" y="13.2" font-size="12">-{points}</text></g>',
    )


@lru_cache(maxsize=64)
def stat_strip(stats: tuple[int, ...]) -> Picture:
    """Return the lower edge of a fighter's card: the four stats."""
    boxes = "".join(
        f'<rect x="{3 + 14.4 * i:.1f}" y="0.5" width="13.6" height="16" rx="2"/>'
        f'<text class="unit" x="{9.8 + 14.4 * i:.1f}" y="6" font-size="5.5">{kind[0]}</text>'
        f'<text x="{9.8 + 14.4 * i:.1f}" y="14.8" font-size="10">{stat}</text>'
        for i, (kind, stat) in enumerate(zip(KINDS, stats, strict=True))
    )
    return Picture(f"stats {stats}", f'<g class="strip there">{boxes}</g>')


# Tokens


@lru_cache(maxsize=256)
def token(name: str, seat: int, lost: int, own: str = "") -> Picture:
    """Return a fighter's token in the seat's colour and pattern, with the health it has just lost."""
    drawn = custom_picture(own)
    place, inside = ("-5 -5) scale(.1", drawn.svg) if drawn else ("-7.5 -7.3) scale(.15", head(name))
    return Picture(
        f"token {name}",
        '<circle r="9.5" class="rim"/><circle r="9" class="disc"/>'
        f'<circle r="9" fill="{fill(seat_pattern(seat))}"/><circle r="7" class="plate"/>'
        f'<g class="art" transform="translate({place})">{inside}</g>'
        f'<circle cx="6.4" cy="6.4" r="3.3" class="disc"/><circle cx="6.4" cy="6.4" r="2.6" class="plate"/>'
        f'<text x="6.4" y="8" font-size="4.4">{seat}</text>' + (burst(lost) if lost else ""),
    )


def burst(lost: int) -> str:
    """Return the SVG of a hit mark with the health lost."""
    return (
        '<g class="hit" transform="translate(6 -6.5)"><path d="M0-7 2-3 6-5 4-1 8 1 4 3 4 7 0 4-4 7-4 3-8 1-4-1-6-5-2-3z"/>'
        f'<text y="2.2" font-size="5.5">-{lost}</text></g>'
    )


def figure(name: str, own: str = "") -> Picture:
    """Return a standing figure for print and play, 20 x 20 around 0,0."""
    return Picture(
        f"figure {name}", f'<g class="art" transform="translate(-10 -10) scale(.2)">{portrait(name, own).svg}</g>'
    )
