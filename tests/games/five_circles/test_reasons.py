"""Five Circles: every reason for an action is true, and the important ones are given."""

from functools import partial
from typing import Any

from games.reason_claims import false_claims, own, reasons_in
from sparring import Match
from sparring.games.five_circles import GAME
from sparring.games.five_circles.abilities import ABILITIES
from wording import says

DESIGNS = {design.name: design for design in GAME.content.cards}
EFFECTS = {ability.name: str(ability.effect) for ability in ABILITIES}
COLOURS = ("Red", "Blue", "Green")


def in_play(match: Match, colour: str) -> int:
    return sum(int(own(match, pile).get(colour, 0)) for pile in ("ready", "spent"))


def cost(name: str, colour: str) -> int:
    return int(DESIGNS[name].cost[COLOURS.index(colour)])


def lane_of(match: Match, name: str) -> int:
    """Return the outermost lane with a card of this name in the row of the seat to choose."""
    side = 64 * ((match.seat or 0) - 1)
    numbers = [
        lane for lane in range(1, 63) if (card := int(match.state.row[side + lane])) and named(match, card) == name
    ]
    return max(numbers, default=0)


def named(match: Match, card: int) -> str:
    return str(match.setup.content.cards[int(match.setup.params.card_design[card - 1])].name)


def enemy_in(match: Match, lane: int) -> str | None:
    card = int(match.state.row[64 * (2 - (match.seat or 0)) + lane])
    return named(match, card) if card else None


def count(match: Match, name: str) -> int:
    return sum(bool(card) and named(match, int(card)) == name for card in match.state.row)


def takes_lane(match: Match, action: int, name: str, lane: str, front: str | None) -> bool:
    """Return whether the character is played into this lane, with this enemy in front of it."""
    transition = match.preview(action)
    first = transition.marks[0].state if transition.marks else transition.after
    there = int(first.row[64 * ((match.seat or 0) - 1) + int(lane)])
    return bool(there) and named(match, there) == name and enemy_in(match, int(lane)) == front


CLAIMS: dict[str, Any] = {
    r"(.+) in your hand costs (\d) (\w+), and you have (\d+) in play(?:; none of them needs more (\w+))?\.":
        lambda m, a, o, name, needs, colour, owned, rest: (
            name in own(m, "hands") and cost(name, colour) == int(needs) > in_play(m, colour) == int(owned)
            and (rest is None or all(
                cost(each, rest) <= in_play(m, rest) for each in own(m, "hands") if each in DESIGNS
            ))
        ),
    r"(.+) takes lane (\d+), in front of (.+), which no one faces now\.": lambda m, a, o, name, lane, front: takes_lane(
        m, a, name, lane, front
    ),
    r"(.+) takes lane (\d+), with no enemy in front of it\.": lambda m, a, o, name, lane: takes_lane(
        m, a, name, lane, None
    ),
    r"(.+) attacks with (\d+), (.+) only with (\d+)\.": lambda m, a, o, one, x, two, y: (
        (DESIGNS[one].attack, DESIGNS[two].attack) == (int(x), int(y))
        and int(x) > int(y)
        and DESIGNS[one].health >= DESIGNS[two].health
    ),
    r"(.+) has (\d+) health, (.+) only (\d+)\.": lambda m, a, o, one, x, two, y: (
        (DESIGNS[one].health, DESIGNS[two].health) == (int(x), int(y))
        and int(x) > int(y)
        and DESIGNS[one].attack >= DESIGNS[two].attack
    ),
    r"(.+) costs (\d) resources?, (.+) (\d)\.": lambda m, a, o, one, x, two, y: (
        [sum(DESIGNS[one].cost), sum(DESIGNS[two].cost)] == [int(x), int(y)]
    ),
    r"Without a response, (.+) takes (\d+) damage and is destroyed\.": lambda m, a, o, name, much: (
        m.state.packet == int(much) and falls(m, name)
    ),
    r"([^:]+): (.+)": lambda m, a, o, name, effect: EFFECTS[name] == effect,
    r"(.+) is the stronger attacker: (\d+) attack, (.+) (\d+)\.": lambda m, a, o, one, x, two, y: int(x) > int(y),
    r"This damage alone doesn't destroy (.+)\.": lambda m, a, o, name: survives(m, name),
    r"You keep (\d+) resources? ready for your opponent's turn\.": lambda m, a, o, much: (
        sum(own(m, "ready").values()) == int(much)
    ),
}  # fmt: skip


def falls(match: Match, name: str) -> bool:
    """Return whether a character is destroyed once all damage of the exchange is taken."""
    before, later = count(match, name), match.clone()
    while later.phase == "answer":
        later.choose("take")
    return count(later, name) < before or later.over


def survives(match: Match, name: str) -> bool:
    """Return whether the damage aimed at a character is at most its health, with what Defenders next to it give."""
    card = int(match.state.hit) - 1
    at, row = int(match.state.at[card]), match.state.row
    near = [DESIGNS[named(match, int(row[place]))] for place in (at - 1, at + 1) if row[place]]
    guards = sum(ability == "Defender" for each in near for ability in each.abilities)
    return bool(match.state.damage[card] + match.state.packet <= DESIGNS[name].health + guards)


def test_every_reason_is_true() -> None:
    wrong, seen = false_claims("five-circles", CLAIMS, matches=10, options={"life": 14, "opening": "hold"}, longest=150)
    assert not wrong
    assert len(seen) >= 7


reasons = partial(reasons_in, "five-circles")


def test_a_character_is_played_for_its_lane() -> None:
    position: dict[str, Any] = {
        "phase": "main", "active": 1, "player": 1, "rows": [[], ["Market Bear"]], "ready": [{"Red": 4, "Blue": 4}, {}],
        "hands": [["Kite Archer"], []],
    }  # fmt: skip
    assert says(reasons(position, "bring Kite Archer", "done")[0], "lane 1", "in front of Market Bear")


def test_a_resource_is_played_for_a_character_in_hand() -> None:
    position: dict[str, Any] = {
        "phase": "resources", "active": 1, "player": 1, "ready": [{}, {}],
        "hands": [["Kite Archer", "Red", "Green"], []],
    }  # fmt: skip
    assert says(
        reasons(position, "resource Red", "resource Green")[0], "Kite Archer", "Red", "none of them needs more Green"
    )


def test_a_weaker_character_is_not_suggested_for_its_weakness() -> None:
    hand = [["Tin-Opener Ogre", "Smoke Dancer"], []]
    position: dict[str, Any] = {
        "phase": "main", "active": 1, "player": 1, "ready": [{"Red": 9, "Blue": 9, "Green": 9}, {}], "hands": hand,
    }  # fmt: skip
    strong, weak = sorted(hand[0], key=lambda name: (DESIGNS[name].attack, DESIGNS[name].health), reverse=True)
    assert says(reasons(position, f"play {strong}", f"play {weak}")[0], strong, weak, "only")
    assert not any("only" in reason for reason in reasons(position, f"play {weak}", f"play {strong}"))
