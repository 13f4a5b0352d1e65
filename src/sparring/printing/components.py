"""Find the components to print: those that the game declares, or else those that its table shows."""

import random
from collections.abc import Iterator

from sparring.engine.errors import CannotPrint
from sparring.engine.game import SPECTATOR, Box
from sparring.engine.match import Match
from sparring.scene import (
    Board, Card, Cell, CardCopies, PaperCounter, PaperDeck, Face, PaperInventory, CounterScale, PrintableScene, Seat,
    Token, Track, replace, things,
)  # fmt: skip

#: The maximum number of matches to play to find components, and the number without new ones after which to stop.
MAX_MATCHES, MATCHES_WITHOUT_NEW_PIECES = 400, 25
#: The maximum number of choices to play in a match.
MAX_CHOICES = 200
#: The tones that the spaces of an empty board keep.
TONES = ("floor", "edge", "wall", "start")


def inventory_of(box: Box, seats: int) -> PaperInventory:
    """Return the components to print for this number of seats.

    :raises CannotPrint: The game declares none, and its table doesn't show all pieces.
    """
    game = box.game
    result: PaperInventory = (
        game.inventory.inventory(box, seats) if game.inventory else _FoundPieces(box, seats).inventory()
    )
    return result if result.turn else replace(result, turn=(game.summary,))


class _FoundPieces:
    """Collects components from random matches: cards seen face up, boards, tokens and tracks."""

    def __init__(self, box: Box, seats: int) -> None:
        self.box, self.seats = box, seats
        self.faces: dict[str, Face] = {}
        self.tokens: dict[str, Token] = {}
        self.first: PrintableScene = Match.deal(box, seats, 1).view(SPECTATOR + 1).scene
        self.pieces = box.game.position.pieces(box, Match.deal(box, seats, 1).state)

    def inventory(self) -> PaperInventory:
        """Return everything found.

        :raises CannotPrint: Some pieces are never shown.
        """
        self._explore()
        cards = self._cards()
        tokens = [PaperCounter(title=token.label or key, picture=token.picture, seat=token.seat, text=token.text,
                          pieces=(key,) if key in self.pieces else (), more=int(key not in self.pieces))
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
            if without_news >= MATCHES_WITHOUT_NEW_PIECES and len(self.faces) + len(self.tokens) >= len(self.pieces):
                return
        raise CannotPrint(
            f"{self.box.game.title} has {len(self.pieces)} pieces, but its table shows only "
            f"{len(self.faces) + len(self.tokens)} of them; declare the others in its inventory.py."
        )

    def _scenes(self, seed: int) -> Iterator[PrintableScene]:
        match, rng = Match.deal(self.box, self.seats, seed), random.Random(seed)
        for _ in range(MAX_CHOICES):
            if match.seat is None:
                break
            yield match.view(match.seat).scene
            others = [action for action in match.legal() if action not in self.box.game.conceding]
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
        by_key = set(self.pieces) >= set(self.faces)
        return tuple(
            CardCopies(face=face, pieces=tuple(keys) if by_key else (), more=0 if by_key else len(keys))
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
