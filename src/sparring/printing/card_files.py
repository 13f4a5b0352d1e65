"""Export cards: one image each and a CSV table, also in the sizes of print services such as The Game Crafter.

It also measures whether a back looks the same upside down; if not, a turned card is marked.
"""

import io
import re
from collections.abc import Iterator, Sequence
from itertools import count
from typing import NamedTuple

import numpy as np
from PIL import Image

from sparring.engine.formats.spreadsheets import write_csv

from .print_job import PrintJob
from .sheets import PaperSheet, PaperSize, PrintedPiece, SheetSide, SheetSpot
from .typesetting import OutputFormat, compile_document, document, literal

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
            "; ".join(job.text_on(deck, copies)), face.title, job.setup.credit.text,
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
    return f"{job.setup.credit.text}\n".encode()


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


#: The resolution in pixels per inch, and an inch in mm.
INCH = 25.4


class PrintService(NamedTuple):
    """A print service: its cards after cutting, how much of the picture is cut off around them, and what it takes.

    Lengths are in mm. `sheet` is the whole picture with its bleed; `safe` is how far from the cut nothing important may
    be; `form` is `png`, a picture of each side, or `pdf`, a page for each side of each card, the back first.
    """

    title: str
    card: PaperSize
    sheet: PaperSize
    safe: float
    form: str


def _inches(width: float, height: float) -> PaperSize:
    return PaperSize(width * INCH, height * INCH)


#: Print services by name. DriveThruCards' bleed and safe zone are from its "Specifications of printed cards", the pixel
#: sizes of the other two from public projects that print there. MakePlayingCards cuts off 36 pixels on each side.
SERVICES = {
    "the-game-crafter": PrintService("The Game Crafter", _inches(2.5, 3.5), _inches(2.75, 3.75), INCH / 8, "png"),
    "drivethrucards": PrintService("DriveThruCards", _inches(2.5, 3.5), _inches(2.75, 3.75), INCH / 8, "pdf"),
    "makeplayingcards": PrintService(
        "MakePlayingCards", PaperSize(63, 88), _inches(822 / PPI, 1122 / PPI), INCH / 8, "png"
    ),
}


def service_files(job: PrintJob, service: PrintService) -> dict[str, bytes]:
    """Return the files to upload, by name: pictures with their number of copies in the name, or one PDF.

    The job's card size must be the service's.
    """
    if service.form == "pdf":
        pages = [_sheet(side, service) for side in _pages(job)]
        source = f"#set document(description: {literal(job.setup.credit.text)})\n{document(pages)}"
        return {f"{file_name(job.setup.title)}.pdf": compile_document(source, archival=True)[0]}
    named = list(named_sides(job))
    images = compile_document(document([_sheet(side, service) for _, side in named]), "png", PPI)
    return {
        **{f"{name}.png": image for (name, _), image in zip(named, images, strict=True)},
        CREDIT: credit_file(job),
    }


def _pages(job: PrintJob) -> Iterator[SheetSide]:
    """Yield both sides of every single card, the back first."""
    for _, copies, card in job.cards():
        for _ in range(copies.count):
            yield from (card.back, card.face)


def _sheet(side: SheetSide, service: PrintService) -> PaperSheet:
    """Return one side of a card in the middle of its bleed, which has the colour of the card's paper."""
    whole = SheetSpot(0, 0, *service.sheet)
    left, top = (service.sheet.width - service.card.width) / 2, (service.sheet.height - service.card.height) / 2
    return PaperSheet(service.sheet, [
        PrintedPiece(whole, "", colour=side.ground), PrintedPiece(SheetSpot(left, top, *service.card), side.svg),
    ])  # fmt: skip


#: The resolution of the comparison, four pixels per mm so that whole millimetres are whole pixels, and the least
#: difference of a pixel (of 255) that counts.
BACK_PPI, VISIBLE = 4 * INCH, 40
#: The largest share of different pixels of a back that is called the same; edges are drawn a little differently.
SAME = 0.01


def turned_differences(job: PrintJob) -> dict[str, float]:
    """Return for each deck the share of its back's pixels, from 0 to 1, that differ when the card is turned by 180°."""
    card = job.print_options.card
    backs = {deck.title: job.drawings.back(deck, card) for deck in job.decks}
    spot = SheetSpot(0, 0, *card)
    sheets = [
        PaperSheet(card, [PrintedPiece(spot, "", colour=back.ground), PrintedPiece(spot, back.svg)])
        for back in backs.values()
    ]  # fmt: skip
    images = compile_document(document(sheets), "png", BACK_PPI) if sheets else []
    return {title: _difference(image) for title, image in zip(backs, images, strict=True)}


def _difference(image: bytes) -> float:
    pixels = np.asarray(Image.open(io.BytesIO(image)).convert("RGB"), np.int16)
    apart = np.abs(pixels - pixels[::-1, ::-1]).max(axis=2)
    return float((apart > VISIBLE).mean())


def marked_backs(job: PrintJob) -> list[str]:
    """Return a warning for each deck whose turned cards are marked."""
    return [
        f"The back of {title} looks different upside down ({share:.0%} of it), so a turned card is marked. Keep all "
        "cards the same way up, or draw a back that is the same when turned by 180 degrees."
        for title, share in turned_differences(job).items() if share > SAME
    ]  # fmt: skip
