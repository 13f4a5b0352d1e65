"""Card Duel: every reason for an action is true, and the important ones are given."""

import re
from functools import partial
from typing import Any

import pytest

from games.reason_claims import after, false_claims, reasons_in
from sparring import Match
from sparring.games.card_duel import GAME
from wording import says

CARDS = {card.name: card for card in GAME.content.cards}


def row(match: Match, seat: int) -> list[str]:
    """Return the names of a seat's characters in play."""
    return [re.sub(r"^\d+ | \(.*", "", each) for each in match.position()["rows"][seat - 1]]


def enemy(match: Match) -> int:
    return 3 - (match.seat or 0)


def struck(match: Match, action: int) -> list[Match]:
    """Return the matches after an attack, one for each target, or after the choice of a target."""
    later = after(match, action)
    if later.phase != "target" or match.phase == "target":
        return [later]
    return [after(later, each) for each in later.legal()]


def loses(before: Match, later: Match, seat: int, name: str) -> bool:
    return row(later, seat).count(name) < row(before, seat).count(name)


def defeats(match: Match, action: int, mine: str, foe: str, *, survives: bool) -> bool:
    me, you = match.seat or 0, enemy(match)
    return any(
        loses(match, each, you, foe) and loses(match, each, me, mine) is not survives for each in struck(match, action)
    )


def hits(match: Match, action: int, blow: str, life: str) -> bool:
    you = enemy(match) - 1
    taken = max(0, int(life) - int(blow))
    return match.position()["life"][you] == int(life) and any(
        each.position()["life"][you] == taken for each in struck(match, action)
    )


def attacks(match: Match, name: str) -> set[int]:
    """Return the attack of each enemy of this name, from the notes about it."""
    notes = [each for each in match.position()["rows"][enemy(match) - 1] if name in each]
    return {CARDS[name].attack + int((re.findall(r"attack ([+-]\d+)", each) or [0])[0]) for each in notes}


CLAIMS: dict[str, Any] = {
    r"(.+) costs (\d+) of your (\d+) energy, and energy you don't use is lost\.": lambda m, a, o, name, cost, energy: (
        CARDS[name].cost == int(cost) <= int(energy) == m.position()["energy"][(m.seat or 0) - 1]
    ),
    r"(.+) can defeat (.+) and survive\.": lambda m, a, o, mine, foe: defeats(m, a, mine, foe, survives=True),
    r"(.+) defeats (.+) and survives\.": lambda m, a, o, mine, foe: defeats(m, a, mine, foe, survives=True),
    r"(.+) and (.+) defeat each other\.": lambda m, a, o, mine, foe: defeats(m, a, mine, foe, survives=False),
    r"(.+) (?:can hit|hits) your opponent for (\d+) of (\d+) life\.": lambda m, a, o, mine, blow, life: hits(
        m, a, blow, life
    ),
    r"Any enemy that (.+) can attack would survive the strike and defeat .+\.": lambda m, a, o, mine: all(
        loses(m, each, m.seat or 0, mine) and row(each, enemy(m)) == row(m, enemy(m)) for each in struck(m, o)
    ),
    r"(.+) deals (\d+) damage, and (.+) has (\d+) health\.": lambda m, a, o, name, damage, foe, health: (
        int(damage) >= int(health) and loses(m, after(m, a), enemy(m), foe)
    ),
    r"In slot (\d), (.+) faces (?:no enemy; in slot (\d) it would face )?(.+)\.": (
        lambda m, a, o, mine, name, theirs, foe: f"{theirs or mine} {foe}" in [
            each.partition(" (")[0] for each in m.position()["rows"][enemy(m) - 1]
        ]
    ),
    r"(.+) is Fast: it can attack this turn\.": lambda m, a, o, name: "Fast" in CARDS[name].traits,
    r"(.+) has Guard: attackers must attack it first\.": lambda m, a, o, name: "Guard" in CARDS[name].traits,
    r"(.+) has (\d+) (attack|health), (.+) only (\d+)\.": lambda m, a, o, one, x, stat, two, y: (
        int(x) > int(y)
        and (
            (getattr(CARDS[one], stat), getattr(CARDS[two], stat)) == (int(x), int(y))
            if m.phase == "main"
            else int(x) in attacks(m, one) and int(y) in attacks(m, two)
        )
    ),
    r"([^:,]+)(?:, ([a-z ]+))?: (.+)\.": lambda m, a, o, name, when, effect: any(
        each.words == f"{(when or 'played').capitalize()}: {effect}" for each in CARDS[name].effects
    ),
}  # fmt: skip


@pytest.mark.parametrize("combat", ["choose", "lanes"])
def test_every_reason_is_true(combat: str) -> None:
    wrong, seen = false_claims("card-duel", CLAIMS, matches=12, options={"combat": combat, "life": 30}, longest=200)
    assert not wrong
    assert len(seen) >= 8


reasons = partial(reasons_in, "card-duel")


def test_an_attacker_is_suggested_for_what_it_defeats() -> None:
    position: dict[str, Any] = {
        "phase": "target", "turn": 5, "attacker": 1, "life": [8, 8],
        "rows": ["Bramble Bear", "Ember Moth; Iron Giant (shields 1)"], "hands": [[], []],
    }  # fmt: skip
    assert says(reasons(position, "enemy 1", "enemy 2")[0], "Bramble Bear", "defeats", "Ember Moth", "survives")
    assert says(reasons(position, "opponent", "enemy 2")[0], "Bramble Bear", "3 of 8 life")
    assert says(reasons(position, "enemy 2", "enemy 1")[0], "Iron Giant", 6, "Ember Moth", 2)


def test_a_hopeless_attack_is_a_reason_to_end_the_turn() -> None:
    position: dict[str, Any] = {
        "turn": 5, "rows": ["Tin Scout", "Gate Warden"], "hands": [[], []],
    }  # fmt: skip
    assert says(reasons(position, "done", "slot 1")[0], "Tin Scout", "would survive")
    assert not reasons({**position, "rows": ["Tin Scout", "Pebble Imp"]}, "done", "slot 1")


def test_an_attacker_with_an_effect_before_its_strike_promises_nothing() -> None:
    position: dict[str, Any] = {"turn": 5, "rows": ["Siege Ram", "Ember Moth"], "hands": [[], []]}
    assert not reasons(position, "slot 1", "done")


def test_a_card_is_played_for_its_energy_and_its_effect() -> None:
    position: dict[str, Any] = {
        "turn": 7,
        "energy": [4, 0],
        "rows": ["", ""],
        "hands": ["Map Reader, Bramble Bear", []],
    }
    told = reasons(position, "play Map Reader", "done")
    assert says(told[0], "Map Reader", "2 of your 4 energy", "lost")
    assert says(told[1], "Map Reader", "draw a card")
    assert says(reasons(position, "play Bramble Bear", "play Map Reader")[0], "Bramble Bear", 3, "Map Reader", "only 1")
