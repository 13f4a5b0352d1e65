"""Tic-tac-toe: the table as a seat sees it."""

from sparring.scene import Board, Cell, Layout, PrintableScene, Seat, Token, replace
from sparring.scene.sentences import Text, say

from .phases import MARKS, square_name
from .rules import ACROSS, EMPTY, FULL, SQUARES, State


class SeatTable(Layout[State]):
    """What one seat sees and reads. `Layout` knows who is to choose, what is legal, and why the rest is not."""

    def scene(self) -> PrintableScene:
        """Return the scene: the board in the middle."""
        marks = tuple(self.mark(square) for square in range(SQUARES) if self.s.board[square] != EMPTY)
        board = Board("board", say("Board"), tuple(map(self.cell, range(SQUARES))), marks)
        return replace(self.outline(), middle=(board,))

    def cell(self, square: int) -> Cell:
        """Return a square with its choice."""
        name = square_name(square)
        return Cell(place(square), label=name, name=name, **self.optional_choice_fields(square))

    def mark(self, square: int) -> Token:
        """Return the mark on a taken square."""
        seat = int(self.s.board[square])
        label = say("{mark} on {square}", mark=MARKS[seat - 1], square=square_name(square))
        return Token(f"mark {square}", place(square), seat, text=MARKS[seat - 1], label=label)

    def panel(self, i: int) -> Seat:
        """Return a seat with its mark."""
        return Seat(title=MARKS[i])

    def ending(self) -> Text:
        """Return how the match ended."""
        if self.s.ending == FULL:
            return Text("The board is full: a draw.")
        maker = int(self.s.player)  # who has made the row: with the option row=loses, not the winner
        if self.s.payoff[maker] > 0:
            forms = "You have three in a row and win.", "{who} has three in a row and wins."
        else:
            forms = "You have three in a row and lose.", "{who} has three in a row and loses."
        return self.voice.text(*forms, who=maker)


def place(square: int) -> tuple[int, int]:
    """Return the column and row of a square, as it is drawn."""
    return square % ACROSS, square // ACROSS
