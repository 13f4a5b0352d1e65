"""World of Fighters: card faces, and the same in words."""

from functools import lru_cache

from sparring.engine.game import Box
from sparring.scene import Colour, Face

from . import art
from . import moves
from . import state as R
from .kit import KINDS, RANGES, Fighter
from .moves import kind_name

#: Each kind of Action card has a colour; Movement cards are black.
INK = (
    Colour("red", "Punch", "P", "diagonal"),
    Colour("blue", "Kick", "K", "waves"),
    Colour("green", "Grapple", "G", "dots"),
    Colour("yellow", "Block", "B", "cross"),
)
STEPS = Colour("black", "Movement", "", "solid")


@lru_cache(maxsize=64)
def roster_face(card: Fighter) -> Face:
    """Return the card of a fighter to pick: portrait, reach, super, stats."""
    lines = (f"{card.reach.capitalize()} reach", f"Super: {card.super}", super_code(card))
    ink = INK[card.super_kind - 1]
    return Face(card.name, ink, "", art.portrait(card.name, card.picture), lines, base=art.stat_strip(card.stats))


@lru_cache(maxsize=64)
def portrait_face(card: Fighter) -> Face:
    """Return the portrait alone, for the panel that already shows the name."""
    return Face("", picture=art.portrait(card.name, card.picture), layout="full")


@lru_cache(maxsize=512)
def action_face(kind: int, scores: tuple[int, ...] = (), range_: int = 0) -> Face:
    """Return an Action card with its scores at range 1, 2 and 3, or the value of a Block; `range_` is highlighted."""
    strip = None
    if scores:
        strip = art.block_strip(scores[0]) if kind == R.BLOCK else art.score_strip(scores, range_)
    return Face(kind_name(kind), INK[kind - 1], "", art.action_picture(kind_name(kind)), base=strip)


@lru_cache(maxsize=4)
def movement_face(steps: int) -> Face:
    """Return a Movement card."""
    return Face(f"Move {steps}", STEPS, str(steps), art.movement_picture(steps), spoken_name=f"Move {steps}")


def scores_of(box: Box, s: R.State, seat: int, kind: int) -> tuple[int, ...]:
    """Return the scores of a seat's attack at range 1, 2 and 3 (0: no attack); for a Block, its value."""
    return _scores_of(box, int(s.fighter[seat]), kind)


@lru_cache(maxsize=512)
def _scores_of(box: Box, number: int, kind: int) -> tuple[int, ...]:
    kit = box.kit
    stat = int(kit.stat[number, kind])
    if kind == R.BLOCK:
        return (stat,)
    bases = [int(moves.base_value(kit, number, kind, range_)) for range_ in RANGES]
    return tuple(base + stat if base else 0 for base in bases)


@lru_cache(maxsize=512)
def score_line(scores: tuple[int, ...], range_: int) -> str:
    """Return scores at range 1, 2 and 3 in columns, with that of the current range in brackets."""
    return "".join(f"[{score or '–'}]" if n == range_ else f" {score or '–'} " for n, score in enumerate(scores, 1))


@lru_cache(maxsize=512)
def score_words(kind: int, scores: tuple[int, ...]) -> str:
    """Return scores in words: `Kick: nothing at range 1, 3 at range 2, 4 at range 3`."""
    said = ", ".join(f"{score or 'nothing'} at range {n}" for n, score in enumerate(scores, 1))
    return f"{kind_name(kind)}: {said}"


def in_words(card: Fighter) -> str:
    """Return a fighter's card in words, for screen readers."""
    stats = ", ".join(f"{kind} {stat}" for kind, stat in zip(KINDS, card.stats, strict=True))
    return f"{card.name}, {card.reach} reach, {stats}, super {super_rule(card)}"


def super_code(card: Fighter) -> str:
    """Return what a super needs, in short: `Kick, range 2`."""
    return f"{kind_name(card.super_kind)}, range {card.super_range}"


def super_rule(card: Fighter) -> str:
    """Return a super and what it needs: `Cartwheel Kick: Kick at range 2, with 7 health or less`."""
    needs = f"{kind_name(card.super_kind)} at range {card.super_range}, with {R.SUPER_HEALTH} health or less"
    return f"{card.super}: {needs}"
