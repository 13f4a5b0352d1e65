"""MACE: what has happened, as log sentences for a seat and as effects on the objects on the table."""

from collections.abc import Callable

from sparring.engine import hexes
from sparring.engine.cards import in_order
from sparring.engine.game import Box
from sparring.scene import Effect, win_effects
from sparring.scene.sentences import AsideLine, ResultLine, TurnLine, Voice, counted, listed

from .phases import PHASES
from .sentences import hexes_counted, knock_path, named
from .state import ACTIONS, FORFEIT, LAST_ONE_IN, MOST_CARDS, State


def tell(box: Box, before: State, action: int | None, after: State, seat: int, beat: str = "") -> list[str]:
    """Return log sentences for `seat`: the choice, the cards it drew, and the result of the beat."""
    voice = Voice(seat)
    lines = [] if action is None else PHASES[before.phase].tell(box, before, action, after, voice)
    if seat >= 0:
        held = in_order(before.hand[seat])
        drawn = [card for card in in_order(after.hand[seat]) if card not in held]
        lines += [AsideLine("You draw", named(box, card)) for card in drawn]
    if beat in RESULTS:
        lines.append(RESULTS[beat](box, before, after, voice))
    if after.over:
        lines.append(ResultLine(ending(after, seat)))
    return lines


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


def ending(s: State, seat: int) -> str:
    """Return how the Combat ended, as `seat` reads it."""
    voice = Voice(seat)
    first = [i for i in range(int(s.seats)) if not s.out[i] and s.payoff[i] >= 0]
    if s.ending == LAST_ONE_IN:
        return f"{voice.does(first[0], 'win', 'wins')}: last Fighter standing."
    if s.ending == MOST_CARDS:
        return f"{voice.does(first[0], 'win', 'wins')} the stalled Combat with the most cards in hand."
    return f"The Combat has stalled: a draw between {listed([voice.whom(i) for i in first])}."


# The effects of a beat on the objects on the table


def effects(box: Box, before: State, action: int | None, after: State, seat: int, beat: str = "") -> list[Effect]:
    """Return the effects: moves, an attack at its target, a Knockback, a Fighter Down or out, the winner."""
    seats = range(int(after.seats))
    match beat:
        case "compared":
            attack, defended = _attack(after), _defence(after) in ("block", "dodge")
            totals = (int(after.attack), int(after.defence)) if defended else ()
            clash = Effect("clash", attack.source, attack.target, 1 if attack.kind == "hit" else -1, totals)
            return [attack] if after.blasting and not defended else [clash, attack]
        case "knocked back":
            return [Effect("move", _fighter(int(after.active)), _fighter(int(after.knocked)))]
        case "down":
            return [Effect("hit", target=_fighter(int(after.target)))]
        case "out":
            return [Effect("hit", target=_fighter(i)) for i in seats if after.out[i] and not before.out[i]]
    if after.over:
        return win_effects(after)
    return [Effect("move", target=_fighter(i)) for i in seats if not after.out[i] and after.at[i] != before.at[i]]


def _fighter(seat: int) -> str:
    return f"fighter {seat}"


def _attack(s: State) -> Effect:
    """Return the effect of an attack: the Damage that is left, a Block that stops it, or a Dodge."""
    ends, damage = (_fighter(int(s.active)), _fighter(int(s.target))), int(s.damage)
    stopped = "block" if _defence(s) == "block" else "miss"
    return Effect("hit" if damage else stopped, *ends, damage)


def _defence(s: State) -> str:
    """Return how the target defends: `block`, `dodge`, `take`, or something else if it can't."""
    return ACTIONS.name_of(int(s.defence_by))[0]
