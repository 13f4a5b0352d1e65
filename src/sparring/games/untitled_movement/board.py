"""Untitled Movement Game: the board as a seat sees it, turned so that its own side is the lowest."""

from itertools import groupby
from typing import Any

from sparring.engine.game import Box
from sparring.engine.squares import OFF, column_of, row_of, square_at
from sparring.scene import Board, Cell, Label, Layout, Token
from sparring.scene.sentences import listed

from . import state as R
from .art import meeple, sign
from .kit import KIND_NAMES, KINDS, NO_SIDE
from .maps import SIDES
from .moves import on_goal
from .rules import steps_to
from .state import TOKENS
from .telling import kinds, moves, reached, space_name


#: Column and row, or between them.
Point = tuple[float, float]


class Ground(Layout):
    """The part of a table that is the board, and where one's own cards lead on it."""

    def __init__(self, box: Box, s: Any, seat: int, choices: list[int], beat: str) -> None:
        super().__init__(box, s, seat, choices, beat)
        self.phase = int(s.phase)
        self.sides: list[int] = s.side[: s.seats].tolist()
        #: By how many quarters the board is turned, so that this seat sits below.
        self.turns = -self.sides[seat] % 4 if seat >= 0 else 0
        self.open: list[int] = box.kit.open.tolist()
        self.start_side: list[int] = box.kit.start_side.tolist()
        self.rows, self.columns = int(box.kit.rows), int(box.kit.columns)
        self.ways = self.own_ways()

    # Where one's own cards lead

    def own_ways(self) -> dict[int, list[tuple[int, int, int]]]:
        """For each kind in one's hand: which tokens it moves, where to, at what cost; up to three before a throw."""
        s = self.s
        if self.seat < 0 or s.over or self.beat or s.phase == R.START:
            return {}
        most = int(s.moves) if self.asked and s.phase in (R.CARD, R.TOKEN, R.SPACE) else 3
        return {kind: reached(self.box, s, self.seat, kind, most) for kind in set(kinds(s.hand[self.seat]))}

    def leading_to(self, square: int) -> list[int]:
        """The kinds of one's hand that lead to a space."""
        return [kind for kind in sorted(self.ways) if any(space == square for _, space, _ in self.ways[kind])]

    def reach(self, kind: int) -> str:
        """Where a card leads, in words."""
        tokens: dict[int, list[str]] = {}
        for token, square, _ in self.ways.get(kind, ()):
            tokens.setdefault(token, []).append(space_name(square))
        said = [
            f"{space_name(self.s.token[self.seat, token])} to {listed(spaces, 'or')}"
            for token, spaces in tokens.items()
        ]
        return f"{KIND_NAMES[kind].capitalize()}: {'; '.join(said)}" if said else ""

    # The board

    def board(self) -> Board:
        """Spaces, tokens, and along the edges the sides by name and the numbers of rows and columns."""
        s = self.s
        squares = [square_at(column, row) for row in range(self.rows) for column in range(self.columns)]
        tokens = (self.token(seat, n) for seat in range(int(s.seats)) for n in range(TOKENS) if s.token[seat, n] != OFF)
        labels = [label for side in range(len(SIDES)) for label in (*self.numbers(side), *self.names(side))]
        return Board(
            "board", "The board", tuple(self.cell(square) for square in squares), tuple(tokens), labels=tuple(labels),
            turns=self.turns,
        )  # fmt: skip

    def cell(self, square: int) -> Cell:
        """A space: open, closed, somebody's start and another's goal; lit by the cards that lead there."""
        at = column_of(square), row_of(square)
        if not self.open[square]:
            tone = "border" if self.has_number(square) else "wall"
            return Cell(at=at, tone=tone, label=f"{space_name(square)}, closed")
        owner, goal = self.seat_of(self.start_side[square]), self.seat_of(self.start_side[square] ^ 2)
        lead = self.leading_to(square)
        return Cell(
            at=at, name=space_name(square), tone=self.tone(square, owner, goal), text=self.text(square, lead),
            seat=owner, goal=goal,
            lit_by=tuple(f"card {KINDS[kind]}" for kind in lead), label=self.label(square, owner, goal, lead),
            **self.offered(R.TO + square),
        )  # fmt: skip

    # Along the edges

    def edge(self, side: int) -> list[int]:
        """The spaces of a side, corners included."""
        if side % 2:
            return [square_at(0 if side == 1 else self.columns - 1, row) for row in range(self.rows)]
        return [square_at(column, 0 if side == 2 else self.rows - 1) for column in range(self.columns)]

    def numbers(self, side: int) -> list[Label]:
        """Closed spaces of a side bear the number of their row or column, as spaces are called by them."""
        return [
            Label((inwards((column_of(square), row_of(square)), side, 0.24),) * 2, str(number))
            for number, square in enumerate(self.edge(side))
            if not self.open[square] and self.has_number(square)
        ]

    def names(self, side: int) -> list[Label]:
        """Whose starts and whose goals a side has, written along its closed spaces."""
        starts, goals = self.seat_of(side), self.seat_of(side ^ 2)
        said = [(seat, what) for seat, what in ((starts, "starts"), (goals, "goals")) if seat]
        return [
            Label((inwards(first, side, -0.27), inwards(last, side, -0.27)), f"{self.whose(seat)} {what}", seat)
            for (seat, what), (first, last) in zip(said, self.stretches(side), strict=False)
        ]

    def stretches(self, side: int) -> list[tuple[Point, Point]]:
        """From where to where the two longest stretches of closed spaces reach; of a corner only half is its side's."""
        edge = self.edge(side)
        runs = [list(run) for is_open, run in groupby(range(len(edge)), lambda i: self.open[edge[i]]) if not is_open]
        reach = [(max(0, run[0] - 0.45), min(len(edge) - 1, run[-1] + 0.45)) for run in runs]
        longest = sorted(sorted(reach, key=lambda ends: ends[1] - ends[0])[-2:])
        return [(along(edge, first), along(edge, last)) for first, last in longest]

    def whose(self, seat: int) -> str:
        """A seat (from 1) as an owner."""
        return "Your" if seat == self.seat + 1 else f"Seat {seat}'s"

    # A space

    def has_number(self, square: int) -> bool:
        """Whether a space lies along the border and in no corner."""
        return (row_of(square) in (0, self.rows - 1)) != (column_of(square) in (0, self.columns - 1))

    def seat_of(self, side: int) -> int:
        """Who plays from a side, from 1; 0 for nobody."""
        return self.sides.index(side) + 1 if side in self.sides else 0

    def tone(self, square: int, owner: int, goal: int) -> str:
        """What a space is: one's own goal, somebody's start, open ground in two shades."""
        picked = self.phase == R.TOKEN and self.asked and R.TO + square not in self.choices
        if picked and any(space == square for _, space, _ in self.ways[int(self.s.card)]):
            return "reach"
        if owner or goal:
            return "goal" if goal == self.seat + 1 else "start"
        return "floor dark" if (row_of(square) + column_of(square)) % 2 else "floor"

    def text(self, square: int, lead: list[int]) -> str:
        """What a space says: what it costs, the arrows of the cards that lead there, the circle of a start."""
        if self.asked and self.phase == R.SPACE and R.TO + square in self.choices:
            return str(int(steps_to(self.s, square)))
        if self.asked and self.phase == R.CARD and lead:
            return "".join(sign(kind) for kind in lead)
        if self.asked and self.phase == R.TOKEN and int(self.s.card) in lead:
            return sign(int(self.s.card))
        return "○" if self.start_side[square] not in (NO_SIDE, *self.sides, *(side ^ 2 for side in self.sides)) else ""

    def label(self, square: int, owner: int, goal: int, lead: list[int]) -> str:
        """A space in words."""
        parts = [space_name(square)]
        if R.TO + square in self.choices and self.phase == R.SPACE:
            parts.append(f"for {moves(int(steps_to(self.s, square)))}")
        if goal:
            parts.append("your goal" if goal == self.seat + 1 else f"a goal of Seat {goal}")
        if owner:
            parts.append("your start" if owner == self.seat + 1 else f"a start of Seat {owner}")
        if lead and self.phase != R.SPACE:
            parts.append(f"reached by {listed([KIND_NAMES[kind] for kind in lead], 'or')}")
        return ", ".join(parts)

    def token(self, seat: int, n: int) -> Token:
        """A token, where it stands."""
        s = self.s
        square = int(s.token[seat, n])
        arrived = bool(on_goal(self.box.kit, s, seat, square))
        picked = s.phase == R.SPACE and seat == s.player and n == s.picked and not s.over
        whose = "your token" if seat == self.seat else f"a token of Seat {seat + 1}"
        choice = self.chosen(R.PICK + n) if self.asked and seat == s.player and not picked else {}
        return Token(
            key=f"token {seat} {n}", at=(column_of(square), row_of(square)), seat=seat + 1,
            state="home" if arrived else "picked" if picked else "", picture=meeple(seat + 1, arrived),
            label=f"{space_name(square)}, {whose}{', home' if arrived else ''}", **choice,
        )  # fmt: skip


def along(edge: list[int], place: float) -> Point:
    """A point on the line through the middles of an edge's spaces, by its distance from the first."""
    (x, y), (a, b) = ((column_of(square), row_of(square)) for square in (edge[0], edge[-1]))
    part = place / (len(edge) - 1)
    return x + (a - x) * part, y + (b - y) * part


def inwards(point: Point, side: int, far: float) -> Point:
    """A point of the border moved so far (in spaces) towards the middle of the board; negative: away from it."""
    x, y = ((0, -far), (far, 0), (0, far), (-far, 0))[side]
    return point[0] + x, point[1] + y
