"""What bots that judge have still to learn of a table before they play there, so that none plays without."""

from pathlib import Path

from sparring.bots import value_models
from sparring.bots.evaluation import CURIOSITY_IN_JUDGING
from sparring.engine.errors import BadOption
from sparring.engine.game import Box
from sparring.lab.executors.executor import Executor
from sparring.lab.experiments.study import Study

from .generation import Course, Told, finish
from .training import ITERATIONS, MATCHES, FittedModel, rounds, training


def learning(box: Box, seats: int, folder: Path) -> Course[FittedModel]:
    """Learn a judgement of a table as `sparring train` does it, in minutes, and keep it in a folder where bots look."""
    usual = value_models.find(box, seats)
    curiosity = usual.curiosity if usual else CURIOSITY_IN_JUDGING
    learned = yield from training(box, seats, rounds(MATCHES, ITERATIONS), curiosity=curiosity)
    value_models.save(folder / value_models.file_name(box, seats), learned.judgement)
    return learned


def learn(study: Study, them: Executor, told: Told = lambda what, done: None) -> None:
    """Learn a judgement of each variant that has none of its own, and keep it: whoever plays finds it from then on.

    `told` hears what is done, from 0 to 1.
    """
    if not them.are_here:
        raise BadOption("What is learned is kept on this machine, and the workers of a cluster do not have it.")
    for number, (variant, plan) in enumerate(zip(study.variants, study.plans, strict=True)):
        box, seats = plan.box, plan.seats
        if value_models.fits(box, seats) or not any(bot.judges for bot in plan.bots):
            continue

        def heard(what: str, done: float, number: int = number, name: str = variant.name) -> None:
            told(f"Learning {name}: {what}", (number + done) / len(study.variants))

        finish(learning(box, seats, value_models.folders(study.game).own), heard)
