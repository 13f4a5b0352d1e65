"""Kuhn poker: the table as a seat sees it, in objects and in words."""

from sparring.engine.game import GameSetup
from sparring.scene import Card, Face, Group, Layout, Phase, PrintableScene, Row, Seat, Track, replace
from sparring.scene.sentences import Text, Voice, mention, result, say

from . import rules
from .params import RANKS

WORDS = ("pass", "bet")


def words(setup: GameSetup, s: rules.State, action: int) -> str:
    """Return `pass` or `bet`."""
    return WORDS[action]


def aliases(setup: GameSetup, s: rules.State, action: int) -> tuple[str, ...]:
    """Return the usual words: check and bet, or fold and call."""
    return (said(s)[action],) if said(s)[action] != WORDS[action] else ()


def said(s: rules.State) -> tuple[str, str]:
    """Return what a pass and a bet are called now."""
    return ("fold", "call") if s.chips.max() > s.chips[s.player] else ("check", "bet")


#: What a pass and a bet are called on buttons, and in the log.
BUTTON_TEXTS = {"fold": "Fold", "call": "Call", "check": "Check", "bet": "Bet"}
SAID_FORMS = {
    "fold": ("You fold.", "{who} folds."), "call": ("You call.", "{who} calls."),
    "check": ("You check.", "{who} checks."), "bet": ("You bet.", "{who} bets."),
}  # fmt: skip


class Bet(Phase):
    """A seat passes or bets, both of which are always legal."""

    name = "bet"
    waiting_text = "{who} is deciding."
    refusal_text = "You can pass or bet."

    def question(self, table: Layout[rules.State]) -> Text:
        """Name the card and ask for the action."""
        return Text("You hold a {rank}. What do you do?", rank=RANKS[int(table.s.card[table.seat])])

    def button(self, table: Layout[rules.State], block: str, number: int) -> Text:
        """Return what a pass or a bet is called now."""
        return Text(BUTTON_TEXTS[said(table.s)[WORDS.index(block)]])

    def tell(self, setup: GameSetup, before: rules.State, action: int, after: rules.State, voice: Voice) -> list[Text]:
        """Say which action was taken."""
        return [voice.text(*SAID_FORMS[said(before)[action]], who=before.player)]


PHASES = (Bet(),)


class SeatTable(Layout[rules.State]):
    """What one seat sees and reads."""

    def scene(self) -> PrintableScene:
        """Return the scene: the card at the bottom."""
        return replace(
            self.outline(),
            hand=() if self.seat < 0 else (Row("hand", say("Your card"), self.cards(int(self.s.card[self.seat]))),),
            exchange=Group(tuple(self.card_row(i) for i in range(rules.SEATS))) if self.beat == "shown" else None,
        )  # fmt: skip

    def status(self) -> Text:
        """Return that there is only one round."""
        return Text("The only round")

    def cards(self, number: int) -> tuple[Card, ...]:
        """Return the card with that number, if it is known."""
        return (Card(f"card {number}", Face(RANKS[number], value=RANKS[number][0])),) if number >= 0 else ()

    def card_row(self, i: int) -> Row:
        """Return a seat's card as this seat sees it."""
        shown = self.cards(int(self.s.card[i])) or (Card(f"card of {i}"),)
        return Row(f"held by {i}", mention(i), shown, "small", seat=i + 1)

    def panel(self, i: int) -> Seat:
        """Return a seat with its chips."""
        chips = int(self.s.chips[i])
        return Seat(
            tracks=(Track(f"chips {i}", say("Chips"), chips, style="number"),),
            parts=() if i == self.seat else (self.card_row(i),),
            label=say("{who}, {n} chip put in", "{who}, {n} chips put in", who=self.voice.label(i), n=chips),
        )  # fmt: skip

    def events(self, before: rules.State, action: int | None) -> list[Text]:
        """Return log sentences: which cards were shown."""
        if self.beat != "shown":
            return []
        ranks = [RANKS[int(self.s.card[i])] for i in range(rules.SEATS)]
        forms = "a {rank} from you", "a {rank} from {who}"
        cards = [self.voice.text(*forms, who=i, rank=rank) for i, rank in enumerate(ranks)]
        return [result(Text("Both show: {cards}.", cards=cards))]

    def ending(self) -> Text:
        """Say who won how many chips."""
        winner = int(self.s.payoff[1] > 0)
        won = Text("{n} chip", "{n} chips", n=int(self.s.payoff[winner]))
        return self.voice.text("You win {won}.", "{who} wins {won}.", who=winner, won=won)
