"""What a game consists of: as it declares it, or else as its table shows it."""

import random
from collections.abc import Iterator

from sparring.engine.errors import CannotPrint
from sparring.engine.game import SPECTATOR, Box
from sparring.engine.match import Match
from sparring.scene import (
    Board, Card, Cell, CardCopies, PaperCounter, PaperDeck, Face, PaperInventory, CounterScale, PrintableScene, Seat,
    Token, Track, replace, things,
)  # fmt: skip

#: How many matches are looked at to find what lies hidden, and how many that show nothing new are enough.
MATCHES, QUIET = 400, 25
#: The longest that a match is looked at.
LONGEST = 200
#: What a cell of an empty board keeps.
TONES = ("floor", "edge", "wall", "start")


def inventory_of(box: Box, seats: int) -> PaperInventory:
    """Everything that is printed of a game for so many seats."""
    game = box.game
    found: PaperInventory = (
        game.inventory.inventory(box, seats) if game.inventory else _FoundPieces(box, seats).inventory()
    )
    return found if found.turn else replace(found, turn=(game.summary,))


class _FoundPieces:
    """What matches of a game show: every card that was ever face up, the boards, the tokens and tracks."""

    def __init__(self, box: Box, seats: int) -> None:
        self.box, self.seats = box, seats
        self.faces: dict[str, Face] = {}
        self.tokens: dict[str, Token] = {}
        self.first: PrintableScene = Match.deal(box, seats, 1).view(SPECTATOR + 1).scene
        self.pieces = box.game.position.pieces(box, Match.deal(box, seats, 1).state)

    def inventory(self) -> PaperInventory:
        """All of it; CannotPrint if some pieces are shown nowhere."""
        self._look()
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

    def _look(self) -> None:
        """Random matches, always the same ones, until enough of them have shown nothing new."""
        quiet = 0
        for seed in range(1, MATCHES + 1):
            before = len(self.faces) + len(self.tokens)
            for scene in self._scenes(seed):
                self._note(scene)
            quiet = quiet + 1 if len(self.faces) + len(self.tokens) == before else 0
            if quiet >= QUIET and len(self.faces) + len(self.tokens) >= len(self.pieces):
                return
        raise CannotPrint(
            f"{self.box.game.title} has {len(self.pieces)} pieces, but its table shows only "
            f"{len(self.faces) + len(self.tokens)} of them; declare the others in its inventory.py."
        )

    def _scenes(self, seed: int) -> Iterator[PrintableScene]:
        match, chance = Match.deal(self.box, self.seats, seed), random.Random(seed)
        for _ in range(LONGEST):
            if match.seat is None:
                break
            yield match.view(match.seat).scene
            after = [action for action in match.legal() if action not in self.box.game.conceding]
            match.choose(chance.choice(after or match.legal()))

    def _note(self, scene: PrintableScene) -> None:
        for thing in things(scene):
            # A card that lies face up is known by itself, and stands for others only where it has a count.
            if isinstance(thing, Card) and thing.face and thing.key.startswith("card ") and thing.count == 1:
                self.faces.setdefault(thing.key, thing.face)
            elif isinstance(thing, Token):
                self.tokens.setdefault(thing.key, thing)

    def _cards(self) -> tuple[CardCopies, ...]:
        """The faces in the order of their numbers, equal ones together."""
        piled: dict[Face, list[str]] = {}
        for key in sorted(self.faces, key=lambda key: (len(key), key)):
            piled.setdefault(self.faces[key], []).append(key)
        by_key = set(self.pieces) >= set(self.faces)
        return tuple(
            CardCopies(face=face, pieces=tuple(keys) if by_key else (), more=0 if by_key else len(keys))
            for face, keys in piled.items()
        )

    def _scales(self) -> Iterator[CounterScale]:
        for seat in self.first.seats:
            yield from (CounterScale(title=track.title, top=track.goal, start=min(track.value, track.goal),
                seat=seat.number)
                        for track in _tracks(seat) if track.goal)  # fmt: skip


def _tracks(seat: Seat) -> Iterator[Track]:
    return (track for track in seat.tracks if track.style != "number")


def bare_board(board: Board) -> Board:
    """A board on which nothing stands and nothing can be chosen."""
    return replace(board, tokens=(), strokes=(), turns=0, cells=tuple(map(_bare_cell, board.cells)))


def _bare_cell(cell: Cell) -> Cell:
    tone = " ".join(word for word in cell.tone.split() if word in TONES) or cell.tone
    return Cell(at=cell.at, tone=tone, text=cell.text, seat=cell.seat, goal=cell.goal, name=cell.name)
