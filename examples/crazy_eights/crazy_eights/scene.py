"""Crazy Eights: the table as a seat sees it, in objects and in words."""

from typing import Any

from sparring.engine.cards import has, members
from sparring.engine.game import GameSetup
from sparring.scene import Card, Fact, Facts, Layout, Phase, Pile, PrintableScene, Row, Seat, Track, replace
from sparring.scene.playing_cards import card_text, pack_face
from sparring.scene.playing_cards import card_title as title
from sparring.scene.sentences import Text, aside, say

from . import rules
from .params import SUITS
from .position import NAMES

#: The spoken names of the cards.
SPOKEN = {name: card_text(name) for name in NAMES}


def words(setup: GameSetup, s: rules.State, action: int) -> str:
    """Return `play 8S`, `draw`, `pass` or `name spades`."""
    if action < rules.DRAW:
        return f"play {NAMES[action]}"
    return {rules.DRAW: "draw", rules.PASS: "pass"}.get(action) or f"name {SUITS[action - rules.SUIT]}"


def aliases(setup: GameSetup, s: rules.State, action: int) -> tuple[str, ...]:
    """Return the card or the suit alone."""
    if action < rules.DRAW:
        return (NAMES[action], title(action))
    return (SUITS[action - rules.SUIT],) if action >= rules.SUIT else ()


def a_rank(card: int) -> str:
    """Return a card's rank with its article: `an 8`, `a Queen`."""
    rank = title(card).partition(" ")[0]
    return f"{'an' if rank in ('8', 'Ace') else 'a'} {rank}"


class Play(Phase):
    """The player plays a card, draws, or passes."""

    name = "play"
    waiting_text = "{who} is choosing a card."
    button_texts = {"pass": "Pass"}

    def question(self, table: Layout[rules.State]) -> Text:
        """Say what can be played."""
        return Text("Play a Two, or draw." if table.s.owed else "Play a matching card, or draw.")

    def why_not(self, setup: GameSetup, s: rules.State, block: str, number: int) -> Text:
        """Say why the card doesn't fit, or why the player can't draw or pass."""
        if block == "suit":
            return Text("You name a suit only after playing an Eight.")
        if block == "pass":
            return Text("You can pass only when you cannot draw any more.")
        if block == "draw":
            return Text("You cannot draw any more; play or pass.")
        if not has(s.hand[s.player], number):
            return Text("You do not hold the {card}.", card=title(number))
        if s.owed:
            return Text("A Two was played: play another one, or draw.")
        return Text(
            "It matches neither {suit} nor {rank}, and it isn't an Eight.", suit=SUITS[s.suit], rank=a_rank(int(s.top))
        )


class NameSuit(Phase):
    """The player of an Eight names the suit to match."""

    name = "name a suit"
    waiting_text = "{who} is naming a suit."
    question_text = "Which suit must be matched next?"
    refusal_text = "Name a suit first."

    def button(self, table: Layout[rules.State], block: str, number: int) -> Text:
        """Return the name of a suit."""
        return Text("Name {suit}", suit=SUITS[number])


PHASES = (Play(), NameSuit())


class SeatTable(Layout[rules.State]):
    """What one seat sees and reads."""

    def scene(self) -> PrintableScene:
        """Return the scene: the top card in the middle, the hand at the bottom."""
        s = self.s
        facts = [Fact("suit", say("To match"), say("{suit}, or {rank}", suit=SUITS[s.suit], rank=a_rank(int(s.top))))]
        if s.owed:
            facts.append(Fact("owed", say("To draw"), str(s.owed)))
        return replace(
            self.outline(),
            left=(Pile("deck", say("Deck"), int(s.deck[0]), **self.chosen_if_any(rules.DRAW)),),
            middle=(Row("top", say("On top"), (self.card(int(s.top)),)), Facts(tuple(facts))),
            hand=() if self.seat < 0 else (self.hand(self.seat, say("Your hand"), "hand"),),
        )  # fmt: skip

    def status(self) -> Text:
        """Return how many cards have been played."""
        return Text("Card {turn} of {turns}", turn=int(self.s.turn), turns=self.setup.options["turns"])

    def chosen_if_any(self, action: int) -> dict[str, Any]:
        """Return a card's choice, or the reason why it has none; nothing while a suit is being named."""
        return self.choice_fields(action) if self.s.phase == rules.PLAY else {}

    def card(self, number: int, **more: Any) -> Card:
        """Return a face-up card."""
        return Card(f"card {number}", pack_face(number), **more)

    def hand(self, i: int, heading: str, layout: str) -> Row:
        """Return the visible cards of a seat."""
        mine, held = i == self.seat, members(self.s.hand[i])
        cards = tuple(self.card(number, **(self.chosen_if_any(number) if mine else {})) for number in held)
        return Row(f"hand {i}", heading, cards, layout, seat=i + 1, empty=say("no cards"))

    def panel(self, i: int) -> Seat:
        """Return a seat with the number of its cards, and at the end its penalty and its hand."""
        size = int(self.s.cards[i])
        tracks = [Track(f"size {i}", say("Cards"), size, style="number")]
        if self.s.over:
            tracks.append(Track(f"points {i}", say("Penalty"), int(-self.s.payoff[i]), style="number"))
        return Seat(
            tracks=tuple(tracks),
            parts=(self.hand(i, "", "small"),) if self.s.over and i != self.seat else (),
            label=say("{who}, {n} card in hand", "{who}, {n} cards in hand", who=self.voice.label(i), n=size),
        )  # fmt: skip

    def events(self, before: rules.State, action: int | None) -> list[Text]:
        """Return log sentences: what was played, drawn or named."""
        who, voice = int(before.player), self.voice
        if action is None:
            return []
        if action < rules.DRAW:
            return [voice.text("You play the {card}.", "{who} plays the {card}.", who=who, card=title(action))]
        if action == rules.DRAW:
            cards = Text("a card", "{n} cards", n=int(self.s.cards[who] - before.cards[who]))
            return [aside(voice.text("You draw {cards}.", "{who} draws {cards}.", who=who, cards=cards))]
        if action == rules.PASS:
            return [voice.text("You pass.", "{who} passes.", who=who)]
        suit = SUITS[action - rules.SUIT]
        return [voice.text("You name {suit}.", "{who} names {suit}.", who=who, suit=suit)]

    def ending(self) -> Text:
        """Say who is out of cards, or has the fewest points."""
        s = self.s
        fewest = max(s.payoff[: s.seats])
        best = [i for i in range(s.seats) if s.payoff[i] == fewest]
        if len(best) > 1:
            return Text(
                "The match is over; {count} players share the fewest points, {points}.",
                count=len(best), points=int(-fewest),
            )  # fmt: skip
        if s.ending == rules.OUT:
            return self.voice.text("You are out of cards.", "{who} is out of cards.", who=best[0])
        return self.voice.text(
            "The match is over; you have the fewest points, {points}.",
            "The match is over; {who} has the fewest points, {points}.", who=best[0], points=int(-fewest),
        )  # fmt: skip
