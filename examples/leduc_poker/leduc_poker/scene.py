"""Leduc poker: the table as a seat sees it, in objects and in words."""

from sparring.engine.game import Box
from sparring.scene import Card, Face, Group, Layout, Phase, PrintableScene, Row, Seat, Track, replace
from sparring.scene.sentences import ResultLine, listed

from . import rules
from .kit import RANKS

WORDS = ("fold", "call", "raise")


def words(box: Box, s: rules.State, action: int) -> str:
    """Return `fold`, `call` or `raise`."""
    return WORDS[action]


def aliases(box: Box, s: rules.State, action: int) -> tuple[str, ...]:
    """Return check for a call of nothing, and bet for a raise that opens."""
    owes = s.chips[s.player] < s.chips[1 - s.player]
    return () if owes else {rules.CALL: ("check",), rules.RAISE: ("bet",)}.get(action, ())


class Bet(Phase):
    """A seat folds, calls or raises."""

    name = "bet"
    waiting_text = "{who} is deciding."

    def question(self, table: Layout[rules.State]) -> str:
        """Name the card and ask for the action."""
        return f"You hold a {rank(int(table.s.card[table.seat]))}. What do you do?"

    def button(self, table: Layout[rules.State], block: str, number: int) -> str:
        """Return what an action is called now: with nothing owed, a call is a check, and a raise a bet."""
        owed = int(table.s.chips.max() - table.s.chips[table.s.player])
        said = ("Fold", f"Call {owed}", "Raise") if owed else ("Fold", "Check", "Bet")
        return said[WORDS.index(block)]

    def why_not(self, box: Box, s: rules.State, block: str, number: int) -> str:
        """Say why the seat cannot fold or raise now."""
        if block == "fold":
            return "You owe nothing, so you can't fold; check instead."
        return "There have already been two raises in this round."


PHASES = (Bet(),)


class _Table(Layout[rules.State]):
    """Lays out the table for one seat."""

    def scene(self) -> PrintableScene:
        s = self.s
        return replace(
            self.outline(),
            middle=(Row("public", "Public card", self.cards(int(s.public), "public"), empty="turned up in round 2"),),
            hand=() if self.seat < 0 else (Row("hand", "Your card", self.cards(int(s.card[self.seat]), "hand")),),
            exchange=Group(tuple(self.card_row(i) for i in range(rules.SEATS))) if self.beat == "shown" else None,
        )  # fmt: skip

    def status(self) -> str:
        return f"Round {self.s.turn}"

    def cards(self, number: int, place: str) -> tuple[Card, ...]:
        """Return the card with that number, if there is one."""
        return (Card(f"card {number}", face(number)),) if number != rules.NO_CARD else ()

    def card_row(self, i: int) -> Row:
        """Return a seat's card as this seat sees it."""
        shown = self.cards(int(self.s.card[i]), f"card of {i}") or (Card(f"card of {i}"),)
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


def rank(card: int) -> str:
    """Return Jack, Queen or King."""
    return RANKS[card // 2]


def face(card: int) -> Face:
    """Return the face of a card."""
    return Face(rank(card), value=rank(card)[0])


def tell(box: Box, before: rules.State, action: int | None, after: rules.State, seat: int, beat: str = "") -> list[str]:
    """Say which action was taken, what was turned up, and who won how much."""
    table = _Table(box, after, seat, [], beat)
    voice, lines = table.voice, list[str]()
    if action is not None:
        said = (aliases(box, before, action) or (WORDS[action],))[0]
        lines.append(f"{voice.does(int(before.player), said, said + 's')}.")
    if beat == "turned up":
        lines.append(ResultLine(f"A {rank(int(after.public))} is turned up."))
    elif beat == "shown":
        shown = [f"a {rank(int(after.card[i]))} from {voice.whom(i)}" for i in range(rules.SEATS)]
        lines.append(ResultLine(f"Both show: {listed(shown)}."))
    elif after.over:
        lines.append(ResultLine(ending(box, after, seat)))
    return lines


def ending(box: Box, s: rules.State, seat: int) -> str:
    """Say who won how many chips."""
    voice = _Table(box, s, seat, []).voice
    winners = [i for i in range(rules.SEATS) if s.payoff[i] > 0]
    if not winners:
        return "Equal cards: no one wins anything."
    won = int(s.payoff[winners[0]])
    return f"{voice.does(winners[0], 'win', 'wins')} {won} chip{'' if won == 1 else 's'}."
