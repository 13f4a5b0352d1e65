"""World of Fighters in words: what just happened, what cards score, and how a match ended."""

from collections import Counter
from typing import Any

from sparring.engine.game import Box
from sparring.engine.squares import square_name
from sparring.scene.sentences import Aside, Result, Voice, listed

from . import moves
from . import state as R
from .kit import KINDS, Fighter


def fighter(box: Box, s: Any, seat: int) -> Fighter:
    """The card of the fighter that a seat plays."""
    found: Fighter = box.content.fighters[int(s.fighter[seat])]
    return found


def kind_name(kind: int) -> str:
    """Punch, Kick, Grapple or Block."""
    return KINDS[int(kind) - 1]


def whose(voice: Voice, seat: int) -> str:
    """`Your` or `Seat 2's`."""
    return "Your" if seat == voice.seat else f"Seat {seat + 1}'s"


def as_shown(s: Any) -> Any:
    """The round that was shown last as it lay on the table, so that the rules can score it once more."""
    shown = s.copy()
    if not s.shown:
        shown.action[:], shown.performed[:], shown.counter = s.last_action, s.last_performed, s.last_counter
        shown.turn -= 0 if s.over else 1
    return shown


# What just happened


def tell(box: Box, before: Any, action: int | None, after: Any, seat: int, beat: str = "") -> list[str]:
    """What happened, in sentences for `seat`: the choice, the cards that are shown, every blow, the next round."""
    voice = Voice(seat)
    lines = [] if action is None else _choice(box, before, action, after, voice)
    if beat == "shown":
        lines.append(_shown(after, voice))
    elif beat in ("first blow", "second blow"):
        first = int(moves.first_mover(after))
        lines += _blow(box, before, after, first if beat == "first blow" else 1 - first, voice)
    elif beat in ("thrown out", "two blocks"):
        lines += _undecided(box, after, beat, voice)
    lines += _drawn(before, after, voice)
    if beat == "reshuffled":
        lines.append(Aside("The discards are shuffled: they are the draw pile now."))
    if after.turn != before.turn and not beat:
        first = int(moves.first_mover(after))
        lines.append(f"Round {int(after.turn)}: {voice.then(first, 'move', 'moves')} first.")
    if after.over:
        lines.append(Result(ending(after, seat)))
    return lines


def _choice(box: Box, before: Any, action: int, after: Any, voice: Voice) -> list[str]:
    """The choice in sentences, as far as this seat saw it."""
    if before.phase in (R.MOVE_CARD, R.ACTION_CARD):
        return _committed(box, before, action, after, voice)
    return [_open_choice(box, before, action, after, voice)]


def _committed(box: Box, before: Any, action: int, after: Any, voice: Voice) -> list[str]:
    """Cards laid face down: one's own by name, others' when both lie there. Then all may be turned up."""
    who = int(before.player)
    lines = []
    if action >= 0:
        lines.append(_laid(box, before, action))
    elif after.phase == R.MOVE or after.action[who] != R.NOTHING:
        lines.append(f"{voice.name(who)} lays two cards face down.")
    if after.phase == R.MOVE:
        for seat in range(R.SEATS):
            if after.called[seat]:
                lines.append(f"{called(box, after, seat, voice)}!")
        first = int(moves.first_mover(after))
        cards = [f"{int(after.movement[seat])} for {voice.whom(seat)}" for seat in (first, 1 - first)]
        lines.append(f"Movement cards up: {listed(cards)}.")
    return lines


def _laid(box: Box, before: Any, action: int) -> str:
    block, number = R.ACTIONS.name_of(action)
    if block == "movement":
        return f"You lay Movement {number + 1} face down."
    more = f", and call {fighter(box, before, int(before.player)).super}" if block == "call" else ""
    return f"You lay a {KINDS[number]} face down{more}."


def called(box: Box, s: Any, seat: int, voice: Voice) -> str:
    """A super move as it is announced."""
    card = fighter(box, s, seat)
    who = voice.does(seat, "call", "calls")
    return f"{who} {card.super}, a {kind_name(card.super_kind)} at range {card.super_range}"


def _open_choice(box: Box, before: Any, action: int, after: Any, voice: Voice) -> str:
    """An open choice in a sentence."""
    who = int(before.player)
    block, number = R.ACTIONS.name_of(action)
    if block == "fighter":
        return f"{voice.does(who, 'pick', 'picks')} {box.content.fighters[number].name}."
    if block == "square":
        return f"{voice.does(who, 'move', 'moves')} to {square_name(number)}."
    if block == "claim":
        return f"{voice.does(who, 'claim', 'claims')} {fighter(box, before, who).super}!"
    if block == "no":
        return f"{voice.does(who, 'play', 'plays')} an ordinary {kind_name(before.action[who])}."
    if block == "counter":
        sum_ = added(box, before, who, number + 1)
        came = f"{sum_}. {_left(after, 1 - who, voice)}" if sum_ else "out of reach, nothing."
        return Result(f"{voice.does(who, 'counter', 'counters')} with {KINDS[number]}: {came}", hit=bool(sum_))
    return f"{voice.does(who, 'do', 'does')} not counter."


def _shown(shown: Any, voice: Voice) -> str:
    """The Action cards are turned up."""
    first = int(moves.first_mover(shown))
    cards = [f"{kind_name(shown.action[seat])} from {voice.whom(seat)}" for seat in (first, 1 - first)]
    return f"Range {int(moves.range_now(shown))}: {listed(cards)}."


def added(box: Box, s: Any, seat: int, kind: int) -> str:
    """An ordinary attack as it is added up: `2 + 1 = 3`; empty if it does not reach."""
    base = int(moves.base(box.kit, s.fighter[seat], kind, moves.range_now(s)))
    stat = int(box.kit.stat[s.fighter[seat], kind])
    return f"{base} + {stat} = {base + stat}" if base else ""


def scored(box: Box, shown: Any, seat: int) -> str:
    """The sum of a player's shown card; empty for an attack that does not reach."""
    if shown.performed[seat]:
        points = int(moves.super_score(box.kit, shown, seat))
        return f"{R.SUPER_SCORE} + {points - R.SUPER_SCORE} = {points}" if points > R.SUPER_SCORE else str(points)
    if shown.action[seat] == R.BLOCK:
        return str(int(moves.blocked(box.kit, shown, seat)))
    return added(box, shown, seat, int(shown.action[seat]))


def card_name(box: Box, shown: Any, seat: int) -> str:
    """What a player's shown card is called: its kind, or the super it became."""
    return fighter(box, shown, seat).super if shown.performed[seat] else kind_name(shown.action[seat])


def _undecided(box: Box, shown: Any, beat: str, voice: Voice) -> list[str]:
    """The cards are shown, and no blow is struck: somebody flies out of the ring before, or both block."""
    if beat == "two blocks":
        return [Result("Two Blocks: nothing happens.")]
    first = int(moves.first_mover(shown))
    throwing = [seat for seat in (first, 1 - first) if moves.throws_out(box.kit, shown, seat)]
    return [
        Result(f"{card_name(box, shown, seat)} on the edge: {voice.then(1 - seat, 'fly', 'flies')} out of the ring!")
        for seat in (throwing if box.options["settle"] == "together" else throwing[:1])
    ]


def _blow(box: Box, before: Any, shown: Any, attacker: int, voice: Voice) -> list[str]:
    """What a shown attack did; and that it left nobody to strike back."""
    victim = 1 - attacker
    hit = bool(shown.health[victim] < before.health[victim])
    if shown.action[victim] == R.BLOCK:
        return [Result(_against_block(box, shown, attacker, voice), hit=hit)]
    lines: list[str] = [Result(_attack(box, shown, attacker, voice), hit=hit)]
    first_of_two = attacker == moves.first_mover(shown) and box.options["settle"] == "order"
    if first_of_two and shown.health[victim] == 0:
        lines.append(Result(f"{voice.does(victim, 'are', 'is')} down before striking back."))
    return lines


def _attack(box: Box, shown: Any, seat: int, voice: Voice) -> str:
    """A blow against somebody who does not block."""
    name, sum_, victim = card_name(box, shown, seat), scored(box, shown, seat), 1 - seat
    if not sum_:
        return f"{whose(voice, seat)} {name} does not reach."
    return f"{whose(voice, seat)} {name}: {sum_}. {_left(shown, victim, voice)}"


def _against_block(box: Box, shown: Any, attacker: int, voice: Voice) -> str:
    """A blow against a Block."""
    blocker = 1 - attacker
    name, block, sum_ = card_name(box, shown, attacker), card_name(box, shown, blocker), scored(box, shown, attacker)
    if not sum_:
        return f"{whose(voice, attacker)} {name} does not reach; the {block} stands."
    always = box.options["super_vs_block"] == "always"
    if shown.performed[attacker] and not shown.performed[blocker] and always:
        return f"{name} overrules the Block: {sum_}. {_left(shown, blocker, voice)}"
    points, less = sum_.rpartition(" ")[2], int(moves.blocked(box.kit, shown, blocker))
    rest = max(0, int(points) - less)
    return f"{whose(voice, attacker)} {name}: {sum_}, less {block} {less}: {rest}. {_left(shown, blocker, voice)}"


def _left(s: Any, seat: int, voice: Voice) -> str:
    """The health of a player as it is now."""
    return f"{voice.does(seat, 'have', 'has')} {int(s.health[seat])} left."


def _drawn(before: Any, after: Any, voice: Voice) -> list[str]:
    """What one drew oneself."""
    if voice.seat < 0 or before.phase == R.PICK:
        return []
    drawn = sorted((Counter(held(after, voice.seat)) - Counter(held(before, voice.seat))).elements())
    return [Aside("You draw", *(f"a {kind_name(kind)}" for kind in drawn))] if drawn else []


def held(s: Any, seat: int) -> list[int]:
    """The kinds in a hand, ascending; a committed card too, until it is shown."""
    return [int(kind) for kind in s.hand[seat, 1 : int(s.hand[seat, 0]) + 1]]


def ending(s: Any, seat: int) -> str:
    """Who won, and by what."""
    voice = Voice(seat)
    how = R.ENDINGS[int(s.ending)]
    if s.payoff[0] == 0:
        why = {"knock-out": "both fighters are down", "ring-out": "both fighters are out of the ring"}
        return f"A draw: {why.get(how, 'the rounds are over and health is equal')}."
    winner = int(s.payoff[1] > 0)
    if how == "forced off":
        lost = voice.does(1 - winner, "have no legal move and are", "has no legal move and is")
        return f"{lost} forced off the ring. {voice.does(winner, 'win', 'wins')}."
    by = {"knock-out": "by knock-out", "ring-out": "by ring-out", "round limit": "on health; the rounds are over"}[how]
    return f"{voice.does(winner, 'win', 'wins')} {by}."
