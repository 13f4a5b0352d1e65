"""World of Fighters: the items that the lab measures (cards, fighters, supers), and how close a seat is to winning."""

from sparring.engine.game import Box, Item
from sparring.engine.rule import rule
from sparring.engine.types import Numbers

from .kit import KINDS, Params
from .state import (
    ACTION_CARD, CLAIM, COUNTER, HEALTH, NO_FIGHTER, SKIP, TO_CALL, TO_CLAIM, TO_COUNTER, TO_PLAY, State,
)  # fmt: skip

#: Item order: kinds of Action card, fighters, their supers.
FIGHTER = len(KINDS)

#: Phases in which lab matches choose at random: search bots would pick the same few fighters again and again.
BY_LOT = ("pick",)


def names(box: Box) -> tuple[Item, ...]:
    """Return the kinds of Action card, the fighters, and their supers."""
    fighters = box.content.fighters
    return (
        *(Item("action", kind) for kind in KINDS),
        *(Item("fighter", fighter.name) for fighter in fighters),
        *(Item("super", f"{fighter.super} of {fighter.name}") for fighter in fighters),
    )


@rule
def held(kit: Params, s: State, seat: int, marks: Numbers) -> None:
    """Mark the fighter, its super until it is performed, and the kinds in hand."""
    fighter = s.fighter[seat]
    if fighter == NO_FIGHTER:
        return
    marks[FIGHTER + fighter] += 1
    if not s.super_used[seat]:
        marks[FIGHTER + kit.fighters + fighter] += 1
    hand = s.hand[seat]
    for i in range(1, hand[0] + 1):
        marks[hand[i] - 1] += 1


@rule
def played(kit: Params, s: State, action: int, marks: Numbers) -> None:
    """Mark the Action card that a choice plays, with its fighter, and a super that is called or claimed."""
    fighter = s.fighter[s.player]
    called = action >= TO_CALL
    if s.phase == ACTION_CARD:
        marks[FIGHTER + fighter] += 1
        marks[action - (TO_CALL if called else TO_PLAY)] += 1
    if (s.phase == ACTION_CARD and called) or (s.phase == CLAIM and action == TO_CLAIM):
        marks[FIGHTER + kit.fighters + fighter] += 1
    if s.phase == COUNTER and action != SKIP:
        marks[action - TO_COUNTER] += 1


@rule
def ahead(kit: Params, s: State, seat: int) -> float:
    """Return a seat's share of full health (R33)."""
    return s.health[seat] / HEALTH
