"""The questions of `sparring lab --ask`: each chooses bots, measures, precision and details.

An experiment config that asks questions needs no other settings; settings that it has anyway take precedence.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from sparring.engine.errors import BadOption
from sparring.engine.game import Game

from .config import ExperimentConfig

#: The bots that play, and those of `skill`, which are the weakest of its ladder.
BOT, SKILL_BOT = "search:iterations=50", "search:iterations=25"

#: Questions that are asked without any settings.
DEFAULT_QUESTIONS = ("fair", "length", "cards")


class Question(NamedTuple):
    """What a question measures: measures with their precision, and the details that are played afterwards."""

    meaning: str
    measures: tuple[str, ...] = ("wins/seat",)
    precision: float = 0.02
    #: Names of `lab.details.DETAILS`.
    details: tuple[str, ...] = ()


QUESTIONS = {
    "fair": Question("Does every seat, and the player who begins, win an even share?", ("wins/seat", "wins/place")),
    "length": Question("How many actions and minutes do matches last?", ("length/choices",), 0.05),
    "cards": Question("Which cards, fighters or other items are too strong or too weak?", details=("pairs",)),
    "match-ups": Question("Which fighter, deck or card beats which?", details=("match-ups",)),
    "skill": Question("How much more does a bot win with each doubling of thought?", details=("skill-ladder", "deals")),
    "tension": Question(
        "How long is a match open, and how much do decisions matter?", ("comeback/half",),
        details=("tension", "decisions"),
    ),
}  # fmt: skip


def with_questions(config: ExperimentConfig, game: Game) -> ExperimentConfig:
    """Fill in the bots, measures and random phases that the questions of a config imply.

    Raises BadOption for an unknown question.
    """
    if not config.ask:
        return config
    asked = [_question(name) for name in config.ask]
    return replace(
        config,
        bots=config.bots or [SKILL_BOT if "skill" in config.ask else BOT],
        measures=config.measures or list(dict.fromkeys(name for question in asked for name in question.measures)),
        by_lot=config.by_lot if config.by_lot is not None else list(getattr(game.items, "BY_LOT", ())) or None,
    )


def precision_for(ask: Sequence[str]) -> float:
    """Return the precision at which questions are answered, the finest of all."""
    return min(_question(name).precision for name in ask)


def details_of(ask: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the details that questions need, without duplicates."""
    return tuple(dict.fromkeys(detail for name in ask for detail in _question(name).details))


def _question(name: str) -> Question:
    if name not in QUESTIONS:
        raise BadOption(f'Unknown question "{name}"; known questions are {", ".join(QUESTIONS)}.')
    return QUESTIONS[name]
