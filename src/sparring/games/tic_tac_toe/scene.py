"""Tic-tac-toe: the table as a seat sees it, and what happens to the objects on it."""

from sparring.engine.game import GameSetup
from sparring.scene import Board, Cell, Effect, Layout, PrintableScene, Seat, Token, replace, win_effects
from sparring.scene.sentences import Text, say

from .phases import MARKS, ending_text, square_name
from .rules import ACROSS, EMPTY, SQUARES, State


class _Table(Layout[State]):
    """Lays out the scene for one seat. `Layout` knows who is to choose, what is legal, and why the rest is not."""

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
        return Seat(number=i + 1, title=MARKS[i], you=i == self.seat, turn=i == self.turn_seat)

    def status(self) -> Text:
        """Return the number of the turn."""
        return Text("Turn {number}", number=int(self.s.turn))

    def ending(self) -> Text:
        """Return how the match ended."""
        return ending_text(self.s, self.voice)


scene, outline = _Table.draw, _Table.draw_outline


def place(square: int) -> tuple[int, int]:
    """Return the column and row of a square, as it is drawn."""
    return square % ACROSS, square // ACROSS


def effects(
    setup: GameSetup, before: State, action: int | None, after: State, seat: int, beat: str = ""
) -> list[Effect]:
    """Return what happens to objects on the table: who wins. The browser shows it."""
    return win_effects(after)
