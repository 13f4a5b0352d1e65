"""Generate card pictures: random figures of shapes, determined by a name and a seed."""

import hashlib
import random

from sparring.engine.formats.card_pictures import ShapeStroke, Sketch, Stroke

from .shapes import BLUE, BROWN, GREEN, GREY, INK, NUMBER, ORANGE, PAPER, RED, SKIN, TEAL, VIOLET, YELLOW

#: The options for a figure's background, body, headwear, the sides of its head, and what it holds.
BEHIND = (("moon", YELLOW), ("circle", YELLOW), ("burst", ORANGE), ("cloud", PAPER), ("tree", GREEN), ("tower", GREY))
BODIES = ("egg", "drop", "coat", "shield", "dome", "square", "gem")
WORN = (("pointed hat", 330, -205), ("crown", 250, -165), ("helmet", 350, -30), ("hair", 350, -40))
SIDES = (("horn", 120), ("ear", 150), ("wing", 150))
HELD = ("blade", "hammer", "star", "flame", "leaf", "shield", "lightning", "heart")
COATS = (RED, GREEN, BLUE, VIOLET, TEAL, ORANGE, BROWN)
FACES = (SKIN, PAPER, GREEN, GREY, YELLOW)


def generate_picture(name: str, seed: int) -> Sketch:
    """Return a random figure; the same name and seed give the same one."""
    digest = hashlib.blake2b(f"{seed} {name.strip().casefold()}".encode(), digest_size=8).digest()
    dice = random.Random(int.from_bytes(digest, "little"))
    coat, face = dice.choice(COATS), dice.choice(FACES)
    behind, tone = dice.choice(BEHIND)
    head = dice.randint(330, 400)
    strokes: list[Stroke] = [
        _shape(behind, tone, dice.choice((270, 730)), dice.randint(230, 330), dice.randint(380, 520))
    ]
    strokes += _both("arm", coat, 250, 680, 270)
    strokes += _both("boot", BROWN, 105, 930, 170)
    strokes.append(_shape(dice.choice(BODIES), coat, 500, 710, dice.randint(430, 520)))
    side, apart = dice.choice(SIDES)
    strokes += _both(side, dice.choice((face, coat)), apart, head - 110, 170)
    strokes.append(_shape(dice.choice(("circle", "egg", "skull", "drop")), face, 500, head, 330))
    strokes += _both("circle", INK, 62, head - 5, 46)
    strokes.append(_shape(dice.choice(("smile", "straight line")), INK, 500, head + 80, 110))
    if dice.random() < 0.3:
        strokes.append(_shape("beard", dice.choice((GREY, BROWN, PAPER)), 500, head + 125, 230))
    if dice.random() < 0.7:
        worn, size, up = dice.choice(WORN)
        strokes.append(_shape(worn, dice.choice(COATS), 500, head + up, size))
    held = dice.choice(HELD)
    strokes.append(_shape(held, dice.choice((GREY, YELLOW, PAPER)), 820, 640, 270, turn=dice.choice((0, 15, 30))))
    return Sketch(strokes)


def _shape(word: str, ink: int, x: int, y: int, size: int, *, turn: int = 0, mirrored: int = 0) -> ShapeStroke:
    return ShapeStroke(ink, NUMBER[word], x, y, size, turn, mirrored)


def _both(word: str, ink: int, apart: int, y: int, size: int) -> list[Stroke]:
    """Place a shape on both sides, mirrored."""
    return [_shape(word, ink, 500 + apart, y, size), _shape(word, ink, 500 - apart, y, size, mirrored=1)]
