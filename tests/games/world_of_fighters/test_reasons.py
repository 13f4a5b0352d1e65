"""World of Fighters: every reason for an action is true, and the important ones are given."""

from functools import partial
from typing import Any

import pytest

from games.reason_claims import after, false_claims, own, reasons_in
from sparring import Match
from sparring.games.world_of_fighters import GAME
from wording import says

FIGHTERS = {fighter.name: fighter for fighter in GAME.content.fighters}
#: The table of the rules: the base at range 1, 2 and 3.
BASES = {"close Punch": (1, 2, 0), "long Punch": (0, 2, 1), "Kick": (0, 1, 2), "Grapple": (2, 1, 0)}


def fighter(match: Match) -> Any:
    return FIGHTERS[own(match, "fighters")]


def score(match: Match, kind: str, at: int) -> int:
    """Return what an attack of the seat to choose scores at a range."""
    mine = fighter(match)
    base = BASES[f"{mine.reach} Punch" if kind == "Punch" else kind][at - 1] if at <= 3 else 0
    return base + getattr(mine, kind.lower()) if base else 0


def best(match: Match, kind: str) -> int:
    return max(score(match, kind, at) for at in (1, 2, 3))


def distance(one: str, other: str) -> int:
    return max(abs(ord(one[0]) - ord(other[0])), abs(int(one[1]) - int(other[1])))


def range_after(match: Match, action: int) -> int:
    """Return the range right after a move."""
    to = match.game.scene.words(match.setup, match.state, action).removeprefix("to ")
    return distance(to, match.position()["squares"][2 - (match.seat or 0)])


def hits(match: Match, action: int, kind: str) -> tuple[int, int]:
    """Return after how many of the opponent's moves an attack scores, and how many there are."""
    later = after(match, action)
    mine = later.position()["squares"][(match.seat or 0) - 1]
    replies = [later.game.scene.words(later.setup, later.state, each)[3:] for each in later.legal()]
    return sum(score(match, kind, distance(mine, reply)) > 0 for reply in replies), len(replies)


def squares(match: Match, steps: int) -> int:
    """Return how many squares the seat could move to now with a Movement card."""
    me = (match.seat or 0) - 1
    here, enemy = match.position()["squares"][me], match.position()["squares"][1 - me]
    found = 0
    for right in (-1, 0, 1):
        for up in (-1, 0, 1):
            path = [(ord(here[0]) - 97 + right * n, int(here[1]) + up * n) for n in range(1, steps + 1)]
            free = all(0 <= x < 7 and 1 <= y <= 5 and f"{chr(97 + x)}{y}" != enemy for x, y in path)
            found += bool(right or up) and free
    return found


def is_on_edge(square: str) -> bool:
    return square[0] in "ag" or square[1] in "15"


def wins(match: Match, action: int) -> bool:
    return after(match, action).winners == (match.seat,)


CLAIMS: dict[str, Any] = {
    r"From here, Move (\d) can reach (\d+) squares?, Move (\d) (?:only )?(\w+)\.": lambda m, a, o, one, x, two, y: (
        [squares(m, int(one)), squares(m, int(two))] == [int(x), int(y.replace("none", "0"))]
    ),
    r"At range (\d) the called (\w+) scores (\d+) instead of (\d+)\.": lambda m, a, o, at, kind, much, plain: (
        (fighter(m).requirement[0], fighter(m).requirement[-1]) == (kind[0], at) and int(much) == 6
        and score(m, kind, int(at)) == int(plain)
    ),
    r"A call tells your opponent that you play a (\w+)\.": lambda m, a, o, kind: (
        m.game.scene.words(m.setup, m.state, a) == kind.lower()
    ),
    r"A Block takes (\d+) off an attack, and then you may counter\.":
        lambda m, a, o, much: fighter(m).block == int(much),
    r"Your (\w+) scores up to (\d+), your (\w+) up to (\d+)\.": lambda m, a, o, one, x, two, y: (
        [best(m, one), best(m, two)] == [int(x), int(y)]
    ),
    r"Then your opponent can't move, and a fighter who can't move loses\.": lambda m, a, o: wins(m, a),
    r"Your (\w+) is in range after (\d+) of the (\d+) moves?"
    r" that your opponent then has; from \w\d, after (\d+) of (\d+)\.":
        lambda m, a, o, kind, x, of, y, them: (
            [*hits(m, a, kind), *hits(m, o, kind)] == [int(x), int(of), int(y), int(them)]
            and kind == own(m, "action")
        ),
    r"At range (\d) you perform (.+)\.": lambda m, a, o, at, name: (
        range_after(m, a) == int(at) and fighter(m).super == name and own(m, "called")
    ),
    r"At range (\d) your (\w+) scores (\d+); at range (\d) it would (?:score (\d+)|be out of range)\.":
        lambda m, a, o, at, kind, x, far, y: (
            [range_after(m, a), range_after(m, o)] == [int(at), int(far)] and kind == own(m, "action")
            and [score(m, kind, int(at)), score(m, kind, int(far))] == [int(x), int(y or 0)]
        ),
    r"At range (\d) no attack reaches\.": lambda m, a, o, at: range_after(m, a) == int(at) > 3,
    r"On the edge, at (\w\d), a super would throw you out; (\w\d) is off the edge\.": lambda m, a, o, there, here: (
        is_on_edge(there) and not is_on_edge(here)
    ),
    r"At range (\d) that card is out of range: you would waste it\.": lambda m, a, o, at: (
        distance(*m.position()["squares"]) == int(at)
        and score(m, m.game.scene.words(m.setup, m.state, o).split()[-1].title(), int(at)) == 0
    ),
    r"At range (\d) a (\w+) scores (\d+)(?:, a (\w+) (\d+))?\.": lambda m, a, o, at, one, x, two, y: (
        distance(*m.position()["squares"]) == int(at) and score(m, one, int(at)) == int(x)
        and (two is None or score(m, two, int(at)) == int(y))
    ),
}  # fmt: skip


def test_every_reason_is_true() -> None:
    wrong, seen = false_claims("world-of-fighters", CLAIMS, matches=25, longest=200)
    assert not wrong
    assert len(seen) >= 10


reasons = partial(reasons_in, "world-of-fighters")


@pytest.mark.parametrize(
    ("action", "other", "expected"),
    [("kick", "punch", ("Kick", "Punch", "up to")), ("block", "punch", ("Block", "off an attack", "counter"))],
)
def test_action_cards_are_compared_by_what_they_do(action: str, other: str, expected: tuple[str, ...]) -> None:
    position: dict[str, Any] = {
        "phase": "action_card", "fighters": ["Beatriz Lima", "Duke Rafferty"], "movement": [1, 0],
        "hands": ["Kick Punch Block", "Kick Punch Block"],
    }  # fmt: skip
    assert says(reasons(position, action, other)[0], *expected)
