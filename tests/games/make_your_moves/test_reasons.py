"""Make Your Moves: every reason for an action is true, and the important ones are given."""

from functools import partial
from typing import Any

import pytest

from games.reason_claims import after, false_claims, own, reasons_in
from sparring import Match
from sparring.games.make_your_moves import GAME
from wording import says

CARDS = {card.name: card for card in GAME.content.cards}


def total(names: list[str]) -> int:
    return sum(CARDS[name].power for name in names)


def best_total(match: Match) -> int:
    """Return the highest defence that the seat can reach, by trying everything."""
    best = total(match.position()["defence"])
    for action in match.legal():
        words = match.game.scene.words(match.setup, match.state, action)
        if words in CARDS:
            later = after(match, action)
            best = max(best, best_total(later) if later.phase == "respond" else total(later.position()["defence"]))
    return best


def outcome(match: Match, action: int, expected: str) -> bool:
    """Play a card and end the defence; return whether control and points change as expected. Only for two seats."""
    seat, points = match.seat or 0, own(match, "points")
    later = after(match, action)
    if later.phase == "respond" and later.seat == seat:
        later.choose("done")
    control = later.position()["control"] == seat
    scored = later.position()["points"][seat - 1] - points
    return {"block": (False, 0), "take control": (True, 0), "take control and score": (True, 1)}[expected] == (
        control, scored
    )  # fmt: skip


def countered(match: Match, action: int) -> bool:
    """Play a Counter; return whether the seat has control then and nobody scored."""
    seat, points, later = match.seat or 0, match.position()["points"], after(match, action)
    while later.phase == "four":
        later.choose(later.legal()[0])
    return bool(later.position()["control"] == seat and later.position()["points"] == points)


def held(match: Match, colour: str) -> int:
    return sum(CARDS[name].colour == colour for name in own(match, "hands"))


def words(match: Match, action: int) -> str:
    return str(match.game.scene.words(match.setup, match.state, action))


def plays(match: Match, action: int, colour: str) -> bool:
    """Return whether an action plays a card of a colour."""
    card = CARDS.get(words(match, action))
    return card is not None and card.colour == colour


CLAIMS: dict[str, Any] = {
    r"Keep (.+): your four (\w+) cards can counter an attack\.": lambda m, a, o, name, colour: (
        held(m, colour) == 4 and CARDS[name].colour == colour and not plays(m, a, colour)
    ),
    r"Keep (.+): a Wild fits any defence\.": lambda m, a, o, name: (
        CARDS[name].colour == "Wild" and not plays(m, a, "Wild")
    ),
    r"Keep (.+): you have no other (\w+) card to defend with\.": lambda m, a, o, name, colour: (
        held(m, colour) == 1 and CARDS[name].colour == colour
    ),
    r"Keep (.+): no card has more power\.":
        lambda m, a, o, name: CARDS[name].power == max(c.power for c in CARDS.values()),
    r"(.+) raises your attack from (\d+) to (\d+)\.": lambda m, a, o, name, one, two: (
        total(m.position()["attack"]) == int(one) and int(two) == int(one) + CARDS[name].power
    ),
    r"(.+) adds (\d), (.+) only (\d)\.":
        lambda m, a, o, one, x, two, y: (CARDS[one].power, CARDS[two].power) == (int(x), int(y)) and x > y,
    r"Keep (.+), your stronger card, for later\.": lambda m, a, o, name: (
        CARDS[name].power > CARDS[words(m, a)].power
    ),
    r"(.+) has a power of only 1; the card you draw for it may be stronger\.":
        lambda m, a, o, name: CARDS[name].power == 1,
    r"With .+ you have \d+ against \d+: enough to (.+?)( if no one helps)?\.": lambda m, a, o, what, helped: (
        outcome(m, a, what) if m.seats == 2 else helped is not None or m.position()["out"]
    ),
    r".+ makes it (\d+) against (\d+), and your cards can bring it to (\d+)\.": lambda m, a, o, now, attack, best: (
        total(after(m, a).position()["defence"]) == int(now) and best_total(after(m, a)) == int(best) >= int(attack)
    ),
    r"Your cards(?: alone)? can't stop an "
    r"attack of (\d+): they come to (\d+) at most\.": lambda m, a, o, attack, best: (
        best_total(m) == int(best) < int(attack)
    ),
    r"You have (\d+) against (\d+): nothing more to gain\.": lambda m, a, o, own_total, attack: outcome(
        m, a, "take control and score"
    ),
    r"A Counter stops the attack and gives you control\.": lambda m, a, o: countered(m, a),
    r"A Dodge sends the attack to another player\.": lambda m, a, o: m.seats > 2,
    r"Seat (\d) has (\d) cards? to defend with, Seat (\d) has (\d)\.": lambda m, a, o, one, x, two, y: (
        [len(m.position()["hands"][int(seat) - 1]) for seat in (one, two)] == [int(x), int(y)]
    ),
}  # fmt: skip


@pytest.mark.parametrize("seats", [2, 4])
def test_every_reason_is_true(seats: int) -> None:
    wrong, seen = false_claims("make-your-moves", CLAIMS, matches=12, seats=seats)
    assert not wrong
    assert len(seen) >= 10


reasons = partial(reasons_in, "make-your-moves")


def test_ending_the_attack_keeps_the_only_card_of_a_colour() -> None:
    position: dict[str, Any] = {"phase": "attack", "attack": "Piledriver", "hands": ["Skull, Red1", "Green1"]}
    (reason,) = reasons(position, "done", "Skull")
    assert says(reason, "keep Skull", "no other Blue", "defend")


def test_a_card_that_takes_control_says_so() -> None:
    position: dict[str, Any] = {
        "phase": "respond",
        "player": 2,
        "attack": "Jab",
        "hands": ["Green1", "Red2 Wild1 Green1"],
    }
    assert says(reasons(position, "Red2", "done")[0], "against 1", "take control")


def test_a_hopeless_defence_says_what_it_comes_to() -> None:
    position: dict[str, Any] = {
        "phase": "respond",
        "player": 2,
        "attack": "Red3 Green3",
        "hands": ["Red1", "Red1 Wild2"],
    }
    assert says(reasons(position, "done", "Wild2")[0], "can't stop", 6, 3)


def test_a_card_of_the_same_colour_gives_no_reason_to_keep_its_set() -> None:
    """Playing one of four Blue cards breaks the set as much as playing another."""
    hands = ["Blue1 Blue1 Blue2 Blue3", "Green1"]
    position: dict[str, Any] = {"phase": "attack", "attack": "Piledriver", "hands": hands}
    assert not any("four Blue" in reason for reason in reasons(position, "Blue1", "Blue3"))
    assert says(reasons(position, "done", "Blue3")[0], "four Blue", "counter")
