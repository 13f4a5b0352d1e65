"""Untitled Movement Game: the board as one seat sees it when nothing stands on it and nothing is asked."""

from functools import lru_cache
from itertools import groupby

from sparring.engine.squares import column_of, row_of, square_at
from sparring.scene import Cell, Label

from .maps import SIDES
from .telling import space_name

#: Column and row, or between them.
Point = tuple[float, float]


class Ground:
    """Spaces, and along the edges the sides by name and the numbers of rows and columns.

    `open` and `start_side` are the kit's, `sides` those seats play from; `seat` (from 0; negative: nobody's) looks.
    """

    def __init__(
        self, rows: int, columns: int, is_open: tuple[int, ...], start_side: tuple[int, ...], sides: tuple[int, ...],
        seat: int,
    ) -> None:  # fmt: skip
        self.rows, self.columns, self.open, self.start_side = rows, columns, is_open, start_side
        self.sides, self.seat = sides, seat
        squares = [square_at(column, row) for row in range(rows) for column in range(columns)]
        self.spaces = tuple((square, self.space(square)) for square in squares)
        self.labels = tuple(label for side in range(len(SIDES)) for label in (*self.numbers(side), *self.names(side)))

    # A space

    def space(self, square: int) -> Cell:
        """A space: open, closed, somebody's start and another's goal."""
        at, name = (column_of(square), row_of(square)), space_name(square)
        if not self.open[square]:
            return Cell(at=at, tone="border" if self.has_number(square) else "wall", label=f"{name}, closed")
        owner, goal = self.seat_of(self.start_side[square]), self.seat_of(self.start_side[square] ^ 2)
        side = self.start_side[square]
        unused = side in range(len(SIDES)) and not owner and not goal
        return Cell(
            at=at, name=name, tone=self.tone(square, owner, goal), text="○" if unused else "", seat=owner, goal=goal,
            label=", ".join((name, *self.whose_space(owner, goal))),
        )  # fmt: skip

    def tone(self, square: int, owner: int, goal: int) -> str:
        """What an open space is: one's own goal, somebody's start, ground in two shades."""
        if owner or goal:
            return "goal" if goal == self.seat + 1 else "start"
        return "floor dark" if (row_of(square) + column_of(square)) % 2 else "floor"

    def whose_space(self, owner: int, goal: int) -> tuple[str, ...]:
        """Whose goal and whose start a space is, in words."""
        whose_goal = "your goal" if goal == self.seat + 1 else f"a goal of Seat {goal}"
        whose_start = "your start" if owner == self.seat + 1 else f"a start of Seat {owner}"
        return (*((whose_goal,) if goal else ()), *((whose_start,) if owner else ()))

    def has_number(self, square: int) -> bool:
        """Whether a space lies along the border and in no corner."""
        return (row_of(square) in (0, self.rows - 1)) != (column_of(square) in (0, self.columns - 1))

    def seat_of(self, side: int) -> int:
        """Who plays from a side, from 1; 0 for nobody."""
        return self.sides.index(side) + 1 if side in self.sides else 0

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


#: The same at every beat of a match, and at all tables with the same map.
ground = lru_cache(maxsize=64)(Ground)


def along(edge: list[int], place: float) -> Point:
    """A point on the line through the middles of an edge's spaces, by its distance from the first."""
    (x, y), (a, b) = ((column_of(square), row_of(square)) for square in (edge[0], edge[-1]))
    part = place / (len(edge) - 1)
    return x + (a - x) * part, y + (b - y) * part


def inwards(point: Point, side: int, far: float) -> Point:
    """A point of the border moved so far (in spaces) towards the middle of the board; negative: away from it."""
    x, y = ((0, -far), (far, 0), (0, far), (-far, 0))[side]
    return point[0] + x, point[1] + y
