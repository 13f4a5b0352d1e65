"""What is agreed when a table is opened besides game, options and seats. It stays, and goes along to a rematch."""

from typing import Annotated, Literal

import msgspec

from sparring.scene.sentences import counted
from sparring.web.settings import DAY
from sparring.web.storage.json_column import JsonColumn

#: The longest that can be agreed: minutes of a match, seconds more after a turn, days for a turn, seconds of absence.
LONGEST_MATCH, MOST_MORE, MOST_DAYS, LONGEST_AWAY = 600, 300, 30, 30 * DAY

#: What is said of a match with hints, and of a rated one.
HINTS = "Whoever is asked may take a hint; all are told that they did, and nobody what it said."
RATED = (
    "This match is rated: everybody plays for themselves and keeps their seat, nothing is taken back, and it counts as "
    "soon as everybody has chosen, also for who gives up or runs out of time."
)

Minutes = Annotated[int, msgspec.Meta(ge=0, le=LONGEST_MATCH)]
More = Annotated[int, msgspec.Meta(ge=0, le=MOST_MORE)]
Days = Annotated[int, msgspec.Meta(ge=0, le=MOST_DAYS)]
Away = Annotated[int, msgspec.Meta(ge=0, le=LONGEST_AWAY)]

#: What is said of talking, where it is not as usual.
TALKING = {
    "free": "People talk here in their own words.", "words": "People talk here in quick words only.",
    "nothing": "Nobody talks here.",
}  # fmt: skip


class TableSettings(JsonColumn, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The terms of a table. What is left out when they are stored is as it was before there were terms."""

    #: Whether everybody finds it among the open tables, or only who has the link.
    public: bool = False
    #: Whether it counts for the ratings of those who play; then it is played without help, and what is chosen stays.
    rated: bool = False
    #: Whether whoever is asked may take a hint, which all are told; not in a rated match.
    hints: bool = False
    #: The clock: so many minutes for each seat and match, and so many seconds more after each of its turns; or so many
    #: days for each turn. No minutes and no days: there is none.
    minutes: Minutes = 0
    more: More = 0
    days: Days = 0
    #: For how many seconds somebody is waited for who is to choose and is away (0: as long as it takes), and what then:
    #: a bot plays for them until they are back, or they have lost.
    away: Away = 0
    then: Literal["bot", "lost"] = "bot"
    #: What people say here: quick words and what they like, quick words alone, or nothing. As usual: what they like
    #: where only those come who have the link, and quick words where anybody may find the table.
    talk: Literal["usual", "free", "words", "nothing"] = "usual"
    #: Whether those may talk too who watch. They see what everybody sees, and no hand.
    watchers_talk: bool = False

    @property
    def own_words(self) -> bool:
        """Whether people may say here what they like, besides quick words."""
        return self.talk == "free" or (self.talk == "usual" and not self.public)

    @property
    def bank(self) -> int:
        """What every clock shows at first, in milliseconds; 0: there are no clocks."""
        return 1000 * (self.days * DAY or self.minutes * 60)

    @property
    def pace(self) -> str:
        """The clock in a few words, for lists; empty where there is none."""
        if self.days:
            return f"{counted(self.days, 'day')} a turn"
        return f"{counted(self.minutes, 'minute')} + {self.more} s" if self.minutes else ""

    @property
    def sentences(self) -> list[str]:
        """What they say of how we play, for people."""
        said = [RATED] if self.rated else [HINTS] if self.hints else []
        if self.days:
            said.append(f"Everybody has {counted(self.days, 'day')} for each turn.")
        elif self.minutes:
            more = f", and {counted(self.more, 'second')} more after each turn" if self.more else ""
            said.append(f"Everybody has {counted(self.minutes, 'minute')} for the match{more}.")
        if self.bank:
            said.append("Whose time runs out has lost. The first two seconds of a turn are free; bots have no clock.")
        if self.away:
            then = "a bot plays for them until they are back" if self.then == "bot" else "they have lost"
            said.append(f"For who is to choose and is away we wait {span(self.away)}; then {then}.")
        if self.talk != "usual":
            said.append(TALKING[self.talk])
        if self.watchers_talk:
            said.append("Who watches may talk too.")
        return said


def span(seconds: int) -> str:
    """A time in words: the largest unit that it has one of."""
    for unit, long in (("day", DAY), ("hour", 3600), ("minute", 60)):
        if seconds >= long:
            return counted(round(seconds / long), unit)
    return counted(seconds, "second")
