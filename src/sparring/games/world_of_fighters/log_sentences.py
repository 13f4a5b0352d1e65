"""World of Fighters: log sentences for a seat."""

from collections import Counter

from sparring.engine.cards import in_order
from sparring.engine.game import Box
from sparring.scene.sentences import AsideLine, ResultLine, TurnLine, Voice

from . import moves
from . import state as R
from .moves import card_of, kind_name, score_parts
from .phases import PHASES, damage, health_left


def possessive(voice: Voice, seat: int) -> str:
    """Return `your` or `Seat 2's`."""
    return "your" if seat == voice.seat else f"Seat {seat + 1}'s"


# The log


def tell(box: Box, before: R.State, action: int | None, after: R.State, seat: int, beat: str = "") -> list[str]:
    """Return log sentences for `seat`: the choice, the result of the beat, the cards it drew, the next round."""
    voice = Voice(seat)
    lines = [] if action is None else PHASES[int(before.phase)].tell(box, before, action, after, voice)
    if beat == "shown":
        lines.append(_revealed(after, voice))
    elif beat in ("first blow", "second blow"):
        first = int(moves.first_mover(after))
        lines += _attack(box, before, after, first if beat == "first blow" else 1 - first, voice)
    elif beat == "thrown out":
        lines += _ring_out(box, after, voice)
    elif beat == "two blocks":
        lines.append(ResultLine("Two Blocks: nothing happens."))
    lines += _drawn(before, after, voice)
    if beat == "reshuffled":
        lines.append(AsideLine("The discards are shuffled into a new draw pile."))
    if after.turn != before.turn and not beat:
        first = int(moves.first_mover(after))
        lines.append(TurnLine(f"Round {int(after.turn)}: {voice.then(first, 'move', 'moves')} first."))
    if after.over:
        lines.append(ResultLine(ending(after, seat)))
    return lines


def _revealed(shown: R.State, voice: Voice) -> str:
    first = int(moves.first_mover(shown))
    own, other = (f"{possessive(voice, seat)} {kind_name(shown.action[seat])}" for seat in (first, 1 - first))
    return f"Range {int(moves.range_now(shown))}: {own} against {other}."


def card_name(box: Box, shown: R.State, seat: int) -> str:
    """Return the name of a revealed card: its kind, or the super performed with it."""
    return card_of(box, shown, seat).super if shown.performed[seat] else kind_name(shown.action[seat])


def _ring_out(box: Box, shown: R.State, voice: Voice) -> list[str]:
    first = int(moves.first_mover(shown))
    throwing = [seat for seat in (first, 1 - first) if moves.forces_ring_out(box.kit, shown, seat)]
    where = f"on the edge at range {int(moves.range_now(shown))}"
    return [
        ResultLine(
            f"{voice.does(1 - seat, 'stand', 'stands')} {where}: "
            f"{card_name(box, shown, seat)} throws {voice.whom(1 - seat)} out of the ring!"
        )
        for seat in (throwing if box.options["settle"] == "together" else throwing[:1])
    ]


def _attack(box: Box, before: R.State, shown: R.State, attacker: int, voice: Voice) -> list[str]:
    """Return the result of a revealed attack, and whether it stops the opponent's attack."""
    target = 1 - attacker
    hit = bool(shown.health[target] < before.health[target])
    if shown.action[target] == R.BLOCK:
        return [ResultLine(_against_block(box, shown, attacker, voice), hit=hit)]
    name, parts = _named_attack(box, shown, attacker, voice), score_parts(box, shown, attacker)
    if not parts:
        return [ResultLine(f"{name} is out of range.")]
    lines: list[str] = [ResultLine(f"{name}: {damage(parts)} {health_left(shown, target, voice)}", hit=hit)]
    goes_first = attacker == moves.first_mover(shown) and box.options["settle"] == "order"
    if goes_first and shown.health[target] == 0:
        lines.append(ResultLine(f"{voice.does(target, 'are', 'is')} knocked out before attacking."))
    return lines


def _named_attack(box: Box, shown: R.State, attacker: int, voice: Voice) -> str:
    owner = possessive(voice, attacker)
    return f"{owner[0].upper()}{owner[1:]} {card_name(box, shown, attacker)}"


def _against_block(box: Box, shown: R.State, attacker: int, voice: Voice) -> str:
    """Return the result of an attack against a Block."""
    blocker, parts = 1 - attacker, score_parts(box, shown, attacker)
    name, block = _named_attack(box, shown, attacker, voice), card_name(box, shown, blocker)
    if not parts:
        return f"{name} is out of range: nothing to block."
    if moves.overrules(box.kit, shown, attacker):
        return f"{name} overrules the Block: {damage(parts)} {health_left(shown, blocker, voice)}"
    taken = damage(parts, int(moves.block_value(box.kit, shown, blocker)), block)
    return f"{name}: {taken} {health_left(shown, blocker, voice)}"


def _drawn(before: R.State, after: R.State, voice: Voice) -> list[str]:
    """Return the cards that this seat drew."""
    if voice.seat < 0 or before.phase == R.PICK:
        return []
    drawn = sorted((Counter(in_order(after.hand[voice.seat])) - Counter(in_order(before.hand[voice.seat]))).items())
    cards = [f"a {kind_name(kind)}" if count == 1 else f"{count} {kind_name(kind)}s" for kind, count in drawn]
    return [AsideLine("You draw", *cards)] if cards else []


def ending(s: R.State, seat: int) -> str:
    """Return how the match ended, as `seat` reads it."""
    voice = Voice(seat)
    how = R.ENDINGS[int(s.ending)]
    if s.payoff[0] == 0:
        why = {"knock-out": "both fighters are knocked out", "ring-out": "both fighters are out of the ring"}
        return f"Draw: {why.get(how, 'the round limit is reached and health is equal')}."
    winner = int(s.payoff[1] > 0)
    if how == "forced off":
        lost = voice.does(1 - winner, "can't move and are", "can't move and is")
        return f"{lost} forced out of the ring. {voice.does(winner, 'win', 'wins')}."
    by = {"knock-out": "by knock-out", "ring-out": "by ring-out", "round limit": "on health at the round limit"}[how]
    return f"{voice.does(winner, 'win', 'wins')} {by}."
