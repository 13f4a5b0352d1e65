"""Export cards: one image each, a CSV table, and decks for Tabletop Simulator."""

import csv
import io
import json
import re
from collections.abc import Iterator, Sequence
from itertools import count

from sparring.scene import CardCopies, PaperDeck

from .print_job import PrintJob
from .paper_sizes import PaperSize
from .typesetting import OutputFormat, document, compile_document
from .sheets import PrintedPiece, PaperSheet, SheetSide, SheetSpot, TwoSided

#: Resolution of PNGs, in pixels per inch.
PPI = 300
#: Limits of Tabletop Simulator's deck images: cards across and down, and pixels in each direction. The last position
#: is reserved for the image of hidden cards.
ACROSS, DOWN, PIXELS = 10, 7, 4096
INCH = 25.4

FIELDS = (
    "deck", "name", "copies", "colour", "value", "circles", "signs", "text", "in words",
)  # fmt: skip


def table(job: PrintJob) -> str:
    """Return all cards as CSV, one line per kind with its number of copies."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(FIELDS)
    for deck, copies, _ in job.cards():
        face = copies.face
        writer.writerow([
            _safe(cell) for cell in (
                deck.title, face.name, copies.count, face.colour.word if face.colour else "", face.value,
                " ".join(circle.word for circle in face.circles if circle),
                "; ".join(f"{what} {sign}" for what, sign in face.feet),
                "; ".join(job.text_on(deck, copies)), face.title,
            )
        ])  # fmt: skip
    return out.getvalue()


def _safe(cell: object) -> object:
    """Escape a cell so that spreadsheets don't read it as a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell


def pictures(job: PrintJob, output_format: OutputFormat) -> dict[str, bytes]:
    """Return one SVG or PNG per kind of card and per back, by file name; text is converted to shapes."""
    named = list(_named(job))
    sheets = [_alone(side, job.print_options.card) for _, side in named]
    images = compile_document(document(sheets), output_format, PPI)
    return {f"{name}.{output_format}": file for (name, _), file in zip(named, images, strict=True)}


def _named(job: PrintJob) -> Iterator[tuple[str, SheetSide]]:
    """Yield each card side with a unique file name."""
    number, backs = count(1), set()
    for deck, copies, card in job.cards():
        if deck.title not in backs:
            backs.add(deck.title)
            yield f"{_file_name(deck.title)}-back", card.back
        yield f"{_file_name(deck.title)}-{next(number):03}-{_file_name(copies.face.name)}-x{copies.count}", card.face


def _file_name(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.casefold()).strip("-") or "card"


def _alone(side: SheetSide, card: PaperSize) -> PaperSheet:
    spot = SheetSpot(0, 0, *card)
    return PaperSheet(card, [PrintedPiece(spot, "", colour=side.ground), PrintedPiece(spot, side.svg)])


def tabletop(job: PrintJob, base: str) -> dict[str, bytes]:
    """Return decks for Tabletop Simulator: images, and a saved object that loads them from the URL `base`."""
    files: dict[str, bytes] = {}
    decks = []
    numbers = count(1)
    kinds: dict[str, list[tuple[PaperDeck, CardCopies, TwoSided]]] = {}
    for kind in job.cards():
        kinds.setdefault(kind[0].title, []).append(kind)
    for place, (title, cards) in enumerate(kinds.items()):
        name = f"{_file_name(job.box.game.title)}-{place + 1}-{_file_name(title)}"
        files[f"{name}-back.png"] = _image([cards[0][2].back], job.print_options.card, 1, 1)
        images: dict[str, dict[str, object]] = {}
        cards_in_deck: list[tuple[int, str, str]] = []
        for first in range(0, len(cards), ACROSS * DOWN - 1):
            batch, number = cards[first : first + ACROSS * DOWN - 1], next(numbers)
            # Tabletop Simulator needs a grid of at least 2 x 2, and the last position can't be a card.
            across = min(ACROSS, max(2, len(batch) + 1))
            down = min(DOWN, max(2, -(-(len(batch) + 1) // across)))
            face = f"{name}-{number}.png"
            files[face] = _image([card.face for _, _, card in batch], job.print_options.card, across, down)
            images[str(number)] = {
                "FaceURL": base + face, "BackURL": f"{base}{name}-back.png", "NumWidth": across, "NumHeight": down,
                "BackIsHidden": True, "UniqueBack": False,
            }  # fmt: skip
            cards_in_deck += [
                (100 * number + n, copies.face.name, copies.face.title)
                for n, (_, copies, _) in enumerate(batch) for _ in range(copies.count)
            ]  # fmt: skip
        decks.append(_deck(title, cards_in_deck, images, place))
    name = _file_name(job.box.game.title)
    files[f"{name}.json"] = (json.dumps(_save(job.box.game.title, decks), indent=2, ensure_ascii=False) + "\n").encode()
    return files


def _image(sides: Sequence[SheetSide], card: PaperSize, across: int, down: int) -> bytes:
    """Return a PNG of cards edge to edge."""
    page = PaperSize(card.width * across, card.height * down)
    sheet = PaperSheet(page)
    for n, side in enumerate(sides):
        spot = SheetSpot(card.width * (n % across), card.height * (n // across), *card)
        sheet.contents += [PrintedPiece(spot, "", colour=side.ground), PrintedPiece(spot, side.svg)]
    return compile_document(document([sheet]), "png", min(PPI, (PIXELS - 1) * INCH / max(page)))[0]


def _save(title: str, objects: list[dict[str, object]]) -> dict[str, object]:
    """Return a saved object in the format of https://kb.tabletopsimulator.com/custom-content/save-file-format/."""
    texts = ("GameMode", "Date", "Table", "Sky", "Note", "Rules", "PlayerTurn", "LuaScript")
    return {"SaveName": title, **dict.fromkeys(texts, ""), "ObjectStates": objects}


def _deck(
    title: str, cards: list[tuple[int, str, str]], images: dict[str, dict[str, object]], place: int
) -> dict[str, object]:
    """Return a deck or a single card; a card's number is 100 x its image's number + its position."""
    objects = [
        {**_thing("Card", name, description, place), "CardID": number, "CustomDeck": {image: images[image]}}
        for number, name, description in cards for image in [str(number // 100)]
    ]  # fmt: skip
    if len(objects) == 1:
        return objects[0]
    numbers = [number for number, _, _ in cards]
    return {
        **_thing("DeckCustom", title, "", place),
        "DeckIDs": numbers,
        "CustomDeck": images,
        "ContainedObjects": objects,
    }


def _thing(kind: str, name: str, description: str, place: int) -> dict[str, object]:
    """Return the fields of every object; it lies face down beside the previous one."""
    position = {"posX": 3.0 * place, "posY": 1.0, "posZ": 0.0, "rotX": 0.0, "rotY": 180.0, "rotZ": 180.0}
    return {
        "Name": kind, "Transform": {**position, "scaleX": 1.0, "scaleY": 1.0, "scaleZ": 1.0}, "Nickname": name,
        "Description": description, "ColorDiffuse": {"r": 0.713, "g": 0.713, "b": 0.713}, "Locked": False, "Grid": True,
        "Snap": True, "Autoraise": True, "Sticky": True, "Tooltip": True, "SidewaysCard": False,
    }  # fmt: skip
