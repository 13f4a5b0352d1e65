"""A terminal with scripted input, and matches to play on it."""

import io

from rich.console import Console

from sparring import Match
from sparring.terminal.terminal import Terminal, read_seats


class FakeTerminal:
    """A terminal with scripted input, which records its output."""

    def __init__(self, match: Match, seats: str, *lines: str, **more: bool) -> None:
        self.text = io.StringIO()
        self.lines = list(lines)
        console = Console(file=self.text, width=100, force_terminal=False)
        self.terminal = Terminal(match, read_seats(match.game, seats), console, self.read, **more)

    def read(self, prompt: str) -> str:
        self.text.write(prompt)
        if not self.lines:
            raise EOFError
        self.text.write(f"[{self.lines[0]}]\n")
        return self.lines.pop(0)

    def play(self) -> str:
        self.terminal.play()
        return self.text.getvalue()


def attack(seats: int = 2) -> Match:
    """Return a match in which Seat 1 attacks with the cards of its hand."""
    return Match.from_position({
        "game": "make-your-moves", "seats": seats, "seed": 4, "phase": "attack", "player": 1, "control": 1,
        "attacker": 1, "defender": 2, "hands": ["Red1 Red1 Green2 Blue3 Wild1"] + ["Yellow1 Yellow2"] * (seats - 1),
    })  # fmt: skip


def two_players() -> Match:
    return Match.from_position({"game": "make-your-moves", "hands": ["Red1 Blue1", "Red2"]})


class SmallTerminal(FakeTerminal):
    """A terminal of 80 columns and 24 lines."""

    def __init__(self, match: Match, seats: str, *lines: str) -> None:
        super().__init__(match, seats, *lines)
        self.terminal.console = Console(file=self.text, width=80, height=24, force_terminal=True, color_system=None)
