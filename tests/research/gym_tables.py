"""Tables for conformance tests: every number of seats, and the first and the last values of all options."""

from typing import Any

from sparring.engine.game import Game
from sparring.engine.options import ChoiceOption


def tables(game: Game) -> list[dict[str, Any]]:
    """Return parameters of environments for a game."""
    first, last = {}, {}
    for option in game.options():
        choices = isinstance(option, ChoiceOption)
        first[option.name] = option.values[0] if choices else option.low  # type: ignore[union-attr]
        last[option.name] = option.values[-1] if choices else option.high  # type: ignore[union-attr]
    return [
        *({"seats": seats} for seats in game.seats),
        *({"seats": game.seats[-1], "options": options} for options in (first, last) if options),
    ]
