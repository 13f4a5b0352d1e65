"""Untitled Movement Game: options, and the content file with boards and decks."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from sparring.engine.game import GameSetup
from sparring.engine.options import ChoiceOption
from sparring.engine.schema import Choice, Faults, Integer, ListField, Map, RecordField, Text, read
from sparring.engine.squares import DIRECTIONS, SIDE, SQUARES, STRIDES, column_of, row_of, square_at, turned
from sparring.engine.state import Components, Parameters, array, choice_option, number_option, scalar, table

from . import maps

#: The kinds of navigation card, in the order in which a whole hand is discarded.
KINDS = ("F", "B", "L", "R", "FR", "FL", "BR", "BL")
KIND_NAMES = WAY_TEXTS = (
    "forward", "backward", "left", "right", "forward-right", "forward-left", "backward-right", "backward-left",
)  # fmt: skip
#: The same as names of cards.
CARD_TEXTS = (
    "Forward", "Backward", "Left", "Right", "Forward-right", "Forward-left", "Backward-right", "Backward-left",
)  # fmt: skip
#: The direction of each kind for the bottom side, in the numbering of `engine.squares`.
HEADINGS = (0, 4, 6, 2, 1, 7, 3, 5)

#: The direction of each kind by side and kind, and its step in square numbers.
DIRECTION = np.array([[turned(heading, side) for heading in HEADINGS] for side in range(len(maps.SIDES))])
STRIDE = np.array(STRIDES)[DIRECTION]

#: The highest value of the die, so the longest move.
FARTHEST = 3

#: Fewest and most cards in a custom deck.
FEWEST, MOST = 20, 60

#: Most boards in a content file.
BOARDS = 24

PAIRS = ("SN", "WE")

#: The side of a space that is not a start.
NO_SIDE = -1

#: The highest idle round limit, so that matches end; test matches had at most about 40 consecutive idle rounds.
MOST_QUIET = 300

#: The document's colours of tokens; the first two seats have these anyway.
COLOUR_TEXTS = ("blue", "red", "white", "black")


class Params(Parameters):
    """What rules know besides the state: the options, the board and the deck."""

    board = choice_option(
        ("mirror-gate", "mirror-ponds", "pinwheel", "scree"),
        "The board to play on",
        "R2, R3, R35",
        words=("Mirror Gate", "Mirror Ponds", "Pinwheel", "Scree"),
        group="Board and deck",
        names_of="boards",
        ours=True,
    )
    two_player_seats = choice_option(
        ("board", "SN", "WE"),
        "Which sides two players take",
        "R4",
        title="Sides for two players",
        words=("board default", "bottom and top", "left and right"),
        group="Board and deck",
    )
    deck = choice_option(
        ("published", "pnp"),
        "50 published cards, or 42 from a pack of 52",
        "R27, R28",
        words=("published deck", "from a pack of 52"),
        group="Board and deck",
    )
    die = choice_option(
        ("d3", "d6"),
        "A die from 1 to 3, or a six-sided die whose 4, 5, 6 count as 1, 2, 3",
        "R7, R8",
        words=("1 to 3", "six-sided"),
        group="Board and deck",
    )
    tokens = choice_option(
        ("seats", "document"),
        "The colours of the tokens",
        "R39",
        title="Token colours",
        words=("those of the seats", "blue, red, white and black"),
        group="Board and deck",
        ours=True,
        drawn=True,
        when_missing="seats",
    )
    home = number_option(
        4, 1, 4, "How many tokens a player must bring home to win", "R23", title="Tokens home to win", group="The end"
    )
    stall_rounds = number_option(
        100,
        1,
        MOST_QUIET,
        "The match ends after this many idle rounds in a row",
        "R25",
        title="Idle round limit",
        group="The end",
        ours=True,
    )
    stall_result = choice_option(
        ("leader", "draw"),
        "Whether the player with the most tokens home wins a stalled match",
        "R26",
        title="When the match stalls",
        words=("leader wins", "draw"),
        group="The end",
        ours=True,
    )
    rows = scalar()
    columns = scalar()
    pair = scalar()  # the sides of two players: 0 bottom and top, 1 left and right
    count = array(len(KINDS))  # cards in the deck, by kind
    open = array(SQUARES)
    run = table(DIRECTIONS, SQUARES)  # open spaces ahead by direction, at most FARTHEST
    start = table(len(maps.SIDES), maps.STARTS)
    far = table(len(maps.SIDES), SQUARES)  # steps to the nearest goal of the seat on that side
    start_side = array(SQUARES)  # the side a start belongs to, or NO_SIDE


BOARD, DECK = (one for one in Params.options if isinstance(one, ChoiceOption) and one.name in ("board", "deck"))
#: The navigation cards; those of one kind are equal.
NAVIGATION = Components(
    lambda _setup: {kind: (name,) for kind, name in enumerate(KINDS)}, copies=lambda setup: setup.params.count.tolist()
)


@dataclass(frozen=True)
class Board:
    """A board: its map, its symmetry, and the sides for two players."""

    name: str
    symmetry: str
    two_seats: str
    map: maps.Map


@dataclass(frozen=True)
class Content:
    """The boards, and for each value of the option `deck` the number of cards of each kind."""

    boards: tuple[Board, ...]
    decks: dict[str, dict[str, int]]


def token_colour(setup: GameSetup, seat: int) -> str:
    """Return the document's colour for the tokens of a seat (from 0); empty if they have that of the seat."""
    return COLOUR_TEXTS[seat] if setup.options["tokens"] == "document" else ""


def board_of(content: Content, params: Params) -> Board:
    """Return the board that the option names."""
    return content.boards[params.board]


def _board_faults(board: dict[str, Any]) -> Faults:
    rows = board["map"]
    yield from ((("map",), fault) for fault in maps.faults(rows))
    yield from ((("symmetry",), fault) for fault in maps.claim_faults(rows, board["symmetry"]))


def _deck_faults(deck: dict[str, int]) -> Faults:
    total = sum(deck.values())
    if not FEWEST <= total <= MOST:
        yield (), f"there are {total} cards; a deck needs {FEWEST} to {MOST}."


def _deck(title: str) -> RecordField:
    kinds = {
        kind: Integer(0, MOST, "number of cards", title=name.capitalize())
        for kind, name in zip(KINDS, KIND_NAMES, strict=True)
    }
    return RecordField("deck", kinds, title=title, check=_deck_faults, default={})


FORM = RecordField("content file", {
    "boards": ListField(
        RecordField("board", {
            "name": Text(),
            "symmetry": Choice(maps.SYMMETRIES, "symmetry", default="none", help="The symmetry the map must have."),
            "two_seats": Choice(PAIRS, "pair of sides", default=PAIRS[0], title="Two players sit at",
                              help="SN: bottom and top; WE: left and right."),
            "map": Map(maps.SIGNS, maps.SMALLEST, SIDE, help="Each side has four starts, none of them in a corner; "
                       "the rest of the border is closed.", template=maps.template),
        }, check=_board_faults),
        "board", "content file", 1, BOARDS, title="Boards", unique=True,
        like="a content file has at least one board, under [[boards]].",
    ),
    "decks": RecordField("table decks", {name: _deck(word.capitalize()) for name, word in
                                    zip(DECK.values, DECK.words, strict=True)},
                    default={}, title="Decks", help="The number of cards of each kind. If a deck is left out, "
                    "the one that comes with the game is used."),
})  # fmt: skip


def read_content(data: Mapping[str, Any], where: str) -> Content:
    """Check and read a content file with boards and decks; `where` names it in errors."""
    checked = read(FORM, data, where)
    boards = tuple(Board(row["name"], row["symmetry"], row["two_seats"], row["map"]) for row in checked["boards"])
    return Content(boards, {name: checked["decks"].get(name) or _default_decks()[name] for name in DECK.values})


@cache
def _default_decks() -> dict[str, dict[str, int]]:
    """Return the decks that come with the game, for content files with boards only."""
    text = (Path(__file__).parent / "content.toml").read_text(encoding="utf-8")
    return {name: dict(row) for name, row in tomllib.loads(text)["decks"].items()}


def pack(content: Content, params: Params) -> None:
    """Write the board and the deck into the parameters."""
    board = board_of(content, params)
    deck = content.decks[DECK.values[params.deck]]
    params.rows, params.columns = len(board.map), len(board.map[0])
    params.pair = PAIRS.index(board.two_seats)
    params.count[:] = [deck[kind] for kind in KINDS]
    params.start_side[:] = NO_SIDE
    for side in range(len(maps.SIDES)):
        for number, (row, column) in enumerate(maps.starts(board.map, side)):
            params.start[side, number] = square_at(column, row)
            params.start_side[square_at(column, row)] = side
    for square in range(SQUARES):
        _pack_runs(board.map, params, square)
    for side in range(len(maps.SIDES)):
        goals = maps.starts(board.map, (side + 2) % len(maps.SIDES))
        for (row, column), steps in maps.steps_to(board.map, goals).items():
            params.far[side, square_at(column, row)] = steps


def _pack_runs(rows: maps.Map, params: Params, square: int) -> None:
    """Write how many steps, up to the longest move, are open from a space in each direction (R18, R19)."""
    space = row_of(square), column_of(square)
    if maps.sign(rows, space) == maps.CLOSED:
        return
    params.open[square] = 1
    for direction in range(DIRECTIONS):
        here, steps = space, 0
        while steps < FARTHEST and maps.sign(rows, maps.ahead(here, direction)) != maps.CLOSED:
            here, steps = maps.ahead(here, direction), steps + 1
        params.run[direction, square] = steps
