"""High Card: the table as a seat sees it, and what happens to the objects on it."""

from sparring.engine.cards import UNKNOWN
from sparring.engine.game import GameSetup
from sparring.engine.types import CardPile
from sparring.scene import (
    Card, Effect, Face, Fact, Facts, Group, Layout, Pile, PrintableScene, Row, Seat, Track, replace, win_effects,
    winners,
)  # fmt: skip
from sparring.scene.sentences import Text, say

from .rules import State


class _Table(Layout[State]):
    """Lays out the scene for one seat. `Layout` knows who is to choose, what is legal, and why the rest is not."""

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
        return Seat(number=i + 1, you=i == self.seat, turn=i == self.turn_seat, tracks=(tricks,))

    def status(self) -> Text:
        """Return the number of the trick."""
        return Text("Trick {number}", number=min(int(self.s.turn) + 1, int(self.setup.params.hand)))

    def ending(self) -> Text:
        """Return who won."""
        won = winners(self.s)
        if not won:
            return Text("A draw: everyone has the same number of tricks.")
        if len(won) == 1:
            return self.voice.text("You win.", "{who} wins.", who=won[0])
        first, *others = sorted(won, key=lambda i: i != self.seat)  # the reader first
        return Text("{seats} win.", seats=[self.voice.label(first), *map(self.voice.item, others)])


scene, outline = _Table.draw, _Table.draw_outline


def effects(
    setup: GameSetup, before: State, action: int | None, after: State, seat: int, beat: str = ""
) -> list[Effect]:
    """Return what happens to objects on the table: who takes the trick, who wins. The browser shows it."""
    taken = [i for i in range(after.seats) if after.tricks[i] > before.tricks[i]]
    return [Effect("score", target=f"tricks {i}", amount=1) for i in taken] + win_effects(after)
