"""The tournament command."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sparring.cli.common import AsJson, Cluster, Workers, err, out, write_json
from sparring.engine.errors import SparringError

if TYPE_CHECKING:
    from sparring.lab.tournaments.standings import EventStandings


def tournament(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE.toml", help="The tournament file, which lists the bots, the games and the number of matches."
        ),
    ],
    to: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Save results in this folder (default: named after the file).")
    ] = None,
    workers: Workers = 1,
    cluster: Cluster = None,
    as_json: AsJson = False,
) -> None:
    """Run a tournament of bots and rate them. If interrupted, run the same command again to resume."""
    from rich.progress import Progress

    from sparring.lab.executors import make_executor
    from sparring.lab.report.standings_files import as_plain, write_standings
    from sparring.lab.terminal_tables import failed_always
    from sparring.lab.tournaments.scores import TournamentScores, play
    from sparring.lab.tournaments.standings import standings
    from sparring.lab.tournaments.tournament import read_tournament

    wanted = read_tournament(file)
    folder = to or Path(file.stem)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        scores = TournamentScores(wanted, folder / "matches.json")
        scores.save()
    except OSError as problem:
        raise SparringError(f"Can't save results in {folder}: {problem.strerror or problem}.") from None
    missing = sum(task.matches for task in scores.missing_tasks())
    with (
        make_executor(workers, cluster) as executor,
        Progress(console=err, transient=True, disable=not err.is_terminal) as bar,
    ):
        task = bar.add_task(f"{missing:,} matches", total=missing)
        play(wanted, scores, executor, lambda many: bar.advance(task, many))
    found = standings(scores)
    write_standings(found, scores, folder)
    if as_json:
        write_json(as_plain(found, scores))
        return
    for standing in found[-1].standings:
        lost = scores.failures.get(standing.bot)
        if lost and lost[0] >= standing.matches:
            out.print(failed_always(standing.bot))
    for one in found:
        out.print(_table(one))
    for bot, (often, why) in scores.failures.items():
        out.print(f"{bot} failed in {often:,} match{'es' * (often != 1)}; the first time it {why}.", markup=False)
    for event in wanted.events:
        if without := wanted.bots_without_value_model(event):
            out.print(
                f"{event.title}: no value model fits these rules; playing without one: {', '.join(without)}.",
                markup=False,
            )
    out.print(f"Saved the results in {folder}.", markup=False)


def _table(found: "EventStandings") -> Any:
    """Build a table of an event: ratings, wins, and each bot's score in percent against each other bot."""
    from rich.markup import escape
    from rich.table import Table

    table = Table("", title=f"{found.title} ({found.model})", title_justify="left")
    table.add_column("bot", overflow="fold")
    for head in ("rating", "95% interval", "matches", "wins", *(str(n) for n in range(1, len(found.standings) + 1))):
        table.add_column(head, justify="right")
    for place, one in enumerate(found.standings, 1):
        rating, low, high = (f"{number:.0f}" if "Elo" in found.model else f"{number:.1f}" for number in one.rating)
        against = [found.cross[one.bot].get(other.bot) for other in found.standings]
        cells = ["" if share is None else f"{100 * share:.0f}" for share in against]
        table.add_row(
            str(place), escape(one.bot), rating, f"{low} to {high}", f"{one.matches:,}", f"{one.share[0]:.1%}", *cells
        )
    return table
