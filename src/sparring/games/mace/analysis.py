"""MACE: the items that the lab measures (ranks, suits and Actions), and reasons for hints."""

from collections.abc import Iterator

from sparring.engine.cards import in_order
from sparring.engine.game import GameSetup, Item
from sparring.engine.hexes import distance
from sparring.engine.rule import rule
from sparring.engine.types import Numbers
from sparring.scene.sentences import Text, mention

from . import state as S
from .components import hexes_counted, named, value, with_value
from .moves import distance_to_nearest, has_suit, reachable
from .params import CARDS, CLUBS, DIAMONDS, HEARTS, JOKER, SPADES, Params
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


def names(setup: GameSetup) -> tuple[Item, ...]:
    """Return the suits, Actions and defences, and ranks."""
    return (
        *(Item("suit", suit) for suit in (*SUITS, "Jokers")),
        *(Item("action", action) for action in ACTIONS),
        *(Item("rank", rank) for rank in setup.content.values),
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
def held(params: Params, s: State, seat: int, marks: Numbers) -> None:
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
def played(params: Params, s: State, action: int, marks: Numbers) -> None:
    """Mark the card that a choice uses, and how; cards paid or lost don't count."""
    if action >= PAYING:
        return
    block = action // CARDS
    mark_card(action - block * CARDS, marks)
    if BY_BLOCK[block] >= 0:
        marks[BY_BLOCK[block]] += 1


@rule
def progress(params: Params, s: State, seat: int) -> float:
    """Return the share of a full hand a seat holds: an empty hand is out (R29, R43)."""
    return s.hand[seat, 0] / HAND


# Reasons to prefer one action to another


#: What the cards of a suit are needed for.
KEEP_TEXTS = {
    SPADES: "Keep {card}: it's your only Spade, and you need one to strike.",
    CLUBS: "Keep {card}: it's your only Club, and you need one to blast.",
    DIAMONDS: "Keep {card}: it's your only Diamond, and you need one to block.",
    HEARTS: "Keep {card}: it's your only Heart, and you need one to dodge.",
}


def reasons_for(setup: GameSetup, s: S.State, action: int, other: int) -> list[Text]:
    """Return reasons to prefer `action` to `other`, the most important first."""
    block, number = S.ACTIONS.name_of(action)
    rival = S.ACTIONS.name_of(other)[1]
    match block:
        case "block" | "dodge" | "take":
            found = _defence(setup, s, action, other)
        case "pay":
            found = _payment(setup, s, number, rival)
        case "strike" | "charge" | "blast" | "boost" | "end":
            found = _turn(setup, s, action, other)
        case "to" | "stay" if s.phase != S.FORFEIT:
            found = _move(s, action, other)
        case "drop":
            found = _drop(setup, s, number, rival)
        case "club" | "momentum":
            found = _higher(setup, s, number, rival)
        case "target":
            found = _target(s, number, rival)
        case _:
            found = iter(())
    return list(found)


def _defence(setup: GameSetup, s: S.State, action: int, other: int) -> Iterator[Text]:
    attack = int(s.attack)
    left, rival = (_damage_after(setup, s, choice) for choice in (action, other))
    card, another = _card_of(action), _card_of(other)
    if left < rival and card is not None:
        values = {"card": with_value(setup, s, card, first=True), "attack": attack, "left": left, "more": rival}
        if left:
            yield Text("{card} against {attack}: {left} Damage to pay instead of {more}.", **values)
        else:
            yield Text("{card} against {attack}: no Damage to pay instead of {more}.", **values)
    elif left == rival and another is not None:
        if card is None:
            yield Text("{card} is too low to dodge {attack}.", card=named(setup, another, first=True), attack=attack)
        elif not left and value(setup, s, card) < value(setup, s, another) and action < S.DODGE and other < S.DODGE:
            enough, kept = named(setup, card, first=True), named(setup, another)
            yield Text("{card} is enough to block {attack}; you keep {other}.", card=enough, attack=attack, other=kept)
    elif another is not None and action == S.TAKE and rival:
        name = named(setup, another, first=True)
        yield Text("{card} would still leave {damage} Damage to pay.", card=name, damage=rival)
    yield from _keep(setup, s, card, another)


def _damage_after(setup: GameSetup, s: S.State, choice: int) -> int:
    """Return the Damage after a choice in DEFENCE."""
    card, attack = _card_of(choice), int(s.attack)
    if card is None:
        return attack
    if choice < S.DODGE:
        return max(0, attack - value(setup, s, card))
    return 0 if value(setup, s, card) >= attack else attack


def _payment(setup: GameSetup, s: S.State, card: int, other: int) -> Iterator[Text]:
    due = int(s.damage - s.paid)
    one, two = value(setup, s, card), value(setup, s, other)
    values = {"card": with_value(setup, s, card, first=True), "other": with_value(setup, s, other), "due": due}
    if one >= due > two:
        yield Text("{card} pays the {due} Damage alone; {other} leaves {left} to pay.", left=due - two, **values)
    elif due <= one < two:
        yield Text("{card} is enough for {due} Damage; you keep {other}.", **values)
    yield from _keep(setup, s, card, other)


def _turn(setup: GameSetup, s: S.State, action: int, other: int) -> Iterator[Text]:
    card, another = _card_of(action), _card_of(other)
    near = int(distance_to_nearest(s, s.player))
    if card is None:
        pass
    elif action < S.CHARGE:
        attack = value(setup, s, card)
        yield from _hard_to_dodge(s, attack)
        if another is not None and other < S.CHARGE and attack < value(setup, s, another):
            yield Text("You keep {card}.", card=with_value(setup, s, another))
    elif action < S.BLAST and card < JOKER:
        values = {"card": with_value(setup, s, card), "hexes": hexes_counted(value(setup, s, card))}
        yield Text("As a Charge, {card} gives a later Blast a range of {hexes}.", **values)
    elif S.BLAST <= action < S.CLUB:
        reach = value(setup, s, card)
        yield Text(
            "The nearest opponent is {hexes} away, within the range of {range}.", hexes=hexes_counted(near), range=reach
        )
    elif action >= S.BOOST:
        steps = abs(value(setup, s, card) - value(setup, s, int(s.momentum[s.player])))
        if steps and reachable(setup.params, s, s.player, steps, False).any():
            values = {"hexes": hexes_counted(steps), "away": hexes_counted(near)}
            yield Text("You may then move up to {hexes}; the nearest opponent is {away} away.", **values)
    yield from _keep(setup, s, card, another)


def _hard_to_dodge(s: S.State, attack: int) -> Iterator[Text]:
    """Say what stops a Strike, if there is only one possible target."""
    targets = [
        seat for seat in range(s.seats)
        if seat != s.player and not s.out[seat] and distance(s.at[s.player], s.at[seat]) == 1
    ]  # fmt: skip
    if len(targets) != 1:
        return
    if s.down[targets[0]]:
        yield Text("{who} is Down and can't defend.", who=mention(targets[0]))
    elif 2 < attack <= 14:
        yield Text("Only a Heart of {attack} or more, or a Joker, dodges a Strike of {attack}.", attack=attack)


def _move(s: S.State, action: int, other: int) -> Iterator[Text]:
    near, far = (_nearest_from(s, choice) for choice in (action, other))
    if near == 1 < far and not s.acted and s.active == s.player:
        if any(has_suit(card, SPADES) for card in in_order(s.hand[s.player])):
            yield Text("Next to an opponent you can strike.")
    elif far == 1 < near:
        yield Text(
            "You are then {hexes} away from the nearest opponent: no one can strike you without moving.",
            hexes=hexes_counted(near),
        )
    elif near < far:
        values = {"hexes": hexes_counted(near), "far": far}
        yield Text("It brings you closer to the nearest opponent: {hexes} instead of {far}.", **values)
    elif near > far:
        values = {"hexes": hexes_counted(near), "far": far}
        yield Text("It keeps more distance from the nearest opponent: {hexes} instead of {far}.", **values)


def _nearest_from(s: S.State, choice: int) -> int:
    """Return the distance to the nearest opponent after a move."""
    moved = s.copy()
    if choice != S.STAY:
        moved.at[s.player] = choice - S.TO
    return int(distance_to_nearest(moved, s.player))


def _drop(setup: GameSetup, s: S.State, card: int, kept: int) -> Iterator[Text]:
    reach, short = value(setup, s, kept), value(setup, s, card)
    if max(card, kept) < JOKER and short < reach:
        values = {"card": named(setup, kept), "hexes": hexes_counted(reach), "other": named(setup, card), "less": short}
        yield Text("{card} reaches {hexes}, {other} only {less}.", **values)


def _higher(setup: GameSetup, s: S.State, card: int, other: int) -> Iterator[Text]:
    one, two = value(setup, s, card), value(setup, s, other)
    if one > two and s.phase == S.BLAST_CARD:
        yield Text("The attack is {more} instead of {less}.", more=one, less=two)
    elif one > two:
        yield Text("The highest Momentum goes first: yours is {more} instead of {less}.", more=one, less=two)
    yield from _keep(setup, s, card, other)


def _target(s: S.State, seat: int, other: int) -> Iterator[Text]:
    if s.down[seat] and not s.down[other]:
        yield Text("{who} is Down and can't defend.", who=mention(seat))
    elif s.hand[seat, 0] < s.hand[other, 0]:
        yield Text(
            "{who} has {n} card in hand, {other} {more}.", "{who} has {n} cards in hand, {other} {more}.",
            n=s.hand[seat, 0], who=mention(seat), other=mention(other), more=s.hand[other, 0],
        )  # fmt: skip


def _keep(setup: GameSetup, s: S.State, used: int | None, card: int | None) -> Iterator[Text]:
    """Say what a card is needed for, if it is the only one in hand that can do it and isn't itself the one used."""
    if card is None or card == used or card >= JOKER:
        return
    suit = next(suit for suit in KEEP_TEXTS if has_suit(card, suit))
    if sum(has_suit(each, suit) for each in in_order(s.hand[s.player])) == 1 and card in in_order(s.hand[s.player]):
        yield Text(KEEP_TEXTS[suit], card=named(setup, card))


def _card_of(choice: int) -> int | None:
    """Return the card of a choice that names one."""
    return (choice % CARDS) if choice < S.AIM else None
