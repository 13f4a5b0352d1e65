"""The command `observe`: what each value of a game's observations means."""

from typing import Annotated

import typer

from sparring.cli.common import Options, Preset, find, out, settings


def observe(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game's name.")],
    option: Options = None,
    preset: Preset = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the match in the example.")] = 1,
    actions: Annotated[int, typer.Option(min=0, help="Take this many random actions before the example.")] = 10,
) -> None:
    """Describe a game as a research environment: actions, rewards, and each value of an observation, in Markdown."""
    from sparring.research.observation_table import environment_summary, observation_table

    found = find(game)
    out.print(f"{environment_summary(found)}\n", markup=False)
    out.print(observation_table(found.box(settings(found, option, preset)), seed=seed, actions=actions), markup=False)
