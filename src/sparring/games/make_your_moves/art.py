"""The drawings on the cards of Make Your Moves: simple original shapes, 100 x 100; ropes show the power.

A card's drawing is found by its name. A custom card without a drawing gets the symbol of its colour.
"""

from functools import lru_cache

from sparring.scene import Picture
from sparring.scene.pictures import path

#: The back of every card: the ring from above, with ropes and corner posts. Like all backs it looks the same upside
#: down, so that a turned card is not marked.
BACK = Picture(
    "ring",
    '<rect width="63" height="88" rx="4" class="paper"/><rect x="3" y="3" width="57" height="82" rx="3" class="ground"/>'
    '<g class="lines"><path d="M11 13h41v62H11zM15 17h33v54H15zM19 21h25v46H19z"/></g>'
    '<g class="posts"><circle cx="11" cy="13" r="4"/><circle cx="52" cy="13" r="4"/><circle cx="11" cy="75" r="4"/>'
    '<circle cx="52" cy="75" r="4"/></g><path class="star" d="M31.5 31l3.6 9.4 9.4 3.6-9.4 3.6-3.6 9.4-3.6-9.4-9.4-3.6'
    ' 9.4-3.6z"/>',
)


@lru_cache(maxsize=32)
def ropes(power: int, colour: str) -> Picture:
    """Return one, two or three ropes between two ring posts: the power of a card."""
    heights = {1: (9.5,), 2: (6.5, 12.5), 3: (4.5, 9.5, 14.5)}[power]
    lines = "".join(f'<path d="M6 {y}Q31.5 {y + 1.6} 57 {y}"/>' for y in heights)
    return Picture(
        f"{power} ropes", f'<g class="ropes tone-{colour}">{lines}</g><path class="post" d="M5 1v17M58 1v17"/>'
    )


@lru_cache(maxsize=512)
def picture(name: str, colour: str) -> Picture:
    """Return the drawing of a card, or the symbol of its colour."""
    return Picture(name, DRAWINGS.get(name.casefold()) or SYMBOLS[colour])


# Shapes


def wrestler(kind: str, head: tuple[float, float], limbs: str) -> str:
    """Return a stick-figure wrestler, `us` in light or `foe` in dark; `limbs` is an SVG path."""
    return (
        f'<g class="{kind}"><path class="edge" d="{limbs}"/><circle cx="{head[0]}" cy="{head[1]}" r="9"/>'
        f'<path class="limb" d="{limbs}"/></g>'
    )


def fight(
    head: tuple[float, float], limbs: str, foe: tuple[float, float], fallen: str, hit: tuple[float, float]
) -> str:
    """Return two wrestlers and the spot where the move hits."""
    return wrestler("foe", foe, fallen) + wrestler("us", head, limbs) + burst(*hit)


def burst(x: float, y: float) -> str:
    """Return the star that marks a hit."""
    return (
        f'<path class="burst" transform="translate({x} {y})" '
        'd="M0-11 3-4 10-8 6-1 12 3 4 4 3 11-1 5-8 9-5 2-12 0-5-3-8-9-1-5z"/>'
    )


def shape(d: str, kind: str = "p") -> str:
    """Return a path filled as `p` paper, `k` ink or `t` the card's colour, or drawn as a `line` or `thin` line."""
    return f'<path class="{kind}" d="{d}"/>'


def disc(x: float, y: float, r: float, kind: str = "p") -> str:
    """Return a circle, with the kinds of `shape`."""
    return f'<circle class="{kind}" cx="{x}" cy="{y}" r="{r}"/>'


def bubble(inside: str) -> str:
    """Return a speech bubble with a path inside."""
    return shape(path("speech")) + shape(inside, "thick")


STAND = "M30 32 28 60 16 92M28 60 44 92"
REEL = "M76 38 82 64 72 92M82 64 94 90"

ATTACKS = {
    "jab": fight((30, 22), STAND + "M29 40 46 46 64 32M29 40 40 54", (80, 28), REEL + "M77 44 90 54", (70, 30)),
    "chop": fight((26, 24), "M27 34 26 60 14 92M26 60 42 92M27 40 42 26 62 46M27 42 12 52", (80, 26),
                  REEL + "M77 42 92 36", (70, 48)),
    "slap": fight((28, 26), "M29 36 27 62 16 92M27 62 42 92M28 42 46 30 66 22M28 44 40 58", (82, 34),
                  "M78 43 80 66 70 92M80 66 92 92M79 48 92 60", (72, 24)),
    "shove": fight((24, 28), "M27 37 32 62 14 92M32 62 48 92M29 42 62 40M30 48 60 52", (84, 22),
                   "M80 32 72 60 66 92M72 60 84 92M79 40 94 48", (68, 44)),
    "stomp": fight((56, 12), "M57 22 58 48 74 66 70 92M58 48 42 52 42 74M57 30 40 36M57 30 74 38", (14, 82),
                   "M24 84 54 86 90 88M30 84 22 70", (44, 78)),
    "arm drag": fight((28, 34), "M32 43 40 66 24 92M40 66 58 92M34 48 52 44 66 34", (84, 56),
                      "M78 48 62 28 40 14M62 28 48 30M76 46 66 34", (88, 78)),
    "hip toss": fight((30, 30), "M33 39 38 64 26 92M38 64 54 92M34 46 56 38", (80, 72),
                      "M76 63 66 36 84 14M66 36 60 10M74 56 56 40", (90, 88)),
    "headlock": fight((36, 20), "M38 30 40 60 28 92M40 60 54 92M38 36 56 30 66 40 54 48", (62, 40),
                      "M70 44 90 56 84 92M90 56 96 92M74 48 66 64", (46, 54)),
    "leg sweep": fight((22, 54), "M27 62 40 78 24 92M40 78 78 88M28 66 14 80M28 66 42 62", (82, 22),
                       "M78 32 72 58 92 76M72 58 60 72M77 40 62 34M77 40 92 30", (74, 86)),
    "clothesline": fight((22, 28), "M25 37 30 62 12 92M30 62 50 88M26 42 70 34M27 44 12 54", (82, 30),
                         "M80 40 68 66 52 82M68 66 74 92M79 46 94 40", (72, 38)),
    "dropkick": fight((16, 46), "M25 48 46 52 76 40M46 52 76 50M28 48 26 68M28 48 34 32", (88, 22),
                      "M86 32 88 60 80 92M88 60 96 92M86 40 96 52", (78, 44)),
    "body slam": fight((40, 30), "M42 39 44 64 32 92M44 64 58 92M42 46 30 26M43 46 62 26", (84, 22),
                       "M75 20 42 14 16 18M42 14 18 6M70 20 84 38", (90, 74)),
    "suplex": fight((34, 58), "M40 50 58 48 66 70 58 92M58 48 74 66 80 92M42 52 40 32", (38, 14),
                    "M40 24 54 42 70 20M54 42 84 22M42 28 26 34", (24, 84)),
    "spinebuster": fight((36, 46), "M42 54 50 72 34 92M50 72 70 92M44 58 62 44", (88, 62),
                         "M80 56 58 38 50 16M58 38 34 22M78 54 92 40", (90, 86)),
    "sleeper": fight((58, 20), "M58 30 62 60 52 92M62 60 76 92M58 36 40 44 30 34M60 36 46 30", (38, 32),
                     "M40 42 44 68 30 92M44 68 56 92M41 48 26 58", (22, 16)),
    "piledriver": fight((42, 20), "M44 30 50 58 28 66 26 90M50 58 74 66 74 90M44 36 36 52M46 36 60 52", (50, 80),
                        "M50 70 48 42 36 30M48 42 66 22M50 66 62 76", (68, 86)),
    "powerbomb": fight((30, 38), "M33 47 38 68 24 92M38 68 56 92M34 52 52 36M35 54 58 46", (82, 54),
                       "M76 48 62 28 44 16M62 28 50 40M78 48 92 40", (88, 78)),
    "chokeslam": fight((28, 28), "M30 37 32 62 20 92M32 62 48 92M30 42 46 38 66 16", (74, 20),
                       "M76 30 80 54 68 72M80 54 92 70M76 34 90 40", (66, 30)),
}  # fmt: skip

MODIFIERS = {
    "quick": shape(path("arrow")) + shape("M6 30h22M4 50h10M6 70h22", "line"),
    "sneaky": shape("M6 42q22-16 44-4 22-12 44 4-4 26-24 26-14 0-20-12-6 12-20 12Q10 68 6 42z", "k")
    + shape("M22 46q9-5 18 2-10 8-18-2zM60 48q9-7 18-2-8 10-18 2z"),
    "rolling": disc(56, 58, 30) + shape("M56 28a30 30 0 0 1 0 60M56 28q-18 30 0 60", "thin")
    + shape("M6 88h34M4 70h12M8 52h12", "line"),
    "leaping": shape("M10 88q20-76 62-40", "line") + shape("M58 52 80 58 84 34z")
    + shape("M4 92h30M62 92h30", "line"),
    "sliding": wrestler("us", (20, 56), "M28 62 52 74 90 74M52 74 78 88M30 64 16 80M32 64 48 56")
    + shape("M4 94h92M6 40h26M44 48h18", "line"),
    "twisting": shape("M50 50q10-12 18 2t-14 22-32-8-4-38 44-14 32 44", "line") + shape("M94 54 80 78 66 56z"),
    "backward": shape("M50 20 12 50l38 30V62h36V38H50z") + shape("M92 30v40", "line"),
    "double": shape("M8 24 44 50 8 76z") + shape("M50 24 86 50 50 76z"),
    "wobbly": shape("M18 12q22 12 0 25t0 25 0 26M50 12q22 12 0 25t0 25 0 26M82 12q22 12 0 25t0 25 0 26", "line"),
    "flying": shape("M50 40Q30 8 4 20q2 12 14 14-6 4-4 12 6 8 16 4 2 14 20 12 18 2 20-12 10 4 16-4 2-8-4-12 12-2 14-14"
                    "Q70 8 50 40z") + shape("M50 74v16M34 80v8M66 80v8", "line"),
    "spinning": shape("M50 50m-34 0a34 34 0 0 1 58-24", "line") + shape("M84 50a34 34 0 0 1-58 24", "line")
    + shape("M82 8v26H56z") + shape("M18 92V66h26z") + disc(50, 50, 9),
    "running": wrestler("us", (60, 18), "M56 28 46 54 66 68 60 92M46 54 30 70 10 70M54 34 72 46 82 36M54 34 34 38 28 52")
    + shape("M4 24h24M2 40h16M4 90h20", "line"),
    "inverted": wrestler("us", (50, 80), "M50 70 50 40 36 24 40 8M50 40 64 24 60 8M50 64 30 76 24 92M50 64 70 76 76 92")
    + shape("M8 40V16M2 24 8 14l6 10M92 16v24M86 32l6 10 6-10", "line"),
    "delayed": disc(50, 52, 36) + shape("M50 26v26l18 12", "thick") + shape("M50 8v6M40 6h20", "line"),
    "top-rope": shape("M22 30v66", "thick") + shape("M22 44h76M22 62h76M22 80h76", "line")
    + wrestler("us", (40, 10), "M36 18 26 34 40 46 30 56M38 22 58 18M36 20 20 12"),
    "thunderous": shape(path("lightning")) + shape("M8 24h14M80 76h14M78 20l10-8M8 84l10-8", "line"),
    "death-defying": shape("M50 92Q14 88 18 54q2-14 12-22 0 12 8 14 0-24 16-38 2 22 14 30 6-6 4-16 14 14 12 34-2 32-34 36z")
    + disc(50, 66, 14, "k") + shape("M44 64v5M56 64v5M46 76h8", "line"),
    "earth-shaking": shape("M4 58h30l10 14 8-26 10 34 8-22h26v34H4z") + shape("M14 40 8 24M36 34l-2-18M64 34l2-18M86 40l6-16", "line"),
}  # fmt: skip

BODY = {
    "wrist": shape(
        "M20 96 30 60q-8-10-4-26 4-10 16-14l30-6q8 0 8 8l-20 8 22-2q8 2 6 10l-24 6 20 0q6 4 2 10L58 60 50 96z"
    )
    + shape("M26 66q16 6 32 2M24 76q14 6 30 2", "thin"),
    "ankle": shape("M34 4h28l-2 44q0 10 12 16l18 8q6 6 2 16H24q-4-20 8-36z")
    + shape("M30 56q14 6 30-2M29 46q14 6 31-1", "thin"),
    "finger": shape("M44 8q10-6 14 4v38l22 6q8 4 6 14l-6 22H40L20 62q-2-8 6-10l18 10z") + shape("M50 10v10", "thin"),
    "ear": shape("M50 6q34 0 34 34 0 16-12 26-8 8-8 16-4 14-18 12-14-4-10-18 4-8-2-16Q20 46 22 34 26 8 50 6z")
    + shape("M40 38q0-16 14-14 14 4 10 18-4 8-12 12-4 6 2 12", "thin"),
    "toe": shape("M8 92q-2-30 22-34l8-30q6-16 22-10 10 6 6 22l-4 12q22 4 24 24v16z")
    + shape("M44 22q8-4 14 2l-3 10q-8 0-14-3z", "thin"),
    "nose": shape("M56 6q2 30 22 52 10 16-6 24-10 4-18-2-16 10-28 0-12-8-2-22Q46 40 42 6z")
    + shape("M36 74q6 2 8 6M62 78q6-2 8-8", "thin"),
    "shin": shape("M34 4h34q6 30-2 58l4 34H38l-4-34q-10-28 0-58z") + shape("M56 14q6 22 0 44M36 70h30", "thin"),
    "thumb": shape(
        "M36 92V54q-2-14 8-22 6-6 4-22 2-10 12-6 8 6 4 24l-4 12h22q8 4 4 12 6 6 0 12 4 6-2 12 2 8-6 10l-24 6z"
    )
    + shape("M10 50h20v44H10z"),
    "belly": shape("M28 4q-2 18-10 30Q4 66 26 92h48q22-26 8-58Q74 22 72 4z")
    + shape("M50 60v6M34 16q4 6 0 12M66 16q-4 6 0 12", "thin"),
    "elbow": shape("M8 14 28 4l38 54 28-2 4 22-34 8q-12 2-18-8z")
    + shape("M50 70q6-2 8-8M44 78l-8 8M54 88l-2 10M38 64l-12 4", "line"),
    "knee": shape("M6 24 60 8q20-2 22 16l-10 70H44l4-54-34 10z")
    + shape("M62 22q8 2 8 10", "thin")
    + shape("M86 8l8-6M90 22h10M72 2l2-6", "line"),
    "forearm": shape("M6 70q0-12 12-14l44-12 8-16q6-8 14-4l8 10q6 8 2 18l-6 10q-4 6-12 8L22 90Q8 92 6 70z")
    + shape("M72 30l8 14M64 44l10 10", "thin"),
    "heel": shape("M14 8h28l6 44 42 20q8 6 4 18H30Q4 90 8 66q4-12 8-22z")
    + shape("M18 74q4 8 14 8", "thin")
    + shape("M6 92l-4 6M2 76H-6", "line"),
    "shoulder": shape("M4 96V54Q8 24 40 22L44 4h20v24q30 6 32 40v28H72V66l-6 30H30l-4-30v30z")
    + shape("M28 54q-4-10 4-18M70 54q2-8-2-14", "thin"),
    "hip": shape("M24 4q2 24-10 40-4 10 0 20l8 32h24l4-26 4 26h24l8-32q4-10 0-20Q74 28 76 4z")
    + shape("M16 46q34 14 68 0", "thin"),
    "skull": shape("M50 4q38 2 38 40 0 16-10 24v16H66v-8h-6v8H40v-8h-6v8H22V68Q12 60 12 44 12 6 50 4z")
    + disc(34, 44, 9, "k")
    + disc(66, 44, 9, "k")
    + shape("M50 54l-4 10h8z", "k"),
    "jaw": shape("M10 20h22v20q18 10 36 0V20h22q2 40-10 56-12 16-30 18-18-2-30-18Q8 60 10 20z")
    + shape("M34 56v12M44 58v12M56 58v12M66 56v12M32 62h36", "thin"),
    "spine": "".join(shape(f"M50 {y}q-18-6-26 2 4 8 14 8h24q10 0 14-8-8-8-26-2z") for y in (10, 27, 44, 61, 78)),
}

GEAR = {
    "towel": shape("M16 8h60q10 0 10 10v66H28V24q0-10-12-16z") + shape("M28 66h58M28 74h58", "thin") + shape("M34 84v10M48 84v10M62 84v10M76 84v10", "line"),
    "water bottle": shape("M40 6h20v14q14 6 14 22v44q0 8-8 8H34q-8 0-8-8V42q0-16 14-22z") + shape("M26 48h48v22H26z", "t") + shape("M40 14h20", "thin"),
    "popcorn": disc(34, 28, 12) + disc(52, 20, 13) + disc(70, 30, 11) + shape("M20 38h62l-8 56H30z") + shape("M36 40l4 52M52 40v52M68 40l-5 52", "thin"),
    "poster": shape("M16 10h68v76H16z") + shape("M30 60q8-20 20-20t20 20", "thick") + disc(50, 30, 8, "k") + shape("M28 72h44", "thick"),
    "sunglasses": shape("M6 36h88M6 40q0 30 22 30t20-28q4-4 6 0-2 28 20 28t22-30z", "k") + shape("M18 46l8 12M66 46l8 12", "line"),
    "cheap insult": bubble("M50 28v20M50 57v1"),
    "feather boa": shape("M6 70q8-18 20-8t14-14 20-8 14-14 20 2", "boa") + shape("M6 70q8-18 20-8t14-14 20-8 14-14 20 2", "thin"),
    "wrist tape": disc(44, 52, 34) + disc(44, 52, 14, "t") + shape("M76 62l20 24-14 4-18-14z") + shape("M44 30a22 22 0 0 1 22 22", "thin"),
    "heckle": bubble("M26 42h.5M50 42h.5M74 42h.5"),
    "folding chair": shape("M26 6h44v34H26z") + shape("M30 40 22 92M68 40l8 52M24 62h52M34 62l34 30M64 62 34 92", "thick") + shape("M22 54h54v9H22z"),
    "trash can": shape("M22 28h56l-6 66H28z") + shape("M14 18h72v11H14zM40 8h20v10H40z") + shape("M38 38l3 46M50 38v46M62 38l-3 46", "thin"),
    "kendo stick": shape("M10 84 82 8l10 8-74 76z") + shape("M28 66l8 8M40 54l8 8", "thin") + shape("M4 86l8-8 12 12-8 8z", "k"),
    "microphone": disc(66, 30, 22) + shape("M52 44 18 86l-8-4-2-8 40-34z", "k") + shape("M50 22l32 16M56 14l24 12M46 32l30 16", "thin"),
    "belt": shape("M2 40q48-14 96 0v24q-48 14-96 0z") + disc(50, 51, 24) + shape("M50 34l5 11 12 1-9 8 3 12-11-7-11 7 3-12-9-8 12-1z", "k")
    + disc(16, 51, 7) + disc(84, 51, 7),
    "harsh truth": bubble("M34 28v18M34 56v.5M50 28v18M50 56v.5M66 28v18M66 56v.5"),
    "ladder": shape("M38 6 18 94M62 6l20 88", "thick") + shape("M35 22h31M32 38h37M28 54h45M25 70h53", "thick"),
    "table": shape("M4 34h92v13H4z") + shape("M16 47 30 92M84 47 70 92M28 68h44", "thick"),
    "steel steps": shape("M8 92V64h26V42h26V20h32v72z") + shape("M8 64h26v28M34 42h26v50M60 20v72", "thin"),
}  # fmt: skip

WILDS = {
    "grit": shape("M22 50q-4-14 8-16 2-12 14-10 6-10 16-4 12-4 14 8 12 2 8 16v20q0 16-16 18v12H34V84Q24 80 22 64z")
    + shape("M36 36v20M50 30v24M64 32v22M28 56q14 8 40 0", "thin"),
    "swagger": shape("M10 30 30 50 50 16l20 34 20-20-8 52H18z") + disc(50, 62, 7, "t") + disc(30, 66, 4, "t") + disc(70, 66, 4, "t"),
    "crowd pop": "".join(
        disc(x, y, 8) + shape(f"M{x - 10} {y + 30}q0-18 10-20 10 2 10 20M{x - 9} {y + 16}l-5-26M{x + 9} {y + 16}l5-26", "line")
        for x, y in ((22, 58), (50, 46), (78, 58))
    ),
    "second wind": shape("M4 40h56q16 0 16-14t-14-14q-10 0-10 10M4 56h76q14 0 14 13t-13 13q-9 0-9-9M4 72h44q10 0 10 10t-10 10", "line"),
    "momentum": disc(64, 54, 28) + shape("M52 34l30 20-30 20z", "k") + shape("M4 34h30M2 54h26M4 74h30", "line"),
    "adrenaline": shape("M50 90Q6 58 10 32q4-20 22-20 12 0 18 14 6-14 18-14 18 0 22 20 4 26-40 58z")
    + shape("M10 48h24l6-14 12 30 8-16h30", "thick"),
    "fury": shape("M50 96Q14 92 18 58q2-14 12-22 0 12 8 14 0-24 16-42 2 22 16 32 6-6 4-16 14 16 12 36-2 32-36 36z")
    + shape("M50 92q-14-4-12-20 8 2 10-12 14 12 16 20 0 10-14 12z", "t"),
    "finisher": shape("M50 4l12 28 30 2-23 20 8 30-27-16-27 16 8-30L8 34l30-2z") + shape("M40 48l8 9 14-18", "thick"),
}  # fmt: skip

DRAWINGS = {**ATTACKS, **MODIFIERS, **BODY, **GEAR, **WILDS}

#: The drawing of a card that has none, by colour.
SYMBOLS = {
    "Red": ATTACKS["jab"],
    "Green": MODIFIERS["thunderous"],
    "Blue": BODY["thumb"],
    "Yellow": GEAR["cheap insult"],
    "Wild": WILDS["finisher"],
}
