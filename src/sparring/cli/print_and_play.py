"""Print and play: a game on paper, and its cards for other uses."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sparring.engine.errors import CannotPrint

from .common import Content, Options, RecommendedPreset, aside, find, out, settings

if TYPE_CHECKING:
    from sparring.printing.print_job import PrintJob

#: What can be made, and what its file or folder is called after the game.
FORMS = {"pdf": "{}.pdf", "svg": "{}-cards", "png": "{}-cards", "tts": "{}-tabletop", "csv": "{}.csv"}


def printed(
    game: Annotated[str, typer.Argument(help="The name of a game.")],
    form: Annotated[
        str,
        typer.Option(
            "--as", metavar="FORM", help="pdf; svg or png: a picture of each card; csv; tts: for Tabletop Simulator."
        ),
    ] = "pdf",
    to: Annotated[Path | None, typer.Option(metavar="PATH", help="The file, or the folder for several.")] = None,
    content: Content = None,
    option: Options = None,
    preset: RecommendedPreset = None,
    seats: Annotated[int | None, typer.Option(help="For how many; usually as many as can play.")] = None,
    only: Annotated[
        list[str] | None, typer.Option(metavar="PART", help="cards, boards, counters or rules; as often as you like.")
    ] = None,
    card: Annotated[
        str, typer.Option(metavar="SIZE", help="usual (63x88), poker, bridge, tarot, or WxH in mm.")
    ] = "usual",
    paper: Annotated[str, typer.Option(help="a4 or letter.")] = "a4",
    duplex: Annotated[
        str, typer.Option(help="How backs come behind faces: long-edge, short-edge, fold, or none for faces only.")
    ] = "long-edge",
    bleed: Annotated[float, typer.Option(metavar="MM", help="How far colour goes on over the cut.")] = 1.5,
    ink: Annotated[str, typer.Option(help="colour, or black: told by patterns and letters.")] = "colour",
    place: Annotated[
        float | None,
        typer.Option(metavar="MM", help="How far across a place of a board is; usually as one sheet allows."),
    ] = None,
    guides: Annotated[bool, typer.Option("--guides", help="Draw the safe area too.")] = False,
    base: Annotated[
        str | None,
        typer.Option(
            "--url", metavar="ADDRESS", help="Where Tabletop Simulator finds the pictures; usually this folder."
        ),
    ] = None,
) -> None:
    """Print a game: cards, boards, counters and rules, to cut out and play."""
    from sparring.printing.typesetting import check_installed

    check_installed()
    from sparring.printing.paper_sizes import PrintOptions, read_card
    from sparring.printing.print_job import PARTS, PrintJob

    if form not in FORMS:
        raise CannotPrint(f"A print cannot be {form}; it is {', '.join(FORMS)}.")
    if base is not None and form != "tts":
        raise CannotPrint("--url is for Tabletop Simulator; leave it out, or add --as tts.")
    if only and form != "pdf":
        raise CannotPrint("--only is for a PDF; the other forms are of cards.")
    chosen = find(game)
    wishes = PrintOptions(
        paper=paper, card=read_card(card), duplex=duplex, bleed=bleed, ink=ink, place=place, guides=guides
    )
    box = chosen.box(settings(chosen, option, preset or chosen.recommended),
                     chosen.read_content(content) if content else None)  # fmt: skip
    many = chosen.check_seats(seats if seats is not None else chosen.seats[-1])
    job = PrintJob(box, many, wishes, tuple(dict.fromkeys(only)) if only else PARTS)
    target = to or Path(FORMS[form].format(chosen.name))
    with aside.status(f"{chosen.title} is being printed ..."):
        files = made(job, form, target, base)
    written(files)
    out.print(f"{chosen.title} is printed: {target}", markup=False)


def made(job: "PrintJob", form: str, target: Path, base: str | None) -> dict[Path, bytes]:
    """The files of a form, by where they go."""
    from sparring.printing.exports import pictures, table, tabletop

    match form:
        case "pdf":
            return {target: job.pdf()}
        case "csv":
            return {target: table(job).encode()}
        case "tts":
            address = base if base is not None else target.resolve().as_uri()
            named = tabletop(job, address if address.endswith("/") else f"{address}/")
        case _:
            named = pictures(job, "svg" if form == "svg" else "png")
    return {target / name: file for name, file in named.items()}


def written(files: dict[Path, bytes]) -> None:
    """Write files, and the folder they go to."""
    for path, content in files.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        except OSError as problem:
            raise CannotPrint(f"{path} cannot be written: {problem.strerror or problem}.") from None
