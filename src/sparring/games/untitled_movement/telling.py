"""Untitled Movement Game in sentences: what just happened, and why something cannot be chosen."""

from collections import Counter
from typing import Any

from sparring.engine.cards import in_order
from sparring.engine.game import Box
from sparring.engine.squares import OFF, STRIDES, column_of, is_in, row_of
from sparring.scene.sentences import Aside, Result, Voice, listed

from . import state as R
from .kit import KIND_NAMES, KINDS
from .moves import goal_side, has_free_start, landings, on_goal, standing_at, token_off, way
from .rules import opposite, steps_to
from .state import TOKENS


def space_name(square: Any) -> str:
    """A space as row and column: `4,3`."""
    return f"{row_of(square)},{column_of(square)}"


def value(face: int) -> int:
    """What a face counts."""
    return face - 3 if face > 3 else face


def shown(face: int) -> str:
    """A throw in words: `5 (counts 2)`."""
    return f"{face} (counts {value(face)})" if face > 3 else str(face)


def moves(count: int) -> str:
    """`1 move`, `2 moves`."""
    return f"{count} move{'' if count == 1 else 's'}"


def home(box: Box, s: Any, seat: int) -> int:
    """How many tokens of a seat stand on its goals."""
    return int(standing_at(box.kit, s, seat, goal_side(s, seat)))


# What just happened


def tell(box: Box, before: Any, action: int | None, after: Any, seat: int, beat: str = "") -> list[str]:
    """What happened, in sentences for `seat`: the choice, the throws, a new deck, the cards drawn, the end."""
    voice = Voice(seat)
    lines = [] if action is None else _choice(box, before, action, after, voice)
    if beat == "thrown":
        lines.append(_throws(after, voice))
    elif before.phase == R.START and after.phase == R.TURN:
        lines.append(f"{voice.does(int(after.first), 'begin', 'begins')}.")
    elif beat == "reshuffled":
        lines.append(Aside("The discards are shuffled into a new deck."))
    lines += _drawn(before, after, voice)
    if after.over:
        lines.append(Result(ending(after, seat)))
    return lines


def _choice(box: Box, before: Any, action: int, after: Any, voice: Voice) -> list[str]:
    """The choice in a sentence; none for those that only lead to one."""
    who = int(before.player)
    block, number = R.ACTIONS.name_of(action)
    if before.phase == R.START:
        other = voice.whom(int(opposite(before, who)))
        owner = "your" if other == "you" else f"{other}'s"
        return [f"{voice.does(who, 'put', 'puts')} {owner} first token on {space_name(number)}."]
    if block == "roll":
        return [f"{voice.does(who, 'roll', 'rolls')} {shown(int(after.face))}."]
    if block == "discard_hand":
        hand = [KINDS[kind] for kind in in_order(before.hand[who])]
        return [Aside(f"{voice.does(who, 'discard', 'discards')} the whole hand:", *hand)]
    if before.phase == R.PLACE:
        return [f"{voice.does(who, 'place', 'places')} a new token on {space_name(number)}."]
    if before.phase == R.DISCARD:
        return [Aside(voice.does(who, "discard", "discards"), KINDS[number])]
    if before.phase == R.SPACE:
        return [_moved(box, before, number, after, voice)]
    if block == "no_move":
        return [f"{voice.does(who, 'move', 'moves')} nothing."]
    if block == "done":
        return [f"{voice.does(who, 'leave', 'leaves')} {moves(int(before.moves))} unused."]
    return []


def _moved(box: Box, before: Any, square: int, after: Any, voice: Voice) -> str:
    """A token's way, whom it hopped over, and whether it is home."""
    who = int(before.player)
    origin = int(before.token[who, before.picked])
    said = f"{voice.does(who, 'move', 'moves')} from {space_name(origin)} to {space_name(square)}"
    said += f" ({KIND_NAMES[int(before.card)]})"
    hopped = _hopped(before, square)
    if hopped:
        said += f", over {'a token' if hopped == 1 else f'{hopped} tokens'}"
    if on_goal(box.kit, after, who, square):
        return Result(f"{said}: {home(box, after, who)} of {TOKENS} home.")
    return f"{said}."


def _hopped(before: Any, square: int) -> int:
    """How many tokens were hopped on the way to a space."""
    cost = int(steps_to(before, square))
    origin = int(before.token[before.player, before.picked])
    stride = (square - origin) // cost
    return sum(bool(is_in(before.taken, origin + step * stride)) for step in range(1, cost))


def _drawn(before: Any, after: Any, voice: Voice) -> list[str]:
    """What the seat drew whose turn it was."""
    who = int(before.player)
    drawn = Counter(in_order(after.hand[who])) - Counter(in_order(before.hand[who]))
    names = [KINDS[kind] for kind in sorted(drawn.elements())]
    return [Aside(voice.does(who, "draw", "draws"), *names)] if names else []


def rounds_of_throws(s: Any) -> list[list[tuple[int, int]]]:
    """The throws for the first turn, round by round: seat and face."""
    rounds: list[list[tuple[int, int]]] = []
    for throw in map(int, s.throws[1 : int(s.throws[0]) + 1]):
        seat, face = throw >> 3, throw & 7
        if not rounds or seat <= rounds[-1][-1][0]:
            rounds.append([])
        rounds[-1].append((seat, face))
    return rounds


def _throws(s: Any, voice: Voice) -> str:
    """The last round of throws for the first turn."""
    rounds = rounds_of_throws(s)
    said = listed([f"{voice.then(seat, 'roll', 'rolls')} {shown(face)}" for seat, face in rounds[-1]])
    return f"{'Again' if len(rounds) > 1 else 'For the first turn'}: {said}."


def ending(s: Any, seat: int) -> str:
    """Who won, and by what."""
    voice = Voice(seat)
    winners = [i for i in range(int(s.seats)) if s.payoff[i] > 0]
    if s.ending == R.HOME:
        return f"{voice.does(winners[0], 'win', 'wins')}: all four tokens are home."
    rounds = f"{int(s.idle)} idle round{'' if s.idle == 1 else 's'}"
    if len(winners) == 1:
        return f"{voice.does(winners[0], 'win', 'wins')}, ahead after {rounds}."
    tied = winners or range(int(s.seats))
    return f"A draw between {listed([voice.whom(i) for i in tied])} after {rounds}."


# Why not

_ASKED = {
    R.START: "First choose a start for the seat across from you.",
    R.TURN: "First roll the die, or discard your whole hand.",
    R.THREE: "First choose whether this 3 is for placing a token or for moving.",
    R.PLACE: "First choose where your new token goes.",
    R.TOKEN: "First choose which token moves.",
    R.SPACE: "First choose where the token goes.",
    R.DISCARD: "Choose the one card that you discard.",
}


def why_not(box: Box, s: Any, action: int) -> str:
    """One kind sentence: why `s.player` may not choose this now."""
    block, number = R.ACTIONS.name_of(action)
    if block == "kind":
        return _why_not_card(s, number)
    if block == "to":
        return _why_not_space(box, s, number)
    if block == "token":
        return _why_not_token(box, s, number)
    return _why_not_word(box, s, block)


def _why_not_card(s: Any, kind: int) -> str:
    if kind not in in_order(s.hand[s.player]):
        return f"There is no {KIND_NAMES[kind]} card in your hand."
    if s.phase == R.CARD:
        return f"No token of yours has a space to land on {KIND_NAMES[kind]} within {moves(int(s.moves))}."
    return _ASKED[int(s.phase)]


def _why_not_token(box: Box, s: Any, token: int) -> str:
    square = int(s.token[s.player, token])
    if square == OFF:
        return "That token is not on the board yet."
    if on_goal(box.kit, s, s.player, square):
        return f"The token on {space_name(square)} is home; it is not moved any more."
    if s.phase == R.TOKEN:
        return f"The token on {space_name(square)} has no space to land on {KIND_NAMES[int(s.card)]}."
    if s.phase == R.CARD:
        return "First choose a card."
    return _ASKED[int(s.phase)]


def _why_not_space(box: Box, s: Any, square: int) -> str:
    name = space_name(square)
    if row_of(square) >= box.kit.rows or column_of(square) >= box.kit.columns:
        return f"There is no space {name} on this board."
    if not box.kit.open[square]:
        return f"Space {name} is closed."
    if s.phase in (R.START, R.PLACE):
        whose = "the seat across from you" if s.phase == R.START else "yours"
        return f"A token stands on {name}." if is_in(s.taken, square) else f"Space {name} is no start of {whose}."
    if s.phase == R.SPACE:
        return _why_no_landing(box, s, square)
    return _ASKED.get(int(s.phase), "First choose a card.")


def _why_no_landing(box: Box, s: Any, square: int) -> str:
    name = space_name(square)
    if is_in(s.taken, square):
        return f"A token stands on {name}; a move ends on a free space."
    if is_in(s.shut[s.side[s.player] & 1], square):
        return f"Space {name} is a start of a seat beside you; your tokens do not stop there."
    far = moves(int(s.moves))
    return f"Your token does not come to {name}: {KIND_NAMES[int(s.card)]}, straight on, with {far} at most."


def _why_not_word(box: Box, s: Any, block: str) -> str:
    if block == "place":
        return _why_not_place(box, s)
    if block in ("roll", "discard_hand"):
        if s.phase == R.START:
            return _ASKED[R.START]
        return "The die is thrown already." if block == "roll" else "The whole hand is discarded before the roll only."
    if block == "no_move" and s.phase == R.CARD:
        return "You have used a card already: finish with “done”."
    if block == "done" and s.phase == R.CARD:
        return "You have used no card yet: choose “no move”, which costs a card."
    if block == "move" and s.phase == R.CARD:
        return "Choose a card to move with."
    return _ASKED.get(int(s.phase), "First choose a card.")


def _why_not_place(box: Box, s: Any) -> str:
    if s.phase == R.TURN:
        return "A new token is placed after rolling a 3."
    if s.phase != R.CARD:
        return _ASKED[int(s.phase)]
    if value(int(s.face)) != 3:
        return "A new token needs a 3."
    if token_off(s, s.player) == OFF:
        return "All your tokens are on the board."
    if not has_free_start(box.kit, s, s.player):
        return "None of your starts is free."
    return "You chose to move with this 3."


def reached(box: Box, s: Any, seat: int, kind: int, most: int) -> list[tuple[int, int, int]]:
    """Where a card can take the tokens of a seat with so many moves: token, space and cost."""
    state = s.copy()
    state.moves = most
    found = []
    for token in range(TOKENS):
        origin = int(state.token[seat, token])
        steps = int(landings(box.kit, state, seat, token, kind))
        stride = STRIDES[int(way(state, seat, kind))]
        found += [(token, origin + step * stride, step) for step in range(1, 4) if steps >> step & 1]
    return found
