"""Hush, a toy game: players play any number of cards face down; the highest total wins. The number is hidden."""

from sparring.engine.game import Credit, Game, GameSetup, Preset

from . import params, position, rules, scene


def max_choices(setup: GameSetup, seats: int) -> int:
    """Return the longest match: every choice plays a card or ends a seat's turn."""
    return seats * (rules.HAND + 1)


GAME = Game(
    name="hush", title="Hush", version=1, seats=(2, 3), summary="Lay cards in secret, as many as you dare.",
    credit=Credit("Hush", "the Sparring authors", "this file", "MIT"),
    rules=rules, params=params, scene=scene, position=position, max_choices=max_choices, hidden=True,
    conceding=(rules.GIVE_UP,), presets={"low": Preset({"wins": "low"}, "The lowest total wins.")},
)  # fmt: skip
