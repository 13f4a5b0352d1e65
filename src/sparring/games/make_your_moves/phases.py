"""Make Your Moves: what the page asks, says and refuses in each phase, and the words of choices."""

from collections.abc import Mapping
from typing import Any

from sparring.engine.cards import in_order
from sparring.engine.game import GameSetup
from sparring.scene import Layout, Phase
from sparring.scene.sentences import Text, Voice, aside, mention

from . import state as R
from .components import achieved, as_sum, best_defence, can_decide, card, last_four, move_name, powers, totals
from .moves import count_in, next_in
from .params import COLOURS, KEEP, WILD

#: Why no seat can be targeted or helped, in a phase that isn't about it.
NOT_NOW_TEXTS = {
    "seat": "You can't choose a target now.", **dict.fromkeys(("attacker", "defender"), "You can't help anyone now."),
}  # fmt: skip
#: The same, for a player who isn't attacked.
NO_ATTACK_TEXTS = {
    **NOT_NOW_TEXTS, "counter": "There is no attack on you to counter.", "dodge": "There is no attack on you to dodge.",
}  # fmt: skip


class MovesPhase(Phase):
    """A phase of this game."""

    refusal_texts = NO_ATTACK_TEXTS

    def is_main_button(self, table: Layout[R.State], action: int) -> bool:
        """Return whether a button ends the phase."""
        return action == R.DONE

    def why_not(self, setup: GameSetup, s: R.State, block: str, number: int) -> Text:
        """Say that a card isn't in hand, that a seat doesn't exist, or why this phase doesn't allow the choice."""
        if block == "card" and number not in in_order(s.hand[s.player]):
            return Text("That card is not in your hand.")
        if block == "seat" and number >= s.seats:
            return Text("This table has only {seats} seats.", seats=s.seats)
        return self.why_not_here(setup, s, block, number) or super().why_not(setup, s, block, number)

    def why_not_here(self, setup: GameSetup, s: R.State, block: str, number: int) -> Text | None:
        """Say why not, where it depends on the state; return nothing where the texts say it."""
        return None


class Aim(MovesPhase):
    """A phase in which a seat becomes the Defender."""

    def why_not_here(self, setup: GameSetup, s: R.State, block: str, number: int) -> Text | None:
        """Say that the seat is the player's own, out, or the Attacker's."""
        if block != "seat":
            return None
        if number == s.player:
            return Text("You can't target yourself.")
        if s.out[number]:
            return Text("{who} is out.", who=mention(number))
        return Text("The attack can't go back to the Attacker.")


class Target(Aim):
    """The player in control attacks, or passes (R2, R9)."""

    name = "target"
    waiting_text = "{who} is choosing a target."
    forced_text = "Only one target: {choice:inside}"
    refusal_text = "Choose a target first."
    refusal_texts = {**NO_ATTACK_TEXTS, "skip": "At this table you must attack if you are in control."}

    def question(self, table: Layout[R.State]) -> Text:
        """Ask for a target, and say who has control after a pass."""
        params = table.setup.params
        if not params.pass_attack:
            return Text("You are in control. Choose a target.")
        if params.pass_attack == KEEP:
            return Text("You are in control. Choose a target. If you pass, you stay in control.")
        heir = mention(next_in(table.s, table.s.control))
        return Text("You are in control. Choose a target. If you pass, control goes to {heir}.", heir=heir)

    def button(self, table: Layout[R.State], block: str, number: int) -> Text | str:
        """Return what becomes of control after a pass."""
        if block != "skip":
            return ""
        return Text("Don't attack") if table.setup.params.pass_attack == KEEP else Text("Pass control")

    def tell(self, setup: GameSetup, before: R.State, action: int, after: R.State, voice: Voice) -> list[Text]:
        """Say who is attacked, or who has control after a pass."""
        player = before.player
        if action != R.SKIP:
            forms = "You attack {whom}.", "{who} attacks you.", "{who} attacks {whom}."
            return [voice.text(*forms, who=player, whom=action - R.SEAT)]
        if after.control == player:
            return [voice.text("You pass and stay in control.", "{who} passes and stays in control.", who=player)]
        forms = "You pass control to {whom}.", "{who} passes control to you.", "{who} passes control to {whom}."
        return [voice.text(*forms, who=player, whom=after.control)]


class Attack(MovesPhase):
    """The Attacker builds a move from cards (R1, R12 to R15)."""

    name = "attack"
    waiting_text = "{who} is building an attack."
    refusal_text = "Play a coloured card first; you can't attack with Wilds alone."
    button_texts = {"done": "End your attack"}

    def question(self, table: Layout[R.State]) -> Text:
        """Ask for a card, or for the end of the attack."""
        if table.choices == {R.DONE}:
            return Text("You can't add any more cards: end your attack.")
        if table.s.attack[0]:
            return Text("Add a card to your attack, or end it.")
        return Text("Play the first card of your attack.")

    def why_not_here(self, setup: GameSetup, s: R.State, block: str, number: int) -> Text | None:
        """Say why a card doesn't fit the attack, or that an attack can't be taken back."""
        if block == "card":
            colour = card(setup, number).colour
            if any(card(setup, n).colour == colour for n in in_order(s.attack)):
                return Text("Your attack already has a {colour} card; only cards of power 1 stack.", colour=colour)
            return Text("Your attack already has three colours; you can only add Wilds.")
        is_late = block == "skip" and s.attack[0]
        return Text("You can't pass after playing a card: end your attack with “done”.") if is_late else None

    def tell(self, setup: GameSetup, before: R.State, action: int, after: R.State, voice: Voice) -> list[Text]:
        """Say which card is played, or how the whole move is called."""
        played = powers(setup, before.attack)
        if action == R.DONE:
            return [voice.text(
                "{move}! You attack {whom} with {total}.", "{move}! {who} attacks you with {total}.",
                "{move}! {who} attacks {whom} with {total}.", who=before.player, whom=before.defender,
                move=move_name(setup, in_order(before.attack)), total=sum(played),
            )]  # fmt: skip
        this = card(setup, action - R.CARD)
        total = as_sum([*played, this.power])
        forms = "You play {card}: {total}.", "{who} plays {card}: {total}."
        return [voice.text(*forms, who=before.player, card=this.name, total=total)]


def attacked(s: R.State) -> list[str]:
    """Return the colours of the attack."""
    return [word for i, word in enumerate(COLOURS) if s.attack_colours >> i & 1]


def dodged(setup: GameSetup, before: R.State, after: R.State, voice: Voice) -> list[Text]:
    """Return the sentence for a Dodge once its four cards are played."""
    if after.phase != R.DODGE_TO:
        return []
    forms = "You dodge with {cards}.", "{who} dodges with {cards}."
    return [voice.text(*forms, who=before.player, cards=last_four(setup, after))]


class Respond(MovesPhase):
    """The Defender plays cards against the attack, or answers with four of a colour (R16 to R19)."""

    name = "respond"
    waiting_text = "{who} is choosing a defence."
    refusal_texts = {**NOT_NOW_TEXTS, "skip": "You can't pass: end your defence with “done”, with or without cards."}
    button_texts = {"done": "Don't defend", "counter": "Counter", "dodge": "Dodge"}

    def question(self, table: Layout[R.State]) -> Text:
        """Say both totals, and whether the cards in hand can block the attack at all."""
        setup, s = table.setup, table.s
        attack, own, best = sum(powers(setup, s.attack)), sum(powers(setup, s.defence)), best_defence(setup, s)
        values = {"who": mention(s.attacker), "attack": attack, "own": own, "missing": attack - own}
        if own >= attack:
            values["achieved"] = achieved(setup, own - attack)
            return Text("{who} attacks with {attack}; you have {own}: {achieved}.", **values)
        if not s.defence[0]:
            return self.first_question(s, best, values)
        if best >= attack:
            return Text("{who} attacks with {attack}; you have {own} and need {missing} more to block.", **values)
        if best > own:
            return Text(
                "{who} attacks with {attack}; you have {own} and need {missing} more to block, but your cards can add "
                "only {added}.", added=best - own, **values,
            )  # fmt: skip
        return Text(
            "{who} attacks with {attack}; you have {own} and need {missing} more to block, but your cards can't add "
            "any.", **values,
        )  # fmt: skip

    def first_question(self, s: R.State, best: int, values: Mapping[str, Any]) -> Text:
        """Ask for the first card; `best` is the highest total that can be reached."""
        if not best:
            return Text("{who} attacks with {attack}. None of your cards can defend.", **values)
        colours = [*attacked(s), COLOURS[WILD]]
        question = Text(
            "{who} attacks with {attack}. Defend with {colours} cards, or don't defend.", colours=colours, **values
        )
        if best >= values["attack"]:
            return question
        warning = Text("Your best is {best}: not enough to block.", best=best)
        if count_in(s) > 2:
            warning = Text("Your best is {best}: not enough to block without help.", best=best)
        return Text("{question} {warning}", question=question, warning=warning)

    def button(self, table: Layout[R.State], block: str, number: int) -> Text | str:
        """Return what the end of the defence is called."""
        ends = block == "done" and table.s.defence[0]
        return Text("End your defence") if ends else super().button(table, block, number)

    def why_not_here(self, setup: GameSetup, s: R.State, block: str, number: int) -> Text | None:
        """Say why a card doesn't fit the defence, or four cards can't answer the attack."""
        if block == "card":
            return self.why_not_card(s, card(setup, number).colour)
        if block == "counter":
            if s.defence[0]:
                return Text("You can counter only before you play a card in defence.")
            return Text("You need four cards of one colour to counter.")
        if block == "dodge":
            if s.defence[0]:
                return Text("You can dodge only before you play a card in defence.")
            if count_in(s) == 2:
                return Text("There is no third player to dodge to.")
            return Text("You need four cards of one colour to dodge.")
        return None

    def why_not_card(self, s: R.State, colour: str) -> Text:
        """Say why a card of this colour doesn't fit the defence."""
        if colour == COLOURS[WILD]:
            return Text("At this table you can defend with only one Wild.")
        colours = attacked(s)
        if colour not in colours:
            values = {"colour": colour, "colours": [*colours, COLOURS[WILD]]}
            return Text("The attack has no {colour} card; defend with {colours:or} cards.", **values)
        return Text(
            "You can defend with one card (a stack counts as one), plus Wilds.",
            "You can defend with {n} cards (a stack counts as one), plus Wilds.", n=s.ceiling,
        )  # fmt: skip

    def tell(self, setup: GameSetup, before: R.State, action: int, after: R.State, voice: Voice) -> list[Text]:
        """Say which card is played, that none is, or that the attack is dodged."""
        player, played = before.player, powers(setup, before.defence)
        block, number = R.ACTIONS.name_of(action)
        if block == "card":
            this, attack = card(setup, number), sum(powers(setup, before.attack))
            return [voice.text(
                "You defend with {card}: {total} against {attack}.",
                "{who} defends with {card}: {total} against {attack}.",
                who=player, card=this.name, total=as_sum([*played, this.power]), attack=attack,
            )]  # fmt: skip
        if block == "done" and not played:
            return [voice.text("You don't defend.", "{who} doesn't defend.", who=player)]
        return dodged(setup, before, after, voice)


class Four(MovesPhase):
    """The Defender picks the four cards of a Counter or Dodge, unseen until all are picked (R17)."""

    name = "four"
    waiting_text = "{who} is picking four cards of one colour."
    refusal_text = "Pick the four cards first."
    refusal_texts = {**NOT_NOW_TEXTS, "card": "The four cards must share one colour."}

    def question(self, table: Layout[R.State]) -> Text:
        """Say what the four cards are for, and how many are picked."""
        picked = table.s.picked[0]
        if table.s.dodging:
            return Text("Pick four cards of one colour to dodge with: {picked} of 4 picked.", picked=picked)
        return Text("Pick four cards of one colour to counter with: {picked} of 4 picked.", picked=picked)

    def tell(self, setup: GameSetup, before: R.State, action: int, after: R.State, voice: Voice) -> list[Text]:
        """Say nothing of a card that is picked, but which four dodge."""
        return dodged(setup, before, after, voice)


class DodgeTo(Aim):
    """The Defender who dodges makes another seat the Defender (R19)."""

    name = "dodge_to"
    waiting_text = "{who} is choosing a new target."
    question_text = "You dodge! Choose who faces the attack instead."
    forced_text = "Only one possible target: {choice:inside}"
    refusal_text = "You are dodging: choose the new target first."
    refusal_texts = NOT_NOW_TEXTS

    def tell(self, setup: GameSetup, before: R.State, action: int, after: R.State, voice: Voice) -> list[Text]:
        """Say who faces the attack instead."""
        forms = "The attack goes to you instead.", "The attack goes to {who} instead."
        return [voice.text(*forms, who=action - R.SEAT)]


class AssistCard(MovesPhase):
    """A bystander helps one side with a card, or stays out (R21)."""

    name = "assist_card"
    waiting_text = "{who} is deciding whether to help."
    refusal_text = "Play a card to help with, or stay out with “pass”."
    refusal_texts = {
        **NO_ATTACK_TEXTS,
        **dict.fromkeys(
            ("attacker", "defender"), "First play a card to help with, then choose a side; or stay out with “pass”."
        ),
    }
    button_texts = {"skip": "Stay out"}

    def question(self, table: Layout[R.State]) -> Text:
        """Say both totals, and whether any card in hand can change the result."""
        attack, defence = totals(table.setup, table.s)
        question = Text(
            "Attack {attack}, defence {defence}: play a card to help one side, or stay out.", attack=attack,
            defence=defence,
        )  # fmt: skip
        if can_decide(table.setup, table.s):
            return question
        return Text("{question} None of your cards would change the result.", question=question)


class AssistSide(MovesPhase):
    """A bystander gives the card that was played to one side (R22)."""

    name = "assist_side"
    waiting_text = "{who} is choosing which side to help."
    question_text = "Choose which side your card helps."
    forced_text = "The card fits only one side: {choice:inside}"
    refusal_text = "Choose a side to help first."
    refusal_texts = {
        **NO_ATTACK_TEXTS,
        "card": "Choose which side your card helps.",
        "attacker": "The attack already has this colour; at this table the card can help only the Defender.",
        "defender": "The attack doesn't have this colour; at this table the card can help only the Attacker.",
    }

    def button(self, table: Layout[R.State], block: str, number: int) -> Text:
        """Return whom the card helps, and the total that it makes."""
        s, setup, attacks = table.s, table.setup, block == "attacker"
        total = totals(setup, s)[0 if attacks else 1]
        helped = mention(s.attacker if attacks else s.defender)
        return Text("Help {whom}: {total}", whom=helped, total=as_sum([total, *powers(setup, s.helping)]))

    def tell(self, setup: GameSetup, before: R.State, action: int, after: R.State, voice: Voice) -> list[Text]:
        """Say whom the card helps."""
        helped = before.attacker if action == R.ATTACKER else before.defender
        this = card(setup, in_order(before.helping)[0])
        return [voice.text(
            "You help {whom} with {card}: +{power}.", "{who} helps you with {card}: +{power}.",
            "{who} helps {whom} with {card}: +{power}.",
            who=before.player, whom=helped, card=this.name, power=this.power,
        )]  # fmt: skip


class Discard(MovesPhase):
    """Each player discards any cards, starting with the Attacker (R28)."""

    name = "discard"
    waiting_text = "{who} is discarding."
    question_text = "Discard any cards you don't want; you'll draw back up to five."
    refusal_texts = {**NO_ATTACK_TEXTS, "skip": "You can't pass: finish discarding with “done”."}
    button_texts = {"done": "Done discarding"}

    def tell(self, setup: GameSetup, before: R.State, action: int, after: R.State, voice: Voice) -> list[Text]:
        """Say which card is discarded."""
        if action == R.DONE:
            return []
        forms = "You discard {items}.", "{who} discards {items}."
        return [aside(voice.text(*forms, who=before.player, items=[card(setup, action - R.CARD).name]))]


PHASES = (Target(), Attack(), Respond(), Four(), DodgeTo(), AssistCard(), AssistSide(), Discard())

WORDS = {"skip": "pass", "attacker": "help attacker", "defender": "help defender"}


def words(setup: GameSetup, s: R.State, action: int) -> str:
    """Return the words of a choice: `target 2`, a card's name, `counter`, `dodge`, `help attacker`, `pass`, `done`."""
    block, number = R.ACTIONS.name_of(action)
    if block == "card":
        return card(setup, number).name if number < len(setup.content.cards) else ""
    if block == "seat":
        return f"target {number + 1}" if number < s.seats else ""
    return WORDS.get(block, block)


def aliases(setup: GameSetup, s: R.State, action: int) -> tuple[str, ...]:
    """Return other words for a choice: `Red2` for a card, `target S2` or `to 2` for a seat, `attacker` for a side."""
    block, number = R.ACTIONS.name_of(action)
    if block == "card":
        return (card(setup, number).kind,) if number < len(setup.content.cards) else ()
    if block == "seat":
        return (f"target S{number + 1}", f"to {number + 1}", f"S{number + 1}") if number < s.seats else ()
    return (block,) if block in ("attacker", "defender") else ()
