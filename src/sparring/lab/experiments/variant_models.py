"""Train value models for variants that lack one, before an experiment."""

from pathlib import Path

from sparring.bots import value_models
from sparring.bots.evaluation import EXPLORATION_WITH_MODEL
from sparring.engine.errors import BadOption
from sparring.engine.game import Box
from sparring.lab.executors.executor import Executor
from sparring.lab.experiments.study import Study
from sparring.lab.self_play.generation import ProgressCallback, ProgressGenerator, finish
from sparring.lab.self_play.training import ITERATIONS, MATCHES, FittedModel, rounds, training_steps


def train_variant_model(box: Box, seats: int, folder: Path) -> ProgressGenerator[FittedModel]:
    """Train a value model as `sparring train` does (minutes), and save it where bots look for it."""
    default_model = value_models.find_model(box, seats)
    curiosity = default_model.exploration if default_model else EXPLORATION_WITH_MODEL
    fitted = yield from training_steps(box, seats, rounds(MATCHES, ITERATIONS), exploration=curiosity)
    value_models.save(folder / value_models.file_name(box, seats), fitted.value_model)
    return fitted


def train_missing(study: Study, executor: Executor, progress: ProgressCallback = lambda what, done: None) -> None:
    """Train and save a value model for each variant that lacks one, if its bots use value models.

    `progress` is called with a description and the share done, from 0 to 1. Raises BadOption on a cluster.
    """
    if not executor.is_local:
        raise BadOption("Value models are saved on this machine, where cluster workers can't read them; use --workers.")
    for number, (variant, plan) in enumerate(zip(study.variants, study.plans, strict=True)):
        box, seats = plan.box, plan.seats
        if value_models.has_own_model(box, seats) or not any(bot.evaluates for bot in plan.bots):
            continue

        def report(what: str, done: float, number: int = number, name: str = variant.name) -> None:
            progress(f"Training for {name}: {what}", (number + done) / len(study.variants))

        finish(train_variant_model(box, seats, value_models.folders(study.game).own), report)
