"""The data of content files with custom decks."""

from typing import Any

from games.make_your_moves.table import NAME
from sparring.engine.game import game

COLOURS = ("Red", "Green", "Blue", "Yellow", "Wild")


def rows(**changed: Any) -> list[dict[str, Any]]:
    """Return a deck of thirty cards, with changes to the third one."""
    deck: list[dict[str, Any]] = [
        {"name": f"{colour} no. {number}", "colour": colour, "power": number % 3 + 1}
        for colour in COLOURS
        for number in range(6)
    ]
    deck[2] = {key: value for key, value in (deck[2] | changed).items() if value is not None}
    return deck


def read(data: Any) -> Any:
    return game(NAME).content_from(data, "mine.toml")
