"""Untitled Movement Game: read and write positions (the form is in positions.md)."""

import re
from collections.abc import Mapping
from typing import Any

from sparring.engine.cards import in_order, put
from sparring.engine.chance import bits, die, reseed
from sparring.engine.errors import BadPosition
from sparring.engine.formats import normalize
from sparring.engine.formats.position_reader import PositionReader, read_integer
from sparring.engine.formats.positions import Positions
from sparring.engine.game import GameSetup
from sparring.engine.squares import OFF, column_of, is_in, read_square, row_of, square_at
from sparring.engine.types import Generator

from . import rules
from .maps import SIDES
from .moves import is_playable, land_obstacle, landings
from .params import KINDS
from .state import (
    CARD, DISCARD, HAND, MOST_ROLLS, MOVING, NEIGHBOURS_START, NOTHING, OCCUPIED, PHASES, PLACE, SPACE, START, THREE,
    TOKEN, TOKENS, TURN, State, faces_of,
)  # fmt: skip

#: Phases after the roll of a turn.
ROLLED = (THREE, PLACE, CARD, TOKEN, SPACE, DISCARD)
#: How many of the next rolls a position can fix.
MOST_DICE = 9
#: For each of the next four rolls, the words of the generator to change: flipping the same bits in all of them changes
#: this roll, but none before it.
FLIPPED = ((1,), (0,), (3,), (0, 2, 3))


def read_more(setup: GameSetup, s: State, fields: PositionReader, phase: str) -> None:
    """Read the rolls for the first turn, the tokens, the card and token picked, and the next rolls."""
    if s.stirred:
        rules.note_progress(s)
    _read_throws(s, fields)
    if not s.over:
        _check_die(s, phase)
    _read_tokens(setup, s, fields)
    for seat in range(s.seats):
        _check_hand(s, seat)
    _read_picks(setup, s, fields)
    _set_dice(setup, fields.take("dice", []), s.rng)


def write_more(setup: GameSetup, s: State) -> dict[str, Any]:
    """Return the rolls for the first turn, the tokens, and the card and token picked."""
    picking, placing = s.phase in (TOKEN, SPACE) and not s.over, s.phase == SPACE and not s.over
    return {
        "throws": [[(roll >> 3) + 1, roll & 7] for roll in in_order(s.throws)],
        "tokens": [[space_name(square) if square != OFF else "off" for square in row] for row in s.token[: s.seats]],
        "card": KINDS[s.card] if picking else "",
        "token": space_name(s.token[s.player, s.picked]) if placing else "",
    }


def check(setup: GameSetup, s: State, phase: str) -> None:
    """Check that the player has a choice in the phase."""
    if not s.over:
        _check_phase(setup, s)


def seat_names(setup: GameSetup, s: State) -> dict[str, int]:
    """Return the number of the seat at each side."""
    return {SIDES[side].lower(): seat for seat, side in enumerate(s.side[: s.seats], 1)}


POSITIONS = Positions(
    State, check, seat_names=seat_names, read_more=read_more, write_more=write_more, phase=PHASES[TURN]
)
write = POSITIONS.write


def read(setup: GameSetup, s: State, position: Mapping[str, Any], g: Generator) -> None:
    """Set up the state from a position, dealing what it leaves open with generator `g`. Raises BadPosition."""
    rules.assign_sides(setup.params, s)
    POSITIONS.read(setup, s, position, g)


def components(setup: GameSetup, s: State) -> list[str]:
    """Return the name of every card and token, wherever it is."""
    standing = [square for row in s.token[: s.seats] for square in row]
    tokens = [
        f"token {number}" for number, square in enumerate(standing)
        if square == OFF or (is_in(s.taken, square) and standing.count(square) == 1)
    ]  # fmt: skip
    return POSITIONS.components(setup, s) + tokens


def space_name(square: int) -> str:
    """Return a space as row and column: `4,3`."""
    return f"{row_of(square)},{column_of(square)}"


def _read_throws(s: State, fields: PositionReader) -> None:
    """Read the rolls for the first turn, which are only displayed."""
    rolls = fields.take("throws", [])
    if not isinstance(rolls, list) or len(rolls) > MOST_ROLLS:
        raise BadPosition(f"throws must be a list of at most {MOST_ROLLS} pairs of seat and face.")
    for roll in rolls:
        if not isinstance(roll, list | tuple) or len(roll) != 2:
            raise BadPosition(f"throws: {roll} is not a pair of seat and face.")
        put(s.throws, 8 * (fields.number_of("throws", roll[0]) - 1) + read_integer("throws", roll[1], 1, 6))


def _check_die(s: State, phase: str) -> None:
    """Check the face of the die and the moves left; without a face, derive it from them."""
    if s.phase in MOVING and not s.moves:
        raise BadPosition(f"In phase {phase} there must be moves left: give moves, or the face of the die.")
    if s.phase not in MOVING and s.moves:
        raise BadPosition(f"In phase {phase} there can't be moves left.")
    if s.phase not in ROLLED and s.face:
        raise BadPosition(f"In phase {phase} the die is not rolled yet, so it has no face.")
    if s.phase in ROLLED and not s.face:
        s.face = s.moves or 3


def _read_space(setup: GameSetup, value: Any, key: str) -> int:
    """Read a space on the board from its name, `4,3`, `(4,3)` or two numbers; `key` names the field in errors."""
    if isinstance(value, str) and (named := read_square(value)) != OFF:
        value = row_of(named), column_of(named)
    parts = value.strip(" ()").split(",") if isinstance(value, str) else value
    try:
        row, column = (int(part) for part in parts)
    except (TypeError, ValueError):
        raise BadPosition(f"{key}: {value} is not a space; write a space like d5 or 4,3 (row, column).") from None
    if not (0 <= row < setup.params.rows and 0 <= column < setup.params.columns):
        raise BadPosition(f"{key}: space {row},{column} is not on this board.")
    return int(square_at(column, row))


def _spaces_in(text: str) -> list[str]:
    """Split a text such as `4,3 7,5` or `(4, 3), (7, 5)` into spaces and other words."""
    return re.findall(r"\(?\s*\d+\s*,\s*\d+\s*\)?|[^\s,;]+", text)


def _read_tokens(setup: GameSetup, s: State, fields: PositionReader) -> None:
    for seat, spaces in enumerate(fields.per_seat("tokens", [])):
        spaces = _spaces_in(spaces) if isinstance(spaces, str) else spaces
        if not isinstance(spaces, list | tuple) or len(spaces) > TOKENS:
            raise BadPosition(f"tokens: a seat has at most {TOKENS} spaces, for example ['4,3', '7,5'].")
        for token, value in enumerate(spaces):
            if value != "off":
                _put_token(setup, s, seat, token, _read_space(setup, value, "tokens"))
        if not s.over and rules.has_won(setup.params, s, seat):
            raise BadPosition(f"tokens: all tokens of seat {seat + 1} are home, so the match would be over.")


def _put_token(setup: GameSetup, s: State, seat: int, token: int, square: int) -> None:
    if not setup.params.open[square]:
        raise BadPosition(f"tokens: space {space_name(square)} is closed.")
    obstacle = land_obstacle(s, seat, square)
    if obstacle == OCCUPIED:
        raise BadPosition(f"tokens: two tokens can't be on {space_name(square)}.")
    if obstacle == NEIGHBOURS_START:
        raise BadPosition(
            f"tokens: seat {seat + 1} can't have a token on {space_name(square)}, a start of a neighbouring seat."
        )
    rules.put_token(s, seat, token, square)


def _check_hand(s: State, seat: int) -> None:
    """Check the size of a hand: three cards, or fewer for a player who has played some this turn."""
    playing = seat == s.player and s.phase in (CARD, TOKEN, SPACE)
    least = HAND if not playing else 0 if s.over else 1
    if s.hand[seat, 0] < least:
        allowed = HAND if least == HAND else f"{least} to {HAND}"
        raise BadPosition(f"hands: seat {seat + 1} must have {allowed} cards here, not {s.hand[seat, 0]}.")


def _read_picks(setup: GameSetup, s: State, fields: PositionReader) -> None:
    """Read the picked card in TOKEN and SPACE, and in SPACE the picked token, given by its space."""
    card, token, phase = fields.take("card", ""), fields.take("token", ""), PHASES[s.phase]
    picking = s.phase in (TOKEN, SPACE) and not s.over
    if card and not picking:
        raise BadPosition(f"card: in phase {phase} no card is picked.")
    if token and (s.phase != SPACE or s.over):
        raise BadPosition(f"token: in phase {phase} no token is picked.")
    if picking:
        name = normalize(str(card)).upper()
        if name not in [KINDS[kind] for kind in in_order(s.hand[s.player])]:
            raise BadPosition(f"card: in phase {phase} it must be a card in the player's hand, not “{card}”.")
        s.card = KINDS.index(name)
    if picking and s.phase == SPACE:
        square = _read_space(setup, token, "token")
        if square not in s.token[s.player]:
            raise BadPosition(f"token: seat {int(s.player) + 1} has no token on {token}.")
        s.picked = s.token[s.player].tolist().index(square)


def _check_phase(setup: GameSetup, s: State) -> None:
    """Check that the phase is possible: the player must have a choice."""
    if s.phase == START:
        _check_starts(setup, s)
    if s.phase == THREE and s.moves != 3:
        raise BadPosition("In phase three the roll must be a 3, with all three moves left.")
    if s.phase in (THREE, PLACE) and rules.place_obstacle(setup.params, s) != NOTHING:
        raise BadPosition(f"In phase {PHASES[s.phase]} the player must have a token off the board and a free start.")
    if s.phase == SPACE and not landings(setup.params, s, s.player, s.picked, s.card):
        raise BadPosition("token: the picked card can't move this token.")
    if s.phase == TOKEN and not is_playable(setup.params, s, s.player, s.card):
        raise BadPosition("card: this card can't move any token.")


def _check_starts(setup: GameSetup, s: State) -> None:
    """Check phase START: only the seats opposite those before the player have a token, one each on an own start."""
    for seat in range(int(s.seats)):
        other = rules.opposite(s, seat)
        on_board = [square for square in s.token[other] if square != OFF]
        at_start = [square for square in on_board if setup.params.start_side[square] == s.side[other]]
        if len(on_board) != int(seat < s.player) or on_board != at_start or (on_board and s.token[other, 0] == OFF):
            raise BadPosition(
                "tokens: in phase start, each seat before the player has placed one token of the seat opposite, "
                "on a start of that seat; no other tokens are on the board."
            )


def _set_dice(setup: GameSetup, dice: Any, g: Any) -> None:
    """Change the generator `g` until its next rolls are `dice`."""
    if not isinstance(dice, list | tuple) or len(dice) > MOST_DICE:
        raise BadPosition(f"dice must be a list of at most {MOST_DICE} faces, the next rolls in order.")
    faces = [read_integer("dice", face, 1, faces_of(setup.params)) for face in dice]
    other = g.copy()
    while not _next_rolls_are(setup, g, faces):
        reseed(g, other)
        for count, words in enumerate(FLIPPED, 1):
            while not _next_rolls_are(setup, g, faces[:count]):
                bits_changed = bits(other)
                for word in words:
                    g[word] ^= bits_changed


def _next_rolls_are(setup: GameSetup, g: Any, faces: list[int]) -> bool:
    """Return whether the next rolls are `faces`."""
    g = g.copy()
    return all(die(g, faces_of(setup.params)) == face for face in faces)
