"""High Card: the scene of the table for a seat, the words for every choice, and the log."""

from sparring.engine.cards import UNKNOWN
from sparring.engine.game import SPECTATOR, Box
from sparring.engine.types import CardPile
from sparring.scene import (
    Button,
    Card,
    Effect,
    Face,
    Fact,
    Facts,
    Group,
    Layout,
    Pile,
    Row,
    PrintableScene,
    Seat,
    Track,
    replace,
)
from sparring.scene.sentences import ResultLine, Voice, listed

from .rules import CALL, HIGH, LAY, LOW, State

#: Log text for a choice made automatically because it was the only one, by phase.
ONLY = {LAY: "Your last card:"}
#: The calls in words.
CALLS = {HIGH: "high", LOW: "low"}


def words(box: Box, state: State, action: int) -> str:
    """Return the words of a choice: `call high`, `lay 7`, and `lay 7a` for a second card with that value."""
    if action in CALLS:
        return f"call {CALLS[action]}"
    value = box.content.values[action]
    return f"lay {value}{' abcdefghijklmnopqrs'[box.content.values[:action].count(value)].strip()}"


def aliases(box: Box, state: State, action: int) -> tuple[str, ...]:
    """Return other words for a choice: `high`; `7` or `play 7`, which equal cards share."""
    if action in CALLS:
        return (CALLS[action],)
    value = box.content.values[action]
    return (str(value), f"play {value}")


def why_not(box: Box, state: State, action: int) -> str:
    """Return one sentence: why `s.player` can't make this choice now."""
    if state.phase == CALL:
        return "First call high or low for this trick."
    return "You can't call now." if action in CALLS else f"You have no {box.content.values[action]} in your hand."


def scene(box: Box, state: State, seat: int, choices: list[int], beat: str = "") -> PrintableScene:
    """Return the scene for `seat` (from 0; negative: a spectator)."""
    return _Table(box, state, seat, choices, beat).scene()


def outline(box: Box, state: State) -> PrintableScene:
    """Return a spectator's scene without the areas on the table."""
    return _Table(box, state, -1, [], "").outline()


class _Table(Layout[State]):
    """Lays out the scene for one seat. `Layout` knows who is to choose, what is legal, and why the rest is not."""

    waiting_texts = ("is choosing a card", "is calling high or low")

    def scene(self) -> PrintableScene:
        """Return the scene: the trick in the middle, the seat's hand at the bottom, calls as prompt buttons."""
        s, box = self.s, self.box
        called = Facts((Fact("call", "Takes the trick", f"the {'lowest' if s.low else 'highest'} card"),))
        laid = tuple(self.row(s.laid[i], f"laid {i}", title=self.voice.name(i), seat=i + 1) for i in range(s.seats))
        hand = (
            () if self.seat == SPECTATOR else (self.row(s.hand[self.seat], "hand", "Your hand", "hand", self.seat + 1),)
        )
        return replace(
            self.outline(),
            left=(Pile("gone", "Played", int(s.gone[0])), Pile("deck", "Deck", int(s.deck[0]))),
            middle=laid, right=(called,) if box.kit.call else (), hand=hand,
            exchange=Group(laid) if self.beat else None,
        )  # fmt: skip

    def status(self) -> str:
        """Return the number of the trick."""
        return f"Trick {min(int(self.s.turn) + 1, int(self.box.kit.hand))}"

    def card(self, number: int, place: str) -> Card:
        """Return a card with its choice; a face-down card has only a place for a key."""
        if number == UNKNOWN:
            return Card(key=place)
        value = str(self.box.content.values[number])
        return Card(key=f"card {number}", face=Face(name=value, value=value), **self.optional_choice_fields(number))

    def row(self, pile: CardPile, place: str, title: str, layout: str = "row", seat: int = 0) -> Row:
        """Return a row of cards."""
        cards = tuple(self.card(int(pile[i]), f"{place} {i}") for i in range(1, pile[0] + 1))
        return Row(place, title, cards, layout, seat=seat)

    def panel(self, i: int) -> Seat:
        """Return a seat with its tricks."""
        tricks = Track(f"tricks {i}", "Tricks", int(self.s.tricks[i]), int(self.box.options["hand"]))
        return Seat(number=i + 1, you=i == self.seat, turn=i == self.turn_seat, tracks=(tricks,))

    def buttons(self) -> tuple[Button, ...]:
        """Return the choices that are not cards on the table."""
        return tuple(
            Button(text=f"Call {CALLS[action]}", **self.choice_fields(action))
            for action in sorted(self.choices & set(CALLS))
        )

    def question(self) -> str:
        """Return the question to this seat."""
        return "Which card takes this trick?" if self.s.phase == CALL else "Which card do you play?"

    def ending(self) -> str:
        """Return who won."""
        winners = [i for i in range(self.s.seats) if self.s.payoff[i] > 0]
        if not winners:
            return "A draw: everyone has the same number of tricks."
        return f"{listed([self.voice.name(i) for i in winners])} {self.wins(winners)}."

    def wins(self, winners: list[int]) -> str:
        """Return the verb for the winners."""
        return "win" if len(winners) > 1 or winners == [self.seat] else "wins"


def tell(box: Box, before: State, action: int | None, after: State, seat: int, beat: str = "") -> list[str]:
    """Return what happened as sentences for `seat`: a call or a card, the cards revealed, who takes the trick."""
    voice, lines = Voice(seat), list[str]()
    if action is not None:
        lines.append(f"{_choice(box, voice, int(before.player), action)}.")
    if beat == "turned up":
        cards = [f"{box.content.values[after.laid[i, 1]]} from {voice.whom(i)}" for i in range(after.seats)]
        lines.append(f"The cards are revealed: {listed(cards)}.")
    if after.turn > before.turn:
        takers = [i for i in range(after.seats) if after.tricks[i] > before.tricks[i]]
        taken = f"{voice.does(takers[0], 'take', 'takes')} the trick." if takers else "No one takes the trick."
        lines.append(ResultLine(taken))
    return lines


def effects(box: Box, before: State, action: int | None, after: State, seat: int, beat: str = "") -> list[Effect]:
    """Return what happens to objects on the table: who takes the trick, who wins. The browser shows it."""
    took = [i for i in range(after.seats) if after.tricks[i] > before.tricks[i]]
    winners = [i for i in range(after.seats) if after.over and after.payoff[i] > 0]
    return [
        *(Effect("score", target=f"tricks {i}", amount=1) for i in took),
        *(Effect("win", target=f"seat {i + 1}") for i in winners),
    ]


def _choice(box: Box, voice: Voice, player: int, action: int) -> str:
    """Return a choice as a seat sees it."""
    if action in CALLS:
        return f"{voice.does(player, 'call', 'calls')} {CALLS[action]}"
    what = "a card" if action == UNKNOWN else str(box.content.values[action])
    return f"{voice.does(player, 'play', 'plays')} {what}"
