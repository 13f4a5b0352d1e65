"""Five Circles: reasons to prefer one action to another."""

from collections.abc import Iterator

from sparring.engine.cards import in_order
from sparring.engine.game import Box
from sparring.scene.sentences import counted

from . import state as S
from .combat import is_shielded
from .options import SLOTS
from .table import attack_of, has_lethal_damage
from .words import ability_in, design, name, seat_of


def reasons_for(box: Box, s: S.State, action: int, other: int) -> list[str]:
    """Return reasons to prefer `action` to `other`, the most important first."""
    block, number = S.ACTIONS.name_of(action)
    rival, another = S.ACTIONS.name_of(other)
    found: Iterator[str] = iter(())
    match block:
        case "resource":
            found = _resource(box, s, number, another if rival == "resource" else None)
        case "bring":
            found = _bring(box, s, number, another if rival == "bring" else None)
        case "use":
            found = _use(box, s, number)
        case "target" if rival == "target":
            found = _target(box, s, number, another)
        case "take":
            found = _take(box, s)
        case "done" if rival in ("use", "bring"):
            found = _hold(s)
    return list(found)


def _resource(box: Box, s: S.State, colour: int, other: int | None) -> Iterator[str]:
    """Name a character in hand for which the player has too few resources of a colour in play."""
    missing = _missing(box, s, colour)
    rest = "" if other is None or _missing(box, s, other) else f"; none of them needs more {S.COLOURS[other]}"
    if missing:
        card = missing[0]
        needs, owned = int(box.kit.card_cost[card, colour]), _owned(s, colour)
        yield f"{name(box, card)} in your hand costs {needs} {S.COLOURS[colour]}, and you have {owned} in play{rest}."


def _missing(box: Box, s: S.State, colour: int) -> list[int]:
    """Return the characters in hand that cost more of a colour than the player has in play, the cheapest first."""
    held = in_order(s.hand[s.player])
    short = [card for card in held if box.kit.card_cost[card, colour] > _owned(s, colour)]
    return sorted(short, key=lambda card: (int(box.kit.card_cost[card].sum()), card))


def _owned(s: S.State, colour: int) -> int:
    return int(s.ready[s.player, colour] + s.spent[s.player, colour])


def _bring(box: Box, s: S.State, card: int, other: int | None) -> Iterator[str]:
    lane = int(s.last[s.player]) + 1
    front = int(s.row[(1 - s.player) * S.SIDE + lane]) - 1 if lane < S.SIDE else -1
    if other is None:
        if front >= 0:
            yield f"{name(box, card)} takes lane {lane}, in front of {name(box, front)}, which no one faces now."
        else:
            yield f"{name(box, card)} takes lane {lane}, with no enemy in front of it."
        return
    one, two = design(box, card), design(box, other)
    if one.attack > two.attack and one.health >= two.health:
        yield f"{one.name} attacks with {one.attack}, {two.name} only with {two.attack}."
    elif one.health > two.health and one.attack >= two.attack:
        yield f"{one.name} has {one.health} health, {two.name} only {two.health}."
    costs = [int(box.kit.card_cost[each].sum()) for each in (card, other)]
    if costs[0] < costs[1]:
        yield f"{one.name} costs {counted(costs[0], 'resource')}, {two.name} {costs[1]}."


def _use(box: Box, s: S.State, number: int) -> Iterator[str]:
    card, slot = divmod(number, SLOTS)
    ability = ability_in(box, card, slot)
    if s.phase == S.ANSWER and s.hit == card + 1 and _would_fall(box, s):
        yield f"Without a response, {name(box, card)} takes {int(s.packet)} damage and is destroyed."
    if ability is not None:
        yield f"{ability.name}: {ability.effect}"


def _target(box: Box, s: S.State, card: int, other: int) -> Iterator[str]:
    """Compare two enemies by their attack."""
    if s.player in (seat_of(s, card), seat_of(s, other)):
        return
    one, two = (int(attack_of(box.kit, s, each)) for each in (card, other))
    if one > two:
        yield f"{name(box, card)} is the stronger attacker: {one} attack, {name(box, other)} {two}."


def _take(box: Box, s: S.State) -> Iterator[str]:
    if s.phase == S.ANSWER and s.hit and not _would_fall(box, s) and not is_shielded(box.kit, s, s.hit - 1):
        yield f"This damage alone doesn't destroy {name(box, int(s.hit) - 1)}."


def _would_fall(box: Box, s: S.State) -> bool:
    """Return whether the packet would be lethal for its target as things stand."""
    trial = s.copy()
    trial.damage[s.hit - 1] += s.packet
    return bool(has_lethal_damage(box.kit, trial, s.hit - 1))


def _hold(s: S.State) -> Iterator[str]:
    ready = int(sum(s.ready[s.player]))
    if ready and s.active == s.player:
        yield f"You keep {counted(ready, 'resource')} ready for your opponent's turn."
