"""MACE: the items that the lab measures (ranks, suits and Actions), and reasons for hints."""

from collections.abc import Iterator

from sparring.engine.cards import in_order
from sparring.engine.game import Box, Item
from sparring.engine.hexes import distance
from sparring.engine.rule import rule
from sparring.engine.types import Numbers

from . import state as S
from .components import hexes_counted, named, value, with_value
from .kit import CARDS, CLUBS, DIAMONDS, HEARTS, JOKER, SPADES, Params
from .moves import distance_to_nearest, has_suit, reachable
from .state import HAND, PAYING, State

#: Item order: suits and Jokers, then what a card can do, then the ranks, lowest first.
SUITS = ("Clubs", "Spades", "Diamonds", "Hearts")
JOKERS = len(SUITS)
DONE = JOKERS + 1
ACTIONS = ("Strike", "Charge", "Blast", "Boost", "Block", "Dodge")
STRIKES, CHARGES, BLASTS, BOOSTS, BLOCKS, DODGES = range(DONE, DONE + len(ACTIONS))
RANK = DONE + len(ACTIONS)

#: The item for each block of card choices (momentum, strike, charge, blast, club, ...); -1 for none.
BY_BLOCK = (-1, STRIKES, CHARGES, BLASTS, -1, BOOSTS, BLOCKS, DODGES)


def names(box: Box) -> tuple[Item, ...]:
    """Return the suits, Actions and defences, and ranks."""
    return (
        *(Item("suit", suit) for suit in (*SUITS, "Jokers")),
        *(Item("action", action) for action in ACTIONS),
        *(Item("rank", rank) for rank in box.content.values),
    )


@rule
def mark_card(card: int, marks: Numbers) -> None:
    """Mark a card's suit and rank, or that it is a Joker."""
    if card >= JOKER:
        marks[JOKERS] += 1
    else:
        marks[card & 3] += 1
        marks[RANK + (card >> 2)] += 1


@rule
def held(kit: Params, s: State, seat: int, marks: Numbers) -> None:
    """Mark the cards in hand with what each can do, and the Charges."""
    hand = s.hand[seat]
    for i in range(1, hand[0] + 1):
        card = hand[i]
        mark_card(card, marks)
        marks[STRIKES] += has_suit(card, SPADES)
        marks[CHARGES] += has_suit(card, CLUBS)
        marks[BLOCKS] += has_suit(card, DIAMONDS)
        marks[DODGES] += has_suit(card, HEARTS)
        marks[BOOSTS] += card < JOKER
    charges = s.charges[seat]
    for i in range(1, charges[0] + 1):
        mark_card(charges[i], marks)
        marks[BLASTS] += 1


@rule
def played(kit: Params, s: State, action: int, marks: Numbers) -> None:
    """Mark the card that a choice uses, and how; cards paid or lost don't count."""
    if action >= PAYING:
        return
    block = action // CARDS
    mark_card(action - block * CARDS, marks)
    if BY_BLOCK[block] >= 0:
        marks[BY_BLOCK[block]] += 1


@rule
def ahead(kit: Params, s: State, seat: int) -> float:
    """Return the share of a full hand a seat holds: an empty hand is out (R29, R43)."""
    return s.hand[seat, 0] / HAND


# Reasons to prefer one action to another


#: What the cards of a suit are needed for.
USES = {
    SPADES: ("Spade", "strike"),
    CLUBS: ("Club", "blast"),
    DIAMONDS: ("Diamond", "block"),
    HEARTS: ("Heart", "dodge"),
}


def reasons_for(box: Box, s: S.State, action: int, other: int) -> list[str]:
    """Return reasons to prefer `action` to `other`, the most important first."""
    block, number = S.ACTIONS.name_of(action)
    rival = S.ACTIONS.name_of(other)[1]
    match block:
        case "block" | "dodge" | "take":
            found = _defence(box, s, action, other)
        case "pay":
            found = _payment(box, s, number, rival)
        case "strike" | "charge" | "blast" | "boost" | "end":
            found = _turn(box, s, action, other)
        case "to" | "stay" if s.phase != S.FORFEIT:
            found = _move(s, action, other)
        case "drop":
            found = _drop(box, s, number, rival)
        case "club":
            found = _higher(box, s, number, rival, "The attack is")
        case "momentum":
            found = _higher(box, s, number, rival, "The highest Momentum goes first: yours is")
        case "target":
            found = _target(s, number, rival)
        case _:
            found = iter(())
    return list(found)


def _defence(box: Box, s: S.State, action: int, other: int) -> Iterator[str]:
    attack = int(s.attack)
    left, rival = (_damage_after(box, s, choice) for choice in (action, other))
    card, another = _card_of(action), _card_of(other)
    if left < rival:
        stops = f"{_first(with_value(box, s, card))} against {attack}: " if card is not None else ""
        yield f"{stops}{left or 'no'} Damage to pay instead of {rival}."
    elif left == rival and another is not None:
        if card is None:
            yield f"{_first(named(box, another))} is too low to dodge {attack}."
        elif not left and value(box, s, card) < value(box, s, another) and action < S.DODGE and other < S.DODGE:
            yield f"{_first(named(box, card))} is enough to block {attack}; you keep {named(box, another)}."
    elif another is not None and action == S.TAKE and rival:
        yield f"{_first(named(box, another))} would still leave {rival} Damage to pay."
    yield from _keep(box, s, card, another)


def _damage_after(box: Box, s: S.State, choice: int) -> int:
    """Return the Damage after a choice in DEFENCE."""
    card, attack = _card_of(choice), int(s.attack)
    if card is None:
        return attack
    if choice < S.DODGE:
        return max(0, attack - value(box, s, card))
    return 0 if value(box, s, card) >= attack else attack


def _payment(box: Box, s: S.State, card: int, other: int) -> Iterator[str]:
    due = int(s.damage - s.paid)
    one, two = value(box, s, card), value(box, s, other)
    if one >= due > two:
        yield (
            f"{_first(with_value(box, s, card))} pays the {due} Damage alone; {with_value(box, s, other)} leaves "
            f"{due - two} to pay."
        )
    elif due <= one < two:
        yield f"{_first(with_value(box, s, card))} is enough for {due} Damage; you keep {with_value(box, s, other)}."
    yield from _keep(box, s, card, other)


def _turn(box: Box, s: S.State, action: int, other: int) -> Iterator[str]:
    card, another = _card_of(action), _card_of(other)
    near = int(distance_to_nearest(s, s.player))
    if card is None:
        pass
    elif action < S.CHARGE:
        attack = value(box, s, card)
        yield from _hard_to_dodge(s, attack)
        if another is not None and other < S.CHARGE and attack < value(box, s, another):
            yield f"You keep {with_value(box, s, another)}."
    elif action < S.BLAST and card < JOKER:
        reach = hexes_counted(value(box, s, card))
        yield f"As a Charge, {with_value(box, s, card)} gives a later Blast a range of {reach}."
    elif S.BLAST <= action < S.CLUB:
        yield f"The nearest opponent is {hexes_counted(near)} away, within the range of {value(box, s, card)}."
    elif action >= S.BOOST:
        steps = abs(value(box, s, card) - value(box, s, int(s.momentum[s.player])))
        if steps and reachable(box.kit, s, s.player, steps, False).any():
            yield f"You may then move up to {hexes_counted(steps)}; the nearest opponent is {hexes_counted(near)} away."
    yield from _keep(box, s, card, another)


def _hard_to_dodge(s: S.State, attack: int) -> Iterator[str]:
    """Say what stops a Strike, if there is only one possible target."""
    targets = [
        seat for seat in range(s.seats)
        if seat != s.player and not s.out[seat] and distance(s.at[s.player], s.at[seat]) == 1
    ]  # fmt: skip
    if len(targets) != 1:
        return
    if s.down[targets[0]]:
        yield f"Seat {targets[0] + 1} is Down and can't defend."
    elif 2 < attack <= 14:
        yield f"Only a Heart of {attack} or more, or a Joker, dodges a Strike of {attack}."


def _move(s: S.State, action: int, other: int) -> Iterator[str]:
    near, far = (_nearest_from(s, choice) for choice in (action, other))
    if near == 1 < far and not s.acted and s.active == s.player:
        if any(has_suit(card, SPADES) for card in in_order(s.hand[s.player])):
            yield "Next to an opponent you can strike."
    elif far == 1 < near:
        away = hexes_counted(near)
        yield f"You are then {away} away from the nearest opponent: no one can strike you without moving."
    elif near < far:
        yield f"It brings you closer to the nearest opponent: {hexes_counted(near)} instead of {far}."
    elif near > far:
        yield f"It keeps more distance from the nearest opponent: {hexes_counted(near)} instead of {far}."


def _nearest_from(s: S.State, choice: int) -> int:
    """Return the distance to the nearest opponent after a move."""
    moved = s.copy()
    if choice != S.STAY:
        moved.at[s.player] = choice - S.TO
    return int(distance_to_nearest(moved, s.player))


def _drop(box: Box, s: S.State, card: int, kept: int) -> Iterator[str]:
    reach, short = value(box, s, kept), value(box, s, card)
    if max(card, kept) < JOKER and short < reach:
        yield f"{named(box, kept)} reaches {hexes_counted(reach)}, {named(box, card)} only {short}."


def _higher(box: Box, s: S.State, card: int, other: int, what: str) -> Iterator[str]:
    one, two = value(box, s, card), value(box, s, other)
    if one > two:
        yield f"{what} {one} instead of {two}."
    yield from _keep(box, s, card, other)


def _target(s: S.State, seat: int, other: int) -> Iterator[str]:
    if s.down[seat] and not s.down[other]:
        yield f"Seat {seat + 1} is Down and can't defend."
    elif s.hand[seat, 0] < s.hand[other, 0]:
        yield f"Seat {seat + 1} has {int(s.hand[seat, 0])} cards in hand, Seat {other + 1} {int(s.hand[other, 0])}."


def _keep(box: Box, s: S.State, used: int | None, card: int | None) -> Iterator[str]:
    """Say what a card is needed for, if it is the only one in hand that can do it and isn't itself the one used."""
    if card is None or card == used or card >= JOKER:
        return
    suit = next(suit for suit in USES if has_suit(card, suit))
    if sum(has_suit(each, suit) for each in in_order(s.hand[s.player])) == 1 and card in in_order(s.hand[s.player]):
        name, use = USES[suit]
        yield f"Keep {named(box, card)}: it's your only {name}, and you need one to {use}."


def _first(words: str) -> str:
    """Return words as the beginning of a sentence."""
    return words[0].upper() + words[1:]


def _card_of(choice: int) -> int | None:
    """Return the card of a choice that names one."""
    return (choice % CARDS) if choice < S.AIM else None
