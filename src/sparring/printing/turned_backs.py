"""Measure whether a card's back looks the same upside down; if not, a turned card is marked."""

import io

import numpy as np
from PIL import Image

from .print_job import PrintJob
from .sheets import PaperSheet, PrintedPiece, SheetSpot
from .typesetting import compile_document, document

#: The resolution of the comparison, four pixels per mm so that whole millimetres are whole pixels, and the least
#: difference of a pixel (of 255) that counts.
PPI, VISIBLE = 4 * 25.4, 40
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
    images = compile_document(document(sheets), "png", PPI) if sheets else []
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
