"""MACE: prompts and buttons for the seat that chooses, with what it can work out from its own cards."""

from sparring.engine.cards import in_order
from sparring.scene import Button, Layout
from sparring.scene.sentences import listed

from . import state as S
from .kit import CARDS, JOKER
from .moves import count_in, distance_to_nearest, reachable
from .log_sentences import hexes_counted, value


class MacePrompt(Layout[S.State]):
    """The prompt of a table: the question and its buttons."""

    def question(self) -> str:
        """Return the question to this seat."""
        s = self.s
        match int(s.phase):
            case S.MOMENTUM:
                return "Pick your Momentum card: the highest goes first, and Boosts are measured from it."
            case S.TURN:
                return self.turn_question()
            case S.BLAST_CARD:
                return f"Your Blast has range {s.range}. Which Club do you play for its attack?"
            case S.TARGET:
                harmless = "" if s.attack else " It does no Damage."
                return f"Choose a target for your {'Blast' if s.blasting else 'Strike'} ({s.attack}).{harmless}"
            case S.DEFENCE:
                return self.defence_question()
            case S.DODGE_MOVE:
                return f"Dodged! {self.move_question()}"
            case S.PAY:
                return self.pay_question()
            case S.DROP_CHARGE:
                return "Any Damage breaks a Charge: choose one to lose."
            case S.MOVE:
                return self.move_question()
        return f"Round {s.rounds} is over. {count_in(s)} Fighters are still standing. Fight on?"

    # The Turn

    def turn_question(self) -> str:
        """Return what is left to do this Turn, and which Action the hand has no card for."""
        s = self.s
        if self.choices == {S.END}:
            return "You can only end your Turn."
        if s.acted:
            return f"You may still Boost{self.if_hemmed_in()}."
        if not any(S.STRIKE <= action < S.BOOST for action in self.choices):
            adjacent = distance_to_nearest(s, self.seat) == 1
            place, suit = ("Next to an opponent", "Spade") if adjacent else ("With no opponent next to you", "Club")
            return f"{place}, your Action needs a {suit}, and you have none. You may Boost{self.if_hemmed_in()}."
        if s.boosted:
            return "You may still take an Action."
        return f"Your Turn: one Action and one Boost{self.if_hemmed_in()}, in either order."

    def if_hemmed_in(self) -> str:
        """Return a note that a Boost can't move the Fighter, if no hex is free."""
        free = reachable(self.box.kit, self.s, self.seat, 1, False)
        return "" if free.any() else " (you're hemmed in: it won't move you)"

    def move_question(self) -> str:
        """Return how far the Fighter may move."""
        if self.choices == {S.STAY}:
            return "You're hemmed in and can't move."
        return f"Move up to {hexes_counted(int(self.s.steps))}, or stay."

    # The attack

    def defence_question(self) -> str:
        """Return the ways to defend, and which of them won't stop the attack."""
        s = self.s
        attack = int(s.attack)
        blocks, dodges = (self.values_for(block) for block in (S.BLOCK, S.DODGE))
        ways = []
        if blocks:
            ways.append("block" if max(blocks) >= attack else f"block (at least {attack - max(blocks)} gets through)")
        if dodges:
            ways.append("dodge" if max(dodges) >= attack else f"dodge (your best, {max(dodges)}, is too low)")
        ways.append(f"take it{' (it costs all your cards: you are out)' if self.takes_all_cards(attack) else ''}")
        kind = "blasts" if s.blasting else "strikes"
        nothing = "" if len(ways) > 1 else "you have nothing to block or dodge with, so "
        return f"{self.voice.name(int(s.active))} {kind} you with {attack}: {nothing}{listed(ways, 'or')}."

    def values_for(self, block: int) -> list[int]:
        """Return the CVs of the cards that can be played in a block of choices."""
        cards = (action - block for action in self.choices if block <= action < block + CARDS)
        return [value(self.box, self.s, card) for card in cards]

    def pay_question(self) -> str:
        """Return the Damage to pay, and whether paying takes the whole hand."""
        s = self.s
        left = int(s.damage - s.paid)
        paid = f"{s.paid} paid, " if s.paid else ""
        ruin = self.takes_all_cards(left)
        warning = "That will take all your cards: you will be out." if ruin else "If you run out of cards, you are out."
        return f"Pay {s.damage} Damage with cards: {paid}{left} to go. {warning}"

    def takes_all_cards(self, damage: int) -> bool:
        """Return whether paying is certain to take the whole hand; False if it has a Joker, whose CV may change."""
        held = in_order(self.s.hand[self.seat])
        values = [value(self.box, self.s, card) for card in held]
        return all(card < JOKER for card in held) and sum(values) - min(values) < damage

    def buttons(self) -> tuple[Button, ...]:
        """Return the choices that are not a card, a hex or a Fighter."""
        return tuple(
            Button(
                text=self.text(action),
                action=action,
                words=self.choice_fields(action)["words"],
                main=self.choices == {action},
            )
            for action in sorted(self.choices)
            if action >= S.STAY
        )

    def text(self, action: int) -> str:
        """Return the label of a button."""
        if action == S.TAKE:
            return f"Take {self.s.damage}"
        if action == S.STAY:
            return "Fight on" if self.s.phase == S.FORFEIT else "Stay"
        return {S.END: "End your Turn", S.GIVE_UP: "Forfeit"}[action]
