"""Leduc poker: the table as a seat sees it, in objects and in words."""

from sparring.engine.game import GameSetup
from sparring.scene import Card, Face, Group, Layout, Phase, PrintableScene, Row, Seat, Track, replace, winners
from sparring.scene.sentences import Text, Voice, mention, result, say

from . import rules
from .params import RANKS

WORDS = ("fold", "call", "raise")


def words(setup: GameSetup, s: rules.State, action: int) -> str:
    """Return `fold`, `call` or `raise`."""
    return WORDS[action]


def aliases(setup: GameSetup, s: rules.State, action: int) -> tuple[str, ...]:
    """Return check for a call of nothing, and bet for a raise that opens."""
    owes = s.chips[s.player] < s.chips[1 - s.player]
    return () if owes else {rules.CALL: ("check",), rules.RAISE: ("bet",)}.get(action, ())


#: What each action is called in the log.
SAID_FORMS = {
    "fold": ("You fold.", "{who} folds."), "call": ("You call.", "{who} calls."),
    "raise": ("You raise.", "{who} raises."), "check": ("You check.", "{who} checks."),
    "bet": ("You bet.", "{who} bets."),
}  # fmt: skip


class Bet(Phase):
    """A seat folds, calls or raises."""

    name = "bet"
    waiting_text = "{who} is deciding."

    def question(self, table: Layout[rules.State]) -> Text:
        """Name the card and ask for the action."""
        return Text("You hold a {rank}. What do you do?", rank=rank(int(table.s.card[table.seat])))

    def button(self, table: Layout[rules.State], block: str, number: int) -> Text:
        """Return what an action is called now: with nothing owed, a call is a check, and a raise a bet."""
        owed = int(table.s.chips.max() - table.s.chips[table.s.player])
        forms = ("Fold", "Call {owed}", "Raise") if owed else ("Fold", "Check", "Bet")
        return Text(forms[WORDS.index(block)], owed=owed)

    def why_not(self, setup: GameSetup, s: rules.State, block: str, number: int) -> Text:
        """Say why the seat cannot fold or raise now."""
        if block == "fold":
            return Text("You owe nothing, so you can't fold; check instead.")
        return Text("There have already been two raises in this round.")

    def tell(self, setup: GameSetup, before: rules.State, action: int, after: rules.State, voice: Voice) -> list[Text]:
        """Say which action was taken."""
        said = (aliases(setup, before, action) or (WORDS[action],))[0]
        return [voice.text(*SAID_FORMS[said], who=before.player)]


PHASES = (Bet(),)


class SeatTable(Layout[rules.State]):
    """What one seat sees and reads."""

    def scene(self) -> PrintableScene:
        """Return the scene: the public card in the middle, the own one at the bottom."""
        s = self.s
        return replace(
            self.outline(),
            middle=(self.public_card(),),
            hand=() if self.seat < 0 else (Row("hand", say("Your card"), self.cards(int(s.card[self.seat]), "hand")),),
            exchange=Group(tuple(self.card_row(i) for i in range(rules.SEATS))) if self.beat == "shown" else None,
        )  # fmt: skip

    def public_card(self) -> Row:
        """Return the card that both use."""
        cards = self.cards(int(self.s.public), "public")
        return Row("public", say("Public card"), cards, empty=say("turned up in round 2"))

    def status(self) -> Text:
        """Return the number of the round."""
        return Text("Round {number}", number=int(self.s.turn))

    def cards(self, number: int, place: str) -> tuple[Card, ...]:
        """Return the card with that number, if there is one."""
        return (Card(f"card {number}", face(number)),) if number != rules.NO_CARD else ()

    def card_row(self, i: int) -> Row:
        """Return a seat's card as this seat sees it."""
        shown = self.cards(int(self.s.card[i]), f"card of {i}") or (Card(f"card of {i}"),)
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
        """Return log sentences: what was turned up, and which cards were shown."""
        if self.beat == "turned up":
            return [result(Text("A {rank} is turned up.", rank=rank(int(self.s.public))))]
        if self.beat != "shown":
            return []
        ranks = [rank(int(self.s.card[i])) for i in range(rules.SEATS)]
        forms = "a {rank} from you", "a {rank} from {who}"
        cards = [self.voice.text(*forms, who=i, rank=each) for i, each in enumerate(ranks)]
        return [result(Text("Both show: {cards}.", cards=cards))]

    def ending(self) -> Text:
        """Say who won how many chips."""
        won = winners(self.s)
        if not won:
            return Text("Equal cards: no one wins anything.")
        chips = Text("{n} chip", "{n} chips", n=int(self.s.payoff[won[0]]))
        return self.voice.text("You win {won}.", "{who} wins {won}.", who=won[0], won=chips)


def rank(card: int) -> str:
    """Return Jack, Queen or King."""
    return RANKS[card // 2]


def face(card: int) -> Face:
    """Return the face of a card."""
    return Face(rank(card), value=rank(card)[0])
