"""One thing to print: a game with its options and content, for so many seats, as somebody wants it."""

import io
from collections.abc import Iterator, Sequence
from functools import cached_property

from sparring.engine.errors import CannotPrint
from sparring.engine.game import Box
from sparring.engine.formats.card_pictures import pictures_in
from sparring.scene import CardCopies, PaperDeck, PaperInventory

from .board_sheets import board_sheets
from .booklet import Booklet, imposed
from .counters import counter_sheets
from .drawings import Drawings
from .components import inventory_of
from .paper_sizes import PrintOptions
from .typesetting import document, pressed
from .sheets import PaperSheet, TwoSided, card_sheets

#: What a print consists of, in the order of its pages.
PARTS = ("cards", "boards", "counters", "rules")


class PrintJob:
    """What is printed, and how; `only` names some of PARTS."""

    def __init__(self, box: Box, seats: int, wishes: PrintOptions, only: Sequence[str] = PARTS) -> None:
        for name in only:
            if name not in PARTS:
                raise CannotPrint(f"The part to print must be one of {', '.join(PARTS)}, not {name}.")
        self.box, self.seats, self.wishes, self.only = box, seats, wishes, tuple(only)
        self.drawings = Drawings(box.game, wishes.ink, pictures_in(box.content))

    @cached_property
    def inventory(self) -> PaperInventory:
        """What the game consists of."""
        return inventory_of(self.box, self.seats)

    @cached_property
    def decks(self) -> tuple[PaperDeck, ...]:
        """All cards: those of the game, and one for everybody that says what a turn is."""
        turn = self.drawings.turn_face(self.inventory.turn)
        return (*self.inventory.decks, PaperDeck(title="Turn summary", cards=(CardCopies(face=turn, more=self.seats),)))

    def cards(self) -> Iterator[tuple[PaperDeck, CardCopies, TwoSided]]:
        """Every kind of card with its two sides."""
        size = self.wishes.card
        for deck in self.decks:
            back = self.drawings.back(deck, size)
            for copies in deck.cards:
                yield deck, copies, TwoSided(self.drawings.face(copies.face, size), back)

    def sheets(self) -> Iterator[tuple[str, list[PaperSheet]]]:
        """The sheets of each part that is wanted, but for the rules."""
        if "cards" in self.only:
            yield "cards", card_sheets([card for _, copies, card in self.cards() for _ in range(copies.count)],
                                       self.wishes)  # fmt: skip
        made = [board_sheets(board, self.drawings, self.wishes) for board in self.inventory.boards]
        if "boards" in self.only:
            yield "boards", [sheet for sheets, _ in made for sheet in sheets]
        if "counters" in self.only:
            place = min((across for _, across in made), default=None)
            yield "counters", counter_sheets(self.inventory, self.drawings, self.wishes, place)

    def pdf(self) -> bytes:
        """All of it as one PDF: sheets in their size, then the booklet as it is printed and folded."""
        from pypdf import PdfReader, PdfWriter

        sheets = [(name, sheets) for name, sheets in self.sheets() if sheets]
        files = [pressed(document([sheet for _, some in sheets for sheet in some]))[0]] if sheets else []
        if "rules" in self.only:
            files.append(imposed(Booklet(self.box, self.drawings, self.wishes, self.notes()).pages()))
        if not files:
            raise CannotPrint(f"{self.box.game.title} has no {' or '.join(self.only)} to print.")
        writer = PdfWriter()
        for file in files:
            writer.append(PdfReader(io.BytesIO(file)), import_outline=False)
        page = 0
        for name, some in [*sheets, *([("rules", [])] if "rules" in self.only else [])]:
            writer.add_outline_item(title=name.capitalize(), page_number=page)
            page += len(some)
        writer.metadata = {"/Title": f"{self.box.game.title}: print and play", "/Producer": "Sparring"}
        written = io.BytesIO()
        writer.write(written)
        return written.getvalue()

    def notes(self) -> list[str]:
        """What is in the box, for the first page of the rules."""
        game, seats = self.box.game, f"{self.seats} player{'s' if self.seats > 1 else ''}"
        decks = ", ".join(f"{deck.count} {deck.title}" for deck in self.decks)
        counters = sum(counter.count for counter in self.inventory.counters)
        boards = [f"{len(self.inventory.boards)} board{'s' if len(self.inventory.boards) > 1 else ''}"] * bool(
            self.inventory.boards
        )
        lying = [*boards, *([f"{counters} counters and figures"] if counters else [])]
        return [
            f"{game.summary} For {game.seats_in_words} players; printed for {seats}.",
            f"Cards: {decks}." + (f" Also: {', '.join(lying)}." if lying else ""),
            *([f"You also need: {', '.join(self.inventory.needs)}."] if self.inventory.needs else []),
            "Print at 100% (actual size), without fitting to the page.",
        ]
