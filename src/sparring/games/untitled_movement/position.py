"""Untitled Movement Game: a state as people write it. The form is told in positions.md."""

import re
from collections.abc import Mapping
from typing import Any

from sparring.engine.cards import insert, put
from sparring.engine.chance import bits, die, reseed
from sparring.engine.errors import BadPosition
from sparring.engine.game import Box
from sparring.engine.header import read_end, read_phase, read_turn, write_header
from sparring.engine.readable import Reader, whole
from sparring.engine.squares import OFF, column_of, is_in, row_of, square_at
from sparring.engine.supply import Supply
from sparring.engine.spelling import plain

from . import rules
from .kit import KINDS
from .maps import SIDES
from .moves import goal_side, is_usable, landings, may_stand, standing_at
from .state import CARD, DISCARD, HAND, PHASES, PLACE, SPACE, START, THREE, THROWS, TOKEN, TOKENS, TURN

#: Phases between the throw and the end of a turn, and those in which moves are left.
THROWN = (THREE, PLACE, CARD, TOKEN, SPACE, DISCARD)
MOVING = (THREE, CARD, TOKEN, SPACE)
#: As many throws as a position may settle beforehand.
DICE = 9
#: For each of the first four throws, words of the generator that decide it and leave the throws before it as they are,
#: if all of them change by the same bits.
LEVERS = ((1,), (0,), (3,), (0, 2, 3))


def read(box: Box, s: Any, position: Mapping[str, Any], g: Any) -> None:
    """Set up a state; see positions.md for the fields."""
    rules.take_sides(box.kit, s)
    fields = Reader(position, int(s.seats), {SIDES[s.side[seat]].lower(): seat + 1 for seat in range(int(s.seats))})
    read_phase(box, s, fields, PHASES[TURN])
    read_end(box, s, fields)
    _read_facts(box, s, fields)
    _read_die(box, s, fields)
    _read_tokens(box, s, fields)
    _read_cards(box, s, fields, g)
    _read_picks(box, s, fields)
    dice = fields.take("dice", [])
    fields.done()
    if not s.over:
        _check_phase(box, s)
    _load_die(box, dice, g)


def write(box: Box, s: Any) -> dict[str, Any]:
    """The whole true state."""
    seats = range(s.seats)
    throws = [(int(throw) >> 3, int(throw) & 7) for throw in s.throws[1 : s.throws[0] + 1]]
    return {
        **write_header(box, s), "first": int(s.first) + 1, "idle": int(s.idle), "stirred": bool(s.stirred),
        "face": int(s.face), "moves": int(s.moves), "throws": [[seat + 1, face] for seat, face in throws],
        "tokens": [[space_name(square) if square != OFF else "off" for square in s.token[seat]] for seat in seats],
        "hands": [_kinds(s.hand[seat]) for seat in seats], "draw_pile": _kinds(s.deck)[::-1],
        "discard_pile": _kinds(s.discard), "card": KINDS[s.card] if s.phase in (TOKEN, SPACE) and not s.over else "",
        "token": space_name(s.token[s.player, s.picked]) if s.phase == SPACE and not s.over else "",
    }  # fmt: skip


def pieces(box: Box, s: Any) -> list[str]:
    """Every card and every token, wherever it is; equal cards are numbered as they come."""
    held = [kind for pile in (s.deck, s.discard, *s.hand[: s.seats]) for kind in _kinds(pile)]
    cards = [f"{kind} {number}" for kind in KINDS for number in range(held.count(kind))]
    standing = [int(square) for row in s.token[: s.seats] for square in row]
    tokens = [
        f"token {number}" for number, square in enumerate(standing)
        if square == OFF or (is_in(s.taken, square) and standing.count(square) == 1)
    ]  # fmt: skip
    return cards + tokens


def space_name(square: Any) -> str:
    """A space as row and column: `4,3`."""
    return f"{row_of(square)},{column_of(square)}"


def _kinds(pile: Any) -> list[str]:
    return [KINDS[kind] for kind in pile[1 : pile[0] + 1]]


def _read_facts(box: Box, s: Any, fields: Reader) -> None:
    read_turn(s, fields, int(s.phase != START))
    s.first = fields.seat("first", 0)
    s.idle = fields.whole("idle", 0, 0, int(box.kit.stall_rounds) - 1 + int(s.over))
    if fields.flag("stirred"):
        rules.stir(s)
    _read_throws(s, fields)


def _read_throws(s: Any, fields: Reader) -> None:
    """The throws for the first turn, for the log."""
    throws = fields.take("throws", [])
    if not isinstance(throws, list) or len(throws) > THROWS:
        raise BadPosition(f"throws is a list of up to {THROWS} pairs of seat and face.")
    for throw in throws:
        if not isinstance(throw, list | tuple) or len(throw) != 2:
            raise BadPosition(f"throws: {throw} is no pair of seat and face.")
        put(s.throws, 8 * (fields.number_of("throws", throw[0]) - 1) + whole("throws", throw[1], 1, 6))


def _read_die(box: Box, s: Any, fields: Reader) -> None:
    """What the die shows, and how many moves are left: one follows from the other where only one is told."""
    face = fields.whole("face", 0, 0, _faces(box))
    shown = face - 3 if face > 3 else face
    moves = fields.whole("moves", shown if s.phase in MOVING else 0, 0, shown or 3)
    s.face, s.moves = face, moves
    if s.over:
        return
    if s.phase in MOVING and not moves:
        raise BadPosition(f"In the phase {PHASES[s.phase]} moves are left: say how many, or which face the die shows.")
    if s.phase not in MOVING and moves:
        raise BadPosition(f"In the phase {PHASES[s.phase]} there are no moves left.")
    if s.phase not in THROWN and face:
        raise BadPosition(f"In the phase {PHASES[s.phase]} the die is not thrown yet.")
    if s.phase in THROWN and not face:
        s.face = moves or 3


def _faces(box: Box) -> int:
    return 6 if box.options["die"] == "d6" else 3


def _read_space(box: Box, value: Any, key: str) -> int:
    """A space, as `4,3`, `(4,3)` or a pair of row and column."""
    parts = value.strip(" ()").split(",") if isinstance(value, str) else value
    try:
        row, column = (int(part) for part in parts)
    except (TypeError, ValueError):
        raise BadPosition(f"{key}: {value} is no space; a space is row and column, as in “4,3”.") from None
    if not (0 <= row < box.kit.rows and 0 <= column < box.kit.columns):
        raise BadPosition(f"{key}: there is no space {row},{column} on this board.")
    return int(square_at(column, row))


def _spaces_in(text: str) -> list[str]:
    """The spaces of a text, as in `4,3 7,5` or `(4, 3), (7, 5)`, and the words that are none."""
    return re.findall(r"\(?\s*\d+\s*,\s*\d+\s*\)?|[^\s,;]+", text)


def _read_tokens(box: Box, s: Any, fields: Reader) -> None:
    for seat, spaces in enumerate(fields.per_seat("tokens", [])):
        spaces = _spaces_in(spaces) if isinstance(spaces, str) else spaces
        if not isinstance(spaces, list | tuple) or len(spaces) > TOKENS:
            raise BadPosition(f"tokens: a seat has up to {TOKENS} spaces, as in [“4,3”, “7,5”].")
        for token, value in enumerate(spaces):
            if value != "off":
                _put_token(box, s, seat, token, _read_space(box, value, "tokens"))
        if not s.over and standing_at(box.kit, s, seat, goal_side(s, seat)) == TOKENS:
            raise BadPosition(f"tokens: all tokens of seat {seat + 1} are home, so the game is over.")


def _put_token(box: Box, s: Any, seat: int, token: int, square: int) -> None:
    if not box.kit.open[square]:
        raise BadPosition(f"tokens: space {space_name(square)} is closed.")
    if is_in(s.taken, square):
        raise BadPosition(f"tokens: two tokens stand on {space_name(square)}.")
    if not may_stand(s, seat, square):
        raise BadPosition(f"tokens: {space_name(square)} is a side start, where no token of seat {seat + 1} may stand.")
    rules.put_down(s, seat, token, square)


def _read_cards(box: Box, s: Any, fields: Reader, g: Any) -> None:
    counts = enumerate(box.kit.count.tolist())
    supply = Supply(
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
    """Three cards; fewer only for the player, who may have used some in this turn."""
    using = seat == s.player and s.phase in (CARD, TOKEN, SPACE)
    least = HAND if not using else 0 if s.over else 1
    if not least <= len(hand) <= HAND:
        raise BadPosition(f"hands: seat {seat + 1} holds {HAND} cards here, not {len(hand)}.")
    return hand


def _read_picks(box: Box, s: Any, fields: Reader) -> None:
    """The card in TOKEN and SPACE, and in SPACE the token by the space where it stands."""
    card, token, phase = fields.take("card", ""), fields.take("token", ""), PHASES[s.phase]
    picking = s.phase in (TOKEN, SPACE) and not s.over
    if card and not picking:
        raise BadPosition(f"card: in the phase {phase} no card is picked.")
    if token and (s.phase != SPACE or s.over):
        raise BadPosition(f"token: in the phase {phase} no token is picked.")
    if picking:
        name = plain(str(card)).upper()
        if name not in _kinds(s.hand[s.player]):
            raise BadPosition(f"card: in the phase {phase} a card of the player's hand is picked, not “{card}”.")
        s.card = KINDS.index(name)
    if picking and s.phase == SPACE:
        square = _read_space(box, token, "token")
        if square not in s.token[s.player]:
            raise BadPosition(f"token: seat {int(s.player) + 1} has no token on {token}.")
        s.picked = s.token[s.player].tolist().index(square)


def _check_phase(box: Box, s: Any) -> None:
    """Whether the phase can be as the position says: somebody must have a choice."""
    if s.phase == START:
        _check_starts(box, s)
    if s.phase == THREE and s.moves != 3:
        raise BadPosition("In the phase three the die shows a 3, and no move is used.")
    if s.phase in (THREE, PLACE) and not rules.can_place(box.kit, s):
        raise BadPosition(f"In the phase {PHASES[s.phase]} a token is off the board and an own start is free.")
    if s.phase == SPACE and not landings(box.kit, s, s.player, s.picked, s.card):
        raise BadPosition("token: the card has no landing for this token.")
    if s.phase == TOKEN and not is_usable(box.kit, s, s.player, s.card):
        raise BadPosition("card: this card has no landing for any token.")


def _check_starts(box: Box, s: Any) -> None:
    """While starts are chosen, the seats across from those before the player have one token, on an own start."""
    for seat in range(int(s.seats)):
        across = rules.opposite(s, seat)
        on_board = [square for square in s.token[across] if square != OFF]
        at_start = [square for square in on_board if box.kit.start_side[square] == s.side[across]]
        if len(on_board) != int(seat < s.player) or on_board != at_start or (on_board and s.token[across, 0] == OFF):
            raise BadPosition("tokens: in the phase start each seat before the player has put one token down across.")


def _load_die(box: Box, dice: Any, g: Any) -> None:
    """Turn the generator to where the next throws show these faces."""
    if not isinstance(dice, list | tuple) or len(dice) > DICE:
        raise BadPosition(f"dice is a list of up to {DICE} faces, the next throws in turn.")
    faces = [whole("dice", face, 1, _faces(box)) for face in dice]
    other = g.copy()
    while not _will_show(box, g, faces):
        reseed(g, other)
        for count, levers in enumerate(LEVERS, 1):
            while not _will_show(box, g, faces[:count]):
                change = bits(other)
                for word in levers:
                    g[word] ^= change


def _will_show(box: Box, g: Any, faces: list[int]) -> bool:
    """Whether these are the next throws."""
    g = g.copy()
    return all(die(g, _faces(box)) == face for face in faces)
