"""Having the bots learn a game."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .common import Content, Options, Preset, aside, find, out, settings

if TYPE_CHECKING:
    from sparring.bots.value_models import ValueModel
    from sparring.lab.self_play.training import FittedModel


def train(
    game: Annotated[str, typer.Argument(help="The name of a game.")],
    seats_count: Annotated[int | None, typer.Option(help="How many seats; each number is learned by itself.")] = None,
    matches: Annotated[int, typer.Option(min=10, help="How many matches the last round has.")] = 1000,
    iterations: Annotated[int, typer.Option(min=1, help="How long is thought about each choice of them.")] = 100,
    option: Options = None,
    preset: Preset = None,
    content: Content = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same judgement.")] = 0,
    ahead: Annotated[int, typer.Option(min=0, help="How many choices a search plays on before it judges.")] = 0,
    curiosity: Annotated[float, typer.Option(min=0.0, help="How much a seldom tried choice is worth trying.")] = 2.0,
    for_prior: Annotated[
        int | None,
        typer.Option(min=0, help="From how many more matches is learned what good players choose; 0: it is not."),
    ] = None,
    only_prior: Annotated[
        bool,
        typer.Option(
            "--only-prior", help="Keep the judgement there is, and play by it; learn only what good players choose."
        ),
    ] = False,
    to: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where to keep it; usually the folder of your own data.")
    ] = None,
) -> None:
    """Learn to judge positions from matches that the game plays against itself; bots use it from then on."""
    from rich.progress import Progress

    from sparring.bots import value_models
    from sparring.engine.errors import BadOption
    from sparring.lab.self_play.training import rounds
    from sparring.lab.self_play.training import train as run

    chosen = find(game)
    seats = chosen.check_seats(seats_count)
    box = chosen.box(settings(chosen, option, preset), chosen.read_content(content) if content else None)
    plan, known = rounds(matches, iterations, for_prior), None
    if only_prior:
        plan, known = tuple(each for each in plan if each.prior), value_models.find(box, seats)
        if not plan:
            raise BadOption("What good players choose cannot be learned from 0 matches.")
        if known is None or not value_models.fits(box, seats):
            raise BadOption(f"{chosen.title} has no judgement of this table that a prior could be learned for.")
    with Progress(console=aside, transient=True, disable=not aside.is_terminal) as bar:
        task = bar.add_task("Getting ready", total=1.0)
        learned = run(
            box, seats, plan, first_seed=seed, ahead=ahead, curiosity=curiosity, known=known,
            progress=lambda what, done: bar.update(task, completed=done, description=what),
        )  # fmt: skip
    file = (to or value_models.folders(chosen).own) / value_models.file_name(box, seats)
    value_models.save(file, learned.judgement)
    out.print(
        f"{chosen.title}, {seats} seats: {_told(learned, known)}.\n{file}: {file.stat().st_size:,} bytes.", markup=False
    )


def _told(learned: "FittedModel", known: "ValueModel | None") -> str:
    told = []
    if learned.loss_of_none:
        unseen = f"log loss {learned.loss:.3f} in matches not seen before"
        told.append(f"{unseen}, {learned.loss_of_none:.3f} for who knows nothing")
    if learned.of_lots:
        prior, stays = learned.judgement.prior, known is not None and learned.judgement.prior is known.prior
        use = ", so it is not used" if prior is None else ", by the prior that there was, which stays" if stays else ""
        told.append(f"choices of good players {learned.of_prior:.3f}, {learned.of_lots:.3f} for who draws lots{use}")
    return "; ".join(told) or "there was too little to choose to learn from"
