"""Leduc poker: the table as a seat sees it, in objects and in words."""

from sparring.engine.game import GameSetup
from sparring.scene import Card, Face, Group, Layout, Phase, PrintableScene, Row, Seat, Track, replace
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


PHASES = (Bet(),)


class _Table(Layout[rules.State]):
    """Lays out the table for one seat."""

    def scene(self) -> PrintableScene:
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
        return Text("Round {number}", number=int(self.s.turn))

    def cards(self, number: int, place: str) -> tuple[Card, ...]:
        """Return the card with that number, if there is one."""
        return (Card(f"card {number}", face(number)),) if number != rules.NO_CARD else ()

    def card_row(self, i: int) -> Row:
        """Return a seat's card as this seat sees it."""
        shown = self.cards(int(self.s.card[i]), f"card of {i}") or (Card(f"card of {i}"),)
        return Row(f"held by {i}", mention(i), shown, "small", seat=i + 1)

    def panel(self, i: int) -> Seat:
        chips = int(self.s.chips[i])
        return Seat(
            number=i + 1, you=i == self.seat, turn=i == self.turn_seat,
            tracks=(Track(f"chips {i}", say("Chips"), chips, style="number"),),
            parts=() if i == self.seat else (self.card_row(i),),
            label=say("{who}, {n} chip put in", "{who}, {n} chips put in", who=self.voice.label(i), n=chips),
        )  # fmt: skip

    def ending(self) -> Text:
        return ending(self.setup, self.s, self.seat)


scene = _Table.draw


def rank(card: int) -> str:
    """Return Jack, Queen or King."""
    return RANKS[card // 2]


def face(card: int) -> Face:
    """Return the face of a card."""
    return Face(rank(card), value=rank(card)[0])


#: What each action is called in the log.
SAID_FORMS = {
    "fold": ("You fold.", "{who} folds."), "call": ("You call.", "{who} calls."),
    "raise": ("You raise.", "{who} raises."), "check": ("You check.", "{who} checks."),
    "bet": ("You bet.", "{who} bets."),
}  # fmt: skip


def tell(
    setup: GameSetup, before: rules.State, action: int | None, after: rules.State, seat: int, beat: str = ""
) -> list[Text]:
    """Say which action was taken, what was turned up, and who won how much."""
    voice, lines = Voice(seat), list[Text]()
    if action is not None:
        said = (aliases(setup, before, action) or (WORDS[action],))[0]
        lines.append(voice.text(*SAID_FORMS[said], who=before.player))
    if beat == "turned up":
        lines.append(result(Text("A {rank} is turned up.", rank=rank(int(after.public)))))
    elif beat == "shown":
        ranks = [rank(int(after.card[i])) for i in range(rules.SEATS)]
        cards = [
            voice.text("a {rank} from you", "a {rank} from {who}", who=i, rank=ranks[i]) for i in range(rules.SEATS)
        ]
        lines.append(result(Text("Both show: {cards}.", cards=cards)))
    elif after.over:
        lines.append(result(ending(setup, after, seat)))
    return lines


def ending(setup: GameSetup, s: rules.State, seat: int) -> Text:
    """Say who won how many chips."""
    winners = [i for i in range(rules.SEATS) if s.payoff[i] > 0]
    if not winners:
        return Text("Equal cards: no one wins anything.")
    won = int(s.payoff[winners[0]])
    return Voice(seat).text(
        "You win {won}.", "{who} wins {won}.", who=winners[0], won=Text("{n} chip", "{n} chips", n=won)
    )
