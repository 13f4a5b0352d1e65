"""Untitled Movement Game: the options, and the boards and decks as they are read from a content file."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from sparring.engine.errors import BadOption
from sparring.engine.form import Found, Many, Map, Pick, Record, Text, Whole, read
from sparring.engine.options import Choice, Number, Option
from sparring.engine.squares import DIRECTIONS, SIDE, SQUARES, column_of, row_of, square_at

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


def _board_faults(board: dict[str, Any]) -> Found:
    rows = board["map"]
    yield from ((("map",), fault) for fault in maps.faults(rows))
    yield from ((("symmetry",), fault) for fault in maps.claim_faults(rows, board["symmetry"]))


def _deck_faults(deck: dict[str, int]) -> Found:
    total = sum(deck.values())
    if not FEWEST <= total <= MOST:
        yield (), f"there are {total} cards; a deck has {FEWEST} to {MOST}."


def _deck(title: str) -> Record:
    kinds = {
        kind: Whole(0, MOST, "number of cards", title=name.capitalize())
        for kind, name in zip(KINDS, KIND_NAMES, strict=True)
    }
    return Record("deck", kinds, title=title, check=_deck_faults, default={})


FORM = Record("content file", {
    "boards": Many(
        Record("board", {
            "name": Text(),
            "symmetry": Pick(maps.SYMMETRIES, "symmetry", default="none", help="What the map is held to."),
            "two_seats": Pick(PAIRS, "pair of sides", default=PAIRS[0], title="Two players sit at",
                              help="SN: bottom and top; WE: left and right."),
            "map": Map(maps.SIGNS, maps.SMALLEST, SIDE, help="Each side has four starts, none of them in a corner; "
                       "the rest of the border is closed."),
        }, check=_board_faults),
        "board", "content file", 1, BOARDS, title="The boards", unique=True,
        like="a content file has at least one board, under [[boards]].",
    ),
    "decks": Record("table decks", {name: _deck(word.capitalize()) for name, word in
                                    zip(DECK.values, DECK.words, strict=True)},
                    default={}, title="The decks", help="How many cards there are of each kind. What is left out is "
                    "as it comes with the game."),
})  # fmt: skip


def read_content(data: Mapping[str, Any], where: str) -> Content:
    """Check boards and decks; the form is told in content.toml."""
    checked = read(FORM, data, where)
    boards = tuple(Board(row["name"], row["symmetry"], row["two_seats"], row["map"]) for row in checked["boards"])
    return Content(boards, {name: checked["decks"].get(name) or _house_decks()[name] for name in DECK.values})


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
