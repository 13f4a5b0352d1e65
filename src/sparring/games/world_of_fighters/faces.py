"""World of Fighters: what is on the cards."""

from functools import lru_cache
from typing import Any

from sparring.engine.game import Box
from sparring.scene import Colour, Face

from . import art
from . import moves
from . import state as R
from .kit import KINDS, Fighter
from .telling import kind_name

#: The kinds of Action card have their colours, Movement cards are black.
INK = (
    Colour("red", "Punch", "P", "diagonal"),
    Colour("blue", "Kick", "K", "waves"),
    Colour("green", "Grapple", "G", "dots"),
    Colour("yellow", "Block", "B", "cross"),
)
STEPS = Colour("black", "Movement", "", "solid")


@lru_cache(maxsize=64)
def roster_face(card: Fighter) -> Face:
    """A fighter's card to pick: portrait, reach, super, stats."""
    lines = (f"{card.reach} reach", f"{card.super} {card.requirement}")
    ink = INK[card.super_kind - 1]
    return Face(card.name, ink, "", art.portrait(card.name, card.picture), lines, base=art.stat_strip(card.stats))


@lru_cache(maxsize=64)
def portrait_face(card: Fighter) -> Face:
    """The fighter alone; whose portrait it is, its card says."""
    return Face("", picture=art.portrait(card.name, card.picture), layout="full")


@lru_cache(maxsize=512)
def action_face(kind: int, scores: tuple[int, ...] = (), apart: int = 0) -> Face:
    """An Action card in somebody's hands: what it scores at range 1, 2 and 3, or takes off."""
    strip = None
    if scores:
        strip = art.block_strip(scores[0]) if kind == R.BLOCK else art.score_strip(scores, apart)
    return Face(kind_name(kind), INK[kind - 1], "", art.action_picture(kind_name(kind)), base=strip)


@lru_cache(maxsize=4)
def movement_face(steps: int) -> Face:
    """A Movement card."""
    return Face(f"Move {steps}", STEPS, str(steps), art.movement_picture(steps), said=f"Movement {steps}")


def scores_of(box: Box, s: Any, seat: int, kind: int) -> tuple[int, ...]:
    """What a kind scores for a seat's fighter at range 1, 2 and 3 (0: no attack); for a Block what it takes off."""
    return _scores_of(box, int(s.fighter[seat]), kind)


@lru_cache(maxsize=512)
def _scores_of(box: Box, number: int, kind: int) -> tuple[int, ...]:
    kit = box.kit
    stat = int(kit.stat[number, kind])
    if kind == R.BLOCK:
        return (stat,)
    bases = [int(moves.base(kit, number, kind, apart)) for apart in (1, 2, 3)]
    return tuple(base + stat if base else 0 for base in bases)


@lru_cache(maxsize=512)
def score_line(scores: tuple[int, ...], apart: int) -> str:
    """Scores at range 1, 2 and 3 in columns, that of the present range in brackets."""
    return "".join(f"[{score or '–'}]" if n == apart else f" {score or '–'} " for n, score in enumerate(scores, 1))


@lru_cache(maxsize=512)
def score_words(kind: int, scores: tuple[int, ...]) -> str:
    """The same in a sentence: `Kick: nothing at range 1, 3 at range 2, 4 at range 3`."""
    said = ", ".join(f"{score or 'nothing'} at range {n}" for n, score in enumerate(scores, 1))
    return f"{kind_name(kind)}: {said}"


def in_words(card: Fighter) -> str:
    """A fighter's card for people who do not see it."""
    stats = ", ".join(f"{kind} {stat}" for kind, stat in zip(KINDS, card.stats, strict=True))
    need = f"{kind_name(card.super_kind)} at range {card.super_range}"
    return f"{card.name}, {card.reach} reach, {stats}, super {card.super}: {need}"
