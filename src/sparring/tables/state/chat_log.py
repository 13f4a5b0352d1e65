"""The chat log of a table, what each person sees of it, and how texts are written.

Presets and reactions have keys, descriptions are composed, and free text is one plain line. Each text gets its own
element (`bdi`), so that it can't reorder the text beside it. It is inserted last, after names and pictures have been
replaced, so that its content isn't replaced too.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple, Self, cast

from markupsafe import Markup

from sparring.engine.errors import SparringError
from sparring.engine.messages import say
from sparring.scene import NamedMove
from sparring.scene.html import description_slot
from sparring.scene.markup import NOTHING, SeatNames, el, join, plain
from sparring.scene.moves import LONGEST_NAME, MoveDescriptions
from sparring.store.schema import ChatLineRow

#: Preset phrases, by the key that is stored.
QUICK = {
    "hello": "Hello", "luck": "Good luck", "played": "Well played", "thinking": "Thinking …", "oops": "Oops",
    "thanks": "Thank you", "again": "Rematch?",
}  # fmt: skip
#: Reactions shown as icons, with their texts.
REACTIONS = {"smile": "Smile", "laugh": "Laugh", "wow": "Wow", "ouch": "Ouch", "heart": "Love it"}

#: The most parts of a composed description.
MOST_PARTS = 6

#: The placeholder in a rendered table for the descriptions of an exchange.
PLACEHOLDER = re.compile(r'<div class="described" data-exchange="(\d+)"></div>')
Kind = Literal["word", "text", "move", "gone"]


class LineRefused(SparringError):
    """The text can't be posted."""


def text_of(key: str) -> str:
    """Return the text of a preset phrase or a reaction."""
    if key in QUICK:
        return say(QUICK[key])
    return say(REACTIONS[key]) if key in REACTIONS else key


def parse_key(key: str) -> str:
    """Return the key of a preset phrase or a reaction; raise LineRefused if it doesn't exist."""
    if key not in QUICK and key not in REACTIONS:
        raise LineRefused(
            say("There is no phrase {key}. Phrases: {phrases}.", key=key, phrases=", ".join([*QUICK, *REACTIONS]))
        )
    return key


def parse_message(text: str, longest: int) -> str:
    """Return free text as one plain line; raise LineRefused if it is empty or too long."""
    line = plain(text)
    if not line:
        raise LineRefused(say("Write a message first."))
    if len(line) > longest:
        raise LineRefused(say("A message can have at most {n} characters, not {length}.", n=longest, length=len(line)))
    return line


def compose(parts: Sequence[str], words: Collection[str], longest: int) -> str:
    """Return a description composed of a move's words; raise LineRefused for other words or too many."""
    if len(parts) > MOST_PARTS:
        raise LineRefused(
            say("A description can have at most {n} parts, not {number}.", n=MOST_PARTS, number=len(parts))
        )
    if any(part not in words for part in parts):
        raise LineRefused(say("Compose the description only from words on the move's cards and in the list."))
    return parse_message(" ".join(parts), longest)


def fill_placeholders(markup: Markup, of: Callable[[int], Markup]) -> Markup:
    """Fill the placeholders of a rendered table with what `of` returns for each exchange."""
    return Markup(PLACEHOLDER.sub(lambda match: of(int(match[1])), markup))


def quoted(descriptions: Iterable[tuple[int, str, str, str, Markup]]) -> Markup:
    """Return descriptions as a list; each is given as seat, name, move, words, and what to append."""
    lines = [
        el("li", who(seat, name), el("span", ", ", el("b", about, class_="move-name")), ": ", in_quotes(words), suffix)
        for seat, name, about, words, suffix in descriptions
    ]
    return el("ul", join(lines), role="list") if lines else NOTHING


def who(seat: int, name: str) -> Markup:
    """Return a speaker's name in the colour of their seat."""
    return el("b", el("bdi", name), class_=f"who s{seat}" if seat else "who")


def in_quotes(text: str) -> Markup:
    """Return a quoted text."""
    return el("q", el("bdi", text))


def with_recorded_descriptions(markup: Markup, descriptions: Iterable[MoveDescriptions], names: SeatNames) -> Markup:
    """Insert the recorded descriptions of its exchange into a rendered replay, without applause."""

    def of(exchange: int) -> Markup:
        in_exchange = [each for each in descriptions if each.exchange == exchange]
        quotes = quoted((each.seat, names.of(each.seat), each.move, each.words, NOTHING) for each in in_exchange)
        return description_slot(exchange, quotes)

    return fill_placeholders(markup, of)


@dataclass(frozen=True)
class ChatLine:
    """A chat line: a preset phrase (`word`), free `text`, or a description of a `move`.

    A removed line is `gone`.
    """

    kind: Kind
    #: The author (empty if deleted), their seat (0: spectator) and name.
    person: str
    seat: int
    name: str
    #: The key of a preset phrase, or the text.
    words: str
    #: For a description: the name of the move, and the number of its exchange in the match, from 1.
    about: str = ""
    exchange: int = 0
    #: When it was posted (seconds since 1970), and its number at the table, from 1.
    said: int = 0
    number: int = 0
    #: The version of the chat in which this line last changed.
    chat_version: int = 0
    applause: frozenset[str] = frozenset()

    @property
    def text(self) -> str:
        """Return the text to read."""
        return text_of(self.words) if self.kind == "word" else self.words

    @classmethod
    def of(cls, row: ChatLineRow, applause: frozenset[str] = frozenset()) -> Self:
        """Return a line from its row."""
        return cls(
            cast(Kind, row.kind), row.person or "", row.seat, row.name, row.words, row.about, row.exchange, row.said,
            row.number, row.chat_version, applause,
        )  # fmt: skip

    def row(self, table: str) -> ChatLineRow:
        """Return the row of a line."""
        return ChatLineRow(
            table_id=table, number=self.number, chat_version=self.chat_version, kind=self.kind,
            person=self.person or None,
            seat=self.seat, name=self.name, words=self.words, about=self.about, exchange=self.exchange, said=self.said,
        )  # fmt: skip


class DescribableMove(NamedTuple):
    """The number of the current exchange, its moves that a person may describe, and those already described."""

    exchange: int = 0
    named_moves: tuple[NamedMove, ...] = ()
    described: tuple[NamedMove, ...] = ()


NOTHING_TO_DESCRIBE = DescribableMove()


@dataclass(frozen=True)
class ChatFilter:
    """What a person sees of the chat: everything up to a version, except lines of muted people."""

    chat_version: int = 0
    #: Muted people, each with the id of that mute.
    muted: Mapping[str, str] = field(default_factory=dict)
    to_describe: DescribableMove = NOTHING_TO_DESCRIBE

    def shows(self, line: ChatLine) -> bool:
        """Return whether the person sees a line."""
        return line.person not in self.muted


class ChatLog:
    """The chat log of a table."""

    def __init__(self) -> None:
        self.lines: list[ChatLine] = []
        #: The names of moves now, by exchange and seat: a move that was described gets longer with its next card.
        self.names: Mapping[tuple[int, int], str] = {}
        #: The number of changes to the chat, at any process, that this log has.
        self.chat_version = 0
        #: The number of changes since this table was loaded, mutes included; listeners compare it.
        self.changes = 0

    def next(self, line: ChatLine) -> ChatLine:
        """Return a new line, or a new state of a line, with the next version."""
        return replace(line, number=line.number or len(self.lines) + 1, chat_version=self.chat_version + 1)

    def put(self, lines: Iterable[ChatLine], chat_version: int) -> bool:
        """Add or replace stored lines, in order: all that changed since the version of this log, up to another one.

        Return False if the log has them already, since another task was quicker.
        """
        if chat_version <= self.chat_version:
            return False
        for line in lines:
            self.lines[line.number - 1 : line.number] = [line]
        self.chat_version = chat_version
        self.changes += 1
        return True

    def line(self, number: int) -> ChatLine | None:
        """Return a line by its number."""
        return self._named(self.lines[number - 1]) if 1 <= number <= len(self.lines) else None

    def visible(self, chat_filter: ChatFilter, since: int = 0) -> list[ChatLine]:
        """Return what a person sees of the log, as far as it has changed since a version."""
        return [self._named(line) for line in self.lines if line.chat_version > since and chat_filter.shows(line)]

    def descriptions(self, chat_filter: ChatFilter, exchange: int = 0) -> list[ChatLine]:
        """Return the descriptions of moves, in one exchange or in all."""
        return [
            line for line in self.visible(chat_filter) if line.kind == "move" and exchange in (0, line.exchange)
        ]  # fmt: skip

    def recorded(self, chat_filter: ChatFilter) -> tuple[MoveDescriptions, ...]:
        """Return the descriptions of moves for a record or a replay."""
        return tuple(
            MoveDescriptions(line.exchange, line.seat, line.about[:LONGEST_NAME], line.words)
            for line in self.descriptions(chat_filter)
        )

    def _named(self, line: ChatLine) -> ChatLine:
        return replace(line, about=self.names.get((line.exchange, line.seat), line.about)) if line.exchange else line
