"""The front door: one file for each family of commands; what they are called, and what is said to bad input, here."""

import sys
from collections.abc import Sequence

import typer

from sparring.engine.errors import SparringError
from sparring.engine.plugins import load_all

from .admin import app as admin
from .common import aside, settings
from .compare import compare
from .games import games, replay, rules
from .new_game import check, new
from .play import learn, play
from .print_and_play import printed
from .simulation import bench, simulate, warm
from .tournaments import tournament
from .training import train
from .worker import work

__all__ = ["app", "main", "settings"]

app = typer.Typer(
    name="sparring", add_completion=False, pretty_exceptions_enable=False,
    help="A table for tabletop games, opponents to play them against, and a lab to test their rules in.",
)  # fmt: skip
for command in (games, play, work, learn, simulate, tournament, train, replay, rules, warm, bench, new, check):
    app.command()(command)
app.command("lab")(compare)
app.command("print")(printed)
app.add_typer(admin, name="admin")
# A game's own commands, and those of installed packages, by their entry points.
for name, added in load_all("sparring.commands", typer.Typer, check=typer.main.get_group):
    app.add_typer(added, name=name)


def main(arguments: Sequence[str] | None = None) -> None:
    """Do what the command line says. Bad input: one sentence, exit code 2."""
    wanted = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    try:
        code = app(wanted, standalone_mode=False)
    except (SparringError, typer.TyperException) as problem:
        aside.print(
            problem.format_message() if isinstance(problem, typer.TyperException) else str(problem), markup=False
        )
        code = 2
    except (typer.Abort, KeyboardInterrupt):
        code = 130
    sys.exit(code or 0)
