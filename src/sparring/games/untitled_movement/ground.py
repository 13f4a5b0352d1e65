"""Untitled Movement Game: the bare board as one seat sees it, without tokens and choices."""

from functools import lru_cache
from itertools import groupby

from sparring.engine.squares import column_of, row_of, square_at, square_name
from sparring.scene import Cell, Label

from .maps import SIDES

#: Column and row; fractions lie between spaces.
Point = tuple[float, float]


class BareBoard:
    """The cells of a board, and the labels along its edges: whose starts and goals.

    `is_open` and `start_side` are those of the kit, `sides` the side of each seat; `seat` (from 0; negative: a
    spectator) is the one that looks at the board.
    """

    def __init__(
        self, rows: int, columns: int, is_open: tuple[int, ...], start_side: tuple[int, ...], sides: tuple[int, ...],
        seat: int,
    ) -> None:  # fmt: skip
        self.rows, self.columns, self.open, self.start_side = rows, columns, is_open, start_side
        self.sides, self.seat = sides, seat
        squares = [square_at(column, row) for row in range(rows) for column in range(columns)]
        self.spaces = tuple((square, self.space(square)) for square in squares)
        self.labels = tuple(label for side in range(len(SIDES)) for label in self.names(side))

    # Spaces

    def space(self, square: int) -> Cell:
        """Return the cell of a space: closed, open, a start or a goal."""
        at, name = (column_of(square), row_of(square)), square_name(square)
        if not self.open[square]:
            return Cell(at=at, tone="border" if self.on_side(square) else "wall", label=f"{name}, closed")
        owner, goal = self.seat_of(self.start_side[square]), self.seat_of(self.start_side[square] ^ 2)
        return Cell(
            at=at, name=name, tone=self.tone(square, owner, goal), seat=owner, goal=goal,
            label=", ".join((name, *self.ownership(owner, goal))),
        )  # fmt: skip

    def tone(self, square: int, owner: int, goal: int) -> str:
        """Return the tone of an open space: own goal, other start or goal, or floor in two shades."""
        if owner or goal:
            return "goal" if goal == self.seat + 1 else "start"
        return "floor dark" if (row_of(square) + column_of(square)) % 2 else "floor"

    def ownership(self, owner: int, goal: int) -> tuple[str, ...]:
        """Return whose goal and whose start a space is, in words."""
        whose_goal = "your goal" if goal == self.seat + 1 else f"Seat {goal}'s goal"
        whose_start = "your start" if owner == self.seat + 1 else f"Seat {owner}'s start"
        return (*((whose_goal,) if goal else ()), *((whose_start,) if owner else ()))

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
        texts = [(seat, what) for seat, what in ((starts, "starts"), (goals, "goals")) if seat]
        return [
            Label((inwards(first, side, -0.27), inwards(last, side, -0.27)), f"{self.whose(seat)} {what}", seat)
            for (seat, what), (first, last) in zip(texts, self.closed_stretches(side), strict=False)
        ]

    def closed_stretches(self, side: int) -> list[tuple[Point, Point]]:
        """Return the ends of the two longest stretches of closed spaces on a side, with half of each corner."""
        edge = self.edge(side)
        runs = [list(run) for is_open, run in groupby(range(len(edge)), lambda i: self.open[edge[i]]) if not is_open]
        stretches = [(max(0, run[0] - 0.45), min(len(edge) - 1, run[-1] + 0.45)) for run in runs]
        longest = sorted(sorted(stretches, key=lambda ends: ends[1] - ends[0])[-2:])
        return [(along(edge, first), along(edge, last)) for first, last in longest]

    def whose(self, seat: int) -> str:
        """Return a seat (from 1) as an owner at the start of a label."""
        return "Your" if seat == self.seat + 1 else f"Seat {seat}'s"


#: Cached, as it is the same at every beat of a match and at all tables with the same board.
bare_board = lru_cache(maxsize=64)(BareBoard)


def along(edge: list[int], place: float) -> Point:
    """Return the point at a distance (in spaces) along an edge, through the centres of its spaces."""
    (x, y), (a, b) = ((column_of(square), row_of(square)) for square in (edge[0], edge[-1]))
    part = place / (len(edge) - 1)
    return x + (a - x) * part, y + (b - y) * part


def inwards(point: Point, side: int, distance: float) -> Point:
    """Move a border point by a distance in spaces towards the middle of the board, or outwards if it is negative."""
    x, y = ((0, -distance), (distance, 0), (0, distance), (-distance, 0))[side]
    return point[0] + x, point[1] + y
