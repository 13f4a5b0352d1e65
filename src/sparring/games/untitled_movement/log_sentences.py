"""Untitled Movement Game: log sentences, and the reasons why a choice is not legal."""

from collections import Counter

from sparring.engine.cards import in_order
from sparring.engine.game import Box
from sparring.engine.squares import OFF, STRIDES, column_of, is_in, row_of, square_name
from sparring.scene.sentences import AsideLine, ResultLine, TurnLine, Voice, counted, listed

from . import state as R
from .kit import KIND_NAMES
from .moves import count_on_starts, direction_of, goal_side, has_free_start, landings, on_goal, token_off_board
from .rules import opposite, steps_to
from .state import TOKENS, face_value


def face_words(face: int) -> str:
    """Return a roll in words: `5 (counts as 2)`."""
    return f"{face} (counts as {face_value(face)})" if face > 3 else str(face)


def tokens_home(box: Box, s: R.State, seat: int) -> int:
    """Return how many tokens of a seat are on its goals."""
    return int(count_on_starts(box.kit, s, seat, goal_side(s, seat)))


# What happened


def tell(box: Box, before: R.State, action: int | None, after: R.State, seat: int, beat: str = "") -> list[str]:
    """Return what happened as sentences for `seat`: the choice, rolls, a new draw pile, the cards drawn, the end."""
    voice = Voice(seat)
    lines = [] if action is None else _choice(box, before, action, after, voice)
    if beat == "thrown":
        lines.append(_opening_roll(after, voice))
    elif before.phase == R.START and after.phase == R.TURN:
        lines.append(TurnLine(f"{voice.does(int(after.first), 'go', 'goes')} first."))
    elif beat == "reshuffled":
        lines.append(AsideLine("The discards are shuffled into a new draw pile."))
    lines += _drawn(before, after, voice)
    if after.turn != before.turn and before.turn and not after.over:
        whose = owner(voice, int(after.player))
        lines.append(TurnLine(f"{whose[0].upper()}{whose[1:]} turn (turn {int(after.turn)})."))
    if after.over:
        lines.append(ResultLine(ending(box, after, seat)))
    return lines


def owner(voice: Voice, seat: int) -> str:
    """Return a seat as an owner inside a sentence: `your`, `Seat 2's`."""
    return "your" if seat == voice.seat else f"Seat {seat + 1}'s"


def _choice(box: Box, before: R.State, action: int, after: R.State, voice: Voice) -> list[str]:
    """Return the sentence for a choice; nothing for one that only leads to the next choice."""
    player = int(before.player)
    block, number = R.ACTIONS.name_of(action)
    if before.phase == R.START:
        whose = owner(voice, int(opposite(before, player)))
        return [f"{voice.does(player, 'put', 'puts')} {whose} first token on {square_name(number)}."]
    if block == "roll":
        return [f"{voice.does(player, 'roll', 'rolls')} {face_words(int(after.face))}."]
    if block == "discard_hand":
        hand = [KIND_NAMES[kind].capitalize() for kind in in_order(before.hand[player])]
        whose = voice.verb(player, "your", "their")
        return [AsideLine(f"{voice.does(player, 'discard', 'discards')} {whose} whole hand:", *hand)]
    if before.phase == R.PLACE:
        return [f"{voice.does(player, 'place', 'places')} a new token on {square_name(number)}."]
    if before.phase == R.DISCARD:
        return [AsideLine(voice.does(player, "discard", "discards"), KIND_NAMES[number].capitalize())]
    if before.phase == R.SPACE:
        return [_move(box, before, number, after, voice)]
    if block == "no_move":
        return [voice.does(player, "don't move.", "doesn't move.")]
    if block == "done":
        return [f"{voice.does(player, 'leave', 'leaves')} {counted(int(before.moves), 'move')} unused."]
    return []


def _move(box: Box, before: R.State, square: int, after: R.State, voice: Voice) -> str:
    """Return a move with its direction, the tokens it hops over, and whether it ends on a goal."""
    player = int(before.player)
    origin = int(before.token[player, before.picked])
    line = f"{voice.does(player, 'move', 'moves')} {KIND_NAMES[int(before.card)]}"
    line += f" from {square_name(origin)} to {square_name(square)}"
    hopped = _hopped(before, square)
    if hopped:
        line += f" over {'a token' if hopped == 1 else f'{hopped} tokens'}"
    if on_goal(box.kit, after, player, square):
        return ResultLine(f"{line}: {tokens_home(box, after, player)} of {int(box.kit.home)} home.")
    return f"{line}."


def _hopped(before: R.State, square: int) -> int:
    """Return how many tokens a move to `square` hops over."""
    cost = int(steps_to(before, square))
    origin = int(before.token[before.player, before.picked])
    stride = (square - origin) // cost
    return sum(bool(is_in(before.taken, origin + step * stride)) for step in range(1, cost))


def _drawn(before: R.State, after: R.State, voice: Voice) -> list[str]:
    """Return which cards the player drew at the end of the turn."""
    player = int(before.player)
    drawn = Counter(in_order(after.hand[player])) - Counter(in_order(before.hand[player]))
    names = [KIND_NAMES[kind].capitalize() for kind in sorted(drawn.elements())]
    return [AsideLine(voice.does(player, "draw", "draws"), *names)] if names else []


def opening_rolls(s: R.State) -> list[list[tuple[int, int]]]:
    """Return the rolls for the first turn, one list of (seat, face) for each time the dice were rolled."""
    rounds: list[list[tuple[int, int]]] = []
    for roll in map(int, s.throws[1 : int(s.throws[0]) + 1]):
        seat, face = roll >> 3, roll & 7
        if not rounds or seat <= rounds[-1][-1][0]:
            rounds.append([])
        rounds[-1].append((seat, face))
    return rounds


def _opening_roll(s: R.State, voice: Voice) -> str:
    """Return the latest rolls for the first turn."""
    rounds = opening_rolls(s)
    rolls = listed([f"{voice.then(seat, 'roll', 'rolls')} {face_words(face)}" for seat, face in rounds[-1]])
    return f"{'To break the tie' if len(rounds) > 1 else 'To see who goes first'}, {rolls}."


#: The tokens that win, by their number.
HOME_IN_WORDS = {1: "a token is", 2: "two tokens are", 3: "three tokens are", TOKENS: "all four tokens are"}


def ending(box: Box, s: R.State, seat: int) -> str:
    """Return how the match ended, as `seat` reads it."""
    voice = Voice(seat)
    winners = [i for i in range(int(s.seats)) if s.payoff[i] > 0]
    if s.ending == R.HOME:
        return f"{voice.does(winners[0], 'win', 'wins')}: {HOME_IN_WORDS[int(box.kit.home)]} home."
    stalled = f"after {counted(int(s.idle), 'idle round')}"
    if len(winners) == 1:
        return f"{voice.does(winners[0], 'win', 'wins')}: in the lead {stalled}."
    tied = winners or range(int(s.seats))
    return f"A draw between {listed([voice.whom(i) for i in tied])} {stalled}."


# Why a choice is not legal

#: What to do first, by phase.
FIRST = {
    R.START: "First choose a start for the player opposite you.",
    R.TURN: "First roll the die or discard your whole hand.",
    R.THREE: "First decide whether to place a token or move.",
    R.PLACE: "First choose a start for your new token.",
    R.CARD: "First choose a card.",
    R.TOKEN: "First choose a token to move.",
    R.SPACE: "First choose a space for the token.",
    R.DISCARD: "First choose one card to discard.",
}


def why_not(box: Box, s: R.State, action: int) -> str:
    """Return one sentence: why `s.player` can't make this choice now."""
    block, number = R.ACTIONS.name_of(action)
    if block == "kind":
        return _why_not_card(s, number)
    if block == "to":
        return _why_not_space(box, s, number)
    if block == "token":
        return _why_not_token(box, s, number)
    return _why_not_button(box, s, block)


def _why_not_card(s: R.State, kind: int) -> str:
    if kind not in in_order(s.hand[s.player]):
        return f"You have no {KIND_NAMES[kind]} card."
    if s.phase == R.CARD:
        return f"With {counted(int(s.moves), 'move')}, none of your tokens can move {KIND_NAMES[kind]}."
    return FIRST[int(s.phase)]


def _why_not_token(box: Box, s: R.State, token: int) -> str:
    square = int(s.token[s.player, token])
    if square == OFF:
        return "That token is not on the board yet."
    if on_goal(box.kit, s, s.player, square):
        return f"The token on {square_name(square)} is home and can't move any more."
    if s.phase == R.TOKEN:
        can_not = f"can't move {KIND_NAMES[int(s.card)]}"
        return f"With {counted(int(s.moves), 'move')}, the token on {square_name(square)} {can_not}."
    return FIRST[int(s.phase)]


def _why_not_space(box: Box, s: R.State, square: int) -> str:
    name = square_name(square)
    if row_of(square) >= box.kit.rows or column_of(square) >= box.kit.columns:
        return f"Space {name} is not on this board."
    if not box.kit.open[square]:
        return f"Space {name} is closed."
    if s.phase in (R.START, R.PLACE):
        if is_in(s.taken, square):
            return f"There is already a token on {name}."
        whose = "a start of the player opposite you" if s.phase == R.START else "one of your starts"
        return f"Space {name} is not {whose}."
    if s.phase == R.SPACE:
        return _why_not_landing(s, square)
    return FIRST[int(s.phase)]


def _why_not_landing(s: R.State, square: int) -> str:
    name = square_name(square)
    if is_in(s.taken, square):
        return f"There is a token on {name}; a move must end on a free space."
    if is_in(s.shut[s.side[s.player] & 1], square):
        return f"Space {name} is a start of the player to your left or right; your tokens can't stop there."
    way = f"it moves {KIND_NAMES[int(s.card)]} in a straight line, up to {counted(int(s.moves), 'space')}"
    return f"Your token can't reach {name}: {way}."


def _why_not_button(box: Box, s: R.State, block: str) -> str:
    if block == "place":
        return _why_not_place(box, s)
    if block in ("roll", "discard_hand"):
        if s.phase == R.START:
            return FIRST[R.START]
        if block == "roll":
            return "You have already rolled."
        return "You can discard your whole hand only before you roll."
    if block == "no_move" and s.phase == R.CARD:
        return "You have already played a card this turn: finish with “done”."
    if block == "done" and s.phase == R.CARD:
        return "You haven't played a card this turn: choose “no move”, then discard a card."
    if block == "move" and s.phase == R.CARD:
        return "Choose a card to move with."
    return FIRST[int(s.phase)]


def _why_not_place(box: Box, s: R.State) -> str:
    if s.phase == R.TURN:
        return "You can place a new token only after rolling a 3."
    if s.phase != R.CARD:
        return FIRST[int(s.phase)]
    if face_value(int(s.face)) != 3:
        return "You need a 3 to place a new token."
    if token_off_board(s, s.player) == OFF:
        return "All your tokens are on the board."
    if not has_free_start(box.kit, s, s.player):
        return "None of your starts is free."
    return "You have already chosen to move with this 3."


def reachable(box: Box, s: R.State, seat: int, kind: int, moves: int) -> list[tuple[int, int, int]]:
    """Return where a card can take the tokens of a seat with a number of moves: (token, space, cost)."""
    state = s.copy()
    state.moves = moves
    found = []
    for token in range(TOKENS):
        origin = int(state.token[seat, token])
        steps = int(landings(box.kit, state, seat, token, kind))
        stride = STRIDES[int(direction_of(state, seat, kind))]
        found += [(token, origin + step * stride, step) for step in range(1, 4) if steps >> step & 1]
    return found
