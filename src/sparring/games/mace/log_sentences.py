"""MACE: log sentences for a seat, and reasons why a choice is not legal."""

from collections.abc import Callable

from sparring.engine import hexes
from sparring.engine.cards import in_order
from sparring.engine.game import Box
from sparring.scene.playing_cards import signed
from sparring.scene.sentences import AsideLine, ResultLine, TurnLine, Voice, counted, listed

from .kit import JOKER
from .moves import distance_to_nearest, value_of
from .state import (
    ACTIONS, BLAST_CARD, DEFENCE, DODGE_MOVE, DROP_CHARGE, FORFEIT, LAST_ONE_IN, MOMENTUM, MOST_CARDS, MOVE, PAY,
    REVEAL_ONLY, TARGET, TURN, State,
)  # fmt: skip


def value(box: Box, s: State, card: int) -> int:
    """Return the CV of a card if played now."""
    return int(value_of(box.kit, s, card))


def with_value(box: Box, s: State, card: int) -> str:
    """Return a card with its CV unless its name shows it: `K♠ (13)`, `7♦`, `a Joker (12)`."""
    name, cv = named(box, card), value(box, s, card)
    return name if name[:-1] == str(cv) else f"{name} ({cv})"


def named(box: Box, card: int) -> str:
    """Return a card's name in sentences, such as `K♠`; Jokers have no names. Choices are typed as `KS`."""
    return "a Joker" if card >= JOKER else signed(str(box.content.card(card)))


def knock_path(s: State, radius: int) -> list[int]:
    """Return the hexes of the last Knockback, or nothing if the Fighter has moved since."""
    path = [int(s.knock_start)]
    for _ in range(s.knock_length):
        if path[-1] == s.at[s.knocked]:
            break
        there = int(hexes.beyond(s.knock_source, s.knock_start, path[-1], radius))
        if there == hexes.NOWHERE:
            break
        path.append(there)
    return path if path[-1] == s.at[s.knocked] else []


# The log


def tell(box: Box, before: State, action: int | None, after: State, seat: int, beat: str = "") -> list[str]:
    """Return log sentences for `seat`: the choice, the cards it drew, and the result of the beat."""
    voice = Voice(seat)
    lines = [] if action is None else _choice(box, before, action, after, voice)
    if seat >= 0:
        held = in_order(before.hand[seat])
        drawn = [card for card in in_order(after.hand[seat]) if card not in held]
        lines += [AsideLine("You draw", named(box, card)) for card in drawn]
    if beat in RESULTS:
        lines.append(RESULTS[beat](box, before, after, voice))
    if after.over:
        lines.append(ResultLine(ending(after, seat)))
    return lines


def _choice(box: Box, before: State, action: int, after: State, voice: Voice) -> list[str]:
    """Return the sentence for a choice; none for choices that need no log line."""
    player = int(before.player)
    if action < 0:
        if before.phase == MOMENTUM:
            return [f"{voice.name(player)} has picked a Momentum card."]
        return [f"{voice.name(player)} plays a Charge face down."]
    block, number = ACTIONS.name_of(action)
    on_card = block not in ("target", "to")
    card = named(box, number) if on_card else ""
    valued = with_value(box, before, number) if on_card else ""
    match block:
        case "momentum":
            return [f"You play {card} face down as your Momentum: the highest goes first."]
        case "strike":
            return [f"{voice.does(player, 'strike', 'strikes')} with {valued}."]
        case "charge":
            return [f"You play {card} face down as a Charge."]
        case "blast":
            reveals = voice.does(player, "reveal", "reveals")
            return [f"{reveals} {_charge(card, before, after, player)} for a Blast with range {after.range}."]
        case "club":
            return [f"{voice.does(player, 'blast', 'blasts')} with {valued}."]
        case "boost":
            old, new = (value(box, before, int(n)) for n in (before.momentum[player], number))
            move = f" and may move up to {hexes_counted(abs(new - old))}" if new != old else ": no movement"
            return [f"{voice.does(player, 'boost', 'boosts')} from {old} to {new}{move}."]
        case "block" | "dodge":
            tries = ("block", "blocks") if block == "block" else ("try to dodge", "tries to dodge")
            return [f"{voice.does(player, *tries)} with {valued}."]
        case "pay":
            paid = before.paid + value(box, before, number)
            share = "of" if paid <= before.damage else "for"
            return [f"{voice.does(player, 'pay', 'pays')} {valued}: {paid} {share} {before.damage} Damage."]
        case "drop":
            return [
                f"{voice.does(player, 'lose', 'loses')} {_charge(card, before, after, player)}: any Damage breaks one."
            ]
        case "target":
            whose = "Your" if voice.seat == player else "The"
            attack = f"{whose} {'Blast' if before.blasting else 'Strike'} ({before.attack})"
            return [f"{attack} targets {voice.whom(number)}{'' if before.attack else ' and does no Damage'}."]
        case "to":
            return [f"{voice.does(player, 'move', 'moves')} {way(int(before.at[player]), number)}."]
        case "end" if not before.acted and not before.boosted:
            return [f"{voice.does(player, 'pass', 'passes')}."]
        case _:
            return []


def _charge(card: str, before: State, after: State, seat: int) -> str:
    """Return which Charge of a row was revealed or lost: `a Charge (9♣)`, `the 2nd of 3 Charges (9♣)`."""
    laid = in_order(before.laid[seat])
    place = next(i for i, number in enumerate(laid, 1) if number not in in_order(after.laid[seat]))
    which = "a Charge" if len(laid) == 1 else f"the {_ordinal(place)} of {len(laid)} Charges"
    return f"{which} ({card})"


def _ordinal(number: int) -> str:
    """Return `1st`, `2nd`, `3rd`, `4th` and so on, up to the 17 Charges a row can hold."""
    return f"{number}{('st', 'nd', 'rd')[number - 1] if number <= 3 else 'th'}"


# Results, by beat


def _new_round(box: Box, before: State, after: State, voice: Voice) -> str:
    order = [f"{voice.whom(seat)} ({named(box, int(after.momentum[seat]))})" for seat in in_order(after.order)]
    return TurnLine(f"Round {after.rounds}: {', then '.join(order)}.")


def _round_over(box: Box, before: State, after: State, voice: Voice) -> str:
    if after.hurt:
        return f"Round {after.rounds} is over."
    quiet = f"quiet Round {after.quiet + 1} of {box.options['stall_rounds']}, after which the Combat ends"
    return f"Round {after.rounds} is over: no Damage ({quiet})."


def _compared(box: Box, before: State, after: State, voice: Voice) -> str:
    """Return attack and defence in numbers; against a Dodge, both its players read their own number first."""
    target, damage = int(after.target), f"{after.damage} Damage"
    block, _ = ACTIONS.name_of(int(after.defence_by))
    if block == "block":
        return ResultLine(
            f"{damage if after.damage else 'No Damage'} ({after.attack} − {after.defence}).", hit=bool(after.damage)
        )
    if block == "dodge":
        own, other = after.defence, after.attack
        if voice.seat == after.active:
            own, other = other, own
        outcome = f"the Dodge fails; {damage}" if after.damage else "dodged"
        whose = "Your " if voice.seat in (after.active, target) else ""
        return ResultLine(f"{whose}{own} against {other}: {outcome}.", hit=bool(after.damage))
    if after.down[target]:
        return ResultLine(f"{voice.does(target, 'are', 'is')} Down and can't defend: {damage}.", hit=bool(after.damage))
    return ResultLine(f"{voice.does(target, 'take', 'takes')} {damage}.", hit=bool(after.damage))


def _paid(box: Box, before: State, after: State, voice: Voice) -> str:
    target = int(after.target)
    return f"Damage paid: {voice.then(target, 'have', 'has')} {counted(int(after.hand[target, 0]), 'card')} left."


def _knocked_back(box: Box, before: State, after: State, voice: Voice) -> str:
    target, length = int(after.knocked), int(after.knock_length)
    travelled = len(knock_path(after, int(box.kit.radius))) - 1
    half = f"half of {after.damage} Damage"
    if travelled == length:
        return f"{voice.does(target, 'are', 'is')} knocked back {hexes_counted(length)}, {half}."
    pushed = f"{travelled} of {hexes_counted(length)} ({half})"
    return (
        f"{voice.does(target, 'are', 'is')} knocked back {pushed}: {_obstacle(after, box)} stops {voice.whom(target)}."
    )


def _obstacle(s: State, box: Box) -> str:
    """Return what stops a Knockback: the edge, a Fighter, or its Reach (option `knockback_reach`)."""
    radius, end = int(box.kit.radius), int(s.at[s.knocked])
    there = int(hexes.beyond(s.knock_source, s.knock_start, end, radius))
    if there == hexes.NOWHERE:
        return "the edge of the board"
    taken = any(s.at[seat] == there and not s.out[seat] for seat in range(int(s.seats)))
    return "another Fighter" if taken else "another Fighter's Reach"


def _went_down(box: Box, before: State, after: State, voice: Voice) -> str:
    target, length = int(after.target), int(after.knock_length)
    held = counted(int(after.hand[target, 0]), "card")
    misses = f"{voice.then(target, 'miss', 'misses')} the next Turn and can't defend until then"
    return ResultLine(f"{voice.does(target, 'go', 'goes')} Down (Knockback {length}, only {held} left): {misses}.")


def _knocked_out(box: Box, before: State, after: State, voice: Voice) -> str:
    loser = next(seat for seat in range(int(after.seats)) if after.out[seat] and not before.out[seat])
    if before.phase == FORFEIT:
        return ResultLine(f"{voice.does(loser, 'forfeit', 'forfeits')} and {voice.verb(loser, 'are', 'is')} out.")
    return ResultLine(
        f"{voice.does(loser, 'have', 'has')} no cards left and {voice.verb(loser, 'are', 'is')} Knocked Out."
    )


def _up_again(box: Box, before: State, after: State, voice: Voice) -> str:
    seat = next(seat for seat in range(int(after.seats)) if before.down[seat] and not after.down[seat])
    return f"{voice.does(seat, 'miss', 'misses')} a Turn and {voice.verb(seat, 'get', 'gets')} back up."


def _reshuffled(box: Box, before: State, after: State, voice: Voice) -> str:
    return AsideLine("The discard pile is shuffled into a new deck.")


#: The sentence for a beat besides the choice; a lost Charge is in the choice itself.
RESULTS: dict[str, Callable[[Box, State, State, Voice], str]] = {
    "round": _new_round, "compared": _compared, "paid": _paid, "knocked back": _knocked_back, "down": _went_down,
    "out": _knocked_out, "up again": _up_again, "round over": _round_over, "reshuffled": _reshuffled,
}  # fmt: skip


def hexes_counted(number: int) -> str:
    """Return `1 hex`, `2 hexes`."""
    return f"{number} hex" if number == 1 else f"{number} hexes"


#: The directions of the board, by the steps in q and r.
WAYS = {
    (1, 0): "right", (-1, 0): "left", (0, 1): "down-right", (0, -1): "up-left", (1, -1): "up-right",
    (-1, 1): "down-left",
}  # fmt: skip


def way(start: int, end: int) -> str:
    """Return the way from a hex to another one as distances: `2 hexes left`, `2 hexes left and 1 up-left`."""
    q, r = (int(axis[end] - axis[start]) for axis in (hexes.Q, hexes.R))
    diagonal = min(abs(q), abs(r)) if q * r < 0 else 0  # steps to the upper right or lower left
    legs = [
        (diagonal, (_sign(q), -_sign(q))),
        (abs(q) - diagonal, (_sign(q), 0)),
        (abs(r) - diagonal, (0, _sign(r))),
    ]
    first, *more = [(steps, WAYS[direction]) for steps, direction in sorted(legs, reverse=True) if steps]
    return listed([f"{hexes_counted(first[0])} {first[1]}", *(f"{steps} {word}" for steps, word in more)])


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def ending(s: State, seat: int) -> str:
    """Return how the Combat ended, as `seat` reads it."""
    voice = Voice(seat)
    winners = [i for i in range(int(s.seats)) if not s.out[i] and s.payoff[i] >= 0]
    if s.ending == LAST_ONE_IN:
        return f"{voice.does(winners[0], 'win', 'wins')}: last Fighter standing."
    if s.ending == MOST_CARDS:
        return f"{voice.does(winners[0], 'win', 'wins')} the stalled Combat with the most cards in hand."
    return f"The Combat has stalled: a draw between {listed([voice.whom(i) for i in winners])}."


# Why a choice is not legal


def why_not(box: Box, s: State, action: int) -> str:
    """Return one sentence: why `s.player` can't make this choice now."""
    block, number = ACTIONS.name_of(action)
    if block in PHASES_OF and s.phase not in PHASES_OF[block]:
        return _wrong_phase(s, block)
    if block == "target":
        return _why_not_target(s, number)
    if block == "to":
        return _why_not_hex(box, s, number)
    if block in ("blast", "drop"):
        if number not in in_order(s.charges[s.player]):
            return "You have no such Charge."
        return _why_not_blast(box, s, number)
    if block in FROM_HAND and number not in in_order(s.hand[s.player]):
        return "That card is not in your hand."
    return _why_not_card(box, s, block, number)


#: The phases of each block of choices, and the blocks that play a card from the hand.
PHASES_OF: dict[str, tuple[int, ...]] = {
    "momentum": (MOMENTUM,), "strike": (TURN,), "charge": (TURN,), "blast": (TURN,), "boost": (TURN,), "end": (TURN,),
    "club": (BLAST_CARD,), "target": (TARGET,), "block": (DEFENCE,), "dodge": (DEFENCE,), "take": (DEFENCE,),
    "pay": (PAY,), "drop": (DROP_CHARGE,), "to": (MOVE, DODGE_MOVE), "stay": (MOVE, DODGE_MOVE, FORFEIT),
    "forfeit": (FORFEIT,),
}  # fmt: skip
FROM_HAND = ("momentum", "strike", "charge", "boost", "club", "block", "dodge", "pay")

#: What to do first, by phase.
FIRST = (
    "Pick your Momentum card first.", "It's your Turn: play a card (for example boost 7D) or end your Turn.",
    "Pick the Club for your Blast first.", "Choose your target first.",
    "You are under attack: block, dodge or take it first.", "Finish your Dodge first: move or stay.",
    "Pay the Damage first.", "Choose the Charge to lose first.", "Finish your move first, or stay.",
    "Decide first whether to fight on or forfeit.",
)  # fmt: skip


def _wrong_phase(s: State, block: str) -> str:
    if block == "forfeit":
        return "You can forfeit only at the end of a Round, and only if the options allow it."
    return FIRST[int(s.phase)]


def _why_not_target(s: State, seat: int) -> str:
    if seat >= s.seats:
        return f"This table has only {s.seats} seats."
    if seat == s.player:
        return "You can't attack yourself."
    if s.out[seat]:
        return f"Seat {seat + 1} is out."
    away = int(hexes.distance(s.at[s.player], s.at[seat]))
    return f"Seat {seat + 1} is {hexes_counted(away)} away; your attack reaches {s.range}."


def _why_not_hex(box: Box, s: State, number: int) -> str:
    if hexes.size(hexes.Q[number], hexes.R[number]) > box.kit.radius:
        return "That hex is beyond the edge of the board."
    for seat in range(int(s.seats)):
        if s.at[seat] == number and not s.out[seat]:
            return "You are already there: choose “stay”." if seat == s.player else f"Seat {seat + 1} is there."
    away = int(hexes.distance(s.at[s.player], number))
    if away > s.steps:
        return f"That hex is {hexes_counted(away)} away; you can move {s.steps}."
    return "You can't get there: Fighters and their Reach are in the way."


def _why_not_blast(box: Box, s: State, card: int) -> str:
    if s.acted:
        return ACTION_USED
    away = int(distance_to_nearest(s, int(s.player)))
    if away == 1:
        return "You can't Blast with an opponent next to you."
    reach = value(box, s, card)
    if reach < away:
        return f"{named(box, card)} reaches {hexes_counted(reach)}; the nearest opponent is {away} away."
    cost = box.kit.blast_cost != REVEAL_ONLY
    return "A Blast also needs a Club or a Joker from your hand." if cost else "You can't Blast now."


ACTION_USED = "You have already used your Action this Turn."
SUITED = {"strike": "Spade", "charge": "Club", "club": "Club", "block": "Diamond", "dodge": "Heart"}


def _why_not_card(box: Box, s: State, block: str, card: int) -> str:
    if block in ("momentum", "boost") and card >= JOKER:
        return "A Joker can't be Momentum."
    if block == "boost":
        return "You have already used your Boost this Turn."
    if block in ("strike", "charge") and s.acted:
        return ACTION_USED
    suit = SUITED.get(block, "")
    if suit and card < JOKER and not box.content.card(card).endswith(suit[0]):
        return f"You need a {suit} or a Joker to {'blast' if block == 'club' else block}."
    if block == "strike":
        return "No opponent is next to you."
    if block == "charge":
        return "You can't Charge with an opponent next to you."
    return "That isn't possible now."
