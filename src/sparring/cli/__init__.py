"""The command line: register the commands and turn errors into messages and exit codes."""

import sys
from collections.abc import Sequence
from importlib.metadata import version
from platform import platform, python_version
from typing import Annotated

import typer

from sparring.engine.errors import SparringError
from sparring.engine.plugins import load_all

from .admin import app as admin_commands
from .common import err, settings
from .compare import compare as compare_variants
from .games import games as list_games
from .games import puzzles as make_puzzles
from .games import replay, rules
from .new_game import check, new
from .play import learn, work
from .play import play as play_game
from .print_and_play import printed
from .sheets import app as sheets
from .simulation import bench, simulate, warm
from .tournaments import benchmark, tournament
from .training import data, observe, train

__all__ = ["app", "main", "settings"]

app = typer.Typer(
    name="sparring", add_completion=False, pretty_exceptions_enable=False,
    help="Play tabletop games against people and bots, and test their rules in a lab.",
)  # fmt: skip


def show_version(wanted: bool) -> None:
    """Print the versions of Sparring, Python and the system, as bug reports need them, and exit."""
    if wanted:
        print(f"Sparring {version('sparring')}, Python {python_version()}, {platform(terse=True)}")
        raise typer.Exit


@app.callback()
def options(
    _: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Take the options that come before a command; the help comes from the app."""


# Commands named like their module are imported under another name, so that they don't hide the module.
for command in (
    list_games,
    play_game,
    work,
    learn,
    simulate,
    tournament,
    train,
    replay,
    rules,
    warm,
    bench,
    benchmark,
    new,
    check,
):
    app.command()(command)
app.command("lab")(compare_variants)
app.command()(observe)
app.command()(data)
app.command("print")(printed)
app.command("puzzles")(make_puzzles)
app.add_typer(sheets, name="sheet")
app.add_typer(admin_commands, name="admin")
# Commands added by games and other installed packages through entry points.
for name, added in load_all("sparring.commands", typer.Typer, check=typer.main.get_group):
    app.add_typer(added, name=name)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line. Bad input prints one sentence and exits with code 2, an interrupt exits with 130."""
    wanted = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    try:
        code = app(wanted, standalone_mode=False)
    except (SparringError, typer.TyperException) as problem:
        err.print(problem.format_message() if isinstance(problem, typer.TyperException) else str(problem), markup=False)
        code = 2
    except (typer.Abort, KeyboardInterrupt):
        code = 130
    sys.exit(code or 0)
