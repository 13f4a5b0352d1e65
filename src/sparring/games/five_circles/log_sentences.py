"""Five Circles: log sentences for a seat."""

from sparring.engine.cards import in_order
from sparring.engine.game import Box
from sparring.scene.sentences import AsideLine, ResultLine, TurnLine, Voice, counted, listed

from . import using as U
from .abilities import ABILITIES, FIREBALL, SELF_DESTRUCT, Ability
from .phases import PHASES
from .options import SEATS, SLOTS
from .state import (
    ACTIONS, BRACE, COLOURS, DONE, FALLING, LANE, MAIN, NO_LIFE, PICK, PLAY_RESOURCE, RAN_DRY,
    RESOURCES_PHASE, SIDE, State,
)  # fmt: skip
from .words import ability_in, name, name_in_play, row


def tell(box: Box, before: State, action: int | None, after: State, seat: int, beat: str = "") -> list[str]:
    """Return log sentences for `seat`: the choice, damage and destruction, a new turn, drawn cards, the ending."""
    voice = Voice(seat)
    lines = [] if action is None else PHASES[before.phase].tell(box, before, action, after, voice)
    if action is not None and _used(box, action) is ABILITIES[SELF_DESTRUCT]:
        destroyed = [name_in_play(box, before, card, seat) for card in _left_play(before, after)]
        lines.append(ResultLine(f"{_destroyed(destroyed)}."))
    lines += _damage(box, before, after, beat, voice)
    lines += [
        f"{name_in_play(box, after, card, seat)} moves up to lane {lane}." for card, lane in closed_ranks(before, after)
    ]
    passed = _nothing_to_play(before, action, after, voice) or _passes(before, action, after, voice)
    lines += passed
    if after.turn != before.turn:
        whose = "Your" if after.active == seat else f"{voice.name(int(after.active))}'s"
        lines.append(TurnLine(f"{whose} turn (turn {after.turn})."))
    lines += _drawn(box, before, action, after, voice)
    if beat == "combat" and not passed:
        lines.append(f"{voice.does(int(after.active), 'attack', 'attacks')}.")
    elif beat == "reshuffled":
        lines.append(AsideLine("The discards are shuffled into a new deck."))
    if after.over and not beat:
        lines.append(ResultLine(ending(after, seat)))
    return lines


# Parts of the turn that are skipped


def _nothing_to_play(before: State, action: int | None, after: State, voice: Voice) -> list[str]:
    """Return a sentence for the player only, if MAIN was skipped because they had nothing (else) to play."""
    if voice.seat != before.active or before.window not in (RESOURCES_PHASE, MAIN):
        return []
    same_turn = after.turn == before.turn
    if (same_turn and after.window in (RESOURCES_PHASE, MAIN)) or action == DONE:
        return []
    untouched = before.window == RESOURCES_PHASE and action is None
    attack = ": your characters attack" if same_turn and after.window in (BRACE, LANE) else ""
    return [f"Nothing {'' if untouched else 'else '}to play{attack}."]


def _passes(before: State, action: int | None, after: State, voice: Voice) -> list[str]:
    """Return a sentence if a turn has ended in which its player did nothing; everyone can see that."""
    player = int(before.active)
    ended = after.turn != before.turn and before.window in (RESOURCES_PHASE, MAIN) and action in (None, DONE)
    idle = ended and not before.laid and not before.last[player] and not after.last[player]
    return [f"{voice.does(player, 'pass', 'passes')}."] if idle else []


# Damage and destruction


def _damage(box: Box, before: State, after: State, beat: str, voice: Voice) -> list[str]:
    """Return who takes damage, who is destroyed by it and who loses life; in combat for one lane."""
    taken = {
        card: int(after.damage[card] - before.damage[card])
        for card in range(box.kit.characters) if after.at[card] and after.damage[card] > before.damage[card]
    }  # fmt: skip
    falling = [card for card in range(box.kit.characters) if after.at[card] and after.status[card] & FALLING]
    parts = _damage_of_each(box, after, taken, falling if beat == "destroyed" else [], voice)
    lost = [seat for seat in range(SEATS) if after.life[seat] < before.life[seat]]
    for seat in lost:
        through = _who_gets_through(box, after, seat, voice)
        life = f"{int(before.life[seat] - after.life[seat])} life ({int(after.life[seat])} left)"
        parts.append(f"{through}{voice.then(seat, 'lose', 'loses')} {life}")
    if not parts and beat == "lane" and (before.window != LANE or before.lane < after.lane):
        parts.append("no damage")
    if not parts:
        return []
    # Outside a lane, only Fireball deals damage.
    source = f"Lane {after.lane}: " if _in_lane(after) else f"{ABILITIES[FIREBALL].name}: " if taken or lost else ""
    line = source + "; ".join(parts)
    return [ResultLine(line[0].upper() + line[1:] + ".", hit=parts != ["no damage"])]


def _damage_of_each(box: Box, s: State, taken: dict[int, int], falling: list[int], voice: Voice) -> list[str]:
    """Return the damage and destruction of each character."""
    names = {card: name_in_play(box, s, card, voice.seat) for card in (*taken, *falling)}
    if _is_even_exchange(s, taken):
        both = f"{listed([names[card] for card in taken])} deal {next(iter(taken.values()))} damage to each other"
        if not falling:
            return [both]
        gone = "both are destroyed" if set(falling) == set(taken) else _destroyed([names[card] for card in falling])
        return [both, gone]
    parts = [
        f"{names[card]} takes {points} damage{' and is destroyed' if card in falling else ''}"
        for card, points in taken.items()
    ]
    others = [names[card] for card in falling if card not in taken]
    return [*parts, *([_destroyed(others)] if others else [])]


def _is_even_exchange(s: State, taken: dict[int, int]) -> bool:
    """Return whether two characters have struck each other for the same damage, without reflection."""
    fought = {int(s.hitter) - 1, int(s.striker) - 1}
    alone = s.struck == s.striker and not s.reflected and not s.mirror
    return bool(_in_lane(s) and alone and set(taken) == fought and len(set(taken.values())) == 1)


def _who_gets_through(box: Box, s: State, seat: int, voice: Voice) -> str:
    """Return which attacker takes life in combat."""
    attacker = int(s.row[s.active * SIDE + s.lane]) - 1 if _in_lane(s) and s.active != seat else -1
    return f"{name_in_play(box, s, attacker, voice.seat)} gets through and " if attacker >= 0 else ""


def _in_lane(s: State) -> bool:
    """Return whether a lane is being fought; combat begins with lane 0, before the first one."""
    return bool(s.window == LANE and s.lane)


def _left_play(before: State, after: State) -> list[int]:
    """Return the characters that were in play before and no longer are."""
    return [card for card in range(len(before.at)) if before.at[card] and not after.at[card]]


def _destroyed(names: list[str]) -> str:
    return f"{listed(names)} {'is' if len(names) == 1 else 'are'} destroyed"


def _used(box: Box, action: int) -> Ability | None:
    """Return the ability that a choice uses, if any."""
    block, number = ACTIONS.name_of(action) if action >= 0 else ("hidden", -1)
    return ability_in(box, number // SLOTS, number % SLOTS) if block == "use" else None


def closed_ranks(before: State, after: State) -> list[tuple[int, int]]:
    """Return the characters that have closed a gap in their row after combat, with their new lanes (R31)."""
    if before.window != LANE or after.window == LANE:
        return []
    lanes = {card: lane for seat in range(SEATS) for lane, card in row(before, seat)}
    return [(card, lane) for seat in range(SEATS) for lane, card in row(after, seat) if lane < lanes.get(card, 0)]


# Draws


def _drawn(box: Box, before: State, action: int | None, after: State, voice: Voice) -> list[str]:
    """Return what this seat drew, and the number of cards that another drew if more than one."""
    lines = list[str]()
    for seat in range(SEATS):
        count = int(after.cards[seat] - before.cards[seat])
        if action is not None and seat == before.player:
            count += _from_hand(before, action)
        if count > 0 and seat == voice.seat:
            lines.append(AsideLine("You draw", *_new_cards(box, before, action, after, seat)))
        elif count > 1:
            lines.append(AsideLine(f"{voice.does(seat, 'draw', 'draws')} {counted(count, 'card')}."))
    return lines


def _from_hand(s: State, action: int) -> int:
    """Return the number of cards that a choice takes from the hand; -1 if it adds one."""
    block = ACTIONS.name_of(action)[0] if action >= 0 else ""
    if block == "place" and s.phase == PICK and ABILITIES[int(s.ability)].wants == U.DISCARD:
        return -1
    return int(block in ("resource", "bring"))


def _new_cards(box: Box, before: State, action: int | None, after: State, seat: int) -> list[str]:
    old = in_order(before.hand[seat])
    found = [name(box, card) for card in in_order(after.hand[seat]) if card not in old]
    for colour, word in enumerate(COLOURS):
        played = int(action == PLAY_RESOURCE + colour and before.player == seat)
        count = int(after.held[seat, colour] - before.held[seat, colour]) + played
        found += [f"a {word} resource" if count == 1 else f"{count} {word} resources"] if count > 0 else []
    return found


def ending(s: State, seat: int) -> str:
    """Return how the match ended, as `seat` reads it."""
    voice = Voice(seat)
    winners = [i for i in range(SEATS) if s.payoff[i] > 0]
    if s.ending == NO_LIFE:
        loser = voice.then(1 - winners[0], "have", "has")
        return f"{voice.does(winners[0], 'win', 'wins')}: {loser} no life left."
    reason = "The deck has run out" if s.ending == RAN_DRY else "The turn limit is reached"
    if not winners:
        return f"{reason}, with {int(s.life[0])} life each: a draw."
    return f"{reason}: {voice.then(winners[0], 'win', 'wins')} with {int(max(s.life))} life to {int(min(s.life))}."
