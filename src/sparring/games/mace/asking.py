"""MACE: what a seat is asked, with what it can work out itself of what it would lose."""

from sparring.engine.cards import in_order
from sparring.scene import Button, Layout
from sparring.scene.sentences import listed

from . import state as S
from .kit import CARDS, JOKER
from .moves import nearest, reachable, still_in
from .telling import value


class Asked(Layout):
    """The part of a table that is the question."""

    def question(self) -> str:
        """What this seat is asked."""
        s = self.s
        match int(s.phase):
            case S.MOMENTUM:
                return "Pick your Momentum: the highest card goes first, and Boosts count from it."
            case S.TURN:
                return self.turn_question()
            case S.BLAST_CARD:
                return f"Your Blast reaches {s.range}. Which Club gives its Damage?"
            case S.TARGET:
                harmless = "" if s.attack else " It hurts nobody."
                return f"Whom do you {'blast' if s.blasting else 'strike'} with {s.attack}?{harmless}"
            case S.DEFENCE:
                return self.defence_question()
            case S.DODGE_MOVE:
                return f"Dodged! {self.way_out()}"
            case S.PAY:
                return self.pay_question()
            case S.DROP_CHARGE:
                return "You were hit: give up one of your Charges."
            case S.MOVE:
                return self.way_out()
        return f"Round {s.rounds} is over, {still_in(s)} Fighters are in. Do you stay?"

    # The Turn

    def turn_question(self) -> str:
        """What may still be done in this Turn, and what no card of the hand can do."""
        s = self.s
        if self.choices == {S.END}:
            return "Nothing is left but to end your Turn."
        if s.acted:
            return f"You may still Boost{self.if_hemmed_in()}."
        if not any(S.STRIKE <= action < S.BOOST for action in self.choices):
            suit = "Spade beside an opponent" if nearest(s, self.seat) == 1 else "Club apart from all opponents"
            return f"An Action takes a {suit}, and you hold none: you may Boost{self.if_hemmed_in()}."
        if s.boosted:
            return "You may still do an Action."
        return f"Your Turn: one Action and one Boost{self.if_hemmed_in()}, in either order."

    def if_hemmed_in(self) -> str:
        """That a Boost moves the Fighter nowhere, if there is no hex to go to."""
        free = reachable(self.box.kit, self.s, self.seat, 1, False)
        return "" if free.any() else " (you are hemmed in: it moves you nowhere)"

    def way_out(self) -> str:
        """How far the Fighter may go."""
        if self.choices == {S.STAY}:
            return "You are hemmed in: there is no hex to move to."
        return f"Move up to {self.s.steps}, or stay."

    # The attack

    def defence_question(self) -> str:
        """What can be done against an attack, and what will not hold."""
        s = self.s
        attack = int(s.attack)
        blocks, dodges = (self.worth_of(block) for block in (S.BLOCK, S.DODGE))
        ways = []
        if blocks:
            ways.append("block" if max(blocks) >= attack else f"block (leaves {attack - max(blocks)} at best)")
        if dodges:
            ways.append("dodge" if max(dodges) >= attack else "dodge (no card of yours reaches it)")
        ways.append(f"take it{' (it costs every card: you are out)' if self.is_ruinous(attack) else ''}")
        kind = "blasts" if s.blasting else "strikes"
        nothing = "" if len(ways) > 1 else "you hold nothing to block or dodge with, so "
        return f"{self.voice.name(int(s.active))} {kind} you with {attack}: {nothing}{listed(ways, 'or')}."

    def worth_of(self, block: int) -> list[int]:
        """The CVs of the cards that can be played with a word."""
        played = (action - block for action in self.choices if block <= action < block + CARDS)
        return [value(self.box, self.s, card) for card in played]

    def pay_question(self) -> str:
        """What is to be paid, and whether a card will be left."""
        s = self.s
        left = int(s.damage - s.paid)
        paid = f"{s.paid} paid, " if s.paid else ""
        end = "It takes every card: you are out." if self.is_ruinous(left) else "With no card left you are out."
        return f"Pay {s.damage} Damage with cards: {paid}{left} to go. {end}"

    def is_ruinous(self, damage: int) -> bool:
        """Whether to pay so much takes every card of the hand; not said of Jokers, whose value may change."""
        held = in_order(self.s.hand[self.seat])
        worth = [value(self.box, self.s, card) for card in held]
        return all(card < JOKER for card in held) and sum(worth) - min(worth) < damage

    def buttons(self) -> tuple[Button, ...]:
        """The choices that are neither a card, a hex nor a Fighter."""
        return tuple(
            Button(text=self.text(action), action=action, words=self.chosen(action)["words"], main=action == S.STAY)
            for action in sorted(self.choices) if action >= S.STAY
        )  # fmt: skip

    def text(self, action: int) -> str:
        """What stands on a button."""
        if action == S.TAKE:
            return f"Take {self.s.damage}"
        if action == S.STAY:
            return "Fight on" if self.s.phase == S.FORFEIT else "Stay"
        return {S.END: "End your Turn", S.GIVE_UP: "Forfeit"}[action]
