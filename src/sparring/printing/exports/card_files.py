"""Export cards: one image each, and a CSV table."""

import re
from collections.abc import Iterator, Sequence
from itertools import count

from sparring.engine.formats.spreadsheets import write_csv
from sparring.printing.paper_sizes import PaperSize
from sparring.printing.print_job import PrintJob
from sparring.printing.sheets import PaperSheet, PrintedPiece, SheetSide, SheetSpot
from sparring.printing.typesetting import OutputFormat, compile_document, document

#: Resolution of PNGs, in pixels per inch.
PPI = 300

#: The name of the file with the credit, beside images.
CREDIT = "credit.txt"

FIELDS = (
    "deck", "name", "copies", "colour", "value", "circles", "signs", "text", "in words", "credit",
)  # fmt: skip


def table(job: PrintJob) -> str:
    """Return all cards as CSV, one line per kind with its number of copies."""
    rows: list[Sequence[object]] = [FIELDS]
    for deck, copies, _ in job.cards():
        face = copies.face
        rows.append((
            deck.title, face.name, copies.count, face.colour.word if face.colour else "", face.value,
            " ".join(circle.word for circle in face.circles if circle),
            "; ".join(f"{what} {sign}" for what, sign in face.feet),
            "; ".join(job.text_on(deck, copies)), face.title, job.box.credit.text,
        ))  # fmt: skip
    return write_csv(rows)


def pictures(job: PrintJob, output_format: OutputFormat) -> dict[str, bytes]:
    """Return one SVG or PNG per kind of card and per back, by file name; text is converted to shapes."""
    named = list(named_sides(job))
    sheets = [_alone(side, job.print_options.card) for _, side in named]
    images = compile_document(document(sheets), output_format, PPI)
    return {
        **{f"{name}.{output_format}": file for (name, _), file in zip(named, images, strict=True)},
        CREDIT: credit_file(job),
    }


def credit_file(job: PrintJob) -> bytes:
    """Return the credit of the game as a text file, to lie beside images."""
    return f"{job.box.credit.text}\n".encode()


def named_sides(job: PrintJob) -> Iterator[tuple[str, SheetSide]]:
    """Yield each card side with a unique file name."""
    number, backs = count(1), set()
    for deck, copies, card in job.cards():
        if deck.title not in backs:
            backs.add(deck.title)
            yield f"{file_name(deck.title)}-back", card.back
        yield f"{file_name(deck.title)}-{next(number):03}-{file_name(copies.face.name)}-x{copies.count}", card.face


def file_name(text: str) -> str:
    """Return a text as a part of a file name."""
    return re.sub(r"[^a-z0-9]+", "-", text.casefold()).strip("-") or "card"


def _alone(side: SheetSide, card: PaperSize) -> PaperSheet:
    spot = SheetSpot(0, 0, *card)
    return PaperSheet(card, [PrintedPiece(spot, "", colour=side.ground), PrintedPiece(spot, side.svg)])
