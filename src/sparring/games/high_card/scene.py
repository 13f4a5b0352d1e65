"""High Card: the table as a seat sees it, and what happens to the objects on it."""

from sparring.engine.cards import UNKNOWN
from sparring.engine.types import CardPile
from sparring.scene import (
    Card, Effect, Face, Fact, Facts, Group, Layout, Pile, PrintableScene, Row, Seat, Track, replace,
)  # fmt: skip
from sparring.scene.sentences import Text, result, say

from .rules import State


class SeatTable(Layout[State]):
    """What one seat sees and reads. `Layout` knows who is to choose, what is legal, and why the rest is not."""

    def scene(self) -> PrintableScene:
        """Return the scene: the trick in the middle, the seat's hand at the bottom."""
        s = self.s
        card = say("the lowest card") if s.low else say("the highest card")
        called = Facts((Fact("call", say("Takes the trick"), card),))
        laid = tuple(self.row(s.laid[i], f"laid {i}", self.voice.label(i), i) for i in range(s.seats))
        return replace(
            self.outline(),
            left=(Pile("gone", say("Played"), int(s.gone[0])), Pile("deck", say("Deck"), int(s.deck[0]))),
            middle=laid, right=(called,) if self.setup.params.call else (),
            hand=(self.row(s.hand[self.seat], "hand", say("Your hand"), self.seat, "hand"),) if self.seat >= 0 else (),
            exchange=Group(laid) if self.beat else None,
        )  # fmt: skip

    def row(self, pile: CardPile, place: str, title: str, seat: int, layout: str = "row") -> Row:
        """Return a seat's cards in a row."""
        cards = tuple(self.card(int(pile[i]), f"{place} {i}") for i in range(1, pile[0] + 1))
        return Row(place, title, cards, layout, seat=seat + 1)

    def card(self, number: int, place: str) -> Card:
        """Return a card with its choice; a face-down card has only a place for a key."""
        if number == UNKNOWN:
            return Card(key=place)
        value = str(self.setup.content.values[number])
        return Card(key=f"card {number}", face=Face(name=value, value=value), **self.optional_choice_fields(number))

    def panel(self, i: int) -> Seat:
        """Return a seat with its tricks."""
        tricks = Track(f"tricks {i}", say("Tricks"), int(self.s.tricks[i]), int(self.setup.options["hand"]))
        return Seat(tracks=(tricks,))

    def status(self) -> Text:
        """Return the number of the trick."""
        return Text("Trick {number}", number=min(int(self.s.turn) + 1, int(self.setup.params.hand)))

    def events(self, before: State, action: int | None) -> list[Text]:
        """Return log sentences: the cards revealed, and who takes the trick."""
        lines = []
        if self.beat == "turned up":
            values = [self.setup.content.values[self.s.laid[i, 1]] for i in range(self.s.seats)]
            forms = "{card} from you", "{card} from {who}"
            cards = [self.voice.text(*forms, who=i, card=card) for i, card in enumerate(values)]
            lines.append(Text("The cards are revealed: {cards}.", cards=cards))
        if self.s.turn > before.turn:
            line = Text("No one takes the trick.")
            for i in self.takers(before):
                line = self.voice.text("You take the trick.", "{who} takes the trick.", who=i)
            lines.append(result(line))
        return lines

    def effects(self, before: State, action: int | None) -> list[Effect]:
        """Return what happens to objects on the table: who takes the trick. The browser shows it."""
        return [Effect("score", target=f"tricks {i}", amount=1) for i in self.takers(before)]

    def takers(self, before: State) -> list[int]:
        """Return the seat that has taken a trick since `before`, if any."""
        return [i for i in range(self.s.seats) if self.s.tricks[i] > before.tricks[i]]
