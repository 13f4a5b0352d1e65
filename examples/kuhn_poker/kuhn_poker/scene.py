"""Kuhn poker: the table as a seat sees it, in objects and in words."""

from sparring.engine.game import Box
from sparring.scene import Card, Face, Group, Layout, Phase, PrintableScene, Row, Seat, Track, replace
from sparring.scene.sentences import ResultLine, listed

from . import rules
from .kit import RANKS

WORDS = ("pass", "bet")


def words(box: Box, s: rules.State, action: int) -> str:
    """Return `pass` or `bet`."""
    return WORDS[action]


def aliases(box: Box, s: rules.State, action: int) -> tuple[str, ...]:
    """Return the usual words: check and bet, or fold and call."""
    return (said(s)[action],) if said(s)[action] != WORDS[action] else ()


def said(s: rules.State) -> tuple[str, str]:
    """Return what a pass and a bet are called now."""
    return ("fold", "call") if s.chips.max() > s.chips[s.player] else ("check", "bet")


class Bet(Phase):
    """A seat passes or bets, both of which are always legal."""

    name = "bet"
    waiting_text = "{who} is deciding."
    refusal_text = "You can pass or bet."

    def question(self, table: Layout[rules.State]) -> str:
        """Name the card and ask for the action."""
        return f"You hold a {RANKS[int(table.s.card[table.seat])]}. What do you do?"

    def button(self, table: Layout[rules.State], block: str, number: int) -> str:
        """Return what a pass or a bet is called now."""
        return said(table.s)[WORDS.index(block)].capitalize()


PHASES = (Bet(),)


class _Table(Layout[rules.State]):
    """Lays out the table for one seat."""

    def scene(self) -> PrintableScene:
        return replace(
            self.outline(),
            hand=() if self.seat < 0 else (Row("hand", "Your card", self.cards(int(self.s.card[self.seat]))),),
            exchange=Group(tuple(self.card_row(i) for i in range(rules.SEATS))) if self.beat == "shown" else None,
        )  # fmt: skip

    def status(self) -> str:
        return "The only round"

    def cards(self, number: int) -> tuple[Card, ...]:
        """Return the card with that number, if it is known."""
        return (Card(f"card {number}", Face(RANKS[number], value=RANKS[number][0])),) if number >= 0 else ()

    def card_row(self, i: int) -> Row:
        """Return a seat's card as this seat sees it."""
        shown = self.cards(int(self.s.card[i])) or (Card(f"card of {i}"),)
        return Row(f"held by {i}", f"Seat {i + 1}", shown, "small", seat=i + 1)

    def panel(self, i: int) -> Seat:
        chips = int(self.s.chips[i])
        return Seat(
            number=i + 1, you=i == self.seat, turn=i == self.turn_seat,
            tracks=(Track(f"chips {i}", "Chips", chips, style="number"),),
            parts=() if i == self.seat else (self.card_row(i),),
            label=f"{self.voice.name(i)}, {chips} chip{'' if chips == 1 else 's'} put in",
        )  # fmt: skip

    def ending(self) -> str:
        return ending(self.box, self.s, self.seat)


scene = _Table.draw


def tell(box: Box, before: rules.State, action: int | None, after: rules.State, seat: int, beat: str = "") -> list[str]:
    """Say which action was taken, which cards were shown, and who won how much."""
    voice, lines = _Table(box, after, seat, [], beat).voice, list[str]()
    if action is not None:
        word = said(before)[action]
        lines.append(f"{voice.does(int(before.player), word, word + 's')}.")
    if beat == "shown":
        shown = [f"a {RANKS[int(after.card[i])]} from {voice.whom(i)}" for i in range(rules.SEATS)]
        lines.append(ResultLine(f"Both show: {listed(shown)}."))
    elif after.over:
        lines.append(ResultLine(ending(box, after, seat)))
    return lines


def ending(box: Box, s: rules.State, seat: int) -> str:
    """Say who won how many chips."""
    winner = int(s.payoff[1] > 0)
    won = int(s.payoff[winner])
    return f"{_Table(box, s, seat, []).voice.does(winner, 'win', 'wins')} {won} chip{'' if won == 1 else 's'}."
