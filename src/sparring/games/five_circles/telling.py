"""Five Circles in sentences: what just happened, lane by lane."""

from typing import Any

from sparring.engine.game import Box
from sparring.scene.sentences import Aside, Result, Voice, listed

from . import using as U
from .abilities import ABILITIES, SELF_DESTRUCT, SERENITY, Ability
from .state import (
    ACTIONS, ANSWER, COLOURS, EXTRA, FALLING, LANE, NO_LIFE, PICK, PLAY, RAN_DRY, SEATS, SIDE, SLOTS, SPREAD,
)  # fmt: skip
from .table import discard_of
from .words import ability_in, called, name


def tell(box: Box, before: Any, action: int | None, after: Any, seat: int, beat: str = "") -> list[str]:
    """What happened, in sentences for `seat`: the choice, who was hurt and who fell, the turn that begins, the draw."""
    voice = Voice(seat)
    lines = [] if action is None else _choice(box, before, action, voice)
    if action is not None and _used(box, action) is ABILITIES[SELF_DESTRUCT]:
        lines.append(_destroyed([called(box, before, card, seat) for card in _gone(before, after)]))
    lines += _blows(box, before, after, beat, voice)
    if after.turn != before.turn:
        whose = "your turn" if after.active == seat else f"{voice.whom(int(after.active))} is next"
        lines.append(f"Turn {after.turn}: {whose}.")
    lines += _drawn(box, before, action, after, voice)
    if beat == "combat":
        lines.append(f"Combat: {voice.then(int(after.active), 'attack', 'attacks')}.")
    elif beat == "reshuffled":
        lines.append(Aside("The discards are shuffled: they are the deck now."))
    if after.over and not beat:
        lines.append(Result(ending(after, seat)))
    return lines


def _choice(box: Box, s: Any, action: int, voice: Voice) -> list[str]:
    """The choice in a sentence; none for what is better left unsaid."""
    who = int(s.player)
    block, number = ACTIONS.name_of(action) if action >= 0 else ("hidden", -1)
    if block == "resource":
        return [f"{voice.does(who, 'play', 'plays')} a {COLOURS[number]} resource."]
    if block == "bring":
        free = " for free" if s.phase == EXTRA else ""
        return [f"{voice.does(who, 'bring', 'brings')} {name(box, number)}{free}."]
    if block == "use":
        return _use(box, s, number, voice)
    if block == "hold":
        return [f"{called(box, s, int(s.row[s.active * SIDE + s.lane]) - 1, voice.seat)} holds back."]
    if s.phase == SPREAD and block == "target":
        return [f"A point goes to {called(box, s, number, voice.seat)}."]
    if s.phase == PICK and block in ("target", "player", "place"):
        return _picked(box, s, block, number, voice)
    return []


def _use(box: Box, s: Any, number: int, voice: Voice) -> list[str]:
    card, ability = number // SLOTS, ability_in(box, number // SLOTS, number % SLOTS)
    user = called(box, s, card, voice.seat)
    if ability is None or (ability.wants >= U.ENEMY and ability.wants != U.ARRANGE and s.phase != ANSWER):
        return []  # told with what is picked
    if ability is ABILITIES[SERENITY]:
        return [f"{user} is discarded for {ability.name}."]
    if ability.word:
        return [f"{user} {ability.word}s the damage."]
    return [f"{user} uses {ability.name}."]


def _picked(box: Box, s: Any, block: str, number: int, voice: Voice) -> list[str]:
    ability = ABILITIES[int(s.ability)]
    if ability.wants == U.ARRANGE:
        return []
    user = called(box, s, int(s.using) - 1, voice.seat)
    if block == "player":
        return [f"{user} uses {ability.name} on {voice.whom(1 - int(s.player))}."]
    if block == "place":
        return [f"{user} uses {ability.name}: {name(box, _discarded(box, s, number))} goes to {_whose(s, voice)} hand."]
    if ability.wants == U.PAIR:
        if s.first == 0:
            return []
        one, other = called(box, s, int(s.first) - 1, voice.seat), called(box, s, number, voice.seat)
        return [f"{user} uses {ability.name}: {one} and {other} change lanes."]
    return [f"{user} uses {ability.name} on {called(box, s, number, voice.seat)}."]


def _discarded(box: Box, s: Any, place: int) -> int:
    return int(discard_of(box.kit, s, s.player)[place + 1])


def _whose(s: Any, voice: Voice) -> str:
    return "your" if voice.seat == s.player else "the"


# What came of it


def _blows(box: Box, before: Any, after: Any, beat: str, voice: Voice) -> list[str]:
    """Who took damage, who is about to leave for it, who lost life; in combat lane by lane."""
    parts = [
        f"{called(box, after, card, voice.seat)} takes {int(after.damage[card] - before.damage[card])}"
        for card in range(box.kit.characters) if after.at[card] and after.damage[card] > before.damage[card]
    ]  # fmt: skip
    if beat == "destroyed":
        falling = [card for card in range(box.kit.characters) if after.at[card] and after.status[card] & FALLING]
        parts.append(_destroyed([called(box, after, card, voice.seat) for card in falling]).rstrip("."))
    for seat in range(SEATS):
        lost = int(before.life[seat] - after.life[seat])
        if lost:
            through = _who_gets_through(box, after, seat, voice)
            parts.append(f"{through}{voice.then(seat, 'lose', 'loses')} {lost} life, {int(after.life[seat])} left")
    if not parts and beat == "lane" and (before.window != LANE or before.lane < after.lane):
        parts.append("nothing gets through")
    if not parts:
        return []
    line = (f"Lane {after.lane}: " if _in_a_lane(after) else "") + ", ".join(parts)
    return [Result(line[0].upper() + line[1:] + ".", hit=parts != ["nothing gets through"])]


def _who_gets_through(box: Box, s: Any, seat: int, voice: Voice) -> str:
    """In combat: who strikes the player whose character does not stand in the way."""
    striker = int(s.row[s.active * SIDE + s.lane]) - 1 if _in_a_lane(s) and s.active != seat else -1
    return f"{called(box, s, striker, voice.seat)} gets through, " if striker >= 0 else ""


def _in_a_lane(s: Any) -> bool:
    """Return whether a lane is being fought; combat begins with lane 0, before the first one."""
    return bool(s.window == LANE and s.lane)


def _gone(before: Any, after: Any) -> list[int]:
    """Characters that were in play and are no more."""
    return [card for card in range(len(before.at)) if before.at[card] and not after.at[card]]


def _destroyed(names: list[str]) -> str:
    return Result(f"{listed(names)} {'is' if len(names) == 1 else 'are'} destroyed.")


def _used(box: Box, action: int) -> Ability | None:
    """The ability that a choice uses, if it does."""
    block, number = ACTIONS.name_of(action) if action >= 0 else ("hidden", -1)
    return ability_in(box, number // SLOTS, number % SLOTS) if block == "use" else None


# What was drawn


def _drawn(box: Box, before: Any, action: int | None, after: Any, voice: Voice) -> list[str]:
    """What this seat drew; of others how many, if more than one."""
    lines = list[str]()
    for seat in range(SEATS):
        count = int(after.cards[seat] - before.cards[seat])
        if action is not None and seat == before.player:
            count += _from_hand(before, action)
        if count > 0 and seat == voice.seat:
            lines.append(Aside("You draw", *_new_cards(box, before, action, after, seat)))
        elif count > 1:
            lines.append(Aside(f"{voice.does(seat, 'draw', 'draws')} {count} cards."))
    return lines


def _from_hand(s: Any, action: int) -> int:
    """How many cards a choice took out of the hand; less than none if it put one there."""
    block = ACTIONS.name_of(action)[0] if action >= 0 else ""
    if block == "place" and s.phase == PICK and ABILITIES[int(s.ability)].wants == U.DISCARD:
        return -1
    return int(block in ("resource", "bring"))


def _new_cards(box: Box, before: Any, action: int | None, after: Any, seat: int) -> list[str]:
    old = before.hand[seat, 1 : before.hand[seat, 0] + 1].tolist()
    found = [name(box, card) for card in after.hand[seat, 1 : after.hand[seat, 0] + 1].tolist() if card not in old]
    for colour, word in enumerate(COLOURS):
        played = int(action == PLAY + colour and before.player == seat)
        count = int(after.held[seat, colour] - before.held[seat, colour]) + played
        found += [word if count == 1 else f"{count} {word}"] if count > 0 else []
    return found


def ending(s: Any, seat: int) -> str:
    """Who won, and by what."""
    voice = Voice(seat)
    winners = [i for i in range(SEATS) if s.payoff[i] > 0]
    if s.ending == NO_LIFE:
        return f"{voice.does(winners[0], 'win', 'wins')}: {voice.whom(1 - winners[0])} has no life left.".replace(
            "you has", "you have"
        )
    how = "The deck ran dry" if s.ending == RAN_DRY else "The turn limit is reached"
    if not winners:
        return f"{how} with {int(s.life[0])} life each: a draw."
    return f"{how}: {voice.then(winners[0], 'win', 'wins')} with {int(max(s.life))} life against {int(min(s.life))}."
