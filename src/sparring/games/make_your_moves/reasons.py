"""Make Your Moves: reasons to prefer one action to another."""

from collections.abc import Iterator
from sparring.engine.cards import in_order, put
from sparring.engine.game import Box

from . import state as S
from .components import card, powers
from .kit import CARDS, COLOURS, WILD
from .moves import count_defence, count_in
from .prompts import achieved, best_defence


def reasons_for(box: Box, s: S.State, action: int, other: int) -> list[str]:
    """Return reasons to prefer `action` to `other`, the most important first."""
    played, kept = _card_of(action), _card_of(other)
    match int(s.phase):
        case S.TARGET | S.DODGE_TO:
            found = _target(s, action, other)
        case S.ATTACK:
            found = _attack(box, s, played, kept)
        case S.RESPOND:
            found = _response(box, s, action, played, kept)
        case S.DISCARD:
            found = _discard(box, s, played, kept)
        case S.ASSIST_CARD if played is None:
            found = _keep(box, s, None, kept)
        case _:
            found = iter(())
    return list(found)


def _card_of(action: int) -> int | None:
    return action - S.CARD if S.CARD <= action < S.CARD + CARDS else None


def _target(s: S.State, action: int, other: int) -> Iterator[str]:
    if not (S.SEAT <= action < S.SEAT + S.SEATS and S.SEAT <= other < S.SEAT + S.SEATS):
        return
    here, there = (int(s.hand[number - S.SEAT, 0]) for number in (action, other))
    if here < there:
        yield (
            f"Seat {action - S.SEAT + 1} has {here} {'card' if here == 1 else 'cards'} to defend with, "
            f"Seat {other - S.SEAT + 1} has {there}."
        )


def _attack(box: Box, s: S.State, played: int | None, kept: int | None) -> Iterator[str]:
    if played is None:
        yield from _keep(box, s, None, kept)
        return
    one, total = card(box, played), sum(powers(box, s.attack))
    if kept is None:
        yield f"{one.name} raises your attack from {total} to {total + one.power}."
        return
    yield from _keep(box, s, played, kept)
    another = card(box, kept)
    if one.power > another.power:
        yield f"{one.name} adds {one.power}, {another.name} only {another.power}."
    elif one.power < another.power:
        yield f"Keep {another.name}, your stronger card, for later."


def _response(box: Box, s: S.State, action: int, played: int | None, kept: int | None) -> Iterator[str]:
    attack, defence = sum(powers(box, s.attack)), sum(powers(box, s.defence))
    alone = count_in(s) == 2
    if action == S.COUNTER:
        yield "A Counter stops the attack and gives you control."
    elif action == S.DODGE:
        yield "A Dodge sends the attack to another player."
    elif played is not None:
        one, trial = card(box, played), s.copy()
        total = defence + one.power
        count_defence(box.kit, trial, played)
        put(trial.defence, played)
        trial.hand[s.player, 0] = 0
        for number in in_order(s.hand[s.player]):
            if number != played:
                put(trial.hand[s.player], number)
        if total >= attack:
            helped = "" if alone else " if no one helps"
            yield f"With {one.name} you have {total} against {attack}: {achieved(box, total - attack)}{helped}."
        elif (reached := best_defence(box, trial)) >= attack:
            yield f"{one.name} makes it {total} against {attack}, and your cards can bring it to {reached}."
        yield from _keep(box, s, played, kept)
    elif best_defence(box, s) < attack:
        alone_words = "" if alone else " alone"
        yield f"Your cards{alone_words} can't stop an attack of {attack}: they come to {best_defence(box, s)} at most."
    elif defence >= attack + 2 and alone:
        yield f"You have {defence} against {attack}: nothing more to gain."
    else:
        yield from _keep(box, s, None, kept)


def _discard(box: Box, s: S.State, played: int | None, kept: int | None) -> Iterator[str]:
    yield from _keep(box, s, played, kept)
    if played is not None and card(box, played).power == 1:
        yield f"{card(box, played).name} has a power of only 1; the card you draw for it may be stronger."
    if kept is not None and card(box, kept).power == 3:
        yield f"Keep {card(box, kept).name}: no card has more power."


def _keep(box: Box, s: S.State, played: int | None, kept: int | None) -> Iterator[str]:
    """Say what a card in hand is needed for, unless the card played instead is needed for the same."""
    if kept is None:
        return
    one = card(box, kept)
    if played is not None and card(box, played).colour == one.colour:
        return
    same = sum(card(box, number).colour == one.colour for number in in_order(s.hand[s.player]))
    if same == 4:
        yield f"Keep {one.name}: your four {one.colour} cards can counter an attack."
    elif one.colour == COLOURS[WILD]:
        yield f"Keep {one.name}: a Wild fits any defence."
    elif same == 1:
        yield f"Keep {one.name}: you have no other {one.colour} card to defend with."
