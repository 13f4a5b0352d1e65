"""Untitled Movement Game: read and write positions (the form is in positions.md)."""

import re
from collections.abc import Mapping
from typing import Any

from sparring.engine.cards import insert, put
from sparring.engine.chance import bits, die, reseed
from sparring.engine.errors import BadPosition
from sparring.engine.game import Box
from sparring.engine.formats.position_header import read_end, read_phase, read_turn, write_header
from sparring.engine.formats.position_reader import PositionReader, read_integer
from sparring.engine.squares import OFF, column_of, is_in, read_square, row_of, square_at
from sparring.engine.formats.card_supply import CardSupply
from sparring.engine.formats.spelling import normalize

from . import rules
from .kit import KINDS
from .maps import SIDES
from .moves import can_land, is_playable, landings
from .state import CARD, DISCARD, HAND, MOST_ROLLS, PHASES, PLACE, SPACE, START, THREE, TOKEN, TOKENS, TURN

#: Phases after the roll of a turn, and those with moves left.
ROLLED = (THREE, PLACE, CARD, TOKEN, SPACE, DISCARD)
MOVING = (THREE, CARD, TOKEN, SPACE)
#: How many of the next rolls a position can fix.
MOST_DICE = 9
#: For each of the next four rolls, the words of the generator to change: flipping the same bits in all of them changes
#: this roll, but none before it.
FLIPPED = ((1,), (0,), (3,), (0, 2, 3))


def read(box: Box, s: Any, position: Mapping[str, Any], g: Any) -> None:
    """Set up the state `s` from a position, dealing what it leaves open with generator `g`."""
    rules.assign_sides(box.kit, s)
    fields = PositionReader(
        position, int(s.seats), {SIDES[s.side[seat]].lower(): seat + 1 for seat in range(int(s.seats))}
    )
    read_phase(box, s, fields, PHASES[TURN])
    read_end(box, s, fields)
    _read_turn_facts(box, s, fields)
    _read_die(box, s, fields)
    _read_tokens(box, s, fields)
    _read_cards(box, s, fields, g)
    _read_picks(box, s, fields)
    dice = fields.take("dice", [])
    fields.done()
    if not s.over:
        _check_phase(box, s)
    _set_dice(box, dice, g)


def write(box: Box, s: Any) -> dict[str, Any]:
    """Return the full state as a position."""
    seats = range(s.seats)
    rolls = [(int(roll) >> 3, int(roll) & 7) for roll in s.throws[1 : s.throws[0] + 1]]
    return {
        **write_header(box, s), "first": int(s.first) + 1, "idle": int(s.idle), "stirred": bool(s.stirred),
        "face": int(s.face), "moves": int(s.moves), "throws": [[seat + 1, face] for seat, face in rolls],
        "tokens": [[space_name(square) if square != OFF else "off" for square in s.token[seat]] for seat in seats],
        "hands": [_kinds(s.hand[seat]) for seat in seats], "draw_pile": _kinds(s.deck)[::-1],
        "discard_pile": _kinds(s.discard), "card": KINDS[s.card] if s.phase in (TOKEN, SPACE) and not s.over else "",
        "token": space_name(s.token[s.player, s.picked]) if s.phase == SPACE and not s.over else "",
    }  # fmt: skip


def pieces(box: Box, s: Any) -> list[str]:
    """Return the name of every card and token, wherever it is; equal cards are numbered."""
    held = [kind for pile in (s.deck, s.discard, *s.hand[: s.seats]) for kind in _kinds(pile)]
    cards = [f"{kind} {number}" for kind in KINDS for number in range(held.count(kind))]
    standing = [int(square) for row in s.token[: s.seats] for square in row]
    tokens = [
        f"token {number}" for number, square in enumerate(standing)
        if square == OFF or (is_in(s.taken, square) and standing.count(square) == 1)
    ]  # fmt: skip
    return cards + tokens


def space_name(square: Any) -> str:
    """Return a space as row and column: `4,3`."""
    return f"{row_of(square)},{column_of(square)}"


def _kinds(pile: Any) -> list[str]:
    return [KINDS[kind] for kind in pile[1 : pile[0] + 1]]


def _read_turn_facts(box: Box, s: Any, fields: PositionReader) -> None:
    read_turn(s, fields, int(s.phase != START))
    s.first = fields.seat("first", 0)
    s.idle = fields.integer("idle", 0, 0, int(box.kit.stall_rounds) - 1 + int(s.over))
    if fields.flag("stirred"):
        rules.note_progress(s)
    _read_throws(s, fields)


def _read_throws(s: Any, fields: PositionReader) -> None:
    """Read the rolls for the first turn, which are only displayed."""
    rolls = fields.take("throws", [])
    if not isinstance(rolls, list) or len(rolls) > MOST_ROLLS:
        raise BadPosition(f"throws must be a list of at most {MOST_ROLLS} pairs of seat and face.")
    for roll in rolls:
        if not isinstance(roll, list | tuple) or len(roll) != 2:
            raise BadPosition(f"throws: {roll} is not a pair of seat and face.")
        put(s.throws, 8 * (fields.number_of("throws", roll[0]) - 1) + read_integer("throws", roll[1], 1, 6))


def _read_die(box: Box, s: Any, fields: PositionReader) -> None:
    """Read the face of the die and the moves left; if only one is given, derive the other."""
    face = fields.integer("face", 0, 0, _faces(box))
    shown = face - 3 if face > 3 else face
    moves = fields.integer("moves", shown if s.phase in MOVING else 0, 0, shown or 3)
    s.face, s.moves = face, moves
    if s.over:
        return
    if s.phase in MOVING and not moves:
        raise BadPosition(f"In phase {PHASES[s.phase]} there must be moves left: give moves, or the face of the die.")
    if s.phase not in MOVING and moves:
        raise BadPosition(f"In phase {PHASES[s.phase]} there can't be moves left.")
    if s.phase not in ROLLED and face:
        raise BadPosition(f"In phase {PHASES[s.phase]} the die is not rolled yet, so it has no face.")
    if s.phase in ROLLED and not face:
        s.face = moves or 3


def _faces(box: Box) -> int:
    return 6 if box.options["die"] == "d6" else 3


def _read_space(box: Box, value: Any, key: str) -> int:
    """Read a space on the board from its name, `4,3`, `(4,3)` or two numbers; `key` names the field in errors."""
    if isinstance(value, str) and (named := read_square(value)) != OFF:
        value = row_of(named), column_of(named)
    parts = value.strip(" ()").split(",") if isinstance(value, str) else value
    try:
        row, column = (int(part) for part in parts)
    except (TypeError, ValueError):
        raise BadPosition(f"{key}: {value} is not a space; write a space like d5 or 4,3 (row, column).") from None
    if not (0 <= row < box.kit.rows and 0 <= column < box.kit.columns):
        raise BadPosition(f"{key}: space {row},{column} is not on this board.")
    return int(square_at(column, row))


def _spaces_in(text: str) -> list[str]:
    """Split a text such as `4,3 7,5` or `(4, 3), (7, 5)` into spaces and other words."""
    return re.findall(r"\(?\s*\d+\s*,\s*\d+\s*\)?|[^\s,;]+", text)


def _read_tokens(box: Box, s: Any, fields: PositionReader) -> None:
    for seat, spaces in enumerate(fields.per_seat("tokens", [])):
        spaces = _spaces_in(spaces) if isinstance(spaces, str) else spaces
        if not isinstance(spaces, list | tuple) or len(spaces) > TOKENS:
            raise BadPosition(f"tokens: a seat has at most {TOKENS} spaces, for example ['4,3', '7,5'].")
        for token, value in enumerate(spaces):
            if value != "off":
                _put_token(box, s, seat, token, _read_space(box, value, "tokens"))
        if not s.over and rules.has_won(box.kit, s, seat):
            raise BadPosition(f"tokens: all tokens of seat {seat + 1} are home, so the match would be over.")


def _put_token(box: Box, s: Any, seat: int, token: int, square: int) -> None:
    if not box.kit.open[square]:
        raise BadPosition(f"tokens: space {space_name(square)} is closed.")
    if is_in(s.taken, square):
        raise BadPosition(f"tokens: two tokens can't be on {space_name(square)}.")
    if not can_land(s, seat, square):
        raise BadPosition(
            f"tokens: seat {seat + 1} can't have a token on {space_name(square)}, a start of a neighbouring seat."
        )
    rules.put_token(s, seat, token, square)


def _read_cards(box: Box, s: Any, fields: PositionReader, g: Any) -> None:
    counts = enumerate(box.kit.count.tolist())
    supply = CardSupply(
        (kind for kind, count in counts for _ in range(count)), {kind: (name,) for kind, name in enumerate(KINDS)}
    )
    hands = [None if hand is None else supply.take(hand, "hands") for hand in fields.per_seat("hands", None)]
    piles = supply.piles(fields)
    supply.shuffle(g)
    for seat, hand in enumerate(hands):
        for kind in _check_hand(s, seat, supply.deal(HAND, "hands") if hand is None else hand):
            insert(s.hand[seat], kind)
    for pile, cards in zip((s.deck, s.discard), supply.fill(piles), strict=True):
        for kind in cards:
            put(pile, kind)


def _check_hand(s: Any, seat: int, hand: list[int]) -> list[int]:
    """Check the size of a hand and return it: three cards, or fewer for a player who has played some this turn."""
    playing = seat == s.player and s.phase in (CARD, TOKEN, SPACE)
    least = HAND if not playing else 0 if s.over else 1
    if not least <= len(hand) <= HAND:
        allowed = HAND if least == HAND else f"{least} to {HAND}"
        raise BadPosition(f"hands: seat {seat + 1} must have {allowed} cards here, not {len(hand)}.")
    return hand


def _read_picks(box: Box, s: Any, fields: PositionReader) -> None:
    """Read the picked card in TOKEN and SPACE, and in SPACE the picked token, given by its space."""
    card, token, phase = fields.take("card", ""), fields.take("token", ""), PHASES[s.phase]
    picking = s.phase in (TOKEN, SPACE) and not s.over
    if card and not picking:
        raise BadPosition(f"card: in phase {phase} no card is picked.")
    if token and (s.phase != SPACE or s.over):
        raise BadPosition(f"token: in phase {phase} no token is picked.")
    if picking:
        name = normalize(str(card)).upper()
        if name not in _kinds(s.hand[s.player]):
            raise BadPosition(f"card: in phase {phase} it must be a card in the player's hand, not “{card}”.")
        s.card = KINDS.index(name)
    if picking and s.phase == SPACE:
        square = _read_space(box, token, "token")
        if square not in s.token[s.player]:
            raise BadPosition(f"token: seat {int(s.player) + 1} has no token on {token}.")
        s.picked = s.token[s.player].tolist().index(square)


def _check_phase(box: Box, s: Any) -> None:
    """Check that the phase is possible: the player must have a choice."""
    if s.phase == START:
        _check_starts(box, s)
    if s.phase == THREE and s.moves != 3:
        raise BadPosition("In phase three the roll must be a 3, with all three moves left.")
    if s.phase in (THREE, PLACE) and not rules.can_place(box.kit, s):
        raise BadPosition(f"In phase {PHASES[s.phase]} the player must have a token off the board and a free start.")
    if s.phase == SPACE and not landings(box.kit, s, s.player, s.picked, s.card):
        raise BadPosition("token: the picked card can't move this token.")
    if s.phase == TOKEN and not is_playable(box.kit, s, s.player, s.card):
        raise BadPosition("card: this card can't move any token.")


def _check_starts(box: Box, s: Any) -> None:
    """Check phase START: only the seats opposite those before the player have a token, one each on an own start."""
    for seat in range(int(s.seats)):
        other = rules.opposite(s, seat)
        on_board = [square for square in s.token[other] if square != OFF]
        at_start = [square for square in on_board if box.kit.start_side[square] == s.side[other]]
        if len(on_board) != int(seat < s.player) or on_board != at_start or (on_board and s.token[other, 0] == OFF):
            raise BadPosition(
                "tokens: in phase start, each seat before the player has placed one token of the seat opposite, "
                "on a start of that seat; no other tokens are on the board."
            )


def _set_dice(box: Box, dice: Any, g: Any) -> None:
    """Change the generator `g` until its next rolls are `dice`."""
    if not isinstance(dice, list | tuple) or len(dice) > MOST_DICE:
        raise BadPosition(f"dice must be a list of at most {MOST_DICE} faces, the next rolls in order.")
    faces = [read_integer("dice", face, 1, _faces(box)) for face in dice]
    other = g.copy()
    while not _next_rolls_are(box, g, faces):
        reseed(g, other)
        for count, words in enumerate(FLIPPED, 1):
            while not _next_rolls_are(box, g, faces[:count]):
                bits_changed = bits(other)
                for word in words:
                    g[word] ^= bits_changed


def _next_rolls_are(box: Box, g: Any, faces: list[int]) -> bool:
    """Return whether the next rolls are `faces`."""
    g = g.copy()
    return all(die(g, _faces(box)) == face for face in faces)
