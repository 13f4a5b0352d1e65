"""A job process of the studio: it measures sets, trains, writes reports and prints, one job at a time."""

import io
import os
import sys
import tempfile
import time
import zipfile
from collections import OrderedDict
from collections.abc import Callable, Generator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from sparring.engine.errors import SparringError
from sparring.engine.formats.toml import read_toml
from sparring.engine.game import Game
from sparring.engine.game import game as find_game
from sparring.lab.experiments.config import ExperimentConfig
from sparring.lab.experiments.set_balance import BalanceMeasurement, Estimate
from sparring.tables.workers.bot_worker import JOB_MEMORY, answer_all, bound_memory

from .job_messages import (
    BOTS,
    CORES,
    LONGEST,
    REPORT_BOT,
    STEP,
    Compile,
    JobFile,
    JobRequest,
    Measure,
    MeasuringStep,
    Print,
    Report,
    SetContent,
    TrainingProgress,
    TrainRequest,
    Tune,
    TuningProgress,
    TuningProposal,
    file_name,
)

if TYPE_CHECKING:
    from sparring.lab.self_play import ProgressGenerator
    from sparring.lab.training import FittedModel
    from sparring.lab.tuning import Tuning, TuningResult

Answer = TypeVar("Answer", bound=MeasuringStep | JobFile | TrainingProgress | TuningProgress)

#: The most measurements kept in memory.
CACHED = 16
#: The progress shown when training is all but finished.
ALMOST = 0.99
#: How many candidates the final comparison of a tuning takes as long as, and the name of the set's file in its folder.
FINAL_STEPS, SET_FILE = 6, "set.toml"
#: The most value models kept for each game; the oldest are deleted.
MOST_MODELS = 500
#: The error when a third-party game raises an unexpected exception.
RULES_FAILED = "This set can't be played: the game's rules fail with it."

_measurements: OrderedDict[tuple[bytes, str, bool], BalanceMeasurement] = OrderedDict()
#: Training in progress, by set and number of seats.
_trainings: dict[tuple[bytes, int], "ProgressGenerator[FittedModel]"] = {}
#: Tunings in progress, by folder.
_tunings: dict[str, tuple["Tuning", "Generator[tuple[int, float], None, TuningResult]"]] = {}

#: What the figures of REPORT_BOT can't show.
RANDOM_PLAY = "Random bots played it. They have no plan, so a card that needs one looks weaker here than it is."


def main() -> None:
    """Answer until the input ends."""
    if hasattr(os, "nice"):
        os.nice(5)  # bots at tables have priority
    bound_memory(JOB_MEMORY)
    answer_all(JobRequest, answer)


def answer(request: JobRequest) -> MeasuringStep | JobFile | TrainingProgress | TuningProgress:
    """Carry out a request; return its result or problem."""
    match request:
        case Measure():
            return _run(MeasuringStep, request.content.game, lambda: measure(request))
        case Compile():
            return _run(JobFile, request.game, lambda: prepare(request))
        case Report():
            return _run(JobFile, request.content.game, lambda: report(request))
        case Print():
            return _run(JobFile, request.content.game, lambda: print_set(request.content, request.form))
        case TrainRequest():
            return _run(TrainingProgress, request.content.game, lambda: train(request))
        case Tune():
            return _run(TuningProgress, request.content.game, lambda: tune(request))


def _run(kind: type[Answer], game: str, work: Callable[[], Answer]) -> Answer:
    try:
        return work()
    except SparringError as problem:
        return kind(problem=str(problem))
    except Exception as problem:  # noqa: BLE001 - a bug in a game mustn't stop the process
        sys.stderr.write(f"A job for a set of {game} failed: {type(problem).__name__}: {problem}\n")
        return kind(problem=RULES_FAILED)


def measure(request: Measure) -> MeasuringStep:
    """Play one step of matches and return the balance so far."""
    measurement = _measurement(request.content, request.bot, compiled=request.compiled)
    measurement.run(STEP)
    return MeasuringStep(measurement.balance, measurement.is_finished)


def _measurement(thing: SetContent, bot: str, *, compiled: bool) -> BalanceMeasurement:
    """Return the measurement of a set, new or continued."""
    key = thing.digest, bot, compiled
    if key not in _measurements:
        game, content = _content(thing)
        _measurements[key] = BalanceMeasurement(
            game, content, thing.options, bot, BOTS[bot].precision, LONGEST, compiled=compiled, threads=CORES
        )
        while len(_measurements) > CACHED:
            _measurements.popitem(last=False)
    _measurements.move_to_end(key)
    return _measurements[key]


def _content(thing: SetContent) -> tuple[Game, Any]:
    game = find_game(thing.game)
    return game, game.content_from(read_toml(thing.toml, "This set"), "This set")


def prepare(request: Compile) -> JobFile:
    """Compile a game; the code is cached on disk."""
    from sparring.lab.simulate import prepare as compile_matches

    compile_matches(find_game(request.game), request.bot)
    return JobFile()


def report(request: Report) -> JobFile:
    """Write the report of `sparring lab` from the matches of the measurement."""
    from sparring.lab.report import write_report

    measurement = _measurement(request.content, REPORT_BOT, compiled=request.compiled)
    while not measurement.is_finished:
        measurement.run(STEP)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, f"{file_name(request.name)}.toml")
        file.write_text(request.content.toml, encoding="utf-8")
        comparison = measurement.comparison(ExperimentConfig(content=[str(file)], options=request.content.options))
        page = write_report(
            comparison,
            Path(folder, "report"),
            foreword=[f"This report shows the set {request.name} as it was when you requested it.", RANDOM_PLAY],
            back="./",
            set_name=request.name,
        )
        return JobFile(page.read_bytes())


def print_set(thing: SetContent, form: str = "pdf") -> JobFile:
    """Print a set in one of PRINT_FORMS: as one PDF, a virtual table, or the files of a print service."""
    from sparring.printing.typesetting import check_installed

    check_installed()
    from sparring.printing.card_files import SERVICES, service_files
    from sparring.printing.playingcards_io import room_file
    from sparring.printing.print_job import BLANKS, PARTS, PrintJob
    from sparring.printing.sheets import PrintOptions
    from sparring.printing.tabletop_simulator import table_files

    game, content = _content(thing)
    service = SERVICES.get(form)
    print_options = PrintOptions(card=service.card) if service else PrintOptions()
    only = (BLANKS,) if form == BLANKS else PARTS
    job = PrintJob(game.setup(thing.options, content), game.seats[-1], print_options, only)
    if form in ("pdf", BLANKS):
        return JobFile(job.pdf())
    if form == "pcio":
        return JobFile(room_file(job))
    return JobFile(_zipped(service_files(job, service) if service else table_files(job, "")))


def _zipped(files: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, file in files.items():
            archive.writestr(name, file)
    return out.getvalue()


def train(request: TrainRequest) -> TrainingProgress:
    """Train for one step. The finished model is stored where bots look for it."""
    from sparring.bots import value_models
    from sparring.lab.experiments.study import train_variant_model

    key = request.content.digest, request.seats
    game, content = _content(request.content)
    folder = value_models.folders(game).studio
    training = _trainings.pop(key, None) or train_variant_model(
        game.setup(request.content.options, content), request.seats, folder
    )
    until = time.monotonic() + STEP
    try:
        while True:
            doing, done = next(training)
            if time.monotonic() >= until:
                _trainings[key] = training
                return TrainingProgress(min(done, ALMOST), doing)
    except StopIteration as end:
        _keep_newest(folder)
        return TrainingProgress(1.0, loss=end.value.loss, loss_of_none=end.value.uniform_loss)


def tune(request: Tune) -> TuningProgress:
    """Try one more candidate of a tuning, or compare the best ones."""
    tuning, steps = _tunings.pop(request.folder) if request.folder in _tunings else _begin_tuning(request)
    try:
        done, _ = next(steps)
    except StopIteration as end:
        return _tuned(end.value)
    _tunings[request.folder] = tuning, steps
    if done == tuning.candidates:
        return TuningProgress(ALMOST, "comparing the best ones in new matches")
    return TuningProgress(done / (tuning.candidates + FINAL_STEPS), f"{done} of {tuning.candidates} candidates tried")


def _begin_tuning(request: Tune) -> "tuple[Tuning, Generator[tuple[int, float], None, TuningResult]]":
    from sparring.lab.executors import SerialExecutor
    from sparring.lab.tuning import read_tuning, tuning_steps

    folder = Path(request.folder)
    (folder / SET_FILE).write_text(request.content.toml, encoding="utf-8")
    (folder / "tune.toml").write_text(f'content = ["{SET_FILE}"]\n{request.plan}', encoding="utf-8")
    tuning = read_tuning(folder / "tune.toml", request.content.game)
    return tuning, tuning_steps(tuning, find_game(request.content.game), folder, SerialExecutor())


def _tuned(result: "TuningResult") -> TuningProgress:
    """Return the proposals of a finished tuning that come nearer to the target than the unchanged set.

    They are measured in matches that no candidate was selected by.
    """
    (objective,), proposals = result.tuning.objectives, []
    paths = [".".join(parameter.path[2:]) for parameter in result.tuning.ranges]
    for values, ((figure,),) in zip(result.values, result.readings, strict=True):
        wins = Estimate(figure.value, figure.value - figure.reach, figure.value + figure.reach)
        proposals.append(TuningProposal(dict(zip(paths, values, strict=False)), wins, objective.is_met([figure])))
    unchanged, *best = zip(proposals, result.costs, strict=True)
    better = [(proposal, cost) for proposal, cost in best if proposal.met or cost < unchanged[1]]
    ordered = [proposal for proposal, _ in sorted(better, key=lambda one: one[1])]
    return TuningProgress(1.0, "", unchanged[0], ordered, result.final.matches, result.rejected)


def _keep_newest(folder: Path) -> None:
    newest_first = sorted(folder.glob("*.npz"), key=lambda file: file.stat().st_mtime_ns, reverse=True)
    for file in newest_first[MOST_MODELS:]:
        file.unlink(missing_ok=True)


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        main()
