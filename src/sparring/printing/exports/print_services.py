"""Card files for print services such as The Game Crafter, with their sizes, bleed and resolution."""

from collections.abc import Iterator
from typing import NamedTuple

from sparring.printing.paper_sizes import PaperSize
from sparring.printing.print_job import PrintJob
from sparring.printing.sheets import PaperSheet, PrintedPiece, SheetSide, SheetSpot
from sparring.printing.typesetting import compile_document, document, literal

from .card_files import CREDIT, credit_file, file_name, named_sides

#: The resolution in pixels per inch, and an inch in mm.
PPI, INCH = 300, 25.4


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
        source = f"#set document(description: {literal(job.box.credit.text)})\n{document(pages)}"
        return {f"{file_name(job.box.title)}.pdf": compile_document(source, archival=True)[0]}
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
