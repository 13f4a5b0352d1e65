"""Untitled Movement Game: every reason for an action is true, and the important ones are given."""

from collections import deque
from typing import Any

from games.reason_claims import after, false_claims, own
from sparring import Match
from sparring.engine.squares import column_of, row_of, square_name
from sparring.games.untitled_movement import GAME
from sparring.games.untitled_movement.params import KIND_NAMES, KINDS
from wording import says

CODES = dict(zip(KIND_NAMES, KINDS, strict=True))


def tokens(match: Match, seat: int) -> list[int]:
    return [int(square) for square in match.state.token[seat - 1] if square >= 0]


def goals(match: Match, seat: int) -> set[int]:
    return set(match.setup.params.start[match.state.side[seat - 1] ^ 2].tolist())


def home(match: Match, seat: int) -> int:
    return len(goals(match, seat) & set(tokens(match, seat)))


def steps_to_goal(match: Match, seat: int, start: int) -> int:
    """Return the fewest steps from a space to a goal, in any direction, over open spaces."""
    spaces = {(column_of(square), row_of(square)): square for square in range(len(match.setup.params.open))
              if match.setup.params.open[square]}  # fmt: skip
    ends = {(column_of(square), row_of(square)) for square in goals(match, seat)}
    queue, seen = deque([((column_of(start), row_of(start)), 0)]), {(column_of(start), row_of(start))}
    while queue:
        (x, y), steps = queue.popleft()
        if (x, y) in ends:
            return steps
        near = {(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)} & spaces.keys() - seen
        seen |= near
        queue.extend((place, steps + 1) for place in near)
    raise AssertionError


def moves(match: Match, action: int) -> list[Match]:
    """Return the match after each move that begins with an action: with every token and every space."""
    seat, later = match.seat, after(match, action)
    if (
        later.phase in ("token", "space")
        and later.seat == seat
        and tokens(later, seat or 0) == tokens(match, seat or 0)
    ):
        return [end for each in later.legal() for end in moves(later, each)]
    return [later]


def closer(match: Match, action: int) -> int:
    """Return how many steps a token can get closer with an action at most."""
    seat = match.seat or 0

    def left(one: Match) -> int:
        return sum(steps_to_goal(one, seat, square) for square in tokens(one, seat))

    return max(left(match) - left(end) for end in moves(match, action))


def reaches_goal(match: Match, action: int) -> bool:
    return any(home(end, match.seat or 0) > home(match, match.seat or 0) for end in moves(match, action))


def card(match: Match, name: str) -> int:
    return match.read(CODES[name])


def square(match: Match, name: str) -> int:
    return next(each for each in range(len(match.setup.params.open)) if square_name(each) == name)


def movable(match: Match) -> bool:
    """Return whether any card of the seat could move a token, with three moves."""
    trial = match.clone()
    trial.state.phase, trial.state.moves = match.game.rules.PHASES.index("card"), 3
    trial = Match.from_position(trial.position())
    return len(trial.legal()) > 1


def as_number(words: str) -> int:
    return 0 if words == "none" else int(words.removesuffix(" at most"))


def check_card(m: Match, a: int, o: int, name: str, best: str, rival: str | None, much: str | None) -> bool:
    others = rival is None or max(0, closer(m, card(m, rival))) == as_number(much or "none")
    return closer(m, card(m, name)) == int(best) and others


CLAIMS: dict[str, Any] = {
    r"That brings a token home\.": lambda m, a, o: reaches_goal(m, a),
    r"From (\w+) it is (\d+) steps? to your nearest goal, from (\w+) (\d+)\.": lambda m, a, o, one, x, two, y: (
        [steps_to_goal(m, m.seat, square(m, one)), steps_to_goal(m, m.seat, square(m, two))] == [int(x), int(y)]
    ),
    r"A shorter move leaves you (\d) moves? for another card\.": lambda m, a, o, left: (
        after(m, a).over or after(m, a).state.moves == int(left) or after(m, a).seat != m.seat
        or after(m, a).phase != "card"
    ),
    r"The token on (\w+) can reach a goal with this card\.": lambda m, a, o, one: reaches_goal(m, a),
    r"The token on (\w+) gets up to (\d) steps? closer to a goal, the one on (\w+) (none|\d at most)\.":
        lambda m, a, o, one, x, two, y: closer(m, a) == int(x) and max(0, closer(m, o)) == as_number(y),
    r"None of the cards that you can play brings a token closer to a goal\.": lambda m, a, o: all(
        closer(m, each) <= 0 for each in m.legal() if each != a
    ),
    r"A move ([\w-]+) can bring a token home now\.": lambda m, a, o, name: reaches_goal(m, card(m, name)),
    r"A move ([\w-]+) gets a token up to (\d) steps? "
    r"closer to a goal(?:, a move ([\w-]+) (none|\d at most))?\.": check_card,
    r"You have another ([\w-]+) card\.": lambda m, a, o, name: own(m, "hands").count(CODES[name]) > 1,
    r"Keep ([\w-]+): it leads towards your goals, ([\w-]+) doesn't\.": lambda m, a, o, one, two: (
        "F" in CODES[one] and "F" not in CODES[two]
    ),
    r"None of your cards can move a token, whatever you roll\.": lambda m, a, o: not movable(m),
    r"You can bring a token home with any roll\.": lambda m, a, o: movable(m),
    r"Only a roll of 3 lets you place a new token\.": lambda m, a, o: m.state.face % 3 == 0,
}  # fmt: skip


def test_every_reason_is_true() -> None:
    wrong, seen = false_claims("untitled-movement", CLAIMS, matches=3, options={"home": 1}, longest=250)
    assert not wrong
    assert len(seen) >= 9


def test_a_move_home_is_the_first_reason() -> None:
    match = Match.from_position({
        "game": "untitled-movement", "options": {"home": 2}, "phase": "card", "player": 1, "face": 1, "moves": 1,
        "tokens": [["5,10", "4,10", "4,11", "0,6"], ["9,2", "11,4", "7,0", "5,9"]], "hands": ["B R FR", "F FR FL"],
    })  # fmt: skip
    view = match.view(1)
    found = GAME.reasons.reasons_for(view.setup, view.state, match.read("FR"), match.read("R"))  # type: ignore[union-attr]
    assert says(found[0], "forward-right", "home now")
