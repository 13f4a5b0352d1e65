"""The print command: print-and-play PDFs, virtual tables, files for print services, and card exports."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sparring.engine.errors import CannotPrint

from .common import Content, Options, Preset, chosen_setup, err, find, out

if TYPE_CHECKING:
    from sparring.printing.print_job import PrintJob

#: The output formats, each with the default name of its file or folder.
FORMS = {
    "pdf": "{}.pdf", "svg": "{}-cards", "png": "{}-cards", "tts": "{}-tabletop", "pcio": "{}.pcio", "csv": "{}.csv",
}  # fmt: skip


def printed(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game's name.")],
    form: Annotated[
        str,
        typer.Option(
            "--as",
            metavar="FORM",
            help="Output format: pdf, csv, svg or png (one image per card), or a whole table for tts (Tabletop "
            "Simulator) or pcio (playingcards.io).",
        ),
    ] = "pdf",
    to: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Write to this file (pdf, pcio, csv) or folder (the others).")
    ] = None,
    service: Annotated[
        str | None,
        typer.Option(
            "--for",
            metavar="SERVICE",
            help="Write card files for a print service: the-game-crafter, drivethrucards or "
            "makeplayingcards, with its card size and bleed.",
        ),
    ] = None,
    content: Content = None,
    option: Options = None,
    preset: Preset = None,
    seats: Annotated[int | None, typer.Option(help="Number of players (default: the game's maximum).")] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PART",
            help="Print only cards, boards, counters or rules, or blanks: cards to fill in (repeatable).",
        ),
    ] = None,
    all_boards: Annotated[
        bool,
        typer.Option("--all-boards", help="Print every board that the option `board` offers, not only the chosen one."),
    ] = False,
    card: Annotated[
        str, typer.Option(metavar="SIZE", help="Card size: usual (63x88), poker, bridge, tarot, or WxH in mm.")
    ] = "usual",
    paper: Annotated[str, typer.Option(help="Paper size: a4 or letter.")] = "a4",
    duplex: Annotated[
        str, typer.Option(help="How backs are printed behind faces: long-edge, short-edge, fold, or none (faces only).")
    ] = "long-edge",
    bleed: Annotated[float, typer.Option(metavar="MM", help="How far colour extends past the cutting line.")] = 1.5,
    ink: Annotated[str, typer.Option(help="Ink: colour, or black (patterns and letters replace colours).")] = "colour",
    place: Annotated[
        float | None,
        typer.Option(metavar="MM", help="Width of a board space (default: as wide as one sheet allows)."),
    ] = None,
    guides: Annotated[bool, typer.Option("--guides", help="Draw the safe area of each card.")] = False,
    base: Annotated[
        str | None,
        typer.Option(
            "--url", metavar="ADDRESS", help="Where Tabletop Simulator finds the images (default: the output folder)."
        ),
    ] = None,
) -> None:
    """Make a print-and-play PDF of a game's cards, boards, counters and rules, or export its cards."""
    from sparring.engine.schema.field import either
    from sparring.printing.typesetting import check_installed

    check_installed()
    from sparring.printing.card_files import SERVICES, marked_backs, service_files
    from sparring.printing.print_job import PARTS, PrintJob
    from sparring.printing.sheets import PrintOptions, read_card

    if service is not None and service not in SERVICES:
        raise CannotPrint(f"--for must be {either(SERVICES)}, not {service}.")
    if service is not None and (form != "pdf" or only):
        raise CannotPrint("--for chooses the format and prints all cards; leave out --as and --only.")
    if service is not None and card != "usual":
        raise CannotPrint("--for chooses the card size; leave out --card.")
    if form not in FORMS:
        raise CannotPrint(f"--as must be {either(FORMS)}, not {form}.")
    if base is not None and form != "tts":
        raise CannotPrint("--url needs --as tts; add it, or leave out --url.")
    if only and form != "pdf":
        raise CannotPrint("--only is for PDFs; the other formats contain everything or only cards.")
    chosen = find(game)
    print_options = PrintOptions(
        paper=paper, card=SERVICES[service].card if service else read_card(card), duplex=duplex, bleed=bleed, ink=ink,
        place=place, guides=guides,
    )  # fmt: skip
    setup = chosen_setup(chosen, option, preset, content)
    many = chosen.check_seats(seats if seats is not None else chosen.seats[-1])
    job = PrintJob(setup, many, print_options, tuple(dict.fromkeys(only)) if only else PARTS, all_boards)
    target = to or Path(f"{chosen.name}-for-{service}" if service else FORMS[form].format(chosen.name))
    with err.status(f"Printing {setup.title} ..."):
        if service:
            files = {target / name: file for name, file in service_files(job, SERVICES[service]).items()}
        else:
            files = output_files(job, form, target, base)
        warnings = marked_backs(job) if service or form in ("pdf", "png", "svg") else []
    write_files(files)
    out.print(f"Saved {setup.title} to {target}.", markup=False)
    for warning in warnings:
        err.print(warning, markup=False)


def output_files(job: "PrintJob", form: str, target: Path, base: str | None) -> dict[Path, bytes]:
    """Return the contents of the output files by path."""
    from sparring.printing.card_files import pictures, table
    from sparring.printing.playingcards_io import room_file
    from sparring.printing.tabletop_simulator import table_files

    match form:
        case "pdf":
            return {target: job.pdf()}
        case "csv":
            return {target: table(job).encode()}
        case "pcio":
            return {target: room_file(job)}
        case "tts":
            address = base if base is not None else target.resolve().as_uri()
            named = table_files(job, address if address.endswith("/") else f"{address}/")
        case _:
            named = pictures(job, "svg" if form == "svg" else "png")
    return {target / name: file for name, file in named.items()}


def write_files(files: dict[Path, bytes]) -> None:
    """Write files, and create their folders."""
    for path, content in files.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        except OSError as problem:
            raise CannotPrint(f"Can't write {path}: {problem.strerror or problem}.") from None
