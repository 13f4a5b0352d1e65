"""MACE in sentences: what just happened, and why something cannot be chosen."""

from collections.abc import Callable
from typing import Any

from sparring.engine import hexes
from sparring.engine.cards import in_order
from sparring.engine.game import Box
from sparring.scene.sentences import Aside, Result, Voice, listed

from .kit import JOKER
from .moves import nearest, value_of
from .position import write_hex
from .state import (
    ACTIONS, BLAST_CARD, DEFENCE, DODGE_MOVE, DROP_CHARGE, FORFEIT, LAST_ONE_IN, MOMENTUM, MOST_CARDS, MOVE, PAY,
    REVEAL_ONLY, TARGET, TURN,
)  # fmt: skip


def value(box: Box, s: Any, card: int) -> int:
    """The CV of a card as it would be played now."""
    return int(value_of(box.kit, s, card))


def with_value(box: Box, s: Any, card: int) -> str:
    """A card, and its CV where its name does not tell it: `KS (13)`, `7D`."""
    name, worth = box.content.card(card), value(box, s, card)
    return name if name[:-1] == str(worth) else f"{name} ({worth})"


def knock_path(s: Any, radius: int) -> list[int]:
    """The hexes of the last Knock back, as long as the Fighter stands where it ended; else nothing."""
    path = [int(s.knock_start)]
    for _ in range(s.knock_length):
        if path[-1] == s.at[s.knocked]:
            break
        there = int(hexes.beyond(s.knock_source, s.knock_start, path[-1], radius))
        if there == hexes.NOWHERE:
            break
        path.append(there)
    return path if path[-1] == s.at[s.knocked] else []


# What just happened


def tell(box: Box, before: Any, action: int | None, after: Any, seat: int, beat: str = "") -> list[str]:
    """What happened, in sentences for `seat`: the choice, what is drawn, and what it led to."""
    voice = Voice(seat)
    lines = [] if action is None else _choice(box, before, action, after, voice)
    if seat >= 0:
        held = in_order(before.hand[seat])
        drawn = [card for card in in_order(after.hand[seat]) if card not in held]
        lines += [Aside("You draw", box.content.card(card)) for card in drawn]
    if beat in TOLD:
        lines.append(TOLD[beat](box, before, after, voice))
    if after.over:
        lines.append(Result(ending(after, seat)))
    return lines


def _choice(box: Box, before: Any, action: int, after: Any, voice: Voice) -> list[str]:
    """The choice in a sentence; none for what is better left unsaid."""
    who = int(before.player)
    if action < 0:
        if before.phase == MOMENTUM:
            return [f"{voice.name(who)} has picked a Momentum card."]
        return [f"{voice.name(who)} lays a Charge face down."]
    block, number = ACTIONS.name_of(action)
    card = box.content.card(number) if block not in ("target", "to") else ""
    worth = with_value(box, before, number) if card else ""
    match block:
        case "momentum":
            return [f"You lay {card} face down as your Momentum."]
        case "strike":
            return [f"{voice.does(who, 'strike', 'strikes')} with {worth}."]
        case "charge":
            return [f"You lay {card} face down as a Charge."]
        case "blast":
            does = f"{voice.does(who, 'turn', 'turns')} up {_charge(card, before, after, who)}"
            return [f"{does}: a Blast with range {after.range}."]
        case "club":
            return [f"{voice.does(who, 'blast', 'blasts')} with {worth}."]
        case "boost":
            old, new = (value(box, before, int(n)) for n in (before.momentum[who], number))
            return [f"{voice.does(who, 'boost', 'boosts')} from {old} to {new}: {_hexes(abs(new - old))} to move."]
        case "block" | "dodge":
            tries = ("block", "blocks") if block == "block" else ("try to dodge", "tries to dodge")
            return [f"{voice.does(who, *tries)} with {worth}."]
        case "pay":
            paid = before.paid + value(box, before, number)
            return [f"{voice.does(who, 'pay', 'pays')} {worth}: {paid} of {before.damage}."]
        case "drop":
            return [f"{voice.does(who, 'lose', 'loses')} {_charge(card, before, after, who)}."]
        case "target":
            said = f"The {'Blast' if before.blasting else 'Strike'} of {before.attack} goes at {voice.whom(number)}"
            return [f"{said}." if before.attack else f"{said}, and hurts nobody."]
        case "to":
            return [f"{voice.does(who, 'move', 'moves')} to {write_hex(number)}."]
        case _:
            return []


def _charge(card: str, before: Any, after: Any, who: int) -> str:
    """Which Charge of a row was turned up or lost: `the Charge 9C`, `the 2nd of 3 Charges, 9C`."""
    laid = in_order(before.laid[who])
    place = next(i for i, number in enumerate(laid, 1) if number not in in_order(after.laid[who]))
    return f"the Charge {card}" if len(laid) == 1 else f"the {_ordinal(place)} of {len(laid)} Charges, {card}"


def _ordinal(number: int) -> str:
    """`1st`, `2nd`, `3rd`, `4th`; as far as a Charge row goes."""
    return f"{number}{('st', 'nd', 'rd')[number - 1] if number <= 3 else 'th'}"


# What happens by itself, beat by beat


def _new_round(box: Box, before: Any, after: Any, voice: Voice) -> str:
    order = [f"{voice.whom(seat)} ({box.content.card(int(after.momentum[seat]))})" for seat in in_order(after.order)]
    return f"Round {after.rounds}: {listed(order, 'then')}."


def _round_over(box: Box, before: Any, after: Any, voice: Voice) -> str:
    if after.hurt:
        return f"Round {after.rounds} is over."
    quiet = f"{after.quiet + 1} of {box.options['stall_rounds']} quiet Rounds"
    return f"Round {after.rounds} is over without Damage: {quiet}."


def _compared(box: Box, before: Any, after: Any, voice: Voice) -> str:
    """The attack against the defence, in numbers."""
    who, dealt = int(after.target), f"{after.damage} Damage"
    block, _ = ACTIONS.name_of(int(after.defence_by))
    if block == "block":
        left = dealt if after.damage else "nothing"
        return Result(f"{after.attack} less {after.defence} leaves {left}.")
    if block == "dodge":
        dodged = "too low, " + dealt if after.damage else "dodged"
        return Result(f"{after.defence} against {after.attack}: {dodged}.")
    if after.down[who]:
        return Result(f"{voice.does(who, 'are', 'is')} Down and cannot defend: {dealt}.")
    return Result(f"{voice.does(who, 'take', 'takes')} {dealt}.")


def _paid(box: Box, before: Any, after: Any, voice: Voice) -> str:
    who = int(after.target)
    return f"The Damage is paid: {voice.then(who, 'have', 'has')} {_cards(int(after.hand[who, 0]))} left."


def _knocked_back(box: Box, before: Any, after: Any, voice: Voice) -> str:
    """How far the Knock back went."""
    who, length = int(after.knocked), int(after.knock_length)
    far = len(knock_path(after, int(box.kit.radius))) - 1
    short = f"{far} of " if far < length else ""
    return f"{voice.does(who, 'are', 'is')} knocked back {short}{_hexes(length)}."


def _went_down(box: Box, before: Any, after: Any, voice: Voice) -> str:
    who, length, held = int(after.target), int(after.knock_length), _cards(int(after.hand[after.target, 0]))
    return Result(f"{voice.does(who, 'go', 'goes')} down: {_hexes(length)} against {held}.")


def _knocked_out(box: Box, before: Any, after: Any, voice: Voice) -> str:
    who = next(seat for seat in range(int(after.seats)) if after.out[seat] and not before.out[seat])
    if before.phase == FORFEIT:
        return Result(f"{voice.does(who, 'give', 'gives')} up and {voice.verb(who, 'are', 'is')} out.")
    return Result(f"{voice.does(who, 'have', 'has')} no card left and {voice.verb(who, 'are', 'is')} Knocked Out.")


def _up_again(box: Box, before: Any, after: Any, voice: Voice) -> str:
    who = next(seat for seat in range(int(after.seats)) if before.down[seat] and not after.down[seat])
    return f"{voice.does(who, 'miss', 'misses')} a Turn and {voice.verb(who, 'are', 'is')} up again."


def _reshuffled(box: Box, before: Any, after: Any, voice: Voice) -> str:
    return Aside("The discard pile is shuffled: it is the new deck.")


#: What is said at a beat beside the choice; a lost Charge is told by the choice itself.
TOLD: dict[str, Callable[[Box, Any, Any, Voice], str]] = {
    "round": _new_round, "compared": _compared, "paid": _paid, "knocked back": _knocked_back, "down": _went_down,
    "out": _knocked_out, "up again": _up_again, "round over": _round_over, "reshuffled": _reshuffled,
}  # fmt: skip


def _cards(many: int) -> str:
    return "no card" if many == 0 else "1 card" if many == 1 else f"{many} cards"


def _hexes(many: int) -> str:
    return f"{many} hex" if many == 1 else f"{many} hexes"


def ending(s: Any, seat: int) -> str:
    """Who won, and by what."""
    voice = Voice(seat)
    winners = [i for i in range(int(s.seats)) if not s.out[i] and s.payoff[i] >= 0]
    if s.ending == LAST_ONE_IN:
        return f"{voice.does(winners[0], 'win', 'wins')} the Combat: the last one in."
    if s.ending == MOST_CARDS:
        return f"{voice.does(winners[0], 'win', 'wins')} the stalled Combat: most cards in hand."
    return f"The Combat has stalled: a draw between {listed([voice.whom(i) for i in winners])}."


# Why not


def why_not(box: Box, s: Any, action: int) -> str:
    """One kind sentence: why `s.player` may not choose this now."""
    block, number = ACTIONS.name_of(action)
    if block in HOME and s.phase not in HOME[block]:
        return _elsewhere(s, block)
    if block == "target":
        return _why_not_target(s, number)
    if block == "to":
        return _why_not_hex(box, s, number)
    if block in ("blast", "drop"):
        if number not in in_order(s.charges[s.player]):
            return "You have no such Charge."
        return _why_not_blast(box, s, number)
    if block in PLAYED and number not in in_order(s.hand[s.player]):
        return "That card is not in your hand."
    return _why_not_card(box, s, block, number)


#: In which phases a word is spoken, and the words that play a card from the hand.
HOME: dict[str, tuple[int, ...]] = {
    "momentum": (MOMENTUM,), "strike": (TURN,), "charge": (TURN,), "blast": (TURN,), "boost": (TURN,), "end": (TURN,),
    "club": (BLAST_CARD,), "target": (TARGET,), "block": (DEFENCE,), "dodge": (DEFENCE,), "take": (DEFENCE,),
    "pay": (PAY,), "drop": (DROP_CHARGE,), "to": (MOVE, DODGE_MOVE), "stay": (MOVE, DODGE_MOVE, FORFEIT),
    "forfeit": (FORFEIT,),
}  # fmt: skip
PLAYED = ("momentum", "strike", "charge", "boost", "club", "block", "dodge", "pay")
CARD_WORDS = (*PLAYED, "blast", "drop")

#: What is to be done first, by phase.
FIRST = (
    "Pick your Momentum card first.", "It is your Turn: say what you do with a card, as in boost 7D, or end it.",
    "Pick the Club that your Blast is made of first.", "Say whom you attack first.",
    "You are attacked: block, dodge or take it first.", "Move out of the way first, or stay.",
    "Pay the Damage first.", "Choose the Charge that you lose first.", "Finish your Move first, or stay.",
    "Say first whether you stay or forfeit.",
)  # fmt: skip


def _elsewhere(s: Any, block: str) -> str:
    if block == "forfeit":
        return "A Fighter can be forfeited at the end of a Round only, where the options allow it."
    return FIRST[int(s.phase)]


def _why_not_target(s: Any, seat: int) -> str:
    if seat >= s.seats:
        return f"There are only {s.seats} seats."
    if seat == s.player:
        return "You cannot attack yourself."
    if s.out[seat]:
        return f"Seat {seat + 1} is out."
    away = int(hexes.distance(s.at[s.player], s.at[seat]))
    return f"Seat {seat + 1} is {_hexes(away)} away; this reaches {s.range}."


def _why_not_hex(box: Box, s: Any, number: int) -> str:
    if hexes.size(hexes.Q[number], hexes.R[number]) > box.kit.radius:
        return "That hex is beyond the edge of the board."
    for seat in range(int(s.seats)):
        if s.at[seat] == number and not s.out[seat]:
            return "You stand there already; stay." if seat == s.player else f"Seat {seat + 1} stands there."
    away = int(hexes.distance(s.at[s.player], number))
    if away > s.steps:
        return f"That hex is {_hexes(away)} away; you can move {s.steps}."
    return "You cannot get there: Fighters and their Reach are in the way."


def _why_not_blast(box: Box, s: Any, card: int) -> str:
    if s.acted:
        return "Your Action is used up in this Turn."
    away = int(nearest(s, int(s.player)))
    if away == 1:
        return "You cannot Blast while an opponent is beside you."
    reach = value(box, s, card)
    if reach < away:
        return f"{box.content.card(card)} reaches {_hexes(reach)}; the nearest opponent is {away} away."
    cost = box.kit.blast_cost != REVEAL_ONLY
    return "A Blast needs a Club or a Joker from your hand as well." if cost else "You cannot Blast now."


SUITED = {"strike": "Spade", "charge": "Club", "club": "Club", "block": "Diamond", "dodge": "Heart"}


def _why_not_card(box: Box, s: Any, block: str, card: int) -> str:
    if block in ("momentum", "boost") and card >= JOKER:
        return "A Joker cannot be Momentum."
    if block == "boost":
        return "Your Boost is used up in this Turn."
    if block in ("strike", "charge") and s.acted:
        return "Your Action is used up in this Turn."
    suit = SUITED.get(block, "")
    if suit and card < JOKER and not box.content.card(card).endswith(suit[0]):
        return f"To {'blast' if block == 'club' else block} takes a {suit} or a Joker."
    if block == "strike":
        return "No opponent is beside you."
    if block == "charge":
        return "You cannot Charge while an opponent is beside you."
    return "That cannot be chosen now."
