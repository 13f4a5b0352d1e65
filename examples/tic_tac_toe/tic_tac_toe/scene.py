"""Tic-tac-toe: the table as a seat sees it, in objects and in words."""

from sparring.engine.game import Box
from sparring.scene import Board, Cell, Layout, Phase, PrintableScene, Seat, Token, replace
from sparring.scene.sentences import ResultLine

from . import rules

ACROSS = 3
MARKS = ("X", "O")


def words(box: Box, s: rules.State, action: int) -> str:
    """Return the square as on a chess board: a1 is at the lower left."""
    return f"{'abc'[action % ACROSS]}{ACROSS - action // ACROSS}"


def aliases(box: Box, s: rules.State, action: int) -> tuple[str, ...]:
    """Return the square's number, from the upper left."""
    return (str(action + 1),)


class Take(Phase):
    """A seat takes a square."""

    name = "take"
    waiting_text = "{who} is choosing a square."
    question_text = "Take a square."

    def why_not(self, box: Box, s: rules.State, block: str, number: int) -> str:
        """Say that the square is taken."""
        return f"{words(box, s, number)} is taken."


PHASES = (Take(),)


class _Table(Layout[rules.State]):
    """Lays out the table for one seat."""

    def scene(self) -> PrintableScene:
        return replace(self.outline(), middle=(self.board(),))

    def status(self) -> str:
        return f"Turn {self.s.turn}"

    def panel(self, i: int) -> Seat:
        won = ("winner",) if self.s.payoff[i] > 0 else ()
        return Seat(number=i + 1, title=MARKS[i], you=i == self.seat, turn=i == self.turn_seat, tags=won)

    def board(self) -> Board:
        marks = self.s.board.tolist()
        tokens = [
            Token(
                f"mark {square}", place(square), seat, text=MARKS[seat - 1], label=f"Seat {seat} on {self.name(square)}"
            )
            for square, seat in enumerate(marks)
            if seat != rules.EMPTY
        ]
        return Board("board", "The board", tuple(map(self.cell, range(rules.SQUARES))), tuple(tokens))

    def cell(self, square: int) -> Cell:
        return Cell(
            place(square), label=self.name(square), name=self.name(square), **self.optional_choice_fields(square)
        )

    def name(self, square: int) -> str:
        return words(self.box, self.s, square)

    def ending(self) -> str:
        return ending(self.box, self.s, self.seat)


scene = _Table.draw


def place(square: int) -> tuple[int, int]:
    """Return the column and row on the drawing."""
    return square % ACROSS, square // ACROSS


def tell(box: Box, before: rules.State, action: int | None, after: rules.State, seat: int, beat: str = "") -> list[str]:
    """Say which square was taken, and how the match ended."""
    voice, lines = _Table(box, after, seat, [], beat).voice, list[str]()
    if action is not None:
        lines.append(f"{voice.does(int(before.player), 'take', 'takes')} {words(box, before, action)}.")
    if after.over:
        lines.append(ResultLine(ending(box, after, seat)))
    return lines


def ending(box: Box, s: rules.State, seat: int) -> str:
    """Say who has three in a row."""
    if s.ending == rules.FULL:
        return "No one has three in a row: it is a draw."
    winner = int(s.payoff[1] > 0)
    has = _Table(box, s, seat, []).voice.does(winner, "have", "has")
    return f"{has} three in a row and {'win' if winner == seat else 'wins'}."
