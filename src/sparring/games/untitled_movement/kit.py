"""Untitled Movement Game: the options, and the boards and decks as they are read from a content file."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from sparring.engine.errors import BadContent, BadOption
from sparring.engine.options import Choice, Number, Option
from sparring.engine.squares import DIRECTIONS, SQUARES, column_of, row_of, square_at

from . import maps

#: The kinds of navigation card, in the order in which a whole hand is discarded.
KINDS = ("F", "B", "L", "R", "FR", "FL", "BR", "BL")
KIND_NAMES = (
    "forward", "backward", "left", "right", "forward-right", "forward-left", "backward-right", "backward-left",
)  # fmt: skip
#: The direction of each kind for the bottom side, as `engine.squares` counts them.
HEADINGS = (0, 4, 6, 2, 1, 7, 3, 5)

#: The most that a die can show, so the longest walk.
FARTHEST = 3

#: As few cards as a deck of one's own may have, and as many.
FEWEST, MOST = 20, 60

#: As many boards as a file may hold.
BOARDS = 24

PAIRS = ("SN", "WE")

#: Stands for a space that is nobody's start.
NO_SIDE = -1

#: As many idle rounds as may be asked for: in trial play there were about 40, and matches are to end.
MOST_QUIET = 300

BOARD = Choice(
    "board", ("mirror-gate", "mirror-ponds", "pinwheel", "scree"), "The map that the tokens cross", "R2, R3, R35",
    words=("Mirror Gate", "Mirror Ponds", "Pinwheel", "Scree"), group="Board and deck",
)  # fmt: skip
DECK = Choice(
    "deck", ("published", "pnp"), "The deck of 50, or the one made from a pack of 52", "R27, R28",
    words=("the published 50 cards", "made from a pack of 52"), group="Board and deck",
)  # fmt: skip

OPTIONS: tuple[Option, ...] = (
    BOARD,
    Choice("two_player_seats", ("board", "SN", "WE"), "The sides two players take; each board names its pair", "R4",
           title="Sides of two players", group="Board and deck",
           words=("as the board says", "bottom and top", "left and right")),
    DECK,
    Choice("die", ("d3", "d6"), "A die of 1 to 3, or one of six faces where 4, 5, 6 count 1, 2, 3", "R7, R8",
           words=("1 to 3", "six faces: 4, 5, 6 count 1, 2, 3"), group="Board and deck"),
    Number("stall_rounds", 100, 1, MOST_QUIET, "So many rounds without placing or arriving end the game", "R25",
           title="Idle rounds", group="The end"),
    Choice("stall_result", ("leader", "draw"), "Who wins such a game: the one with most tokens home, or nobody", "R26",
           title="An idle game is won by", words=("who has most tokens home", "nobody"), group="The end"),
)  # fmt: skip


@dataclass(frozen=True)
class Board:
    """A board: its map, the symmetry it has, and the sides that two players take."""

    name: str
    symmetry: str
    two_seats: str
    map: maps.Map


@dataclass(frozen=True)
class Content:
    """Boards, and for each value of the option `deck` how many cards it has of each kind."""

    boards: tuple[Board, ...]
    decks: dict[str, dict[str, int]]


def board_of(content: Content, kit: Any) -> Board:
    """The board the option names, or the first one if the content has none of that name."""
    asked = BOARD.values[kit.board]
    named = {board.name: board for board in content.boards}
    if asked not in named and asked != BOARD.default:
        raise BadOption(f"There is no board {asked} in this content; there is {', '.join(named)}.")
    return named.get(asked, content.boards[0])


def read_content(data: Mapping[str, Any], where: str) -> Content:
    """Check boards and decks; the form is told in content.toml."""
    for key in data:
        if key not in ("boards", "decks"):
            raise BadContent(f"{where}: there is no field {key}; a content file has boards and decks.")
    rows = data.get("boards")
    if not isinstance(rows, list) or not rows:
        raise BadContent(f"{where}: a content file has at least one board, under [[boards]].")
    if len(rows) > BOARDS:
        raise BadContent(f"{where}: there are {len(rows)} boards; a content file has at most {BOARDS}.")
    boards = tuple(_read_board(row, number, where) for number, row in enumerate(rows, 1))
    names = [board.name for board in boards]
    for name in names:
        if names.count(name) > 1:
            raise BadContent(f"{where}: two boards are called {name}.")
    return Content(boards, _read_decks(data.get("decks", {}), where))


def _read_board(row: Any, number: int, where: str) -> Board:
    if not isinstance(row, dict) or not isinstance(row.get("name"), str):
        raise BadContent(f"{where}: board {number}: a board has a name, a map, and if you like symmetry and two_seats.")
    name = row["name"]
    where = f"{where}: board {name if name.isprintable() else number}"
    if not 1 <= len(name.strip()) <= 24 or not name.isprintable():
        raise BadContent(f"{where}: name: a name has 1 to 24 characters.")
    for key in row:
        if key not in ("name", "symmetry", "two_seats", "map"):
            raise BadContent(f"{where}: there is no field {key}; a board has name, symmetry, two_seats and map.")
    symmetry, pair = row.get("symmetry", "none"), row.get("two_seats", PAIRS[0])
    if symmetry not in maps.SYMMETRIES:
        raise BadContent(f"{where}: symmetry: {symmetry} is none; there is {', '.join(maps.SYMMETRIES)}.")
    if pair not in PAIRS:
        raise BadContent(f"{where}: two_seats: {pair} is no pair of sides; there is {' and '.join(PAIRS)}.")
    if "map" not in row:
        raise BadContent(f"{where}: map is missing.")
    return Board(name.strip(), symmetry, pair, maps.read_map(row["map"], symmetry, where))


def _read_decks(data: Any, where: str) -> dict[str, dict[str, int]]:
    if not isinstance(data, dict):
        raise BadContent(f"{where}: decks: decks are tables, as in [decks.published].")
    for name in data:
        if name not in DECK.values:
            raise BadContent(f"{where}: there is no deck {name}; there is {' and '.join(DECK.values)}.")
    return {
        name: _read_deck(data[name], f"{where}: deck {name}") if name in data else _house_decks()[name]
        for name in DECK.values
    }


def _read_deck(row: Any, where: str) -> dict[str, int]:
    if not isinstance(row, dict) or set(row) != set(KINDS):
        raise BadContent(f"{where}: a deck says how many cards it has of each kind: {', '.join(KINDS)}.")
    for kind, count in row.items():
        if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count <= MOST:
            raise BadContent(f"{where}: {kind}: {count} is no number of cards; it is a whole number from 0.")
    total = sum(row.values())
    if not FEWEST <= total <= MOST:
        raise BadContent(f"{where}: there are {total} cards; a deck has {FEWEST} to {MOST}.")
    return {kind: row[kind] for kind in KINDS}


@cache
def _house_decks() -> dict[str, dict[str, int]]:
    """The decks of the game's own content, for files that bring only boards."""
    text = (Path(__file__).parent / "content.toml").read_text(encoding="utf-8")
    return {name: dict(row) for name, row in tomllib.loads(text)["decks"].items()}


def pack(content: Content, kit: Any) -> None:
    """Write the board and the deck into the kit record."""
    board = board_of(content, kit)
    deck = content.decks[DECK.values[kit.deck]]
    kit.rows, kit.columns = len(board.map), len(board.map[0])
    kit.pair = PAIRS.index(board.two_seats)
    kit.count[:] = [deck[kind] for kind in KINDS]
    kit.start_side[:] = NO_SIDE
    for side in range(len(maps.SIDES)):
        for number, (row, column) in enumerate(maps.starts(board.map, side)):
            kit.start[side, number] = square_at(column, row)
            kit.start_side[square_at(column, row)] = side
    for square in range(SQUARES):
        _pack_runs(board.map, kit, square)
    for side in range(len(maps.SIDES)):
        goals = maps.starts(board.map, (side + 2) % len(maps.SIDES))
        for (row, column), steps in maps.steps_to(board.map, goals).items():
            kit.far[side, square_at(column, row)] = steps


def _pack_runs(rows: maps.Map, kit: Any, square: int) -> None:
    """How many steps, up to the longest walk, lie open from a space in each direction (R18, R19)."""
    space = row_of(square), column_of(square)
    if maps.sign(rows, space) == maps.CLOSED:
        return
    kit.open[square] = 1
    for direction in range(DIRECTIONS):
        here, steps = space, 0
        while steps < FARTHEST and maps.sign(rows, maps.ahead(here, direction)) != maps.CLOSED:
            here, steps = maps.ahead(here, direction), steps + 1
        kit.run[direction, square] = steps
