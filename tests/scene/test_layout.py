"""What the base class of a seat's table says without the game."""

from types import SimpleNamespace
from typing import Any

import pytest

from sparring.engine.messages import AnyText
from sparring.games.high_card import GAME
from sparring.games.high_card.scene import SeatTable


class OwnEnding(SeatTable):
    """A game that says how it ended in one language."""

    def ending(self) -> AnyText:
        return "The cards are gone."


def ended(payoff: list[float], **more: Any) -> Any:
    """Return the end of a match in which nothing else has changed."""
    return SimpleNamespace(payoff=payoff, seats=len(payoff), over=True, turn=1, tricks=payoff, player=0, **more)


def log(table: type[SeatTable], payoff: list[float], seat: int) -> list[tuple[str, str]]:
    """Return the log sentences of a seat (from 0; -1: spectators) at the end of a match, with their importance."""
    state = ended(payoff)
    lines = table(GAME.setup(), state, seat, [], "").tell(state, None)
    return [(str(line), getattr(line, "importance", "")) for line in lines]


@pytest.mark.parametrize(
    ("payoff", "seat", "said"),
    [
        ([1, -1], 0, "You win."),
        ([1, -1], 1, "Seat 1 wins."),
        ([0.5, -1, 0.5], 2, "You and Seat 1 win."),
        ([0.5, -1, 0.5], -1, "Seat 1 and Seat 3 win."),
        ([0, 0], 0, "A draw."),
    ],
)
def test_the_log_ends_with_who_has_won(payoff: list[float], seat: int, said: str) -> None:
    assert log(SeatTable, payoff, seat) == [(said, "result")]


def test_the_ending_may_be_a_plain_sentence() -> None:
    assert log(OwnEnding, [1, -1], 0) == [("The cards are gone.", "result")]
