"""World of Fighters: reasons to prefer one action to another."""

from collections.abc import Iterator

from sparring.engine.game import Box
from sparring.engine.squares import on_edge, square_name

from . import state as R
from .moves import (
    card_of, first_mover, has_super, kind_name, may_claim, ordinary_score, range_now, squares_by, super_score,
)  # fmt: skip

ATTACKS = (R.PUNCH, R.KICK, R.GRAPPLE)


def reasons_for(box: Box, s: R.State, action: int, other: int) -> list[str]:
    """Return reasons to prefer `action` to `other`, the most important first."""
    block, number = R.ACTIONS.name_of(action)
    rival = R.ACTIONS.name_of(other)[1]
    found: Iterator[str] = iter(())
    match block:
        case "movement":
            found = _movement(box, s, number + 1, rival + 1)
        case "card" | "call":
            found = _action_card(box, s, action, other)
        case "square" if first_mover(s) == s.player:
            found = _first_move(box, s, number, rival)
        case "square":
            found = _last_move(box, s, number, rival)
        case "counter" | "skip":
            found = _counter(box, s, action, other)
        case "claim":
            found = _claim(box, s)
    return list(found)


def _movement(box: Box, s: R.State, here: int, there: int) -> Iterator[str]:
    one, two = (len(squares_by(box, s, int(s.player), steps)) for steps in (here, there))
    if one > two:
        rest = f"only {two}" if two else "none"
        yield f"From here, Move {here} can reach {_squares(one)}, Move {there} {rest}."


def _action_card(box: Box, s: R.State, action: int, other: int) -> Iterator[str]:
    called, calling = (R.TO_CALL <= choice < R.TO_SQUARE for choice in (action, other))
    kind, rival = (choice - (R.TO_CALL if call else R.TO_PLAY) + 1
                   for choice, call in ((action, called), (other, calling)))  # fmt: skip
    if called and kind in ATTACKS:
        at = int(box.kit.super_range[s.fighter[s.player]])
        plain = _score_at(box, s, kind, at)
        yield (
            f"At range {at} the called {kind_name(kind)} scores {int(super_score(box.kit, s, s.player))} "
            f"instead of {plain}."
        )
    elif calling and kind == rival:
        yield f"A call tells your opponent that you play a {kind_name(kind)}."
    elif kind == R.BLOCK and not has_super(s, 1 - s.player):
        stat = int(box.kit.stat[s.fighter[s.player], R.BLOCK])
        yield f"A Block takes {stat} off an attack, and then you may counter."
    elif kind in ATTACKS and rival in ATTACKS and not calling:
        best, most = (max(_score_at(box, s, each, at) for at in (1, 2, 3)) for each in (kind, rival))
        if best > most:
            yield f"Your {kind_name(kind)} scores up to {best}, your {kind_name(rival)} up to {most}."


def _first_move(box: Box, s: R.State, here: int, there: int) -> Iterator[str]:
    """Compare two squares by what the opponent can still do: its Movement card is open."""
    me, enemy = int(s.player), int(1 - s.player)
    moves = [squares_by(box, _moved(s, square), enemy, int(s.movement[enemy])) for square in (here, there)]
    if not moves[0]:
        yield "Then your opponent can't move, and a fighter who can't move loses."
        return
    kind = int(s.action[me])
    if kind in ATTACKS and moves[1]:
        ways = [
            sum(ordinary_score(box.kit, _moved(s, square, reply), me, kind) > 0 for reply in replies)
            for square, replies in zip((here, there), moves, strict=True)
        ]
        if ways[0] * len(moves[1]) > ways[1] * len(moves[0]):
            yield (
                f"Your {kind_name(kind)} is in range after {ways[0]} of the {_moves(len(moves[0]))} that your opponent "
                f"then has; from {square_name(there)}, after {ways[1]} of {len(moves[1])}."
            )
    yield from _off_the_edge(box, s, here, there)


def _last_move(box: Box, s: R.State, here: int, there: int) -> Iterator[str]:
    """Compare two squares by the range, which is final."""
    me, kind = int(s.player), int(s.action[s.player])
    after, instead = _moved(s, here), _moved(s, there)
    near, far = int(range_now(after)), int(range_now(instead))
    at = int(box.kit.super_range[s.fighter[me]])
    if s.called[me] and near == at != far:
        yield f"At range {near} you perform {card_of(box, s, me).super}."
    elif kind in ATTACKS:
        score, rival = (int(ordinary_score(box.kit, state, me, kind)) for state in (after, instead))
        if score > rival:
            yield f"At range {near} your {kind_name(kind)} scores {score}; at range {far} {_would(rival)}."
    if near > 3 >= far:
        yield f"At range {near} no attack reaches."
    yield from _off_the_edge(box, s, here, there)


def _off_the_edge(box: Box, s: R.State, here: int, there: int) -> Iterator[str]:
    """Say that a square is off the edge if the opponent could throw the fighter out."""
    edge, rival = (on_edge(square, box.kit.columns, box.kit.rows) for square in (here, there))
    enemy = int(1 - s.player)
    threatens = s.called[enemy] or (box.kit.super_call == R.REVEAL and has_super(s, enemy))
    if threatens and rival and not edge:
        yield f"On the edge, at {square_name(there)}, a super would throw you out; {square_name(here)} is off the edge."


def _counter(box: Box, s: R.State, action: int, other: int) -> Iterator[str]:
    at = int(range_now(s))
    scores = [
        int(ordinary_score(box.kit, s, s.player, choice - R.TO_COUNTER + 1)) if choice < R.SKIP else 0
        for choice in (action, other)
    ]
    if action == R.SKIP and not scores[1]:
        yield f"At range {at} that card is out of range: you would waste it."
    elif scores[0] > scores[1]:
        kind = kind_name(action - R.TO_COUNTER + 1)
        rest = "" if other == R.SKIP else f", a {kind_name(other - R.TO_COUNTER + 1)} {scores[1]}"
        yield f"At range {at} a {kind} scores {scores[0]}{rest}."


def _claim(box: Box, s: R.State) -> Iterator[str]:
    if may_claim(box.kit, s, s.player) and s.action[s.player] in ATTACKS:
        plain = int(ordinary_score(box.kit, s, s.player, s.action[s.player]))
        yield f"The super scores {int(super_score(box.kit, s, s.player))} instead of {plain}."


def _moved(s: R.State, square: int, reply: int | None = None) -> R.State:
    """Return the state with the player's fighter on a square, and the opponent's on another."""
    moved = s.copy()
    moved.square[s.player] = square
    if reply is not None:
        moved.square[1 - s.player] = reply
    return moved


def _score_at(box: Box, s: R.State, kind: int, at: int) -> int:
    """Return the ordinary score of the player's fighter at a range from 1 to 3."""
    trial = s.copy()
    trial.square[:] = 0, at
    return int(ordinary_score(box.kit, trial, s.player, kind))


def _squares(count: int) -> str:
    return "1 square" if count == 1 else f"{count} squares"


def _moves(count: int) -> str:
    return "1 move" if count == 1 else f"{count} moves"


def _would(score: int) -> str:
    return f"it would score {score}" if score else "it would be out of range"
