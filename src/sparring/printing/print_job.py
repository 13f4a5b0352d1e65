"""Print a game: find its components, for its options, content, number of seats and print options."""

import io
import random
from collections.abc import Iterator, Sequence
from functools import cached_property

from sparring.engine.errors import CannotPrint
from sparring.engine.formats.card_pictures import pictures_in
from sparring.engine.game import SPECTATOR, GameSetup
from sparring.engine.glossary import GlossaryEntry
from sparring.engine.match import Match
from sparring.engine.options import ChoiceOption
from sparring.scene import (
    Board,
    Card,
    CardCopies,
    Cell,
    CounterScale,
    Face,
    PaperCounter,
    PaperDeck,
    PaperInventory,
    PrintableScene,
    Seat,
    Token,
    Track,
    replace,
    things,
)

from .board_sheets import board_sheets, counter_sheets
from .booklet import Booklet, impose
from .drawings import Drawings
from .sheets import PaperSheet, PrintOptions, SheetText, TwoSided, card_sheets
from .typesetting import compile_document, document


#: The maximum number of matches to play to find components, and the number without new ones after which to stop.
MAX_MATCHES, MATCHES_WITHOUT_NEW_PIECES = 400, 25
#: The maximum number of choices to play in a match.
MAX_CHOICES = 200
#: The tones that the spaces of an empty board keep.
TONES = ("floor", "edge", "wall", "start")


def inventory_of(setup: GameSetup, seats: int) -> PaperInventory:
    """Return the components to print for this number of seats.

    :raises CannotPrint: The game declares none, and its table doesn't show all pieces.
    """
    game = setup.game
    result: PaperInventory = (
        game.inventory.inventory(setup, seats) if game.inventory else _FoundPieces(setup, seats).inventory()
    )
    return result if result.turn else replace(result, turn=(game.summary,))


class _FoundPieces:
    """Collects components from random matches: cards seen face up, boards, tokens and tracks."""

    def __init__(self, setup: GameSetup, seats: int) -> None:
        self.setup, self.seats = setup, seats
        self.faces: dict[str, Face] = {}
        self.tokens: dict[str, Token] = {}
        self.first: PrintableScene = Match.deal(setup, seats, 1).view(SPECTATOR + 1).scene
        self.components = setup.game.position.components(setup, Match.deal(setup, seats, 1).state)

    def inventory(self) -> PaperInventory:
        """Return everything found.

        :raises CannotPrint: Some pieces are never shown.
        """
        self._explore()
        cards = self._cards()
        tokens = [PaperCounter(title=token.label or key, picture=token.picture, seat=token.seat, text=token.text,
                          components=(key,) if key in self.components else (), more=int(key not in self.components))
                  for key, token in sorted(self.tokens.items())]  # fmt: skip
        back = self.first.backs[0] if self.first.backs else None
        return PaperInventory(
            decks=(PaperDeck(title="Cards", cards=cards, back=back),) if cards else (),
            boards=tuple(bare_board(board) for board in things(self.first) if isinstance(board, Board)),
            counters=tuple(tokens), scales=tuple(self._scales()),
        )  # fmt: skip

    def _explore(self) -> None:
        """Play random matches with fixed seeds until enough of them have shown nothing new."""
        without_news = 0
        for seed in range(1, MAX_MATCHES + 1):
            before = len(self.faces) + len(self.tokens)
            for scene in self._scenes(seed):
                self._collect(scene)
            without_news = without_news + 1 if len(self.faces) + len(self.tokens) == before else 0
            if without_news >= MATCHES_WITHOUT_NEW_PIECES and len(self.faces) + len(self.tokens) >= len(
                self.components
            ):
                return
        raise CannotPrint(
            f"{self.setup.game.title} has {len(self.components)} pieces, but its table shows only "
            f"{len(self.faces) + len(self.tokens)} of them; declare the others by `inventory` in its Game."
        )

    def _scenes(self, seed: int) -> Iterator[PrintableScene]:
        match, rng = Match.deal(self.setup, self.seats, seed), random.Random(seed)
        for _ in range(MAX_CHOICES):
            if match.seat is None:
                break
            yield match.view(match.seat).scene
            others = [action for action in match.legal() if action not in self.setup.game.conceding]
            match.choose(rng.choice(others or match.legal()))

    def _collect(self, scene: PrintableScene) -> None:
        for thing in things(scene):
            # Only face-up cards have individual keys; one with a count stands for several.
            if isinstance(thing, Card) and thing.face and thing.key.startswith("card ") and thing.count == 1:
                self.faces.setdefault(thing.key, thing.face)
            elif isinstance(thing, Token):
                self.tokens.setdefault(thing.key, thing)

    def _cards(self) -> tuple[CardCopies, ...]:
        """Return the faces in the order of their numbers, identical ones merged."""
        copies: dict[Face, list[str]] = {}
        for key in sorted(self.faces, key=lambda key: (len(key), key)):
            copies.setdefault(self.faces[key], []).append(key)
        by_key = set(self.components) >= set(self.faces)
        return tuple(
            CardCopies(face=face, components=tuple(keys) if by_key else (), more=0 if by_key else len(keys))
            for face, keys in copies.items()
        )

    def _scales(self) -> Iterator[CounterScale]:
        for seat in self.first.seats:
            yield from (CounterScale(title=track.title, top=track.goal, start=min(track.value, track.goal),
                seat=seat.number)
                        for track in _tracks(seat) if track.goal)  # fmt: skip


def _tracks(seat: Seat) -> Iterator[Track]:
    return (track for track in seat.tracks if track.style != "number")


def bare_board(board: Board) -> Board:
    """Return a board without tokens, lines and choices."""
    return replace(board, tokens=(), strokes=(), turns=0, cells=tuple(map(_bare_cell, board.cells)))


def _bare_cell(cell: Cell) -> Cell:
    tone = " ".join(word for word in cell.tone.split() if word in TONES) or cell.tone
    return Cell(at=cell.at, tone=tone, text=cell.text, seat=cell.seat, goal=cell.goal, name=cell.name)


#: The parts of a PDF, in page order.
PARTS = ("cards", "boards", "counters", "rules")
#: A part that is printed only if asked for: cards to fill in, and the title of those that list what can go on them.
BLANKS, MENU = "blanks", "Abilities"
#: The titles of the decks that every player gets.
TURN, REFERENCE = "Turn summary", "Reference"
#: The credit on every sheet: its distance from the left and lower edges in mm, and its size in points.
EDGE, CREDIT_SIZE = 6.0, 4.5


class PrintJob:
    """A print job: the setup, the number of seats, how to print, which PARTS (`only`), and whether to add other boards.

    :raises CannotPrint: `only` names an unknown part, or there is no other board.
    """

    def __init__(
        self,
        setup: GameSetup,
        seats: int,
        print_options: PrintOptions,
        only: Sequence[str] = PARTS,
        all_boards: bool = False,
    ) -> None:
        for name in only:
            if name not in (*PARTS, BLANKS):
                raise CannotPrint(f"The part to print must be one of {', '.join((*PARTS, BLANKS))}, not {name}.")
        self.setup, self.seats, self.print_options, self.only = setup, seats, print_options, tuple(only)
        self.setups = [setup, *(_with_other_boards(setup) if all_boards else ())]
        self.drawings = Drawings(setup.game, print_options.ink, pictures_in(setup.content))

    @cached_property
    def inventory(self) -> PaperInventory:
        """The game's components."""
        return inventory_of(self.setup, self.seats)

    @cached_property
    def boards(self) -> list[Board]:
        """All boards to print, first those in play."""
        return [board for setup in self.setups for board in inventory_of(setup, self.seats).boards]

    @cached_property
    def decks(self) -> tuple[PaperDeck, ...]:
        """All decks: the game's, and for each player a turn summary and what the words on the cards mean."""
        turn = self.drawings.turn_face(self.inventory.turn)
        extra = {TURN: [turn], REFERENCE: self.drawings.reference_faces(self.explained)}
        return (
            *self.inventory.decks,
            *(PaperDeck(title=title, cards=tuple(CardCopies(face=face, more=self.seats) for face in faces))
              for title, faces in extra.items() if faces),
        )  # fmt: skip

    @cached_property
    def explained(self) -> tuple[GlossaryEntry, ...]:
        """The entries of the reference card: the game's, then the words on the cards' faces, in alphabetical order."""
        words = [line for deck in self.inventory.decks for copies in deck.cards for line in copies.face.lines]
        found = sorted(self.setup.game.glossary.explain(words), key=lambda entry: entry.word.casefold())
        return (*(GlossaryEntry(*entry) for entry in self.inventory.reference), *found)

    def text_on(self, deck: PaperDeck, copies: CardCopies) -> Sequence[str]:
        """Return the text on a card; that of summaries is part of their drawing."""
        if deck.title == TURN:
            return self.inventory.turn
        if deck.title == REFERENCE and copies is deck.cards[0]:
            return [f"{entry.word}: {entry.text}" for entry in self.explained]
        return copies.face.lines

    def cards(self) -> Iterator[tuple[PaperDeck, CardCopies, TwoSided]]:
        """Yield every kind of card with its two sides."""
        size = self.print_options.card
        for deck in self.decks:
            back = self.drawings.back(deck, size)
            for copies in deck.cards:
                yield deck, copies, TwoSided(self.drawings.face(copies.face, size), back)

    def sheets(self) -> Iterator[tuple[str, list[PaperSheet]]]:
        """Yield the sheets of each requested part, except the rules."""
        if "cards" in self.only:
            printed = [(copies, card) for deck, copies, card in self.cards() if not deck.in_pack]
            yield (
                "cards",
                card_sheets([card for copies, card in printed for _ in range(copies.count)], self.print_options),
            )
        boards = [board_sheets(board, self.drawings, self.print_options) for board in self.boards]
        if "boards" in self.only:
            yield "boards", [sheet for sheets, _ in boards for sheet in sheets]
        if "counters" in self.only:
            space_width = min((across for _, across in boards), default=None)
            yield "counters", counter_sheets(self.inventory, self.drawings, self.print_options, space_width)
        if BLANKS in self.only:
            yield BLANKS, card_sheets(self.blanks(), self.print_options)

    def blanks(self) -> list[TwoSided]:
        """Return the cards to fill in, each as often as it is printed, and then those that list what can go on them."""
        size, inventory = self.print_options.card, self.inventory
        menu = self.drawings.reference_faces([GlossaryEntry(*entry) for entry in inventory.menu], MENU)
        cards = (*inventory.blanks, *(CardCopies(face=face, more=1) for face in menu))
        back = self.drawings.back(PaperDeck(title=BLANKS, cards=cards, back=next(
            (deck.back for deck in inventory.decks), None)), size)  # fmt: skip
        return [TwoSided(self.drawings.face(copies.face, size), back) for copies in cards for _ in range(copies.count)]

    def pdf(self) -> bytes:
        """Return one PDF: the sheets, then the imposed booklet.

        :raises CannotPrint: The game has none of the requested parts.
        """
        from pypdf import PdfReader, PdfWriter

        parts = [(name, sheets) for name, sheets in self.sheets() if sheets]
        for sheet in (sheet for _, sheets in parts for sheet in sheets):
            sheet.contents.append(SheetText(EDGE, sheet.size.height - EDGE, self.setup.credit.short, CREDIT_SIZE))
        files = [compile_document(document([sheet for _, sheets in parts for sheet in sheets]))[0]] if parts else []
        if "rules" in self.only:
            files.append(impose(Booklet(self.setup, self.drawings, self.print_options, self.notes()).pages()))
        if not files:
            raise CannotPrint(f"{self.setup.title} has no {' or '.join(self.only)} to print.")
        writer = PdfWriter()
        for file in files:
            writer.append(PdfReader(io.BytesIO(file)), import_outline=False)
        page = 0
        for name, sheets in [*parts, *([("rules", [])] if "rules" in self.only else [])]:
            writer.add_outline_item(title=name.capitalize(), page_number=page)
            page += len(sheets)
        title, credit = f"{self.setup.title}: print and play", self.setup.credit.text
        writer.metadata = {"/Title": title, "/Producer": "Sparring", "/Subject": credit}
        out = io.BytesIO()
        writer.write(out)
        return out.getvalue()

    def notes(self) -> list[str]:
        """Return the list of contents for the first page of the rules."""
        game, inventory, seats = self.setup.game, self.inventory, _counted(self.seats, "player")
        introduction = "" if self.setup.is_of_template else f"{game.summary} "  # its rules begin with one
        decks = ", ".join(f"{deck.title} ({deck.count})" for deck in self.decks if not deck.in_pack)
        figures = sum(counter.count for counter in inventory.counters if counter.stands)
        counters = sum(counter.count for counter in inventory.counters) - figures
        numbers = (len(self.boards), "board"), (counters, "counter"), (figures, "figure")
        others = [_counted(number, word) for number, word in numbers if number]
        return [
            f"{introduction}For {game.seats_in_words} players; these sheets are for {seats}.",
            f"Cards: {decks}." + (f" Also: {', '.join(others)}." if others else ""),
            *([f"You also need: {', '.join(inventory.needs)}."] if inventory.needs else []),
            "Print at 100% (actual size); turn off “fit to page”.",
        ]


def _with_other_boards(setup: GameSetup) -> list[GameSetup]:
    """Return a setup for every other value of the option `board`."""
    option = next((option for option in setup.game.options(setup.content) if option.name == "board"), None)
    if not isinstance(option, ChoiceOption):
        raise CannotPrint(f"{setup.game.title} has only one board.")
    others = [value for value in option.values if value != setup.options["board"]]
    return [setup.game.setup({**setup.options, "board": value}, setup.content) for value in others]


def _counted(number: int, word: str) -> str:
    return f"{number} {word}{'s' if number != 1 else ''}"
