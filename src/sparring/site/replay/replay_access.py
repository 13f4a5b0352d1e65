"""Replays of tables and uploaded records, and who may see them from which point of view.

During a match, viewers can replay only what they have seen themselves. After it, everything is open.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self
from urllib.parse import urlencode

import msgspec
from markupsafe import Markup

from sparring.engine.formats.card_pictures import pictures_in
from sparring.engine.game import Game, GameSetup
from sparring.engine.records import read_record, write_record
from sparring.scene.markup import SeatNames
from sparring.scene.moves import MoveDescriptions
from sparring.scene.sentences import say
from sparring.store.person import Person
from sparring.store.schema import RecordRow
from sparring.tables.state.chat_log import ChatFilter, with_recorded_descriptions
from sparring.tables.state.clock_record import descriptions_at, read
from sparring.tables.state.clock_record import table_part as kept_of
from sparring.tables.state.hint_state import HintTaken
from sparring.tables.state.players import names_of
from sparring.tables.state.table import NotAllowed, Table
from sparring.tables.workers.uploads import PictureUrls

from .open_information import OPEN

#: The error for a point of view that isn't open yet.
NOT_OPEN_YET = "Until the match is over, you can only replay it from your own point of view."


@dataclass(frozen=True)
class ReplaySubject:
    """The match of a replay, and what the viewer may see of it."""

    #: The path of the table or record.
    base: str
    record: str
    setup_of: Callable[[], GameSetup]
    names: Sequence[str]
    #: The viewer's seat; 0 for a spectator.
    seat: int
    #: Whether all points of view are open, and whether the match is over.
    open: bool
    over: bool
    #: The number of choices made.
    choices: int
    gallery: PictureUrls
    #: Players' descriptions of their moves.
    moves: Sequence[MoveDescriptions] = ()
    #: The hints taken, once the match is over.
    hints: Sequence[HintTaken] = ()
    #: The page that links lead to, below `base`.
    page: str = "replay"

    @cached_property
    def setup(self) -> GameSetup:
        """The game with the options and the content of the match."""
        return self.setup_of()

    @property
    def game(self) -> Game:
        """The game."""
        return self.setup.game

    @property
    def finished(self) -> Self:
        """The replay of a match that is over; raise NotAllowed during a match."""
        if not self.over:
            raise NotAllowed(say("You can review a match once it is over."))
        return self

    def hint_takers(self) -> list[tuple[str, int]]:
        """Return the players who took hints, each with the number of choices before."""
        return [(self.names[taken.seat - 1], taken.after) for taken in self.hints if taken.seat <= len(self.names)]

    def complete(self, step: str) -> Markup:
        """Complete a rendered step with custom pictures and players' move descriptions."""
        return with_recorded_descriptions(
            self.gallery.with_addresses(Markup(step), f"{self.base}/pictures"), self.moves, SeatNames(self.names)
        )

    def viewer(self, view: str, choices: int | None = None) -> int:
        """Parse a point of view: `open`, a seat, 0 for spectators or empty for the default.

        Raises NotAllowed for one that isn't open to the viewer.
        """
        if not self.open:
            if view not in ("", str(self.seat)) or choices is not None:
                raise NotAllowed(say(NOT_OPEN_YET))
            return self.seat
        if view in ("", "open"):
            return OPEN
        seats = [str(seat) for seat in range(len(self.names) + 1)]
        if view not in seats:
            form = "Choose a point of view: open, a seat from 1 to {n}, or 0 for spectators."
            raise NotAllowed(say(form, n=len(self.names)))
        return seats.index(view)

    def views(self) -> list[tuple[str, str]]:
        """Return the (value, label) choices of points of view."""
        seats = [(str(seat), say("as {name}", name=name)) for seat, name in enumerate(self.names, 1)]
        return [("open", say("all cards face up")), *seats, ("0", say("as a spectator"))]

    def link(self, viewer: int, **place: Any) -> str:
        """Return the URL of a moment."""
        view = {"view": "open" if viewer == OPEN else viewer} if self.open else {}
        return f"{self.base}/{self.page}?{urlencode({**view, **place})}"


def of_table(table: Table, person: Person, chat_filter: ChatFilter) -> ReplaySubject:
    """Return the replay of a table, up to the last published choice."""
    choices, over = [transition.action for transition in table.transitions], table.shown.over
    record = write_record(table.match.start, choices, kept_of(table) if over else None)
    seat, base = table.seat_of(person), f"/table/{table.id}"
    moves = descriptions_at(table, chat_filter)
    hints = table.hints.taken if over else ()
    names = names_of(table.players)
    return ReplaySubject(
        base, record, lambda: table.public_setup, names, seat, over, over, len(choices), table.gallery, moves, hints
    )


def of_record(row: RecordRow, secret: str) -> ReplaySubject:
    """Return the replay of an uploaded record, which is open to anyone with the link."""
    names = [f"Seat {seat}" for seat in range(1, row.seats + 1)]
    gallery = PictureUrls(secret, f"record {row.id}", pictures_in(msgspec.json.decode(row.record).get("content")))
    recorded = read(row.record)
    moves = [each.clean for each in recorded.moves]
    hints = [taken for taken in recorded.hints if taken.after <= row.choices]

    def setup() -> GameSetup:
        return read_record(row.record, 0, None)[0].setup

    return ReplaySubject(
        f"/records/{row.id}", row.record, setup, names, 0, True, row.over, row.choices, gallery, moves, hints
    )
