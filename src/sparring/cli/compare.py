"""The lab command: compare variants of a game, or tune its options."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sparring.engine.errors import BadOption

from .common import AsJson, Cluster, Options, Preset, Workers, err, find, out, read_options

if TYPE_CHECKING:
    from rich.progress import Progress


def compare(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="The game's name (default: the one in the plan).")
    ] = None,
    vary: Annotated[
        list[str] | None,
        typer.Option(
            metavar="OPTION=A,B,C", help="Try these values of an option (repeatable: all combinations are tried)."
        ),
    ] = None,
    each: Annotated[bool, typer.Option("--each", help="Try one value at a time instead of all combinations.")] = False,
    content: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Try the cards, boards or fighters in this file (repeatable)."),
    ] = None,
    plan: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Read the experiment from this TOML file; other options override it."),
    ] = None,
    tune: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Instead of comparing, search for option values that meet the objectives in this TOML file.",
        ),
    ] = None,
    bots: Annotated[
        str | None, typer.Option(help="The bots that play (see `sparring simulate --help`; default: random).")
    ] = None,
    seats_count: Annotated[
        int | None, typer.Option(help="Number of seats (default: one per bot, or the game's minimum for a single bot).")
    ] = None,
    option: Options = None,
    preset: Preset = None,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Apply --precision to this measure, such as wins, draws or length (repeatable; default: wins).",
        ),
    ] = None,
    precision: Annotated[
        float | None,
        typer.Option(help="Play until the 95% intervals are no wider than ± this value; 0.01 is one percentage point."),
    ] = None,
    matches: Annotated[int | None, typer.Option(help="Play at most this many matches with each variant.")] = None,
    at_most: Annotated[
        str | None, typer.Option(metavar="TIME", help="Stop after this time, such as 90s, 10m or 2h.")
    ] = None,
    ask: Annotated[
        list[str] | None,
        typer.Option(
            metavar="QUESTION",
            help="Answer a question: fair, length, cards, match-ups, skill or tension (repeatable). It chooses bots, "
            "measures and precision. Without any options: fair, length and cards.",
        ),
    ] = None,
    without: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Also play without this card, fighter or board, next to the unchanged game (repeatable).",
        ),
    ] = None,
    times: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="Take the time per action, for estimates in minutes, from this saved match (repeatable).",
        ),
    ] = None,
    skill: Annotated[
        bool, typer.Option("--skill", help="Also measure how much search bots gain by thinking ten times as long.")
    ] = False,
    learn: Annotated[
        bool,
        typer.Option(
            "--learn", help="First train the bots' value models for each variant (takes minutes; models are saved)."
        ),
    ] = False,
    by_lot: Annotated[
        list[str] | None,
        typer.Option(metavar="PHASE", help="Let bots choose at random in this phase, such as pick (repeatable)."),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the first match; each later match adds 1.")] = None,
    workers: Workers = 1,
    cluster: Cluster = None,
    to: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Write the report to this folder (default: lab-GAME).")
    ] = None,
    show: Annotated[bool, typer.Option("--open", help="Open the report in the browser.")] = False,
    as_json: AsJson = False,
) -> int:
    """Compare variants of a game and write a report."""
    from sparring.lab.executors import make_executor
    from sparring.lab.experiments.config import (
        DEFAULT_QUESTIONS,
        ExperimentConfig,
        action_seconds,
        read_config,
        with_questions,
    )
    from sparring.lab.experiments.runner import run_experiment, stopping_rule_of, study_of
    from sparring.lab.experiments.variants import parse_vary as read_vary
    from sparring.lab.report import open_folder, write_report

    said = ExperimentConfig(
        game=game, bots=bots.split(",") if bots else None, seats=seats_count, seed=seed, measures=measure,
        precision=precision, matches=matches, at_most=at_most, preset=preset, options=read_options(option),
        vary=dict(map(read_vary, vary or ())), each=each or None, skill=skill or None, by_lot=by_lot,
        content=[str(file) for file in content] if content else None, learn=learn or None, ask=ask,
        variant={f"without {name}": {"remove": [name]} for name in without or ()},
        action_seconds=action_seconds(times) if times else None,
    )  # fmt: skip
    if said == ExperimentConfig(game=game) and not plan and not tune:
        said = replace(said, ask=list(DEFAULT_QUESTIONS))
    wishes = said.merged_over(read_config(plan)) if plan else said
    if tune:
        if said != ExperimentConfig(game=game) or plan:
            raise BadOption(
                "--tune reads all settings from its file; leave out options for variants, bots and matches."
            )
        return _tune(tune, game, to, workers, cluster, show=show, as_json=as_json)
    if wishes.game is None:
        raise BadOption("The game is missing; name one, or set `game` in a plan file.")
    chosen = find(wishes.game)
    wishes = with_questions(wishes.with_preset(chosen), chosen)
    study, _ = study_of(wishes, chosen), stopping_rule_of(wishes)
    folder = open_folder(to or _free(f"lab-{chosen.name}"))
    title = f"{chosen.title}, {len(study.variants)} variant{'s' if len(study.variants) > 1 else ''}"
    with make_executor(workers, cluster) as executor, _progress(title) as progress:
        found = run_experiment(wishes, chosen, executor, progress, progress.learning)
    page = write_report(found, folder)
    if as_json:
        sys.stdout.write((folder / "report.json").read_text(encoding="utf-8"))
    else:
        _tell(found, page)
    if show:
        typer.launch(page.resolve().as_uri())
    if found.unfinished:
        err.print(f"{found.unfinished} The results so far are in {page}.", markup=False)
    return 2 if found.unfinished else 0


def _tune(
    file: Path, game: str | None, to: Path | None, workers: int, cluster: str | None, *, show: bool, as_json: bool
) -> int:
    """Search for option values that meet the objectives in a tuning file."""
    from sparring.lab.executors import make_executor
    from sparring.lab.report.figures import ReportFigures
    from sparring.lab.report.files import open_folder, say, tuning_summary, write_tuning
    from sparring.lab.tuning import read_tuning
    from sparring.lab.tuning import tune as run

    tuning = read_tuning(file, game)
    if tuning.config.game is None:
        raise BadOption(f"The game is missing; name one, or set `game` in {file.name}.")
    chosen = find(tuning.config.game)
    tuning = replace(tuning, config=tuning.config.with_preset(chosen))
    folder = open_folder(to or Path(file.stem))
    with make_executor(workers, cluster) as executor, _progress(f"{chosen.title}, tuning", "candidates") as progress:
        found = run(tuning, chosen, folder, executor, lambda done, _: progress(done, tuning.candidates))
    page = write_tuning(found, folder)
    if as_json:
        sys.stdout.write((folder / "tuning.json").read_text(encoding="utf-8"))
    else:
        for sentence in [*say(ReportFigures(found.final), "played"), *tuning_summary(found)]:
            out.print(sentence, markup=False)
        out.print(f"\nReport: {page} (all candidates are in the same folder)", markup=False)
    if show:
        typer.launch(page.resolve().as_uri())
    return 0


def _free(name: str) -> Path:
    """Return a folder name that isn't taken: `name`, `name-2`, `name-3` ..."""
    names = (Path(name if number == 1 else f"{name}-{number}") for number in count(1))
    return next(path for path in names if not path.exists())


class _ProgressBar:
    """A progress bar toward the estimated number of matches or candidates, with the time left."""

    def __init__(self, bar: "Progress", title: str, what: str) -> None:
        self.bar, self.title, self.what = bar, title, what
        self.task = bar.add_task(f"Preparing {title}", total=None, told="")

    def __call__(self, played: int, needed: int) -> None:
        """Show that `played` of about `needed` are done; `needed` is 0 until there is an estimate."""
        told = f"{played:,} of about {max(needed, played):,} {self.what}" if needed else f"{played:,} {self.what}"
        total = max(needed, played) or None
        self.bar.update(self.task, completed=played, total=total, description=self.title, told=told)

    def learning(self, what: str, done: float) -> None:
        """Show that a share `done` (0 to 1) of a training job is finished."""
        self.bar.update(self.task, completed=done, total=1.0, description=what, told="")


@contextmanager
def _progress(title: str, what: str = "matches each") -> Iterator[_ProgressBar]:
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[told]}"), TimeRemainingColumn()
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        yield _ProgressBar(bar, title, what)


def _tell(found: Any, page: Path) -> None:
    """Print the report's summary and its path."""
    from sparring.lab.report.figures import ReportFigures
    from sparring.lab.report.files import say, summary

    for sentence in summary(found):
        if sentence != found.unfinished:
            out.print(sentence, markup=False)
    details = say(ReportFigures(found), "side_by_side")
    for line in ["\nThe main differences, for statisticians:", *details] if details else ():
        out.print(line, markup=False)
    out.print(f"\nReport: {page} (its data files are in the same folder)", markup=False)
