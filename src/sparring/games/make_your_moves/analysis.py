"""Make Your Moves: what bots learn from (features), what the lab measures (items), and reasons for hints."""

from collections.abc import Iterator

from sparring.engine.cards import in_order, put
from sparring.engine.features import layout, one_hot
from sparring.engine.game import GameSetup, Item
from sparring.engine.rule import rule, seat_after
from sparring.engine.types import CardPile, Floats, Numbers
from sparring.scene.sentences import Text, mention

from .components import achieved, best_defence, card, powers
from .moves import count_defence, count_in, has_several_fours, spare_card
from .params import CARDS, COLOURS, WILD, Params
from .state import (
    ASSIST_CARD, ATTACK, CARD, COUNTER, DISCARD, DODGE, DODGE_TO, ELIMINATION, HAND, NEEDED, PHASES, RESPOND, SEAT,
    SEATS, SKIP, TARGET, State,
)  # fmt: skip

# Feature vectors for learning agents and value models, from what a seat can see

KINDS = 15
PER_SEAT = 7
FEATURES = len(PHASES) + 5 * KINDS + SEATS * PER_SEAT + 6
LAYOUT = layout(
    ("phase", len(PHASES), 0, 1, "the phase, one-hot"),
    ("hand", (5, 3), 0, 1, "own hand: 0.2 per card, by colour and power"),
    ("attack", (5, 3), 0, 1, "the attack, likewise"),
    ("defence", (5, 3), 0, 1, "the defence, likewise"),
    ("picked", (5, 3), 0, 1, "the cards picked in this phase, as far as the seat sees them, likewise"),
    ("discard", (5, 3), 0, 1, "the discard pile: 0.04 per card, by colour and power"),
    ("seats", (SEATS, PER_SEAT), 0, 1,
     ("each seat, own seat first: points, cards in hand, still in; whether it has control, attacks, "
      "defends, must act")),
    ("deck", 1, 0, 1, "cards in the draw pile / 80"),
    ("ceiling", 1, 0, 1, "the highest power that still fits / 3"),
    ("units", 1, 0, 1, "cards of the attack to answer / 3"),
    ("helpers", 2, 0, 1, "seats that help the attacker and the defender / 6"),
    ("turn", 1, 0, 1, "turns / turn limit"),
)  # fmt: skip


@rule
def encode_kinds(params: Params, pile: CardPile, out: Floats, n: int) -> int:
    """Write 0.2 per card of each kind in a pile; return the next free place in `out`."""
    for kind in range(KINDS):
        out[n + kind] = 0.0
    for i in range(1, pile[0] + 1):
        if pile[i] >= 0:
            out[n + params.colour[pile[i]] * 3 + params.power[pile[i]] - 1] += 0.2
    return n + KINDS


@rule
def features(params: Params, s: State, seat: int, out: Floats) -> None:
    """Write FEATURES floats to `out`: the phase, piles by kind, each seat (own seat first), counts."""
    n = one_hot(out, 0, len(PHASES), s.phase)
    n = encode_kinds(params, s.hand[seat], out, n)
    n = encode_kinds(params, s.attack, out, n)
    n = encode_kinds(params, s.defence, out, n)
    n = encode_kinds(params, s.picked, out, n)
    n = encode_kinds(params, s.discard, out, n)
    for kind in range(KINDS):
        out[n - KINDS + kind] *= 0.2  # the discard pile can hold up to 25 of a kind
    for place in range(SEATS):
        other = seat_after(s, seat, place) if place < s.seats else 0
        here = place < s.seats
        out[n] = s.points[other] / NEEDED if here else 0.0
        out[n + 1] = s.hand[other, 0] / HAND if here else 0.0
        out[n + 2] = 1.0 if here and not s.out[other] else 0.0
        out[n + 3] = 1.0 if here and s.control == other else 0.0
        out[n + 4] = 1.0 if here and s.attacker == other else 0.0
        out[n + 5] = 1.0 if here and s.defender == other and TARGET < s.phase < DISCARD else 0.0
        out[n + 6] = 1.0 if here and s.player == other else 0.0
        n += PER_SEAT
    out[n] = s.deck[0] / CARDS
    out[n + 1] = s.ceiling / 3
    out[n + 2] = s.units / 3
    out[n + 3] = s.help_attack[0] / SEATS
    out[n + 4] = s.help_defence[0] / SEATS
    out[n + 5] = s.turn / params.turn_limit


@rule
def relative_action(params: Params, s: State, seat: int, action: int) -> int:
    """Return an action in the seat's frame: other seats are counted from it, as in its features."""
    if SEAT <= action < SEAT + s.seats:
        return SEAT + (action - SEAT - seat + s.seats) % s.seats
    return action


@rule
def absolute_action(params: Params, s: State, seat: int, action: int) -> int:
    """Return the action of the table for an action in the seat's frame (`relative_action`)."""
    if SEAT <= action < SEAT + s.seats:
        return SEAT + (action - SEAT + seat) % s.seats
    return action


# The items that the lab measures: cards, kinds, colours, powers; how close a seat is to winning

POWERS = 3


def names(setup: GameSetup) -> tuple[Item, ...]:
    """Return the cards of the deck, kinds such as `Red2`, colours and powers."""
    numbers = range(1, POWERS + 1)
    return (
        *(Item("card", each.name) for each in setup.content.cards),
        *(Item("kind", f"{colour}{power}") for colour in COLOURS for power in numbers),
        *(Item("colour", colour) for colour in COLOURS),
        *(Item("power", str(power)) for power in numbers),
    )


@rule
def mark_card(params: Params, card: int, marks: Numbers) -> None:
    """Mark a card, its kind, its colour and its power."""
    kinds = params.cards
    colours = kinds + len(COLOURS) * POWERS
    marks[card] += 1
    marks[kinds + params.colour[card] * POWERS + params.power[card] - 1] += 1
    marks[colours + params.colour[card]] += 1
    marks[colours + len(COLOURS) + params.power[card] - 1] += 1


@rule
def held(params: Params, s: State, seat: int, marks: Numbers) -> None:
    """Mark the cards in hand."""
    hand = s.hand[seat]
    for i in range(1, hand[0] + 1):
        mark_card(params, hand[i], marks)


@rule
def played(params: Params, s: State, action: int, marks: Numbers) -> None:
    """Mark a card played or picked for a four, or a four played without a choice; discards don't count."""
    if s.phase == DISCARD:
        return
    hand = s.hand[s.player]
    if action < CARDS:
        mark_card(params, action, marks)
    elif (action == COUNTER or action == DODGE) and not has_several_fours(params, hand):
        spare = spare_card(params, hand)
        for i in range(1, hand[0] + 1):
            if hand[i] != spare:
                mark_card(params, hand[i], marks)


@rule
def progress(params: Params, s: State, seat: int) -> float:
    """Return the share of the needed points; in an elimination match, the share left before the seat is out (R25)."""
    points = s.points[seat] / NEEDED
    return 1.0 - points if params.match == ELIMINATION else points


# Reasons to prefer one action to another


def reasons_for(setup: GameSetup, s: State, action: int, other: int) -> list[Text]:
    """Return reasons to prefer `action` to `other`, the most important first."""
    of_phase = REASONS.get(int(s.phase))
    return list(of_phase(setup, s, action, other)) if of_phase else []


def _card_of(action: int) -> int | None:
    return action - CARD if CARD <= action < CARD + CARDS else None


def _target(setup: GameSetup, s: State, action: int, other: int) -> Iterator[Text]:
    if not (SEAT <= action < SEAT + SEATS and SEAT <= other < SEAT + SEATS):
        return
    here, there = (int(s.hand[number - SEAT, 0]) for number in (action, other))
    if here < there:
        yield Text(
            "{who} has {n} card to defend with, {other} has {more}.",
            "{who} has {n} cards to defend with, {other} has {more}.",
            n=here, who=mention(action - SEAT), other=mention(other - SEAT), more=there,
        )  # fmt: skip


def _attack(setup: GameSetup, s: State, action: int, other: int) -> Iterator[Text]:
    played, kept = _card_of(action), _card_of(other)
    if played is None:
        yield from _keep(setup, s, None, kept)
        return
    one, total = card(setup, played), sum(powers(setup, s.attack))
    if kept is None:
        values = {"card": one.name, "total": total, "more": total + one.power}
        yield Text("{card} raises your attack from {total} to {more}.", **values)
        return
    yield from _keep(setup, s, played, kept)
    another = card(setup, kept)
    if one.power > another.power:
        values = {"card": one.name, "power": one.power, "other": another.name, "less": another.power}
        yield Text("{card} adds {power}, {other} only {less}.", **values)
    elif one.power < another.power:
        yield Text("Keep {card}, your stronger card, for later.", card=another.name)


def _response(setup: GameSetup, s: State, action: int, other: int) -> Iterator[Text]:
    played, kept = _card_of(action), _card_of(other)
    attack, defence = sum(powers(setup, s.attack)), sum(powers(setup, s.defence))
    alone = count_in(s) == 2
    if action == COUNTER:
        yield Text("A Counter stops the attack and gives you control.")
    elif action == DODGE:
        yield Text("A Dodge sends the attack to another player.")
    elif played is not None:
        one, trial = card(setup, played), s.copy()
        total = defence + one.power
        count_defence(setup.params, trial, played)
        put(trial.defence, played)
        trial.hand[s.player, 0] = 0
        for number in in_order(s.hand[s.player]):
            if number != played:
                put(trial.hand[s.player], number)
        if total >= attack:
            achieves = achieved(setup, total - attack)
            if not alone:
                achieves = Text("{achieved} if no one helps", achieved=achieves)
            values = {"card": one.name, "total": total, "attack": attack, "achieved": achieves}
            yield Text("With {card} you have {total} against {attack}: {achieved}.", **values)
        elif (reached := best_defence(setup, trial)) >= attack:
            values = {"card": one.name, "total": total, "attack": attack, "best": reached}
            yield Text("{card} makes it {total} against {attack}, and your cards can bring it to {best}.", **values)
        yield from _keep(setup, s, played, kept)
    elif best_defence(setup, s) < attack:
        values = {"attack": attack, "best": best_defence(setup, s)}
        if alone:
            yield Text("Your cards can't stop an attack of {attack}: they come to {best} at most.", **values)
        else:
            yield Text("Your cards alone can't stop an attack of {attack}: they come to {best} at most.", **values)
    elif defence >= attack + 2 and alone:
        yield Text("You have {defence} against {attack}: nothing more to gain.", defence=defence, attack=attack)
    else:
        yield from _keep(setup, s, None, kept)


def _assist(setup: GameSetup, s: State, action: int, other: int) -> Iterator[Text]:
    if action == SKIP:
        yield from _keep(setup, s, None, _card_of(other))


def _discard(setup: GameSetup, s: State, action: int, other: int) -> Iterator[Text]:
    played, kept = _card_of(action), _card_of(other)
    yield from _keep(setup, s, played, kept)
    if played is not None and card(setup, played).power == 1:
        name = card(setup, played).name
        yield Text("{card} has a power of only 1; the card you draw for it may be stronger.", card=name)
    if kept is not None and card(setup, kept).power == 3:
        yield Text("Keep {card}: no card has more power.", card=card(setup, kept).name)


def _keep(setup: GameSetup, s: State, played: int | None, kept: int | None) -> Iterator[Text]:
    """Say what a card in hand is needed for, unless the card played instead is needed for the same."""
    if kept is None:
        return
    one = card(setup, kept)
    if played is not None and card(setup, played).colour == one.colour:
        return
    same = sum(card(setup, number).colour == one.colour for number in in_order(s.hand[s.player]))
    if same == 4:
        values = {"card": one.name, "colour": one.colour}
        yield Text("Keep {card}: your four {colour} cards can counter an attack.", **values)
    elif one.colour == COLOURS[WILD]:
        yield Text("Keep {card}: a Wild fits any defence.", card=one.name)
    elif same == 1:
        values = {"card": one.name, "colour": one.colour}
        yield Text("Keep {card}: you have no other {colour} card to defend with.", **values)


#: The reasons of each phase that has any.
REASONS = {
    TARGET: _target, DODGE_TO: _target, ATTACK: _attack, RESPOND: _response, ASSIST_CARD: _assist, DISCARD: _discard,
}  # fmt: skip
