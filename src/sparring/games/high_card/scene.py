"""High Card: the table as a seat sees it, in things and in words."""

from typing import Any

from sparring.engine.cards import UNKNOWN
from sparring.engine.game import NOBODY, Box
from sparring.scene import Button, Card, Face, Fact, Facts, Group, Layout, Pile, Row, Scene, Seat, Track, replace
from sparring.scene.sentences import Result, Voice, listed

from .rules import CALL, HIGH, LAY, LOW

#: Why there is only one choice.
ONLY = {LAY: "Your last card:"}
#: What can be called.
CALLS = {HIGH: "high", LOW: "low"}


def words(box: Box, s: Any, action: int) -> str:
    """What is called; or a card by its value, and of equal ones the second has an `a`."""
    if action in CALLS:
        return f"call {CALLS[action]}"
    value = box.content.values[action]
    return f"lay {value}{' abcdefghijklmnopqrs'[box.content.values[:action].count(value)].strip()}"


def aliases(box: Box, s: Any, action: int) -> tuple[str, ...]:
    """Just the word, or the value, which both equal cards share."""
    return (CALLS[action] if action in CALLS else str(box.content.values[action]),)


def why_not(box: Box, s: Any, action: int) -> str:
    """Why `s.player` may not choose this now."""
    if s.phase == CALL:
        return "First say whether the highest or the lowest card takes this trick."
    return "Now a card is laid." if action in CALLS else f"You do not hold a {box.content.values[action]}."


def scene(box: Box, s: Any, seat: int, choices: list[int], beat: str = "") -> Scene:
    """The table for `seat` (from 0; negative: somebody who watches)."""
    return _Table(box, s, seat, choices, beat).scene()


def outline(box: Box, s: Any) -> Scene:
    """The table for somebody who watches, without what lies on it."""
    return _Table(box, s, -1, [], "").outline()


class _Table(Layout):
    """One seat's table being laid out; `Layout` knows who is asked, and what can be chosen or why not."""

    waiting = ("lays a card", "calls high or low")

    def scene(self) -> Scene:
        """Everybody's card in the middle, one's own hand below, and in the prompt what lies nowhere on the table."""
        s, box = self.s, self.box
        called = Facts((Fact("call", "Takes the trick", f"the {'lowest' if s.low else 'highest'} card"),))
        laid = tuple(self.row(s.laid[i], f"laid {i}", title=self.voice.name(i), seat=i + 1) for i in range(s.seats))
        hand = () if self.seat == NOBODY else (self.row(s.hand[self.seat], "hand", "Your hand", "hand", self.seat + 1),)
        return replace(
            self.outline(),
            left=(Pile("gone", "Played", int(s.gone[0])), Pile("deck", "Deck", int(s.deck[0]))),
            middle=laid, right=(called,) if box.kit.call else (), hand=hand,
            exchange=Group(laid) if self.beat else None,
        )  # fmt: skip

    def status(self) -> str:
        """Where the match stands, in a few words."""
        return f"Trick {min(int(self.s.turn) + 1, int(self.box.kit.hand))}"

    def card(self, number: int, place: str) -> Card:
        """A card with the choice behind it; one that lies face down is known by its place only."""
        if number == UNKNOWN:
            return Card(key=place)
        value = str(self.box.content.values[number])
        return Card(key=f"card {number}", face=Face(name=value, value=value), **self.offered(number))

    def row(self, pile: Any, place: str, title: str, layout: str = "row", seat: int = 0) -> Row:
        """Cards side by side."""
        cards = tuple(self.card(int(pile[i]), f"{place} {i}") for i in range(1, pile[0] + 1))
        return Row(place, title, cards, layout, seat=seat)

    def panel(self, i: int) -> Seat:
        """A seat with its tricks."""
        tricks = Track(f"tricks {i}", "Tricks", int(self.s.tricks[i]), int(self.box.options["hand"]))
        return Seat(number=i + 1, you=i == self.seat, turn=i == self.waited_for, tracks=(tricks,))

    def buttons(self) -> tuple[Button, ...]:
        """What can be said: choices that lie nowhere on the table."""
        return tuple(
            Button(text=CALLS[action].title(), **self.chosen(action)) for action in sorted(self.choices & set(CALLS))
        )

    def question(self) -> str:
        """What this seat is asked."""
        return "Which card takes this trick?" if self.s.phase == CALL else "Which card do you lay?"

    def ending(self) -> str:
        """Who won."""
        winners = [i for i in range(self.s.seats) if self.s.payoff[i] > 0]
        if not winners:
            return "Equally many tricks: nobody wins."
        return f"{listed([self.voice.name(i) for i in winners])} {self.wins(winners)}."

    def wins(self, winners: list[int]) -> str:
        """The verb for those who won."""
        return "win" if len(winners) > 1 or winners == [self.seat] else "wins"


def tell(box: Box, before: Any, action: int | None, after: Any, seat: int, beat: str = "") -> list[str]:
    """Who called what or laid a card; when all are turned up, which ones; and who took the trick."""
    voice, lines = Voice(seat), list[str]()
    if action is not None:
        lines.append(f"{_said(box, voice, int(before.player), action)}.")
    if beat == "turned up":
        shown = [f"{box.content.values[after.laid[i, 1]]} from {voice.whom(i)}" for i in range(after.seats)]
        lines.append(f"The cards are turned up: {listed(shown)}.")
    if after.turn > before.turn:
        takers = [i for i in range(after.seats) if after.tricks[i] > before.tricks[i]]
        taken = f"{voice.does(takers[0], 'take', 'takes')} the trick." if takers else "Nobody takes the trick."
        lines.append(Result(taken))
    return lines


def _said(box: Box, voice: Voice, who: int, action: int) -> str:
    """A choice as somebody else hears of it."""
    if action in CALLS:
        return f"{voice.does(who, 'call', 'calls')} {CALLS[action]}"
    what = "a card" if action == UNKNOWN else f"a {box.content.values[action]}"
    return f"{voice.does(who, 'lay', 'lays')} {what}"
