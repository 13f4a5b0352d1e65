"""MACE: every reason for an action is true, and the important ones are given."""

from typing import Any

import pytest

from games.reason_claims import after, false_claims, own
from sparring import Match
from sparring.games.mace import GAME
from sparring.scene.playing_cards import typed
from wording import says

SUITS = {"Spade": "S", "Club": "C", "Diamond": "D", "Heart": "H"}
FACES = {"J": 11, "Q": 12, "K": 13, "A": 14}


def printed(card: str) -> int:
    """Return the printed value of a card; a Joker has none."""
    return FACES.get(card[:-1]) or int(card[:-1])


def card_value(match: Match, words: str) -> int:
    """Return the value of a card as a sentence names it: `KS (13)`, `7D`, `A Joker (12)`."""
    card = words.partition(" (")[0]
    if card.casefold() != "a joker":
        return printed(card)
    return next((printed(each) for each in reversed(match.position()["discard_pile"]) if each[0] != "X"), 0)


def words(match: Match, action: int) -> str:
    return str(match.game.scene.words(match.setup, match.state, action))


def hexes(text: str) -> tuple[int, int]:
    q, r = text.split(",")
    return int(q), int(r)


def nearest(match: Match, action: int | None = None) -> int:
    """Return the distance to the nearest opponent, now or after a move."""
    me, places = (match.seat or 0) - 1, match.position()["fighters"]
    here = places[me]
    if action is not None and words(match, action).startswith("to "):
        here = words(match, action)[3:]
    (q, r), others = hexes(here), [hexes(place) for seat, place in enumerate(places) if place and seat != me]
    gone = set(match.position()["out"])
    assert not gone
    return min(max(abs(q - x), abs(r - y), abs(q + r - x - y)) for x, y in others)


def damage(match: Match, action: int) -> int:
    """Return the Damage that is left to pay after a choice in defence."""
    later = after(match, action)
    return int(later.position()["damage"]) if later.phase == "pay" else 0


def only_card(match: Match, card: str, name: str, use: str) -> bool:
    suit = SUITS[name]
    uses = {"S": "strike", "C": "blast", "D": "block", "H": "dodge"}
    return [each for each in own(match, "hands") if each[-1] == suit] == [typed(card)] and uses[suit] == use


def steps(match: Match, action: int) -> int:
    """Return how far a Boost moves at most."""
    later = after(match, action)
    return int(later.state.steps) if later.phase == "move" else 0


CLAIMS: dict[str, Any] = {
    r"(?:.+ against (\d+): )?(\d+|no) Damage to pay instead of (\d+)\.": lambda m, a, o, attack, left, rival: (
        [damage(m, a), damage(m, o)] == [int(left.replace("no", "0")), int(rival)]
        and attack in (None, str(m.position()["attack"]))
    ),
    r"(.+) is too low to dodge (\d+)\.":
        lambda m, a, o, card, attack: card_value(m, card) < int(attack) == damage(m, o),
    r"(.+) is enough to block (\d+); you keep (.+)\.": lambda m, a, o, one, attack, two: (
        damage(m, a) == 0 and card_value(m, two) > card_value(m, one) >= int(attack)
    ),
    r"(.+) would still leave (\d+) Damage to pay\.": lambda m, a, o, card, left: damage(m, o) == int(left) > 0,
    r"(.+) pays the (\d+) Damage alone; (.+) leaves (\d+) to pay\.": lambda m, a, o, one, due, two, left: (
        card_value(m, one) >= int(due) and int(due) - card_value(m, two) == int(left) > 0
        and (after(m, a).phase != "pay" or after(m, a).seat != m.seat)
    ),
    r"(.+) is enough for (\d+) Damage; you keep (.+)\.": lambda m, a, o, one, due, two: (
        int(due) <= card_value(m, one) < card_value(m, two)
    ),
    r"Seat (\d) is Down and can't defend\.": lambda m, a, o, seat: int(seat) in m.position()["down"],
    r"Only a Heart of (\d+) or more, or a Joker, dodges a Strike of (\d+)\.": lambda m, a, o, least, attack: (
        least == attack and int(attack) == card_value(m, "a Joker" if "X" in words(m, a) else words(m, a).split()[1])
    ),
    r"You keep (.+)\.": lambda m, a, o, card: card_value(m, card) == card_value(
        m, "a Joker" if "X" in words(m, o) else words(m, o).split()[1]
    ),
    r"As a Charge, (\S+)(?: \(\d+\))? gives a later Blast a range of (\d+) hex(?:es)?\.": lambda m, a, o, card, reach: (
        printed(card) == int(reach)
    ),
    r"The nearest opponent is (\d+) hex(?:es)? away, within the range of (\d+)\.": lambda m, a, o, near, reach: (
        nearest(m) == int(near) <= int(reach) == after(m, a).state.range
    ),
    r"You may then move up to (\d+) hex(?:es)?; the nearest opponent is (\d+) hex(?:es)? away\.":
        lambda m, a, o, much, near: steps(m, a) == int(much) and nearest(m) == int(near),
    r"Next to an opponent you can strike\.": lambda m, a, o: any(
        words(after(m, a), each).startswith("strike") for each in after(m, a).legal()
    ),
    r"You are then (\d+) hexes away from the nearest opponent: no one can strike you without moving\.":
        lambda m, a, o, near: nearest(m, a) == int(near) > 1,
    r"It (?:brings you closer to|keeps more distance from) the nearest opponent: (\d+) hex(?:es)? instead of (\d+)\.":
        lambda m, a, o, near, far: [nearest(m, a), nearest(m, o)] == [int(near), int(far)],
    r"(\S+) reaches (\d+) hex(?:es)?, (\S+) only (\d+)\.": lambda m, a, o, one, x, two, y: (
        [printed(one), printed(two)] == [int(x), int(y)]
    ),
    r"The attack is (\d+) instead of (\d+)\.": lambda m, a, o, one, two: (
        [after(m, each).state.attack or after(m, each).state.damage for each in (a, o)] == [int(one), int(two)]
    ),
    r"The highest Momentum goes first: yours is (\d+) instead of (\d+)\.": lambda m, a, o, one, two: (
        [printed(words(m, each).split()[-1]) for each in (a, o)] == [int(one), int(two)]
    ),
    r"Seat (\d) has (\d) cards? in hand, Seat (\d) (\d)\.": lambda m, a, o, one, x, two, y: (
        [len(m.position()["hands"][int(each) - 1]) for each in (one, two)] == [int(x), int(y)]
    ),
    r"Keep (\S+): it's your only (\w+), and you need one to (\w+)\.": lambda m, a, o, card, name, use: only_card(
        m, card, name, use
    ),
}  # fmt: skip


@pytest.mark.parametrize("seats", [2])
def test_every_reason_is_true(seats: int) -> None:
    wrong, seen = false_claims("mace", CLAIMS, matches=30, seats=seats, longest=80)
    assert not wrong
    assert len(seen) >= 14


def reasons(position: dict[str, Any], play: str, action: str, other: str) -> list[str]:
    match = Match.from_position({"game": "mace", "fighters": ["0,0", "1,0"], **position})
    if play:
        match.play(play)
    view = match.view(match.seat or 0)
    assert GAME.reasons
    return [*map(str, GAME.reasons.reasons_for(view.setup, view.state, match.read(action), match.read(other)))]


HANDS = ["9S 2H 10C 4H KD", "JC 7D 7H QH 2S"]


@pytest.mark.parametrize(
    ("action", "other", "expected"),
    [("block 7D", "take", ("7♦ against 9", "2 Damage")), ("dodge QH", "take", ("Q♥ (12) against 9", "no Damage")),
     ("take", "dodge 7H", ("7♥", "too low"))],
)  # fmt: skip
def test_a_defence_says_how_much_damage_is_left(action: str, other: str, expected: tuple[str, ...]) -> None:
    assert says(reasons({"hands": HANDS}, "strike 9S; target 2", action, other)[0], *expected)


def test_the_only_card_of_a_suit_is_kept() -> None:
    found = reasons({"hands": HANDS, "momentum": ["8H", "5D"]}, "", "boost 10C", "boost KD")
    assert says(" ".join(found), "keep K♦", "only Diamond", "block")


def test_a_card_that_is_used_is_not_to_be_kept() -> None:
    found = reasons(
        {"hands": HANDS, "momentum": ["8H", "5D"], "fighters": ["0,0", "3,0"]}, "", "boost 10C", "charge 10C"
    )
    assert not says(" ".join(found), "keep 10♣")
