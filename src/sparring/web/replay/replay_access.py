"""What is looked at again: the match of a table, or a record that somebody brought; and who may see it from where.

While a match goes on everybody sees it from where they sit, as far as they saw it. When it is over all of it is open.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import msgspec
from markupsafe import Markup

from sparring.engine.formats.card_pictures import pictures_in
from sparring.engine.game import Game
from sparring.engine.game import game as find_game
from sparring.engine.records import write_record
from sparring.scene.markup import SeatNames
from sparring.web.identity import Person
from sparring.web.security.picture_urls import PictureUrls
from sparring.web.storage.schema import RecordRow
from sparring.web.tables.chat.chat_log import ChatFilter
from sparring.web.tables.chat.move_descriptions import MoveDescriptions, described_in
from sparring.web.tables.chat.quoting import retold
from sparring.web.tables.clocks.clock_record import of_table as kept_of
from sparring.web.tables.clocks.clock_record import read
from sparring.web.tables.hint_state import HintTaken
from sparring.web.tables.players import names_of
from sparring.web.tables.table import NotYours, Table

from .open_information import OPEN

#: What is told to somebody who asks for more than they may see.
NOT_YET = "You look back from where you sit until the match is over; then all of it can be seen."


@dataclass(frozen=True)
class ReplaySubject:
    """A match that is looked at again."""

    #: The address of it, without what is wanted there.
    base: str
    record: str
    game: Game
    names: Sequence[str]
    #: The seat of whoever looks; 0 for somebody who watches.
    seat: int
    #: Whether everything may be seen, and whether the match has ended.
    open: bool
    over: bool
    #: How many choices were made.
    choices: int
    gallery: PictureUrls
    #: How people described their moves.
    moves: Sequence[MoveDescriptions] = ()
    #: Who took hints, when all of it may be seen.
    hints: Sequence[HintTaken] = ()
    #: On which page its moments are looked at.
    page: str = "replay"

    def helped(self) -> list[tuple[str, int]]:
        """Those who took hints by name, and after how many choices."""
        return [(self.names[taken.seat - 1], taken.after) for taken in self.hints if taken.seat <= len(self.names)]

    def hung(self, step: str) -> Markup:
        """A drawing of it, with the pictures that people made, and how they described what they did."""
        return retold(self.gallery.hung(Markup(step), f"{self.base}/pictures"), self.moves, SeatNames(self.names))

    def viewer(self, view: str, choices: int | None = None) -> int:
        """Who sees what is wanted: `open`, a seat, 0 for those who watch; empty: as is usual."""
        if not self.open:
            if view not in ("", str(self.seat)) or choices is not None:
                raise NotYours(NOT_YET)
            return self.seat
        if view in ("", "open"):
            return OPEN
        seats = [str(seat) for seat in range(len(self.names) + 1)]
        if view not in seats:
            raise NotYours(f"It can be seen open, from seat 1 to {len(self.names)}, or as those see it who watch (0).")
        return seats.index(view)

    def views(self) -> list[tuple[str, str]]:
        """From where all of it can be seen: the value of the form and its words."""
        seats = [(str(seat), f"seen by {name}") for seat, name in enumerate(self.names, 1)]
        return [("open", "all cards open"), *seats, ("0", "as a spectator")]

    def link(self, viewer: int, **place: Any) -> str:
        """The way to a moment of it."""
        view = {"view": "open" if viewer == OPEN else viewer} if self.open else {}
        return f"{self.base}/{self.page}?{urlencode({**view, **place})}"


def of_table(table: Table, person: Person, hearing: ChatFilter) -> ReplaySubject:
    """The match of a table as far as it is shown: one more choice may just be stored."""
    choices, over = [course.action for course in table.courses], table.shown.over
    record = write_record(table.match.start, choices, kept_of(table) if over else None)
    seat, base = table.seat_of(person), f"/table/{table.id}"
    moves = described_in(table.chat.descriptions(hearing))
    hints = table.help.taken if over else ()
    game, names = table.match.game, names_of(table.sitters)
    return ReplaySubject(base, record, game, names, seat, over, over, len(choices), table.gallery, moves, hints)


def of_record(row: RecordRow, secret: str) -> ReplaySubject:
    """A record that somebody brought; whoever has the link has all of it."""
    names = [f"Seat {seat}" for seat in range(1, row.seats + 1)]
    gallery = PictureUrls(secret, f"record {row.id}", pictures_in(msgspec.json.decode(row.record).get("content")))
    game, told = find_game(row.game), read(row.record)
    moves = [each.clean for each in told.moves]
    hints = [taken for taken in told.hints if taken.after <= row.choices]
    return ReplaySubject(
        f"/records/{row.id}", row.record, game, names, 0, True, row.over, row.choices, gallery, moves, hints
    )
