"""MACE in sentences: what just happened, and why something cannot be chosen."""

from typing import Any

from sparring.engine import hexes
from sparring.engine.game import Box
from sparring.scene.sentences import Voice, listed

from .kit import JOKER
from .moves import nearest, value_of
from .position import write_hex
from .state import (
    ACTIONS, BLAST_CARD, DEFENCE, DODGE_MOVE, DROP_CHARGE, FORFEIT, LAST_ONE_IN, MOMENTUM, MOST_CARDS, MOVE, NO_SEAT,
    PAY, REVEAL_ONLY, TARGET, TURN,
)  # fmt: skip


def cards(pile: Any) -> list[int]:
    """The cards of a pile as ordinary numbers, bottom or oldest first."""
    return [int(card) for card in pile[1 : int(pile[0]) + 1]]


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
    """What a choice did, in sentences for `seat`: the choice, what it led to, and what begins."""
    assert action is not None
    voice = Voice(seat)
    lines = _choice(box, before, action, after, voice)
    if seat >= 0 and before.player == seat:
        drawn = [card for card in cards(after.hand[seat]) if card not in cards(before.hand[seat])]
        lines += [f"You draw {box.content.card(card)}." for card in drawn]
    if after.deck[0] > before.deck[0]:
        lines.append("The discard pile was shuffled and is the new deck.")
    lines += _consequences(box, before, after, voice)
    if after.over:
        lines.append(ending(after, seat))
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
            return [f"{voice.does(who, 'turn', 'turns')} up the Charge {card}: a Blast with range {after.range}."]
        case "club":
            return [f"{voice.does(who, 'blast', 'blasts')} with {worth}."]
        case "boost":
            old, new = (value(box, before, int(n)) for n in (before.momentum[who], number))
            return [f"{voice.does(who, 'boost', 'boosts')} from {old} to {new}: {_hexes(abs(new - old))} to move."]
        case "block":
            stopped = value(box, before, number)
            left = max(0, int(before.damage) - stopped)
            return [f"{voice.does(who, 'block', 'blocks')} with {card}: {before.damage} less {stopped} leaves {left}."]
        case "dodge":
            return [_dodge(box, before, number, voice)]
        case "pay":
            paid = before.paid + value(box, before, number)
            return [f"{voice.does(who, 'pay', 'pays')} {worth}: {paid} of {before.damage}."]
        case "drop":
            return [f"{voice.does(who, 'lose', 'loses')} the Charge {card}."]
        case "target":
            return [f"The {'Blast' if before.blasting else 'Strike'} of {before.attack} goes at {voice.whom(number)}."]
        case "to":
            return [f"{voice.does(who, 'move', 'moves')} to {write_hex(number)}."]
        case "take":
            return [f"{voice.does(who, 'take', 'takes')} {before.damage}."]
        case "forfeit":
            return [f"{voice.does(who, 'give', 'gives')} up."]
        case _:
            return []


def _dodge(box: Box, before: Any, number: int, voice: Voice) -> str:
    who, worth = int(before.player), value(box, before, number)
    against = f"{worth} against {before.attack}"
    if worth < before.attack:
        return f"{voice.does(who, 'try', 'tries')} to dodge with {box.content.card(number)}: {against} is too low."
    return f"{voice.does(who, 'dodge', 'dodges')} with {box.content.card(number)}: {against}."


def _consequences(box: Box, before: Any, after: Any, voice: Voice) -> list[str]:
    """What nobody chose: Knock Out, Knock back, Knockdown, the Turn that is missed, and the Round that begins."""
    lines = []
    out = [who for who in range(int(after.seats)) if after.out[who] and not before.out[who]]
    down = {who for who in range(int(after.seats)) if before.down[who]}
    paid_up = before.phase in (PAY, DROP_CHARGE) and after.target == NO_SEAT
    if out and paid_up:
        lines = [f"{voice.does(out[0], 'have', 'has')} no card left and {voice.verb(out[0], 'are', 'is')} Knocked Out."]
    elif paid_up:
        who = int(before.target)
        lines = _knocked_back(box, after, voice)
        if after.knock_length > after.hand[who, 0] and who not in down:
            down.add(who)
            lines.append(f"{voice.does(who, 'go', 'goes')} down.")
    lines += [
        f"{voice.does(who, 'miss', 'misses')} a Turn and {voice.verb(who, 'are', 'is')} up again."
        for who in sorted(down)
        if not after.down[who] and not after.out[who]
    ]
    if after.rounds > before.rounds:
        lines += _new_round(box, after, voice)
    return lines


def _knocked_back(box: Box, after: Any, voice: Voice) -> list[str]:
    """How far the last Knock back went."""
    who, length = int(after.knocked), int(after.knock_length)
    if not length:
        return []
    far = len(knock_path(after, int(box.kit.radius))) - 1
    short = f"{far} of " if far < length else ""
    return [f"{voice.does(who, 'are', 'is')} knocked back {short}{_hexes(length)}."]


def _new_round(box: Box, after: Any, voice: Voice) -> list[str]:
    order = [f"{voice.whom(seat)} ({box.content.card(int(after.momentum[seat]))})" for seat in cards(after.order)]
    return [f"Round {after.rounds}: {listed(order, 'then')}."]


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
        if number not in cards(s.charges[s.player]):
            return "You have no such Charge."
        return _why_not_blast(box, s, number)
    if block in PLAYED and number not in cards(s.hand[s.player]):
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
