"""What was said at one table, and what of it somebody hears."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple, Self, cast

from sparring.scene import Deed
from sparring.web.storage.schema import ChatLineRow

from .phrases import in_words

Kind = Literal["word", "text", "move", "gone"]


@dataclass(frozen=True)
class ChatLine:
    """Something that was said: a quick `word`, a `text` of somebody's own, or a description of a `move`.

    What was taken away later is `gone`.
    """

    kind: Kind
    #: Who said it (empty: somebody who is not there any more), from which seat (0: who watches), called what.
    person: str
    seat: int
    name: str
    #: The key of a quick word, or what was written.
    words: str
    #: Of a description: the name of the move, and in which exchange of the match it was made, from 1.
    about: str = ""
    exchange: int = 0
    #: When it was said (seconds since 1970), and which line of the table it is, from 1.
    said: int = 0
    number: int = 0
    #: How often something had changed in what is said here when this line last did.
    edition: int = 0
    applause: frozenset[str] = frozenset()

    @property
    def text(self) -> str:
        """What is read."""
        return in_words(self.words) if self.kind == "word" else self.words

    @classmethod
    def of(cls, row: ChatLineRow, applause: frozenset[str] = frozenset()) -> Self:
        """A line as it was stored."""
        return cls(
            cast(Kind, row.kind), row.person or "", row.seat, row.name, row.words, row.about, row.exchange, row.said,
            row.number, row.edition, applause,
        )  # fmt: skip

    def row(self, table: str) -> ChatLineRow:
        """As it is stored."""
        return ChatLineRow(
            table_id=table, number=self.number, edition=self.edition, kind=self.kind, person=self.person or None,
            seat=self.seat, name=self.name, words=self.words, about=self.about, exchange=self.exchange, said=self.said,
        )  # fmt: skip


class DescribableMove(NamedTuple):
    """Moves of the last exchange that somebody may describe, and which exchange of the match that was."""

    exchange: int = 0
    deeds: tuple[Deed, ...] = ()


NOTHING_TO_DESCRIBE = DescribableMove()


@dataclass(frozen=True)
class ChatFilter:
    """What somebody hears: all that was said up to an edition, but for what those say whom they muted."""

    edition: int = 0
    #: The people whom they do not hear, each with the name of that mute.
    muted: Mapping[str, str] = field(default_factory=dict)
    to_describe: DescribableMove = NOTHING_TO_DESCRIBE

    def hears(self, line: ChatLine) -> bool:
        """Whether a line comes to them."""
        return line.person not in self.muted


class ChatLog:
    """What was said at a table."""

    def __init__(self, lines: Sequence[ChatLine] = ()) -> None:
        self.lines = list(lines)
        #: How often something has changed in it; it goes on from there after a restart.
        self.edition = max((line.edition for line in lines), default=0)
        #: How often those who listen had to look again, since this table is in memory.
        self.changes = 0

    def next(self, line: ChatLine, **more: object) -> ChatLine:
        """A line as it comes next: a new one at the end, or another state of one."""
        return replace(line, number=line.number or len(self.lines) + 1, edition=self.edition + 1, **more)  # type: ignore[arg-type]

    def put(self, line: ChatLine) -> None:
        """A line that has been stored."""
        self.lines[line.number - 1 : line.number] = [line]
        self.edition = line.edition
        self.changes += 1

    def line(self, number: int) -> ChatLine | None:
        """A line by its number."""
        return self.lines[number - 1] if 1 <= number <= len(self.lines) else None

    def heard(self, hearing: ChatFilter, since: int = 0) -> list[ChatLine]:
        """What somebody hears of it, as far as it has changed since an edition."""
        return [line for line in self.lines if line.edition > since and hearing.hears(line)]

    def descriptions(self, hearing: ChatFilter, exchange: int = 0) -> list[ChatLine]:
        """How moves were described, in one exchange or in all."""
        return [
            line for line in self.lines
            if line.kind == "move" and exchange in (0, line.exchange) and hearing.hears(line)
        ]  # fmt: skip
