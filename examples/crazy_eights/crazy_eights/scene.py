"""Crazy Eights: the table as a seat sees it, in objects and in words."""

from typing import Any

from sparring.engine.card_sets import has, members
from sparring.engine.game import Box
from sparring.scene import Card, Fact, Facts, Layout, Phase, Pile, PrintableScene, Row, Seat, Track, replace
from sparring.scene.playing_cards import card_title as title
from sparring.scene.playing_cards import pack_face
from sparring.scene.sentences import AsideLine, ResultLine

from . import rules
from .kit import SUITS
from .position import NAMES

#: The spoken names of the cards.
ALOUD = {name: title(card) for card, name in enumerate(NAMES)}


def words(box: Box, s: rules.State, action: int) -> str:
    """Return `play 8S`, `draw`, `pass` or `name spades`."""
    if action < rules.DRAW:
        return f"play {NAMES[action]}"
    return {rules.DRAW: "draw", rules.PASS: "pass"}.get(action) or f"name {SUITS[action - rules.SUIT]}"


def aliases(box: Box, s: rules.State, action: int) -> tuple[str, ...]:
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

    def question(self, table: Layout[rules.State]) -> str:
        """Say what can be played."""
        return "Play a Two, or draw." if table.s.owed else "Play a matching card, or draw."

    def why_not(self, box: Box, s: rules.State, block: str, number: int) -> str:
        """Say why the card doesn't fit, or why the player can't draw or pass."""
        if block == "suit":
            return "You name a suit only after playing an Eight."
        if block == "pass":
            return "You can pass only when you cannot draw any more."
        if block == "draw":
            return "You cannot draw any more; play or pass."
        if not has(s.hand[s.player], number):
            return f"You do not hold the {title(number)}."
        if s.owed:
            return "A Two was played: play another one, or draw."
        return f"It matches neither {SUITS[s.suit]} nor {a_rank(int(s.top))}, and it isn't an Eight."


class NameSuit(Phase):
    """The player of an Eight names the suit to match."""

    name = "name a suit"
    waiting_text = "{who} is naming a suit."
    question_text = "Which suit must be matched next?"
    refusal_text = "Name a suit first."

    def button(self, table: Layout[rules.State], block: str, number: int) -> str:
        """Return the name of a suit."""
        return f"Name {SUITS[number]}"


PHASES = (Play(), NameSuit())


class _Table(Layout[rules.State]):
    """Lays out the table for one seat."""

    def scene(self) -> PrintableScene:
        s = self.s
        facts = [Fact("suit", "To match", f"{SUITS[s.suit]}, or {a_rank(int(s.top))}")]
        if s.owed:
            facts.append(Fact("owed", "To draw", str(s.owed)))
        return replace(
            self.outline(),
            left=(Pile("deck", "Deck", int(s.deck[0]), **self.chosen_if_any(rules.DRAW)),),
            middle=(Row("top", "On top", (self.card(int(s.top)),)), Facts(tuple(facts))),
            hand=() if self.seat < 0 else (self.hand(self.seat, "Your hand", "hand"),),
        )  # fmt: skip

    def status(self) -> str:
        return f"Card {self.s.turn} of {self.box.options['turns']}"

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
        return Row(f"hand {i}", heading, cards, layout, seat=i + 1, empty="no cards")

    def panel(self, i: int) -> Seat:
        size = int(self.s.cards[i])
        tracks = [Track(f"size {i}", "Cards", size, style="number")]
        if self.s.over:
            tracks.append(Track(f"points {i}", "Penalty", int(-self.s.payoff[i]), style="number"))
        return Seat(
            number=i + 1, you=i == self.seat, turn=i == self.turn_seat, tracks=tuple(tracks),
            parts=(self.hand(i, "", "small"),) if self.s.over and i != self.seat else (),
            label=f"{self.voice.name(i)}, {size} card{'' if size == 1 else 's'} in hand",
        )  # fmt: skip

    def ending(self) -> str:
        return ending(self.box, self.s, self.seat)


scene = _Table.draw


def tell(box: Box, before: rules.State, action: int | None, after: rules.State, seat: int, beat: str = "") -> list[str]:
    """Say what was played, drawn or named, and how the match ended."""
    voice, lines = _Table(box, after, seat, [], beat).voice, list[str]()
    who = int(before.player)
    if action is None:
        return lines
    if action < rules.DRAW:
        lines.append(f"{voice.does(who, 'play', 'plays')} the {title(action)}.")
    elif action == rules.DRAW:
        count = int(after.cards[who] - before.cards[who])
        lines.append(AsideLine(f"{voice.does(who, 'draw', 'draws')} {'a card' if count == 1 else f'{count} cards'}."))
    elif action == rules.PASS:
        lines.append(f"{voice.does(who, 'pass', 'passes')}.")
    else:
        lines.append(f"{voice.does(who, 'name', 'names')} {SUITS[action - rules.SUIT]}.")
    if after.over:
        lines.append(ResultLine(ending(box, after, seat)))
    return lines


def ending(box: Box, s: rules.State, seat: int) -> str:
    """Say who is out of cards, or has the fewest points."""
    voice = _Table(box, s, seat, []).voice
    fewest = max(s.payoff[: s.seats])
    best = [i for i in range(s.seats) if s.payoff[i] == fewest]
    if len(best) > 1:
        return f"The match is over; {len(best)} players share the fewest points, {int(-fewest)}."
    if s.ending == rules.OUT:
        return f"{voice.does(best[0], 'are', 'is')} out of cards."
    return f"The match is over; {voice.then(best[0], 'have', 'has')} the fewest points, {int(-fewest)}."
