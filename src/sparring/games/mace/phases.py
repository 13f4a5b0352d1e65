"""MACE: what the page asks, says and refuses in each phase."""

from typing import Any

from sparring.engine import hexes
from sparring.engine.cards import in_order
from sparring.engine.game import HIDDEN_ACTION, Box
from sparring.scene import Phase
from sparring.scene.sentences import Voice, listed

from . import state as S
from .components import charge_from_row, hexes_counted, named, value, way, with_value
from .kit import CARDS, CLUBS, JOKER, SPADES
from .moves import count_in, distance_to_nearest, has_suit, reachable, takes_all_cards


class _CombatPhase(Phase):
    """A phase in which choices of other phases wait, and cards have to be in hand."""

    #: The blocks of this phase's choices, besides those that are always possible.
    blocks: tuple[str, ...]
    #: The starts of the blocks that use a card in hand.
    hand_blocks: tuple[int, ...] = ()
    #: What keeps a card in hand, or a Charge, from being used.
    obstacle_text: str = ""

    def why_not(self, box: Box, s: S.State, block: str, number: int) -> str:
        """Say what comes first or that a card isn't in hand; else what keeps this phase's choice from being made."""
        if block == "forfeit":
            return "You can forfeit only at the end of a Round, and only if the options allow it."
        if block not in self.blocks:
            return self.refusal_text
        if block not in ("blast", "drop", "target", "to") and number not in in_order(s.hand[s.player]):
            return "That card is not in your hand."
        return self.obstacle(box, s, block, number)

    def obstacle(self, box: Box, s: S.State, block: str, number: int) -> str:
        """Return what keeps a choice of this phase from being made."""
        return self.obstacle_text


class Momentum(_CombatPhase):
    """Every seat picks its first Momentum card, face down (R5)."""

    name = "momentum"
    waiting_text = "{who} is picking a Momentum card."
    question_text = "Pick your Momentum card: the highest goes first, and Boosts are measured from it."
    refusal_text = "Pick your Momentum card first."
    obstacle_text = "A Joker can't be Momentum."
    blocks, hand_blocks = ("momentum",), (S.COMMIT,)

    def tell(self, box: Box, before: S.State, action: int, after: S.State, voice: Voice) -> list[str]:
        """Say who has picked a card, and which one to its player."""
        if action == HIDDEN_ACTION:
            return [f"{voice.name(int(before.player))} has picked a Momentum card."]
        return [f"You play {named(box, action - S.COMMIT)} face down as your Momentum: the highest goes first."]


class Turn(_CombatPhase):
    """The player takes an Action and a Boost, in any order, or ends the Turn (R14)."""

    name = "turn"
    waiting_text = "{who} is taking a Turn."
    refusal_text = "It's your Turn: play a card (for example boost 7D) or end your Turn."
    button_texts = {"end": "End your Turn"}
    obstacle_text = "You have no such Charge."
    blocks, hand_blocks = ("strike", "charge", "blast", "boost"), (S.STRIKE, S.CHARGE, S.BOOST)

    def question(self, table: Any) -> str:
        """Return what is left to do this Turn, and which Action the hand has no card for."""
        s = table.s
        if table.choices == {S.END}:
            return "You can only end your Turn."
        free = reachable(table.box.kit, s, table.seat, 1, False).any()
        boost = "Boost" if free else "Boost (you're hemmed in: it won't move you)"
        if s.acted:
            return f"You may still {boost}."
        if not any(S.STRIKE <= action < S.BOOST for action in table.choices):
            adjacent = distance_to_nearest(s, table.seat) == 1
            place, suit = ("Next to an opponent", "Spade") if adjacent else ("With no opponent next to you", "Club")
            return f"{place}, your Action needs a {suit}, and you have none. You may {boost}."
        if s.boosted:
            return "You may still take an Action."
        return f"Your Turn: one Action and one {boost}, in either order."

    def obstacle(self, box: Box, s: S.State, block: str, number: int) -> str:
        """Say why a card can't be used for an Action or a Boost."""
        if block == "blast" and number not in in_order(s.charges[s.player]):
            return self.obstacle_text
        if block == "boost":
            return Momentum.obstacle_text if number >= JOKER else "You have already used your Boost this Turn."
        if s.acted:
            return "You have already used your Action this Turn."
        if block == "blast":
            away, reach = int(distance_to_nearest(s, int(s.player))), value(box, s, number)
            if away == 1:
                return "You can't Blast with an opponent next to you."
            if reach < away:
                return f"{named(box, number)} reaches {hexes_counted(reach)}; the nearest opponent is {away} away."
            return "A Blast also needs a Club or a Joker from your hand."
        suit, name = (SPADES, "Spade") if block == "strike" else (CLUBS, "Club")
        if not has_suit(number, suit):
            return f"You need a {name} or a Joker to {block}."
        return "No opponent is next to you." if block == "strike" else "You can't Charge with an opponent next to you."

    def tell(self, box: Box, before: S.State, action: int, after: S.State, voice: Voice) -> list[str]:
        """Say which Action or Boost the player takes, or that it passes."""
        player = int(before.player)
        if action == HIDDEN_ACTION:
            return [f"{voice.name(player)} plays a Charge face down."]
        block, number = S.ACTIONS.name_of(action)
        match block:
            case "strike":
                return [f"{voice.does(player, 'strike', 'strikes')} with {with_value(box, before, number)}."]
            case "charge":
                return [f"You play {named(box, number)} face down as a Charge."]
            case "blast":
                charge = charge_from_row(box, before, number, after)
                return [f"{voice.does(player, 'reveal', 'reveals')} {charge} for a Blast with range {after.range}."]
            case "boost":
                old, new = (value(box, before, int(card)) for card in (before.momentum[player], number))
                move = f" and may move up to {hexes_counted(abs(new - old))}" if new != old else ": no movement"
                return [f"{voice.does(player, 'boost', 'boosts')} from {old} to {new}{move}."]
        return [] if before.acted or before.boosted else [f"{voice.does(player, 'pass', 'passes')}."]


class BlastCard(_CombatPhase):
    """The attacker plays the Club of a Blast (R20)."""

    name = "blast_card"
    waiting_text = "{who} is picking a Club for the Blast."
    refusal_text = "Pick the Club for your Blast first."
    obstacle_text = "You need a Club or a Joker to blast."
    blocks, hand_blocks = ("club",), (S.CLUB,)

    def question(self, table: Any) -> str:
        """Ask for the Club."""
        return f"Your Blast has range {table.s.range}. Which Club do you play for its attack?"

    def tell(self, box: Box, before: S.State, action: int, after: S.State, voice: Voice) -> list[str]:
        """Say which card sets the attack."""
        return [f"{voice.does(int(before.player), 'blast', 'blasts')} with {with_value(box, before, action - S.CLUB)}."]


class Target(_CombatPhase):
    """The attacker chooses its target (R19, R21)."""

    name = "target"
    waiting_text = "{who} is choosing a target."
    forced_text = "Only one target: {choice:inside}"
    refusal_text = "Choose your target first."
    blocks = ("target",)

    def question(self, table: Any) -> str:
        """Ask for the target."""
        s = table.s
        harmless = "" if s.attack else " It does no Damage."
        return f"Choose a target for your {'Blast' if s.blasting else 'Strike'} ({s.attack}).{harmless}"

    def obstacle(self, box: Box, s: S.State, block: str, number: int) -> str:
        """Say why a seat can't be the target."""
        if number >= s.seats:
            return f"This table has only {s.seats} seats."
        if number == s.player:
            return "You can't attack yourself."
        if s.out[number]:
            return f"Seat {number + 1} is out."
        away = int(hexes.distance(s.at[s.player], s.at[number]))
        return f"Seat {number + 1} is {hexes_counted(away)} away; your attack reaches {s.range}."

    def tell(self, box: Box, before: S.State, action: int, after: S.State, voice: Voice) -> list[str]:
        """Say whom the attack targets."""
        whose = "Your" if voice.seat == before.player else "The"
        attack = f"{whose} {'Blast' if before.blasting else 'Strike'} ({before.attack})"
        return [f"{attack} targets {voice.whom(action - S.AIM)}{'' if before.attack else ' and does no Damage'}."]


class Defence(_CombatPhase):
    """The target blocks, dodges, or takes the attack (R24, R25)."""

    name = "defence"
    waiting_text = "{who} is choosing a defence."
    refusal_text = "You are under attack: block, dodge or take it first."
    blocks, hand_blocks = ("block", "dodge"), (S.BLOCK, S.DODGE)

    def question(self, table: Any) -> str:
        """Return the ways to defend, and which of them won't stop the attack."""
        s = table.s
        attack = int(s.attack)
        blocks, dodges = (
            [value(table.box, s, action - start) for action in table.choices if start <= action < start + CARDS]
            for start in self.hand_blocks
        )
        ways = []
        if blocks:
            ways.append("block" if max(blocks) >= attack else f"block (at least {attack - max(blocks)} gets through)")
        if dodges:
            ways.append("dodge" if max(dodges) >= attack else f"dodge (your best, {max(dodges)}, is too low)")
        ruin = takes_all_cards(table.box.kit, s, table.seat, attack)
        ways.append(f"take it{' (it costs all your cards: you are out)' if ruin else ''}")
        kind = "blasts" if s.blasting else "strikes"
        nothing = "" if len(ways) > 1 else "you have nothing to block or dodge with, so "
        return f"{table.voice.name(int(s.active))} {kind} you with {attack}: {nothing}{listed(ways, 'or')}."

    def obstacle(self, box: Box, s: S.State, block: str, number: int) -> str:
        """Say which suit it takes."""
        return f"You need a {'Diamond' if block == 'block' else 'Heart'} or a Joker to {block}."

    def button(self, table: Any, block: str, number: int) -> str:
        """Return `Take 8`."""
        return f"Take {table.s.damage}" if block == "take" else ""

    def tell(self, box: Box, before: S.State, action: int, after: S.State, voice: Voice) -> list[str]:
        """Say which card the target defends with."""
        if action == S.TAKE:
            return []
        block, number = S.ACTIONS.name_of(action)
        tries = ("block", "blocks") if block == "block" else ("try to dodge", "tries to dodge")
        return [f"{voice.does(int(before.player), *tries)} with {with_value(box, before, number)}."]


class Move(_CombatPhase):
    """The Fighter moves after a Boost (R15)."""

    name = "move"
    waiting_text = "{who} is moving."
    forced_text = "You have nowhere to move."
    refusal_text = "Finish your move first, or stay."
    button_texts = {"stay": "Stay"}
    blocks = ("to",)

    def question(self, table: Any) -> str:
        """Return how far the Fighter may move."""
        if table.choices == {S.STAY}:
            return "You're hemmed in and can't move."
        return f"Move up to {hexes_counted(int(table.s.steps))}, or stay."

    def obstacle(self, box: Box, s: S.State, block: str, number: int) -> str:
        """Say why the Fighter can't move to a hex."""
        if hexes.size(hexes.Q[number], hexes.R[number]) > box.kit.radius:
            return "That hex is beyond the edge of the board."
        for seat in range(int(s.seats)):
            if s.at[seat] == number and not s.out[seat]:
                return "You are already there: choose “stay”." if seat == s.player else f"Seat {seat + 1} is there."
        away = int(hexes.distance(s.at[s.player], number))
        if away > s.steps:
            return f"That hex is {hexes_counted(away)} away; you can move {s.steps}."
        return "You can't get there: Fighters and their Reach are in the way."

    def tell(self, box: Box, before: S.State, action: int, after: S.State, voice: Voice) -> list[str]:
        """Say where the Fighter moves."""
        if action == S.STAY:
            return []
        player = int(before.player)
        return [f"{voice.does(player, 'move', 'moves')} {way(int(before.at[player]), action - S.TO)}."]


class DodgeMove(Move):
    """The target moves after a Dodge (R25)."""

    name = "dodge_move"
    waiting_text = "{who} is moving after a Dodge."
    refusal_text = "Finish your Dodge first: move or stay."

    def question(self, table: Any) -> str:
        """Return how far the Fighter may move."""
        return f"Dodged! {super().question(table)}"


class Pay(_CombatPhase):
    """The target pays the Damage with cards (R27)."""

    name = "pay"
    waiting_text = "{who} is paying the Damage."
    forced_text = "You have only one card left."
    refusal_text = "Pay the Damage first."
    blocks, hand_blocks = ("pay",), (S.PAYING,)

    def question(self, table: Any) -> str:
        """Return the Damage to pay, and whether paying takes the whole hand."""
        s = table.s
        left = int(s.damage - s.paid)
        paid = f"{s.paid} paid, " if s.paid else ""
        ruin = takes_all_cards(table.box.kit, s, table.seat, left)
        warning = "That will take all your cards: you will be out." if ruin else "If you run out of cards, you are out."
        return f"Pay {s.damage} Damage with cards: {paid}{left} to go. {warning}"

    def tell(self, box: Box, before: S.State, action: int, after: S.State, voice: Voice) -> list[str]:
        """Say which card is paid, and how much of the Damage that is with the cards before."""
        card = action - S.PAYING
        paid = before.paid + value(box, before, card)
        share = f"{paid} {'of' if paid <= before.damage else 'for'} {before.damage} Damage"
        return [f"{voice.does(int(before.player), 'pay', 'pays')} {with_value(box, before, card)}: {share}."]


class DropCharge(_CombatPhase):
    """The target loses a Charge (R28)."""

    name = "drop_charge"
    waiting_text = "{who} is choosing a Charge to lose."
    question_text = "Any Damage breaks a Charge: choose one to lose."
    forced_text = "You have only one Charge to lose."
    refusal_text = "Choose the Charge to lose first."
    obstacle_text = Turn.obstacle_text
    blocks = ("drop",)

    def tell(self, box: Box, before: S.State, action: int, after: S.State, voice: Voice) -> list[str]:
        """Say which Charge is lost."""
        charge = charge_from_row(box, before, action - S.DROP, after)
        return [f"{voice.does(int(before.player), 'lose', 'loses')} {charge}: any Damage breaks one."]


class Forfeit(_CombatPhase):
    """A Fighter fights on or forfeits at the end of a Round (R41)."""

    name = "forfeit"
    waiting_text = "{who} is deciding whether to fight on."
    forced_text = "You fight on: you haven't chosen to forfeit."
    refusal_text = "Decide first whether to fight on or forfeit."
    button_texts = {"stay": "Fight on", "forfeit": "Forfeit"}
    blocks = ()

    def question(self, table: Any) -> str:
        """Ask whether the Fighter fights on."""
        return f"Round {table.s.rounds} is over. {count_in(table.s)} Fighters are still standing. Fight on?"


PHASES = (
    Momentum(), Turn(), BlastCard(), Target(), Defence(), DodgeMove(), Pay(), DropCharge(), Move(), Forfeit(),
)  # fmt: skip
