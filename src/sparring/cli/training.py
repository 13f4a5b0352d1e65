"""Commands for machine learning: train models by self-play, describe observations, record matches as data."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from sparring.engine import chance
from sparring.engine.features import is_turned, layout_of
from sparring.engine.game import Game, GameSetup
from sparring.engine.match import Match

from .common import Cluster, Content, Options, Preset, Workers, err, find, out, progress_bar, settings

if TYPE_CHECKING:
    from sparring.bots.value_models import ValueModel
    from sparring.lab.training import FittedModel

#: The number of values of a field that the example shows.
SHOWN = 6


def train(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game's name.")],
    seats_count: Annotated[
        int | None, typer.Option(help="Number of seats; each number of seats has its own model.")
    ] = None,
    matches: Annotated[int, typer.Option(min=10, help="Number of matches in the last self-play round.")] = 1000,
    iterations: Annotated[int, typer.Option(min=1, help="Search iterations per choice in those matches.")] = 100,
    option: Options = None,
    preset: Preset = None,
    content: Content = None,
    seed: Annotated[int, typer.Option(min=0, help="Train from this seed; the same seed gives the same model.")] = 0,
    rollout: Annotated[
        int, typer.Option(min=0, help="Evaluate a position only after this many further choices (rollout depth).")
    ] = 0,
    exploration: Annotated[float, typer.Option(min=0.0, help="Exploration constant of the search.")] = 2.0,
    for_prior: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="Train the policy prior on this many further matches (default: a quarter of --matches); 0 skips it.",
        ),
    ] = None,
    only_prior: Annotated[
        bool,
        typer.Option(
            "--only-prior", help="Keep the existing value model and play with it; train only the policy prior."
        ),
    ] = False,
    to: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Save the model in this folder (default: your data folder).")
    ] = None,
) -> None:
    """Train a game's value model and policy prior by self-play. Bots use them from then on."""
    from rich.progress import Progress

    from sparring.bots import value_models
    from sparring.engine.errors import BadOption
    from sparring.lab.training import rounds
    from sparring.lab.training import train as run

    chosen = find(game)
    seats = chosen.check_seats(seats_count)
    setup = chosen.setup(settings(chosen, option, preset, content), chosen.read_content(content) if content else None)
    plan, known = rounds(matches, iterations, for_prior), None
    if only_prior:
        plan, known = tuple(each for each in plan if each.prior), value_models.find_model(setup, seats)
        if not plan:
            raise BadOption("--only-prior needs matches to train on; --for-prior must be at least 2, not 0.")
        if known is None or not value_models.has_own_model(setup, seats):
            raise BadOption(
                f"{chosen.title} has no value model for these options and seats; train one without --only-prior first."
            )
    with Progress(console=err, transient=True, disable=not err.is_terminal) as bar:
        task = bar.add_task("Preparing", total=1.0)
        learned = run(
            setup, seats, plan, first_seed=seed, rollout=rollout, exploration=exploration, known=known,
            progress=lambda what, done: bar.update(task, completed=done, description=what),
        )  # fmt: skip
    file = (to or value_models.folders(chosen).own) / value_models.file_name(setup, seats)
    value_models.save(file, learned.value_model)
    out.print(
        f"{chosen.title}, {seats} seats: {_summary(learned, known)}.\n{file}: {file.stat().st_size:,} bytes.",
        markup=False,
    )


def _summary(learned: "FittedModel", known: "ValueModel | None") -> str:
    parts = []
    if learned.uniform_loss:
        parts.append(f"log loss {learned.loss:.3f} on held-out matches (uninformed: {learned.uniform_loss:.3f})")
    if learned.prior_uniform_loss:
        prior, stays = learned.value_model.prior, known is not None and learned.value_model.prior is known.prior
        use = ", so the prior is not used" if prior is None else "; the existing prior is kept" if stays else ""
        parts.append(f"policy cross-entropy {learned.prior_loss:.3f} (uniform: {learned.prior_uniform_loss:.3f}){use}")
    return "; ".join(parts) or "too few choices to learn from"


def observe(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game's name.")],
    option: Options = None,
    preset: Preset = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the match in the example.")] = 1,
    actions: Annotated[int, typer.Option(min=0, help="Take this many random actions before the example.")] = 10,
) -> None:
    """Describe a game as a research environment: actions, rewards, and each value of an observation, in Markdown."""
    found = find(game)
    out.print(f"{environment_summary(found)}\n", markup=False)
    out.print(observation_table(found.setup(settings(found, option, preset)), seed=seed, actions=actions), markup=False)


def environment_summary(game: Game) -> str:
    """Return a Markdown table of a game's version, seats, actions, observations, rewards and endings."""
    rules, payoffs = game.rules, game.payoffs
    blocks = ", ".join(f"`{name}` {size}" for name, size in rules.ACTIONS.blocks.items())
    frames = "seats and squares as in the observation" if is_turned(game) else "the same in both frames"
    rewards = (
        f"{payoffs.low:g} to {payoffs.high:g} {payoffs.unit}{', zero-sum' if payoffs.zero_sum else ''}"
        if payoffs
        else "each loser -1, which the winners share; in a draw 0"
    )
    return "\n".join([
        f"| Name | `{game.name}`, version {game.version} |", "|---|---|",
        f"| Seats | {game.seats_in_words} |", f"| Actions | {len(rules.ACTIONS)}: {blocks} |",
        f"| In the frame `seat` | {frames} |", f"| Observation | {rules.FEATURES} values |",
        f"| Rewards | {rewards} |", f"| Endings | {', '.join(rules.ENDINGS)} |",
    ])  # fmt: skip


def observation_table(setup: GameSetup, *, seats: int | None = None, seed: int = 1, actions: int = 10) -> str:
    """Return a Markdown table of the fields: where they start, shapes, ranges, meanings, and an example.

    The example is the observation of the seat that must act after `actions` random actions (fewer if the match ends).
    """
    match = Match.deal(setup, setup.game.check_seats(seats), seed)
    stream = np.zeros(4, np.int64)
    chance.seed(stream, seed, chance.CHOICES)
    while not match.over and len(match.history) < actions:
        legal = [action for action in match.legal() if action not in setup.game.conceding]
        match.choose(legal[int(chance.below(stream, len(legal)))])
    observation = match.view(match.seat or 1).observation()
    lines = ["| Field | From | Shape | Range | Meaning | Example |", "|---|---:|---|---|---|---|"]
    for field in layout_of(setup.game):
        shape = " × ".join(map(str, field.shape))
        example = _example(field.of(observation))
        bounds = f"{field.low:g} to {field.high:g}"
        lines.append(f"| `{field.name}` | {field.start} | {shape} | {bounds} | {field.meaning} | {example} |")
    return "\n".join(lines)


def _example(values: np.ndarray[Any, Any]) -> str:
    """Return the first values of a field, in C order."""
    flat = values.ravel().tolist()
    return " ".join(f"{value:.3g}" for value in flat[:SHOWN]) + (" ..." if len(flat) > SHOWN else "")


def data(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game's name.")],
    to: Annotated[Path, typer.Option(metavar="FILE.parquet", help="Write the decisions to this file.")],
    matches: Annotated[int, typer.Option(min=1, help="Number of matches to play.")] = 100,
    seats_count: Annotated[
        int | None, typer.Option(help="Number of seats (default: one per bot, or the game's minimum for a single bot).")
    ] = None,
    bots: Annotated[
        str, typer.Option(help="One bot for all seats, or one per seat, separated by commas (see simulate).")
    ] = "search:level=gentle",
    option: Options = None,
    preset: Preset = None,
    content: Content = None,
    shards: Annotated[int, typer.Option(min=1, help="Write this many files, each with a part of the matches.")] = 1,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the first match; each later match adds 1.")] = 0,
    workers: Workers = 1,
    cluster: Cluster = None,
) -> None:
    """Record matches between bots as training data: observations, actions, search results and payoffs, in Parquet."""
    from sparring.lab.match_data import record_matches
    from sparring.lab.measures.match_plan import MatchPlan, line_up

    chosen = find(game)
    own = chosen.read_content(content) if content else None
    options = chosen.setup(settings(chosen, option, preset, content), own).options
    plan = MatchPlan(chosen, options, own, line_up(chosen, bots.split(","), seats_count), seed)
    with progress_bar(f"Playing {chosen.title}") as update:
        count = record_matches(
            plan, matches, to, shards=shards, workers=workers, cluster=cluster,
            progress=lambda done: update(done, matches),
        )  # fmt: skip
    where = to if shards == 1 else f"{shards} files beside {to}"
    out.print(f"{count:,} decisions of {matches:,} matches are in {where}.", markup=False)
