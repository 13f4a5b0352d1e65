"""The cards for other uses: one picture each, a table of all, and decks for Tabletop Simulator."""

import csv
import io
import json
import re
from collections.abc import Iterator, Sequence
from itertools import count

from sparring.scene import CardCopies, PaperDeck

from .print_job import PrintJob
from .paper_sizes import PaperSize
from .typesetting import Form, document, pressed
from .sheets import PrintedPiece, PaperSheet, SheetSide, SheetSpot, TwoSided

#: How finely a card is drawn as PNG.
PPI = 300
#: A deck image of Tabletop Simulator: at most so many cards across and down, the last place kept free for the card that
#: a hidden one shows, and the image at most so many pixels wide and high.
ACROSS, DOWN, PIXELS = 10, 7, 4096
INCH = 25.4

FIELDS = (
    "deck", "name", "copies", "colour", "value", "circles", "signs", "text", "in words",
)  # fmt: skip


def table(job: PrintJob) -> str:
    """All cards as CSV: a line for each kind, with the number of copies."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(FIELDS)
    for deck, copies, _ in job.cards():
        face = copies.face
        writer.writerow([
            _safe(cell) for cell in (
                deck.title, face.name, copies.count, face.colour.word if face.colour else "", face.value,
                " ".join(circle.word for circle in face.circles if circle),
                "; ".join(f"{what} {sign}" for what, sign in face.feet),
                "; ".join(_lines(job, copies)), face.title,
            )
        ])  # fmt: skip
    return written.getvalue()


def _lines(job: PrintJob, copies: CardCopies) -> Sequence[str]:
    """What stands on a card; that of a turn summary is drawn and so has no lines of its own."""
    return job.inventory.turn if copies is job.decks[-1].cards[0] else copies.face.lines


def _safe(cell: object) -> object:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell


def pictures(job: PrintJob, form: Form) -> dict[str, bytes]:
    """One SVG or PNG for each kind of card and each back, by the name of its file; letters are drawn as shapes."""
    named = list(_named(job))
    sheets = [_alone(side, job.wishes.card) for _, side in named]
    made = pressed(document(sheets), form, PPI)
    return {f"{name}.{form}": file for (name, _), file in zip(named, made, strict=True)}


def _named(job: PrintJob) -> Iterator[tuple[str, SheetSide]]:
    """Every side of a card with a name that is a file's: no two are alike."""
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
    """Decks for Tabletop Simulator: their images, and a saved object that finds them under the address `base`."""
    files: dict[str, bytes] = {}
    saved = []
    numbers = count(1)
    kinds: dict[str, list[tuple[PaperDeck, CardCopies, TwoSided]]] = {}
    for kind in job.cards():
        kinds.setdefault(kind[0].title, []).append(kind)
    for place, (title, cards) in enumerate(kinds.items()):
        name = f"{_file_name(job.box.game.title)}-{place + 1}-{_file_name(title)}"
        files[f"{name}-back.png"] = _image([cards[0][2].back], job.wishes.card, 1, 1)
        images: dict[str, dict[str, object]] = {}
        lying: list[tuple[int, str, str]] = []
        for first in range(0, len(cards), ACROSS * DOWN - 1):
            some, number = cards[first : first + ACROSS * DOWN - 1], next(numbers)
            # Tabletop Simulator counts places in a grid of 2 x 2 at least; the last one is never a card's.
            across = min(ACROSS, max(2, len(some) + 1))
            down = min(DOWN, max(2, -(-(len(some) + 1) // across)))
            face = f"{name}-{number}.png"
            files[face] = _image([card.face for _, _, card in some], job.wishes.card, across, down)
            images[str(number)] = {
                "FaceURL": base + face, "BackURL": f"{base}{name}-back.png", "NumWidth": across, "NumHeight": down,
                "BackIsHidden": True, "UniqueBack": False,
            }  # fmt: skip
            lying += [
                (100 * number + n, copies.face.name, copies.face.title)
                for n, (_, copies, _) in enumerate(some) for _ in range(copies.count)
            ]  # fmt: skip
        saved.append(_deck(title, lying, images, place))
    name = _file_name(job.box.game.title)
    files[f"{name}.json"] = (json.dumps(_save(job.box.game.title, saved), indent=2, ensure_ascii=False) + "\n").encode()
    return files


def _image(sides: Sequence[SheetSide], card: PaperSize, across: int, down: int) -> bytes:
    """Cards edge to edge in one PNG."""
    page = PaperSize(card.width * across, card.height * down)
    sheet = PaperSheet(page)
    for n, side in enumerate(sides):
        spot = SheetSpot(card.width * (n % across), card.height * (n // across), *card)
        sheet.things += [PrintedPiece(spot, "", colour=side.ground), PrintedPiece(spot, side.svg)]
    return pressed(document([sheet]), "png", min(PPI, (PIXELS - 1) * INCH / max(page)))[0]


def _save(title: str, objects: list[dict[str, object]]) -> dict[str, object]:
    """A saved object, by the form of https://kb.tabletopsimulator.com/custom-content/save-file-format/."""
    texts = ("GameMode", "Date", "Table", "Sky", "Note", "Rules", "PlayerTurn", "LuaScript")
    return {"SaveName": title, **dict.fromkeys(texts, ""), "ObjectStates": objects}


def _deck(
    title: str, cards: list[tuple[int, str, str]], images: dict[str, dict[str, object]], place: int
) -> dict[str, object]:
    """A deck, or a single card: every card of it by its number, a hundred times that of its image and its place."""
    each = [
        {**_thing("Card", name, told, place), "CardID": number, "CustomDeck": {image: images[image]}}
        for number, name, told in cards for image in [str(number // 100)]
    ]  # fmt: skip
    if len(each) == 1:
        return each[0]
    numbers = [number for number, _, _ in cards]
    return {
        **_thing("DeckCustom", title, "", place),
        "DeckIDs": numbers,
        "CustomDeck": images,
        "ContainedObjects": each,
    }


def _thing(kind: str, name: str, told: str, place: int) -> dict[str, object]:
    """What every object has; it lies face down, beside the one before it."""
    lies = {"posX": 3.0 * place, "posY": 1.0, "posZ": 0.0, "rotX": 0.0, "rotY": 180.0, "rotZ": 180.0}
    return {
        "Name": kind, "Transform": {**lies, "scaleX": 1.0, "scaleY": 1.0, "scaleZ": 1.0}, "Nickname": name,
        "Description": told, "ColorDiffuse": {"r": 0.713, "g": 0.713, "b": 0.713}, "Locked": False, "Grid": True,
        "Snap": True, "Autoraise": True, "Sticky": True, "Tooltip": True, "SidewaysCard": False,
    }  # fmt: skip
