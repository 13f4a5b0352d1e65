"""Untitled Movement Game: cards, die, tokens and the bare board; the components to print; the studio's preview."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import groupby
from typing import Any

from sparring.engine.game import SPECTATOR, GameSetup
from sparring.engine.messages import cached_by_language
from sparring.engine.options import Value
from sparring.engine.records import deal
from sparring.engine.schema import validate
from sparring.engine.squares import SQUARES, column_of, row_of, square_at, square_name
from sparring.scene import (
    Board, CardCopies, Cell, Colour, Face, Label, PaperCounter, PaperDeck, PaperInventory, Picture,
)  # fmt: skip
from sparring.scene.components import PreviewBar, PreviewBars, PreviewText, StatSheet
from sparring.scene.patterns import fill, seat_pattern
from sparring.scene.sentences import Voice, say

from . import maps
from .params import BOARD, CARD_TEXTS, DECK, FORM, HEADINGS, KIND_NAMES, KINDS, NO_SIDE, board_of, token_colour
from .state import TOKENS

#: Flat colours with patterns for cards that move forward, sideways and backward.
AHEAD = Colour("ahead", "forward", "", "solid")
ACROSS = Colour("across", "sideways", "", "dots")
HOMEWARD = Colour("homeward", "backward", "", "bars")
COLOURS = (AHEAD, HOMEWARD, ACROSS, ACROSS, AHEAD, AHEAD, HOMEWARD, HOMEWARD)

#: An arrow for each direction on the screen, clockwise from up.
SIGNS = "↑↗→↘↓↙←↖"

ARROW = '<path class="arrow" transform="rotate({} 50 50)" d="M50 9 82 46H62V91H38V46H18z"/>'

MEEPLE = (
    "M0-8.4c2.3 0 3.9 1.7 3.9 3.7 0 .7-.2 1.2-.4 1.7 2.5.5 5.3 1.5 5.3 3.1 0 1.7-2 2.1-4.3 2.2"
    "C5 4.4 6.5 6.2 6.5 7.300c0 .6-.5 1-1.2 1H1.700C1.2 8.3.9 8 .8 7.600L0 5.600l-.8 2c-.1.4-.4.7-.9.7h-3.6"
    "c-.7 0-1.2-.4-1.2-1C-6.5 6.2-5 4.4-4.5 2.3-6.8 2.2-8.8 1.8-8.8.1c0-1.6 2.8-2.6 5.3-3.1"
    "-.2-.5-.4-1-.4-1.7 0-2 1.6-3.7 3.9-3.700z"
)

BACK = Picture(
    "compass",
    '<rect width="63" height="88" rx="4" class="paper"/>'
    '<rect x="3" y="3" width="57" height="82" rx="2.5" class="ground"/>'
    '<g class="points"><path d="M31.5 20 39 36H24zM31.5 68 24 52h15zM7.5 44 23.5 36.500v15zM55.5 44 39.5 51.500v-15z"/>'
    '<circle cx="31.5" cy="44" r="4"/></g>',
)


def sign(kind: int) -> str:
    """Return the arrow of a card as its owner sees it."""
    return SIGNS[HEADINGS[kind]]


@cached_by_language(64 * len(KINDS))
def face(kind: int, heading: int = -1) -> Face:
    """Return the face of a card, its arrow as the owner sees it or turned to `heading` (eighths clockwise from up)."""
    turned = HEADINGS[kind] if heading < 0 else heading
    arrow = Picture(f"arrow {KINDS[kind]} {turned}", ARROW.format(45 * turned))
    name = say(CARD_TEXTS[kind])
    return Face(name, COLOURS[kind], KINDS[kind], arrow, spoken_name=name)


#: The pips of each face as (column, row) from -1 to 1.
PIPS = {
    1: ((0, 0),),
    2: ((-1, 1), (1, -1)),
    3: ((-1, 1), (0, 0), (1, -1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


@lru_cache(maxsize=6)
def die(face: int) -> Face:
    """Return the die showing a face, with the value of a face above 3 below it."""
    pips = "".join(f'<circle cx="{50 + 25 * x}" cy="{50 + 25 * y}" r="9.5"/>' for x, y in PIPS[face])
    picture = Picture(f"die {face}", f'<rect class="die" x="2" y="2" width="96" height="96" rx="20"/>{pips}')
    return Face(str(face), picture=picture, lines=(f"= {face - 3}",) if face > 3 else (), layout="full")


@lru_cache(maxsize=16)
def meeple(seat: int, home: bool, colour: str = "") -> Picture:
    """Draw a token of a seat (from 1) in its colour or a named one, with a ring around it if it is home."""
    ring = '<circle r="9.3" class="haven"/>' if home else ""
    return Picture(
        f"meeple {seat} {colour}".rstrip(),
        f'{ring}<path class="rim" d="{MEEPLE}"/><path class="{f"disc {colour}".rstrip()}" d="{MEEPLE}"/>'
        f'<path d="{MEEPLE}" fill="{fill(seat_pattern(seat))}"/>'
        f'<circle class="plate" cy="0.6" r="3.2"/><text y="2.5" font-size="5.2">{seat}</text>',
    )


# The bare board as one seat sees it, without tokens and choices

#: Column and row; fractions lie between spaces.
Point = tuple[float, float]


class BareBoard:
    """The cells of a board, and the labels along its edges: whose starts and goals.

    `is_open` and `start_side` are those of the params, `sides` the side of each seat; `seat` (from 0; negative: a
    spectator) is the one that looks at the board.
    """

    def __init__(
        self, rows: int, columns: int, is_open: tuple[int, ...], start_side: tuple[int, ...], sides: tuple[int, ...],
        seat: int,
    ) -> None:  # fmt: skip
        self.rows, self.columns, self.open, self.start_side = rows, columns, is_open, start_side
        self.sides, self.seat, self.voice = sides, seat, Voice(seat)
        squares = [square_at(column, row) for row in range(rows) for column in range(columns)]
        self.spaces = tuple((square, self.space(square)) for square in squares)
        self.labels = tuple(label for side in range(len(maps.SIDES)) for label in self.names(side))

    # Spaces

    def space(self, square: int) -> Cell:
        """Return the cell of a space: closed, open, a start or a goal."""
        at, name = (column_of(square), row_of(square)), square_name(square)
        if not self.open[square]:
            closed = say("{space}, closed", space=name)
            return Cell(at=at, tone="border" if self.on_side(square) else "wall", label=closed)
        owner, goal = self.seat_of(self.start_side[square]), self.seat_of(self.start_side[square] ^ 2)
        return Cell(
            at=at, name=name, tone=self.tone(square, owner, goal), seat=owner, goal=goal,
            label=say(", ").join((name, *self.ownership(owner, goal))),
        )  # fmt: skip

    def tone(self, square: int, owner: int, goal: int) -> str:
        """Return the tone of an open space: own goal, other start or goal, or floor in two shades."""
        if owner or goal:
            return "goal" if goal == self.seat + 1 else "start"
        return "floor dark" if (row_of(square) + column_of(square)) % 2 else "floor"

    def ownership(self, owner: int, goal: int) -> tuple[str, ...]:
        """Return whose goal and whose start a space is, in words."""
        goals = [self.voice.text("your goal", "{who}'s goal", who=goal - 1)] if goal else []
        starts = [self.voice.text("your start", "{who}'s start", who=owner - 1)] if owner else []
        return tuple(map(str, goals + starts))

    def on_side(self, square: int) -> bool:
        """Return whether a space is on the border but not in a corner."""
        return (row_of(square) in (0, self.rows - 1)) != (column_of(square) in (0, self.columns - 1))

    def seat_of(self, side: int) -> int:
        """Return the seat (from 1) on a side, or 0 for none."""
        return self.sides.index(side) + 1 if side in self.sides else 0

    # Labels along the edges

    def edge(self, side: int) -> list[int]:
        """Return the spaces of a side, including corners."""
        if side % 2:
            return [square_at(0 if side == 1 else self.columns - 1, row) for row in range(self.rows)]
        return [square_at(column, 0 if side == 2 else self.rows - 1) for column in range(self.columns)]

    def names(self, side: int) -> list[Label]:
        """Return whose starts and whose goals are on a side, written along its closed spaces."""
        starts, goals = self.seat_of(side), self.seat_of(side ^ 2)
        both = [
            (starts, self.voice.text("Your starts", "{who}'s starts", who=starts - 1)),
            (goals, self.voice.text("Your goals", "{who}'s goals", who=goals - 1)),
        ]
        named = [(seat, text) for seat, text in both if seat]
        return [
            Label((inwards(first, side, -0.27), inwards(last, side, -0.27)), str(text), seat)
            for (seat, text), (first, last) in zip(named, self.closed_stretches(side), strict=False)
        ]

    def closed_stretches(self, side: int) -> list[tuple[Point, Point]]:
        """Return the ends of the two longest stretches of closed spaces on a side, with half of each corner."""
        edge = self.edge(side)
        runs = [list(run) for is_open, run in groupby(range(len(edge)), lambda i: self.open[edge[i]]) if not is_open]
        stretches = [(max(0, run[0] - 0.45), min(len(edge) - 1, run[-1] + 0.45)) for run in runs]
        longest = sorted(sorted(stretches, key=lambda ends: ends[1] - ends[0])[-2:])
        return [(along(edge, first), along(edge, last)) for first, last in longest]


@cached_by_language(64)
def bare_board(*board: Any) -> BareBoard:
    """Return a bare board: the same at every beat of a match and at all tables with the same board and language."""
    return BareBoard(*board)


def along(edge: list[int], place: float) -> Point:
    """Return the point at a distance (in spaces) along an edge, through the centres of its spaces."""
    (x, y), (a, b) = ((column_of(square), row_of(square)) for square in (edge[0], edge[-1]))
    part = place / (len(edge) - 1)
    return x + (a - x) * part, y + (b - y) * part


def inwards(point: Point, side: int, distance: float) -> Point:
    """Move a border point by a distance in spaces towards the middle of the board, or outwards if it is negative."""
    x, y = ((0, -distance), (distance, 0), (0, distance), (-distance, 0))[side]
    return point[0] + x, point[1] + y


# The printed game: navigation cards, a board, the tokens of every seat

#: The tokens that win, by their number.
HOME_IN_WORDS = {1: "a token is", 2: "two tokens are", 3: "three tokens are", TOKENS: "all four tokens are"}
#: The deck that an ordinary pack gives (R27).
PACK = {"F": 9, "B": 3, "L": 9, "R": 9, "FR": 4, "FL": 4, "BR": 2, "BL": 2}
#: How an ordinary pack becomes that deck.
CONVERSION = (
    "2 to 10: Spades forward, Diamonds right, Clubs left, Hearts backward. Ace: forward-right. Jack: forward-left. "
    "Queen: backward-right. King: backward-left. First remove six Hearts from 2 to 10, two Queens and two Kings."
)


def inventory(setup: GameSetup, seats: int) -> PaperInventory:
    """Return all components for a number of seats."""
    counts = setup.content.decks[DECK.values[setup.params.deck]]
    cards = tuple(
        CardCopies(face=face(number), components=tuple(f"{kind} {n}" for n in range(counts[kind])))
        for number, kind in enumerate(KINDS) if counts[kind]
    )  # fmt: skip
    in_pack = dict(counts) == PACK
    return PaperInventory(
        decks=(PaperDeck(title="Navigation cards", cards=cards, back=BACK, in_pack=in_pack),),
        reference=(("An ordinary pack", CONVERSION),) if in_pack else (),
        boards=(_printed_board(setup, seats),),
        counters=tuple(
            PaperCounter(title=f"{token_colour(setup, seat)} tokens of seat {seat + 1}".strip().capitalize(),
                picture=meeple(seat + 1, False, token_colour(setup, seat)), seat=seat + 1, stands=True,
                    components=tuple(f"token {seat * TOKENS + number}" for number in range(TOKENS)))
            for seat in range(seats)
        ),
        turn=(
            "Roll the die, or discard your whole hand and end your turn.",
            "On a 3 you may place a new token on one of your free starts instead; then discard one card.",
            "Otherwise play cards: each moves one token in its direction, and each space costs a move.",
            "If you move no token, discard one card.",
            "Draw back up to three cards. A token on a goal stays there.",
            f"When {HOME_IN_WORDS[int(setup.params.home)]} on your goals, you win.",
        ),
        dice=(6,),
        needs=("a six-sided die (4, 5 and 6 count as 1, 2 and 3)", *(["a pack of 52 cards"] if in_pack else [])),
    )  # fmt: skip


def _printed_board(setup: GameSetup, seats: int) -> Board:
    """Return the board as a spectator sees it."""
    params, sides = setup.params, deal(setup, seats, 1).state.side[:seats]  # the same for every seed
    bare = bare_board(int(params.rows), int(params.columns), tuple(params.open.tolist()), tuple(params.start_side.tolist()),
                   tuple(sides.tolist()), SPECTATOR)  # fmt: skip
    title = BOARD.with_content(setup.content).in_words(board_of(setup.content, params).name)
    return Board("board", title, tuple(cell for _, cell in bare.spaces), labels=bare.labels, coordinates=True)


# The studio's preview: boards with their distances, and decks


def preview(data: Mapping[str, Any], options: Mapping[str, Value], at: tuple[str | int, ...]) -> Iterator[Any]:
    """Yield the board or deck being edited (`at`), or the first board."""
    content = validate(FORM, data)[0]
    part, key = at[:2] if len(at) > 1 else ("boards", 0)
    if part == "decks":
        yield from _deck(content, str(key))
    elif isinstance(key, int) and key < len(content["boards"]) and (board := content["boards"][key]):
        yield from _edited_board(board)


def _edited_board(board: Mapping[str, Any]) -> Iterator[Any]:
    rows = board.get("map")
    if not rows:
        return
    is_open, sides = [0] * SQUARES, [NO_SIDE] * SQUARES
    for row, line in enumerate(rows):
        for column, drawn in enumerate(line):
            is_open[square_at(column, row)] = drawn != maps.CLOSED
    for side in range(len(maps.SIDES)):
        for row, column in maps.starts(rows, side):
            sides[square_at(column, row)] = side
    bare = bare_board(len(rows), len(rows[0]), tuple(is_open), tuple(sides), (0, 2, 1, 3), -1)
    yield Board("board", str(board.get("name") or "Board"), tuple(cell for _, cell in bare.spaces))
    kinds = [kind for kind in maps.SYMMETRIES[:-1] if _has(rows, kind)]
    yield PreviewText(f"Symmetry: {' and '.join(kinds) or 'none'}.")
    if not list(maps.faults(rows)):
        head = ("Side", *(f"Start {number}" for number in range(1, maps.STARTS + 1)), "Goals reached")
        yield StatSheet("Fewest moves to a goal", head, tuple(_distances(rows)))


def _has(rows: maps.Map, symmetry: str) -> bool:
    square = len(rows) == len(rows[0])
    return (square or symmetry != "quarter turn") and maps.has_symmetry(rows, symmetry)


def _distances(rows: maps.Map) -> Iterator[tuple[str, ...]]:
    """Yield, by side, the fewest moves from each start to a goal, and how many goals every start can reach."""
    for side, name in enumerate(maps.SIDE_NAMES):
        goals, starts = maps.starts(rows, (side + 2) % len(maps.SIDES)), maps.starts(rows, side)
        nearest = maps.steps_to(rows, goals)
        reached = sum(all(start in maps.steps_to(rows, [goal]) for start in starts) for goal in goals)
        yield name, *(str(nearest.get(start, "never")) for start in starts), f"{reached} of {len(goals)}"


def _deck(content: Mapping[str, Any], name: str) -> Iterator[Any]:
    deck = content["decks"].get(name)
    if not deck or not all(isinstance(deck.get(kind), int) for kind in KINDS):
        yield PreviewText(
            "The game's default deck." if name in DECK.values and not deck else "This deck is incomplete."
        )
        return
    yield PreviewText(f"{sum(deck.values())} cards", "strong")
    yield PreviewBars("Cards of each kind", tuple(
        PreviewBar(word, deck[kind], str(deck[kind])) for kind, word in zip(KINDS, KIND_NAMES, strict=True)
    ))  # fmt: skip
