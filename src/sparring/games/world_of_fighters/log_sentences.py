"""World of Fighters: log sentences for a seat."""

from collections import Counter

from sparring.engine.cards import in_order
from sparring.engine.game import Box
from sparring.engine.squares import square_name
from sparring.scene.sentences import AsideLine, ResultLine, TurnLine, Voice

from . import moves
from . import state as R
from .kit import KINDS, SEATS, Fighter


def fighter(box: Box, s: R.State, seat: int) -> Fighter:
    """Return the card of a seat's fighter."""
    found: Fighter = box.content.fighters[int(s.fighter[seat])]
    return found


def kind_name(kind: int) -> str:
    """Return `Punch`, `Kick`, `Grapple` or `Block`."""
    return KINDS[int(kind) - 1]


def possessive(voice: Voice, seat: int) -> str:
    """Return `your` or `Seat 2's`."""
    return "your" if seat == voice.seat else f"Seat {seat + 1}'s"


def last_revealed(s: R.State) -> R.State:
    """Return the state with the Action cards that were last revealed, so that their scores can be worked out again."""
    shown = s.copy()
    if not s.shown:
        shown.action[:], shown.performed[:], shown.counter = s.last_action, s.last_performed, s.last_counter
        shown.turn -= 0 if s.over else 1
    return shown


# The log


def tell(box: Box, before: R.State, action: int | None, after: R.State, seat: int, beat: str = "") -> list[str]:
    """Return log sentences for `seat`: the choice, the result of the beat, the cards it drew, the next round."""
    voice = Voice(seat)
    lines = [] if action is None else _choice(box, before, action, after, voice)
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


def _choice(box: Box, before: R.State, action: int, after: R.State, voice: Voice) -> list[str]:
    """Return the sentences for a choice, as far as this seat may know it."""
    if before.phase in (R.MOVE_CARD, R.ACTION_CARD):
        return _committed(box, before, action, after, voice)
    return [_open_choice(box, before, action, after, voice)]


def _committed(box: Box, before: R.State, action: int, after: R.State, voice: Voice) -> list[str]:
    """Return what a seat reads about a face-down card, and about Movement cards revealed by it."""
    player = int(before.player)
    lines = []
    if action >= 0 and player == voice.seat:
        lines.append(_own_card(box, before, action))
    elif after.phase == R.MOVE or after.action[player] != R.NOTHING:
        lines.append(f"{voice.name(player)} plays two cards face down.")
    heard = box.kit.super_call == R.HEARD
    if after.phase == R.MOVE or heard:
        callers = (player,) if heard else range(SEATS)
        lines += [f"{_call(box, after, seat, voice)}!" for seat in callers if after.called[seat]]
    if after.phase == R.MOVE:
        first = int(moves.first_mover(after))
        cards = [f"Move {int(after.movement[seat])} for {voice.whom(seat)}" for seat in (first, 1 - first)]
        lines.append(f"Movement cards: {', '.join(cards)}.")
    return lines


def _own_card(box: Box, before: R.State, action: int) -> str:
    block, number = R.ACTIONS.name_of(action)
    if block == "movement":
        return f"You play Move {number + 1} face down."
    call = f" and call {fighter(box, before, int(before.player)).super}" if block == "call" else ""
    return f"You play a {KINDS[number]} face down{call}."


def _call(box: Box, s: R.State, seat: int, voice: Voice) -> str:
    """Return how a called super is announced: `Seat 2 calls Heron Kick, a Kick at range 3`."""
    card = fighter(box, s, seat)
    return (
        f"{voice.does(seat, 'call', 'calls')} {card.super}, a {kind_name(card.super_kind)} at range {card.super_range}"
    )


def _open_choice(box: Box, before: R.State, action: int, after: R.State, voice: Voice) -> str:
    """Return the sentence for a choice that everyone sees."""
    player = int(before.player)
    block, number = R.ACTIONS.name_of(action)
    match block:
        case "fighter":
            return f"{voice.does(player, 'pick', 'picks')} {box.content.fighters[number].name}."
        case "square":
            return f"{voice.does(player, 'move', 'moves')} to {square_name(number)}."
        case "claim":
            return f"{voice.does(player, 'claim', 'claims')} {fighter(box, before, player).super}!"
        case "no":
            return f"{_does_not(voice, player)} claim {fighter(box, before, player).super}."
        case "counter":
            parts = ordinary_parts(box, before, player, number + 1)
            result = f"{_damage(parts)} {_left(after, 1 - player, voice)}" if parts else "out of range."
            return ResultLine(
                f"{voice.does(player, 'counter', 'counters')} with a {KINDS[number]}: {result}", hit=bool(parts)
            )
        case _:
            return f"{_does_not(voice, player)} counter."


def _does_not(voice: Voice, seat: int) -> str:
    return voice.does(seat, "don't", "doesn't")


def _revealed(shown: R.State, voice: Voice) -> str:
    first = int(moves.first_mover(shown))
    own, other = (f"{possessive(voice, seat)} {kind_name(shown.action[seat])}" for seat in (first, 1 - first))
    return f"Range {int(moves.range_now(shown))}: {own} against {other}."


# Attacks in numbers


def ordinary_parts(box: Box, s: R.State, seat: int, kind: int) -> tuple[int, ...]:
    """Return base and stat of an ordinary attack; nothing if it is out of range."""
    base = int(moves.base_value(box.kit, s.fighter[seat], kind, moves.range_now(s)))
    return (base, int(box.kit.stat[s.fighter[seat], kind])) if base else ()


def score_parts(box: Box, shown: R.State, seat: int) -> tuple[int, ...]:
    """Return the numbers that add up to the score of a revealed card; nothing for an attack out of range."""
    if shown.performed[seat]:
        stat = int(moves.super_score(box.kit, shown, seat)) - R.SUPER_SCORE
        return (R.SUPER_SCORE, stat) if stat else (R.SUPER_SCORE,)
    if shown.action[seat] == R.BLOCK:
        return (int(moves.block_value(box.kit, shown, seat)),)
    return ordinary_parts(box, shown, seat, int(shown.action[seat]))


def _damage(parts: tuple[int, ...], blocked: int = 0, block: str = "") -> str:
    """Return damage and its sum: `3 damage (2 + 3 − 2 Block).`, with a full stop."""
    damage = max(0, sum(parts) - blocked)
    total = " + ".join(map(str, parts)) + (f" − {blocked} {block}" if block else "")
    return f"{damage or 'no'} damage{f' ({total})' if len(parts) > 1 or block else ''}."


def card_name(box: Box, shown: R.State, seat: int) -> str:
    """Return the name of a revealed card: its kind, or the super performed with it."""
    return fighter(box, shown, seat).super if shown.performed[seat] else kind_name(shown.action[seat])


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
    lines: list[str] = [ResultLine(f"{name}: {_damage(parts)} {_left(shown, target, voice)}", hit=hit)]
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
        return f"{name} overrules the Block: {_damage(parts)} {_left(shown, blocker, voice)}"
    damage = _damage(parts, int(moves.block_value(box.kit, shown, blocker)), block)
    return f"{name}: {damage} {_left(shown, blocker, voice)}"


def _left(s: R.State, seat: int, voice: Voice) -> str:
    """Return a player's health now."""
    return f"{voice.does(seat, 'have', 'has')} {int(s.health[seat])} health left."


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
