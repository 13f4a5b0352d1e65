"""The lab: what a change of a rule or a card does."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sparring.engine.errors import BadOption

from .common import AsJson, Cluster, Options, Preset, Workers, aside, find, out, read_options

if TYPE_CHECKING:
    from rich.progress import Progress


def compare(
    game: Annotated[str | None, typer.Argument(help="The name of a game, unless the plan names one.")] = None,
    vary: Annotated[
        list[str] | None,
        typer.Option(metavar="OPTION=A,B,C", help="An option and the values to try; several: all combinations."),
    ] = None,
    each: Annotated[bool, typer.Option("--each", help="Try one value at a time instead of combinations.")] = False,
    content: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="Cards, boards or fighters to try; as often as you like.")
    ] = None,
    plan: Annotated[
        Path | None,
        typer.Option(metavar="lab.toml", help="Read what to compare from this file; other options override it."),
    ] = None,
    tune: Annotated[
        Path | None,
        typer.Option(
            metavar="tune.toml", help="Look for values that reach the aims in this file, instead of comparing."
        ),
    ] = None,
    bots: Annotated[str | None, typer.Option(help="Who plays, as for simulate; usually random.")] = None,
    seats_count: Annotated[int | None, typer.Option(help="How many seats; usually one for each bot.")] = None,
    option: Options = None,
    preset: Preset = None,
    measure: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="What must be as precise, such as wins, draws, length; usually wins."),
    ] = None,
    precision: Annotated[
        float | None,
        typer.Option(help="Play until the 95% intervals are ± so much; 0.01 is one percent."),
    ] = None,
    matches: Annotated[int | None, typer.Option(help="At most so many matches in each variant.")] = None,
    at_most: Annotated[str | None, typer.Option(metavar="10m", help="At most for so long.")] = None,
    skill: Annotated[
        bool, typer.Option("--skill", help="Ask too what thinking ten times as long is worth, of bots that search.")
    ] = False,
    learn: Annotated[
        bool, typer.Option("--learn", help="Bots that judge learn each variant first, in minutes; it is kept.")
    ] = False,
    by_lot: Annotated[
        list[str] | None, typer.Option(metavar="PHASE", help="A phase in which bots choose at random, such as pick.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Match i is dealt from this seed + i.")] = None,
    workers: Workers = 1,
    cluster: Cluster = None,
    to: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Where the report goes; usually lab-GAME.")] = None,
    show: Annotated[bool, typer.Option("--open", help="Show the report in the browser.")] = False,
    as_json: AsJson = False,
) -> int:
    """What a change does: variants of a game compared, as a report."""
    from sparring.lab.executors.factory import hands
    from sparring.lab.experiments.config import ExperimentConfig, read_wishes
    from sparring.lab.experiments.runner import carry_out, question_of, study_of
    from sparring.lab.experiments.variants import vary as read_vary
    from sparring.lab.report import open_folder, write_report

    said = ExperimentConfig(
        game=game, bots=bots.split(",") if bots else None, seats=seats_count, seed=seed, measures=measure,
        precision=precision, matches=matches, at_most=at_most, preset=preset, options=read_options(option),
        vary=dict(map(read_vary, vary or ())), each=each or None, skill=skill or None, by_lot=by_lot,
        content=[str(file) for file in content] if content else None, learn=learn or None,
    )  # fmt: skip
    wishes = said.over(read_wishes(plan)) if plan else said
    if tune:
        if said != ExperimentConfig(game=game) or plan:
            raise BadOption("What is tuned stands in its file alone; leave out what is said of variants and matches.")
        return _tune(tune, game, to, workers, cluster, show=show, as_json=as_json)
    if wishes.game is None:
        raise BadOption("Say which game, or name one in a plan.")
    chosen = find(wishes.game)
    study, _ = study_of(wishes, chosen), question_of(wishes)
    folder = open_folder(to or _free(f"lab-{chosen.name}"))
    title = f"{chosen.title}, {len(study.variants)} variant{'s' if len(study.variants) > 1 else ''}"
    with hands(workers, cluster) as them, _progress(title) as progress:
        found = carry_out(wishes, chosen, them, progress, progress.learning)
    page = write_report(found, folder)
    if as_json:
        sys.stdout.write((folder / "report.json").read_text(encoding="utf-8"))
    else:
        _tell(found, page)
    if show:
        typer.launch(page.resolve().as_uri())
    if found.unfinished:
        aside.print(f"{found.unfinished} What was measured is in {page}.", markup=False)
    return 2 if found.unfinished else 0


def _tune(
    file: Path, game: str | None, to: Path | None, workers: int, cluster: str | None, *, show: bool, as_json: bool
) -> int:
    """Look for the values that reach the aims of a file."""
    from sparring.lab.executors.factory import hands
    from sparring.lab.report import open_folder
    from sparring.lab.report.tuning_report import words, write_tuning
    from sparring.lab.tuner.tuning import read_tuning
    from sparring.lab.tuner.tuning import tune as run

    tuning = read_tuning(file, game)
    if tuning.wishes.game is None:
        raise BadOption(f"Say which game, or name one in {file.name}.")
    chosen = find(tuning.wishes.game)
    folder = open_folder(to or Path(file.stem))
    with hands(workers, cluster) as them, _progress(f"{chosen.title}, tuned", "candidates") as progress:
        found = run(tuning, chosen, folder, them, lambda done, _: progress(done, tuning.candidates))
    page = write_tuning(found, folder)
    if as_json:
        sys.stdout.write((folder / "tuning.json").read_text(encoding="utf-8"))
    else:
        for sentence in words(found):
            out.print(sentence, markup=False)
        out.print(f"\nThe report is {page}, with all candidates beside it.", markup=False)
    if show:
        typer.launch(page.resolve().as_uri())
    return 0


def _free(name: str) -> Path:
    """A folder of this name that is not there yet."""
    names = (Path(name if number == 1 else f"{name}-{number}") for number in count(1))
    return next(path for path in names if not path.exists())


class _ProgressBar:
    """A bar on the way to as many matches (or what else) as seem to be needed, with the time left."""

    def __init__(self, bar: "Progress", title: str, what: str) -> None:
        self.bar, self.title, self.what = bar, title, what
        self.task = bar.add_task(f"Getting ready for {title}", total=None, told="")

    def __call__(self, played: int, needed: int) -> None:
        """So many were played."""
        told = f"{played:,} of about {max(needed, played):,} {self.what}" if needed else f"{played:,} {self.what}"
        total = max(needed, played) or None
        self.bar.update(self.task, completed=played, total=total, description=self.title, told=told)

    def learning(self, what: str, done: float) -> None:
        """So much is learned of what bots have to learn first."""
        self.bar.update(self.task, completed=done, total=1.0, description=what, told="")


@contextmanager
def _progress(title: str, what: str = "matches each") -> Iterator[_ProgressBar]:
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[told]}"), TimeRemainingColumn()
    with Progress(*columns, console=aside, transient=True, disable=not aside.is_terminal) as bar:
        yield _ProgressBar(bar, title, what)


def _tell(found: Any, page: Path) -> None:
    """The words of the report, and where it is."""
    from sparring.lab.report.prose import paragraph, side_by_side

    for sentence in paragraph(found):
        if sentence != found.unfinished:
            out.print(sentence, markup=False)
    for number, line in enumerate(side_by_side(found)):
        out.print(line if number else f"\n{line}", markup=False)
    out.print(f"\nThe report is {page}, with its numbers beside it.", markup=False)
