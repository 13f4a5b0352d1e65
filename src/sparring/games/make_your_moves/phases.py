"""Make Your Moves: what the page asks, says and refuses in each phase, and the words of choices."""

from collections.abc import Mapping
from typing import Any

from sparring.engine.cards import in_order
from sparring.engine.game import Box
from sparring.scene import Phase
from sparring.scene.sentences import AsideLine, Voice, listed

from . import state as R
from .analysis import achieved, best_defence, can_decide
from .components import as_sum, card, last_four, move_name, powers, totals
from .kit import COLOURS, KEEP, WILD
from .moves import count_in, next_in

#: Why no seat can be targeted or helped, in a phase that isn't about it.
NOT_NOW = {
    "seat": "You can't choose a target now.", **dict.fromkeys(("attacker", "defender"), "You can't help anyone now."),
}  # fmt: skip
#: The same, for a player who isn't attacked.
NO_ATTACK = {**NOT_NOW, **{word: f"There is no attack on you to {word}." for word in ("counter", "dodge")}}


class MovesPhase(Phase):
    """A phase of this game."""

    #: Why the choices of a block aren't possible; `refusal_text` for all others.
    refusal_texts: Mapping[str, str] = NO_ATTACK

    def is_main_button(self, table: Any, action: int) -> bool:
        """Return whether a button ends the phase."""
        return action == R.DONE

    def why_not(self, box: Box, s: R.State, block: str, number: int) -> str:
        """Say that a card isn't in hand, that a seat doesn't exist, or why this phase doesn't allow the choice."""
        if block == "card" and number not in in_order(s.hand[s.player]):
            return "That card is not in your hand."
        if block == "seat" and number >= s.seats:
            return f"This table has only {s.seats} seats."
        return self.why_not_here(box, s, block, number) or self.refusal_texts.get(block, self.refusal_text)

    def why_not_here(self, box: Box, s: R.State, block: str, number: int) -> str:
        """Say why not, where it depends on the state; return nothing where the texts say it."""
        return ""


class Aim(MovesPhase):
    """A phase in which a seat becomes the Defender."""

    def why_not_here(self, box: Box, s: R.State, block: str, number: int) -> str:
        """Say that the seat is the player's own, out, or the Attacker's."""
        if block != "seat":
            return ""
        if number == s.player:
            return "You can't target yourself."
        return f"Seat {number + 1} is out." if s.out[number] else "The attack can't go back to the Attacker."


class Target(Aim):
    """The player in control attacks, or passes (R2, R9)."""

    name = "target"
    waiting_text = "is choosing a target"
    forced_text = "Only one target:"
    refusal_text = "Choose a target first."
    refusal_texts = {**NO_ATTACK, "skip": "At this table you must attack if you are in control."}

    def question(self, table: Any) -> str:
        """Ask for a target, and say who has control after a pass."""
        kit, question = table.box.kit, "You are in control. Choose a target."
        if not kit.pass_attack:
            return question
        if kit.pass_attack == KEEP:
            return f"{question} If you pass, you stay in control."
        return f"{question} If you pass, control goes to {table.voice.whom(int(next_in(table.s, table.s.control)))}."

    def button(self, table: Any, block: str, number: int) -> str:
        """Return what becomes of control after a pass."""
        passing = "Don't attack" if table.box.kit.pass_attack == KEEP else "Pass control"
        return passing if block == "skip" else ""

    def tell(self, box: Box, before: R.State, action: int, after: R.State, voice: Voice) -> list[str]:
        """Say who is attacked, or who has control after a pass."""
        player = int(before.player)
        if action != R.SKIP:
            return [f"{voice.does(player, 'attack', 'attacks')} {voice.whom(action - R.SEAT)}."]
        passes = voice.does(player, "pass", "passes")
        if after.control == player:
            return [f"{passes} and {voice.verb(player, 'stay', 'stays')} in control."]
        return [f"{passes} control to {voice.whom(int(after.control))}."]


class Attack(MovesPhase):
    """The Attacker builds a move from cards (R1, R12 to R15)."""

    name = "attack"
    waiting_text = "is building an attack"
    refusal_text = "Play a coloured card first; you can't attack with Wilds alone."
    button_texts = {"done": "End your attack"}

    def question(self, table: Any) -> str:
        """Ask for a card, or for the end of the attack."""
        if table.choices == {R.DONE}:
            return "You can't add any more cards: end your attack."
        return "Add a card to your attack, or end it." if table.s.attack[0] else "Play the first card of your attack."

    def why_not_here(self, box: Box, s: R.State, block: str, number: int) -> str:
        """Say why a card doesn't fit the attack, or that an attack can't be taken back."""
        if block == "card":
            colour = card(box, number).colour
            if any(card(box, n).colour == colour for n in in_order(s.attack)):
                return f"Your attack already has a {colour} card; only cards of power 1 stack."
            return "Your attack already has three colours; you can only add Wilds."
        is_late = block == "skip" and s.attack[0]
        return "You can't pass after playing a card: end your attack with “done”." if is_late else ""

    def tell(self, box: Box, before: R.State, action: int, after: R.State, voice: Voice) -> list[str]:
        """Say which card is played, or how the whole move is called."""
        player, played = int(before.player), powers(box, before.attack)
        if action == R.DONE:
            attacks = f"{voice.does(player, 'attack', 'attacks')} {voice.whom(int(before.defender))}"
            return [f"{move_name(box, in_order(before.attack))}! {attacks} with {sum(played)}."]
        this = card(box, action - R.CARD)
        return [f"{voice.does(player, 'play', 'plays')} {this.name}: {as_sum([*played, this.power])}."]


def attacked(s: R.State) -> list[str]:
    """Return the colours of the attack."""
    return [word for i, word in enumerate(COLOURS) if s.attack_colours >> i & 1]


def dodged(box: Box, before: R.State, after: R.State, voice: Voice) -> list[str]:
    """Return the sentence for a Dodge once its four cards are played."""
    if after.phase != R.DODGE_TO:
        return []
    return [f"{voice.does(int(before.player), 'dodge', 'dodges')} with {last_four(box, after)}."]


class Respond(MovesPhase):
    """The Defender plays cards against the attack, or answers with four of a colour (R16 to R19)."""

    name = "respond"
    waiting_text = "is choosing a defence"
    refusal_texts = {**NOT_NOW, "skip": "You can't pass: end your defence with “done”, with or without cards."}
    button_texts = {"done": "Don't defend", "counter": "Counter", "dodge": "Dodge"}

    def question(self, table: Any) -> str:
        """Say both totals, and whether the cards in hand can block the attack at all."""
        box, s = table.box, table.s
        attack, own, best = sum(powers(box, s.attack)), sum(powers(box, s.defence)), best_defence(box, s)
        attacks = f"{table.voice.name(int(s.attacker))} attacks with {attack}"
        if not s.defence[0]:
            if not best:
                return f"{attacks}. None of your cards can defend."
            without = " without help" if count_in(s) > 2 else ""
            warning = "" if best >= attack else f" Your best is {best}: not enough to block{without}."
            colours = listed([*attacked(s), COLOURS[WILD]])
            return f"{attacks}. Defend with {colours} cards, or don't defend.{warning}"
        missing = attack - own
        if missing > 0:
            added = f"can add only {best - own}" if best > own else "can't add any"
            limit = f", but your cards {added}" if best < attack else ""
            return f"{attacks}; you have {own} and need {missing} more to block{limit}."
        return f"{attacks}; you have {own}: {achieved(box, -missing)}."

    def button(self, table: Any, block: str, number: int) -> str:
        """Return what the end of the defence is called."""
        return "End your defence" if block == "done" and table.s.defence[0] else super().button(table, block, number)

    def why_not_here(self, box: Box, s: R.State, block: str, number: int) -> str:
        """Say why a card doesn't fit the defence, or four cards can't answer the attack."""
        if block == "card":
            return self.why_not_card(s, card(box, number).colour)
        if block not in ("counter", "dodge"):
            return ""
        if s.defence[0]:
            return f"You can {block} only before you play a card in defence."
        if block == "dodge" and count_in(s) == 2:
            return "There is no third player to dodge to."
        return f"You need four cards of one colour to {block}."

    def why_not_card(self, s: R.State, colour: str) -> str:
        """Say why a card of this colour doesn't fit the defence."""
        if colour == COLOURS[WILD]:
            return "At this table you can defend with only one Wild."
        colours = attacked(s)
        if colour not in colours:
            return f"The attack has no {colour} card; defend with {listed([*colours, 'Wild'], 'or')} cards."
        cards = "one card" if s.ceiling == 1 else f"{s.ceiling} cards"
        return f"You can defend with {cards} (a stack counts as one), plus Wilds."

    def tell(self, box: Box, before: R.State, action: int, after: R.State, voice: Voice) -> list[str]:
        """Say which card is played, that none is, or that the attack is dodged."""
        player, played = int(before.player), powers(box, before.defence)
        block, number = R.ACTIONS.name_of(action)
        if block == "card":
            this, attack = card(box, number), sum(powers(box, before.attack))
            total = as_sum([*played, this.power])
            return [f"{voice.does(player, 'defend', 'defends')} with {this.name}: {total} against {attack}."]
        if block == "done" and not played:
            return [voice.does(player, "don't defend", "doesn't defend") + "."]
        return dodged(box, before, after, voice)


class Four(MovesPhase):
    """The Defender picks the four cards of a Counter or Dodge, unseen until all are picked (R17)."""

    name = "four"
    waiting_text = "is picking four cards of one colour"
    refusal_text = "Pick the four cards first."
    refusal_texts = {**NOT_NOW, "card": "The four cards must share one colour."}

    def question(self, table: Any) -> str:
        """Say what the four cards are for, and how many are picked."""
        how = "dodge" if table.s.dodging else "counter"
        return f"Pick four cards of one colour to {how} with: {table.s.picked[0]} of 4 picked."

    def tell(self, box: Box, before: R.State, action: int, after: R.State, voice: Voice) -> list[str]:
        """Say nothing of a card that is picked, but which four dodge."""
        return dodged(box, before, after, voice)


class DodgeTo(Aim):
    """The Defender who dodges makes another seat the Defender (R19)."""

    name = "dodge_to"
    waiting_text = "is choosing a new target"
    question_text = "You dodge! Choose who faces the attack instead."
    forced_text = "Only one possible target:"
    refusal_text = "You are dodging: choose the new target first."
    refusal_texts = NOT_NOW

    def tell(self, box: Box, before: R.State, action: int, after: R.State, voice: Voice) -> list[str]:
        """Say who faces the attack instead."""
        return [f"The attack goes to {voice.whom(action - R.SEAT)} instead."]


class AssistCard(MovesPhase):
    """A bystander helps one side with a card, or stays out (R21)."""

    name = "assist_card"
    waiting_text = "is deciding whether to help"
    refusal_text = "Play a card to help with, or stay out with “pass”."
    refusal_texts = {
        **NO_ATTACK,
        **dict.fromkeys(
            ("attacker", "defender"), "First play a card to help with, then choose a side; or stay out with “pass”."
        ),
    }
    button_texts = {"skip": "Stay out"}

    def question(self, table: Any) -> str:
        """Say both totals, and whether any card in hand can change the result."""
        box, s = table.box, table.s
        attack, defence = totals(box, s)
        useless = "" if can_decide(box, s) else " None of your cards would change the result."
        return f"Attack {attack}, defence {defence}: play a card to help one side, or stay out.{useless}"


class AssistSide(MovesPhase):
    """A bystander gives the card that was played to one side (R22)."""

    name = "assist_side"
    waiting_text = "is choosing which side to help"
    question_text = "Choose which side your card helps."
    forced_text = "The card fits only one side:"
    refusal_text = "Choose a side to help first."
    refusal_texts = {
        **NO_ATTACK,
        "card": "Choose which side your card helps.",
        "attacker": "The attack already has this colour; at this table the card can help only the Defender.",
        "defender": "The attack doesn't have this colour; at this table the card can help only the Attacker.",
    }

    def button(self, table: Any, block: str, number: int) -> str:
        """Return whom the card helps, and the total that it makes."""
        s, box, attacks = table.s, table.box, block == "attacker"
        total = totals(box, s)[0 if attacks else 1]
        helped = table.voice.name(int(s.attacker if attacks else s.defender))
        return f"Help {helped}: {as_sum([total, *powers(box, s.helping)])}"

    def tell(self, box: Box, before: R.State, action: int, after: R.State, voice: Voice) -> list[str]:
        """Say whom the card helps."""
        helped = voice.whom(int(before.attacker if action == R.ATTACKER else before.defender))
        this = card(box, in_order(before.helping)[0])
        return [f"{voice.does(int(before.player), 'help', 'helps')} {helped} with {this.name}: +{this.power}."]


class Discard(MovesPhase):
    """Each player discards any cards, starting with the Attacker (R28)."""

    name = "discard"
    waiting_text = "is discarding"
    question_text = "Discard any cards you don't want; you'll draw back up to five."
    refusal_texts = {**NO_ATTACK, "skip": "You can't pass: finish discarding with “done”."}
    button_texts = {"done": "Done discarding"}

    def tell(self, box: Box, before: R.State, action: int, after: R.State, voice: Voice) -> list[str]:
        """Say which card is discarded."""
        if action == R.DONE:
            return []
        return [AsideLine(voice.does(int(before.player), "discard", "discards"), card(box, action - R.CARD).name)]


PHASES = (Target(), Attack(), Respond(), Four(), DodgeTo(), AssistCard(), AssistSide(), Discard())

WORDS = {"skip": "pass", "attacker": "help attacker", "defender": "help defender"}


def words(box: Box, s: R.State, action: int) -> str:
    """Return the words of a choice: `target 2`, a card's name, `counter`, `dodge`, `help attacker`, `pass`, `done`."""
    block, number = R.ACTIONS.name_of(action)
    if block == "card":
        return card(box, number).name if number < len(box.content.cards) else ""
    if block == "seat":
        return f"target {number + 1}" if number < s.seats else ""
    return WORDS.get(block, block)


def aliases(box: Box, s: R.State, action: int) -> tuple[str, ...]:
    """Return other words for a choice: `Red2` for a card, `target S2` or `to 2` for a seat, `attacker` for a side."""
    block, number = R.ACTIONS.name_of(action)
    if block == "card":
        return (card(box, number).kind,) if number < len(box.content.cards) else ()
    if block == "seat":
        return (f"target S{number + 1}", f"to {number + 1}", f"S{number + 1}") if number < s.seats else ()
    return (block,) if block in ("attacker", "defender") else ()
