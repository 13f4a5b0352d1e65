"""Table settings, agreed when a table is created besides game, options and seats. Rematches keep them.

A table whose host may know hidden cards is marked, until new deals after which no one does.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

import msgspec

from sparring.engine.errors import BadOption
from sparring.engine.game import GameSetup
from sparring.engine.records import MatchStart, NewDeal, deal
from sparring.scene.sentences import counted, say
from sparring.settings import DAY
from sparring.store.schema import TableRow

#: The largest values: minutes per match, extra seconds per turn, days per turn, seconds of absence.
LONGEST_MATCH, MOST_MORE, MOST_DAYS, LONGEST_AWAY = 600, 300, 30, 30 * DAY

#: From how many actions on a match that a player gave up counts. The shortest usual matches (Make Your Moves, World of
#: Fighters) take about 30 actions: ten are a third of that, while a match given up at once says nothing about anyone's
#: skill.
MIN_RATED_ACTIONS = 10

#: Settings that forms offer: value, label and the settings themselves.
Offered = Mapping[str, tuple[str, dict[str, Any]]]
CLOCKS: Offered = {
    "": ("no clock", {}),
    "5+5": ("5 minutes each, plus 5 seconds per turn", {"minutes": 5, "more": 5}),
    "10+10": ("10 minutes each, plus 10 seconds per turn", {"minutes": 10, "more": 10}),
    "20+15": ("20 minutes each, plus 15 seconds per turn", {"minutes": 20, "more": 15}),
    "45+30": ("45 minutes each, plus 30 seconds per turn", {"minutes": 45, "more": 30}),
    "1 day": ("1 day per turn", {"days": 1}),
    "3 days": ("3 days per turn", {"days": 3}),
    "7 days": ("7 days per turn", {"days": 7}),
}

#: The longest value of a field of a form, in characters.
LONGEST_FIELD = 200

#: Descriptions of a match with hints, and of a rated match.
HINTS = "You may ask for hints on your turn. Everyone sees that you asked, but not what the hint says."
RATED = (
    "This match is rated: no hints, no takebacks and no seat changes. Once it has {n} choices, at least one by each "
    "player, it counts even if you give up or run out of time."
)

Minutes = Annotated[int, msgspec.Meta(ge=0, le=LONGEST_MATCH)]
More = Annotated[int, msgspec.Meta(ge=0, le=MOST_MORE)]
Days = Annotated[int, msgspec.Meta(ge=0, le=MOST_DAYS)]
Away = Annotated[int, msgspec.Meta(ge=0, le=LONGEST_AWAY)]

#: Descriptions of the chat, where it isn't the default.
CHAT_SENTENCES = {
    "free": "Chat: free text.", "words": "Chat: preset phrases only.",
    "nothing": "Chat: off.",
}  # fmt: skip

#: What happens to a player who is away for too long.
AWAY = {
    "bot": "If the player to move is away for {time}, a bot plays for them until they return.",
    "lost": "If the player to move is away for {time}, they lose.",
}

#: The note on a table with a known deal, for people who may sit down there.
KNOWN_DEAL = (
    "The host of this table chose its deal, or may know its hidden cards. Any player can ask for a new deal, which "
    "deals everything hidden again."
)
#: The same beside the question, where there is little room.
BRIEFLY = "The host may know the hidden cards."
#: Why such a table can't be listed or rated.
NOT_FOR_STRANGERS = "A public or rated match is dealt at random; you can't choose its deal, or play on from another."
#: Why a table has no new deal.
IS_RANDOM = "Only a table with a chosen or known deal can have a new deal, and only once."


class JsonColumn(msgspec.Struct, frozen=True, omit_defaults=True):
    """A value stored as JSON in one column. Defaults are left out, so older rows can be read too."""

    @classmethod
    def read(cls, stored: str) -> Self:
        """Decode a stored value."""
        return msgspec.json.decode(stored, type=cls)

    @property
    def stored(self) -> str:
        """Return the JSON to store, without defaults."""
        return msgspec.json.encode(self).decode()


class TableSettings(JsonColumn, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of a table."""

    # Defaults aren't stored; they match tables from before there were settings.

    #: Whether the table is listed for everyone; otherwise only people with the link find it.
    public: bool = False
    #: Whether the match is rated; then there are no hints and choices can't be taken back.
    rated: bool = False
    #: Whether players may ask for hints, which is announced to all; never in a rated match.
    hints: bool = False
    #: The clock: minutes per seat for the whole match with extra seconds after each turn, or days per turn. No minutes
    #: and no days: no clock.
    minutes: Minutes = 0
    more: More = 0
    days: Days = 0
    #: How many seconds to wait for an absent player whose turn it is (0: for ever), and what then: a bot plays for them
    #: until they return, or they lose.
    away: Away = 0
    then: Literal["bot", "lost"] = "bot"
    #: Chat: free text and preset phrases, preset phrases only, or none. `usual` means free text at private tables and
    #: preset phrases at public ones.
    chat: Literal["usual", "free", "words", "nothing"] = "usual"
    #: Whether spectators may chat. They see the public table, but no hands.
    spectators_chat: bool = False

    @property
    def free_chat(self) -> bool:
        """Return whether people may write free text here."""
        return self.chat == "free" or (self.chat == "usual" and not self.public)

    @property
    def bank(self) -> int:
        """Return the initial time of every clock in ms; 0 if there are no clocks."""
        return 1000 * (self.days * DAY or self.minutes * 60)

    @property
    def clock_text(self) -> str:
        """Return the clock in a few words, for lists; empty if there is none."""
        if self.days:
            return f"{counted(self.days, 'day')} per turn"
        return f"{counted(self.minutes, 'minute')} + {self.more} s" if self.minutes else ""

    @property
    def sentences(self) -> list[str]:
        """Return the settings as sentences for people."""
        result = [say(RATED, n=MIN_RATED_ACTIONS)] if self.rated else [say(HINTS)] if self.hints else []
        if self.days:
            result.append(say("Each player has {time} per turn.", time=span(self.days * DAY)))
        elif self.minutes:
            time, more = say("{n} minute", "{n} minutes", n=self.minutes), span(self.more)
            result.append(
                say("Each player has {time} for the match, plus {more} per turn.", time=time, more=more)
                if self.more
                else say("Each player has {time} for the match.", time=time)
            )
        if self.bank:
            result.append(
                say("If your time runs out, you lose. The first two seconds of each turn are free. Bots aren't timed.")
            )
        if self.away:
            result.append(say(AWAY[self.then], time=span(self.away)))
        if self.chat != "usual":
            result.append(say(CHAT_SENTENCES[self.chat]))
        if self.spectators_chat:
            result.append(say("Spectators can chat."))
        return result


def picked(offered: Offered, value: str, what: str = "time control") -> dict[str, Any]:
    """Return the settings that a value of a form stands for; raise BadOption if it isn't offered."""
    if value not in offered:
        raise BadOption(f"Unknown {what}. Choose one of: {'; '.join(words for words, _ in offered.values())}.")
    return offered[value][1]


def span(seconds: int) -> str:
    """Return a duration in words, rounded to its largest unit."""
    if seconds >= DAY:
        return say("{n} day", "{n} days", n=round(seconds / DAY))
    if seconds >= 3600:
        return say("{n} hour", "{n} hours", n=round(seconds / 3600))
    if seconds >= 60:
        return say("{n} minute", "{n} minutes", n=round(seconds / 60))
    return say("{n} second", "{n} seconds", n=seconds)


class TableDeals(JsonColumn, frozen=True, kw_only=True):
    """What the row of a table stores about its deals, besides the seed."""

    #: Whether the host chose the deal or may know hidden cards.
    known: bool = False
    new: tuple[NewDeal, ...] = ()


def start_of(setup: GameSetup, row: TableRow) -> MatchStart:
    """Return the start of a table's match, with its new deals."""
    return deal(setup, len(row.seats), row.seed)._replace(deals=TableDeals.read(row.deals).new)
