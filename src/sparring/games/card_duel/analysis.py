"""Card Duel: features for learning agents and value models, items for the lab, and reasons for hints."""

from collections.abc import Iterator

import numpy as np

from sparring.engine.cards import count_cards
from sparring.engine.features import layout, one_hot
from sparring.engine.game import GameSetup, Item
from sparring.engine.rule import rule
from sparring.engine.types import Floats, Numbers
from sparring.scene.sentences import Text

from . import card_effects as E
from . import state as S
from .board import attack_of, health_of
from .params import CARDS, COPIES, DESIGNS, HAND_LIMIT, MOST_ENERGY, SEATS, SLOTS, Params
from .phases import card as card_of
from .phases import in_slot
from .rules import targets
from .state import MOST_ENERGY_NOW, MOST_SHIELDS, MOST_STAT, MOVES, PHASES, POINTS, READY, SLOT, State

PLAYER = 5
CHARACTER_PARTS = 8
FEATURES = len(PHASES) + 3 + SEATS * PLAYER + SEATS * SLOTS * CHARACTER_PARTS + SLOTS + 3 * DESIGNS
LAYOUT = layout(
    ("phase", len(PHASES), 0, 1, "the phase, one-hot"),
    ("match", 3, 0, 1, "rounds / the limit; moves this turn / 20; whether hits score points"),
    ("players", (SEATS, PLAYER), 0, 1, "each player, own seat first: life, points, energy, hand and deck"),
    ("rows", (SEATS, SLOTS, CHARACTER_PARTS), 0, 1,
     "each slot, own seat first: occupied, attack, health, shields, ready, guard, cost, whether it has effects"),
    ("attacker", SLOTS, 0, 1, "the slot of the attacker that chooses its target, one-hot"),
    ("card", DESIGNS, 0, 1, "the card being played, one-hot"),
    ("hand", DESIGNS, 0, 1, "own hand: copies of each card / 6"),
    ("known", DESIGNS, 0, 1, "cards that everyone knows in the other hand: copies / 6"),
)  # fmt: skip


@rule
def features(params: Params, s: State, seat: int, out: Floats) -> None:
    """Write FEATURES floats to `out`."""
    n = one_hot(out, 0, len(PHASES), s.phase)
    out[n] = s.turn / (2 * params.rounds)
    out[n + 1] = s.moves / MOVES
    out[n + 2] = 1.0 if params.win == POINTS else 0.0
    n += 3
    for place in range(SEATS):
        other = seat if place == 0 else 1 - seat
        out[n] = s.life[other] / params.life
        out[n + 1] = min(1.0, s.points[other] / params.points)
        out[n + 2] = s.energy[other] / MOST_ENERGY_NOW
        out[n + 3] = s.hand[other, 0] / HAND_LIMIT
        out[n + 4] = s.deck[other, 0] / CARDS
        n += PLAYER
    for place in range(SEATS):
        for slot in range(SLOTS):
            encode_character(params, s, seat if place == 0 else 1 - seat, slot, out, n)
            n += CHARACTER_PARTS
    n = one_hot(out, n, SLOTS, s.attacker - 1)
    n = one_hot(out, n, DESIGNS, s.card - 1)
    for design in range(DESIGNS):
        out[n + design] = 0.0
        out[n + DESIGNS + design] = s.known[1 - seat, design] / COPIES
    for i in range(1, s.hand[seat, 0] + 1):
        if s.hand[seat, i] >= 0:
            out[n + int(s.hand[seat, i])] += 1.0 / COPIES


@rule
def encode_character(params: Params, s: State, seat: int, slot: int, out: Floats, n: int) -> None:
    """Write the character in a slot, or zeros."""
    for part in range(CHARACTER_PARTS):
        out[n + part] = 0.0
    if s.row[seat, slot]:
        design = s.row[seat, slot] - 1
        out[n] = 1.0
        out[n + 1] = attack_of(params, s, seat, slot) / MOST_STAT
        out[n + 2] = min(1.0, max(0.0, health_of(params, s, seat, slot) / 30))
        out[n + 3] = s.shield[seat, slot] / MOST_SHIELDS
        out[n + 4] = 1.0 if s.tired[seat, slot] == READY else 0.0
        out[n + 5] = 1.0 if params.guard[design] else 0.0
        out[n + 6] = params.cost[design] / MOST_ENERGY
        out[n + 7] = 1.0 if params.effects[design] else 0.0


# The items that the lab measures


def names(setup: GameSetup) -> tuple[Item, ...]:
    """Return the cards in the order of the set."""
    return tuple(Item("card", card.name) for card in setup.content.cards)


@rule
def held(params: Params, s: State, seat: int, marks: Numbers) -> None:
    """Mark the cards in hand and in play, and the one being played."""
    count_cards(marks, s.hand[seat])
    for slot in range(params.slots):
        if s.row[seat, slot]:
            marks[s.row[seat, slot] - 1] += 1
    if s.card and s.player == seat:
        marks[s.card - 1] += 1


@rule
def played(params: Params, s: State, action: int, marks: Numbers) -> None:
    """Mark the card that is played from the hand."""
    if action < SLOT:
        marks[action] += 1


@rule
def progress(params: Params, s: State, seat: int) -> float:
    """Return a seat's life as a share of the life at the start, or its points as a share of those needed (R1, R2)."""
    if params.win == POINTS:
        return min(1.0, s.points[seat] / params.points)
    return s.life[seat] / params.life


# Reasons to prefer one action to another. The outcome of a strike is stated only if no effect of the attacker comes
# before it (R14).

#: What an effect of a card does, by its time.
EFFECT_FORMS = (
    "{card}: {effect}.", "{card}, attacks: {effect}.", "{card}, hit: {effect}.", "{card}, defeated: {effect}.",
    "{card}, turn starts: {effect}.", "{card}, turn ends: {effect}.",
)  # fmt: skip


def reasons_for(setup: GameSetup, s: S.State, action: int, other: int) -> list[Text]:
    """Return reasons to prefer `action` to `other`, the most important first."""
    block, number = S.ACTIONS.name_of(action)
    rival, another = S.ACTIONS.name_of(other)
    found: Iterator[Text] = iter(())
    match block:
        case "card":
            found = _play(setup, s, number, rival, another)
        case "slot" if s.phase == S.PLACE:
            found = _place(setup, s, number, another)
        case "slot":
            found = _attack(setup, s, number)
        case "enemy" if s.phase == S.AIM:
            found = _aim(setup, s, number, another)
        case "enemy" | "opponent":
            found = _target(setup, s, action, other)
        case "done" if rival == "slot":
            found = _hold(setup, s, another)
    return list(found)


def _play(setup: GameSetup, s: S.State, number: int, rival: str, another: int) -> Iterator[Text]:
    """Compare a card with another one, or with not playing it."""
    this = card_of(setup, number)
    if rival == "done" and this.cost:
        values = {"card": this.name, "cost": this.cost, "energy": s.energy[s.player]}
        yield Text("{card} costs {cost} of your {energy} energy, and energy you don't use is lost.", **values)
    for effect in this.effects:
        yield Text(EFFECT_FORMS[effect.numbers[0]], card=this.name, effect=effect.effect_text)
    if rival != "card" or card_of(setup, another).kind != this.kind or this.kind != "character":
        return
    that = card_of(setup, another)
    values = {"card": this.name, "other": that.name}
    if this.attack > that.attack and this.health >= that.health:
        yield Text("{card} has {attack} attack, {other} only {less}.", attack=this.attack, less=that.attack, **values)
    elif this.health > that.health and this.attack >= that.attack:
        yield Text("{card} has {health} health, {other} only {less}.", health=this.health, less=that.health, **values)
    if "Guard" in this.traits and "Guard" not in that.traits and setup.params.combat != S.LANES:
        yield Text("{card} has Guard: attackers must attack it first.", **values)
    if "Fast" in this.traits and "Fast" not in that.traits:
        yield Text("{card} is Fast: it can attack this turn.", **values)


def _place(setup: GameSetup, s: S.State, slot: int, other: int) -> Iterator[Text]:
    """Say whom a new character faces, if it would not face anyone in the other slot, or the other way round."""
    front, beside = (in_slot(setup, s, 1 - int(s.player), each) for each in (slot, other))
    values = {"slot": slot + 1, "card": card_of(setup, int(s.card) - 1).name}
    if front and not beside:
        yield Text("In slot {slot}, {card} faces {enemy}.", enemy=front, **values)
    elif beside and not front:
        values |= {"other": other + 1, "enemy": beside}
        yield Text("In slot {slot}, {card} faces no enemy; in slot {other} it would face {enemy}.", **values)


def _attack(setup: GameSetup, s: S.State, slot: int) -> Iterator[Text]:
    """Say what a character can do to its targets."""
    if not _strike_is_certain(setup, s, slot):
        return
    name, aims = in_slot(setup, s, int(s.player), slot), _targets(setup, s, slot)
    for aim in aims:
        if aim >= 0 and _clash(setup, s, slot, aim) == (True, True):
            enemy = in_slot(setup, s, 1 - int(s.player), aim)
            yield Text("{card} can defeat {enemy} and survive.", card=name, enemy=enemy)
    if -1 in aims:
        yield Text("{card} can hit your opponent for {hit}.", card=name, hit=_hit(setup, s, slot))


def _aim(setup: GameSetup, s: S.State, slot: int, other: int) -> Iterator[Text]:
    """Say how much of a chosen enemy's health a card takes; else compare two enemies by their attack."""
    this, enemy = card_of(setup, int(s.card) - 1), 1 - int(s.player)
    first = this.effects[0]
    if (first.when, first.does, first.to) == ("played", "damage", "chosen enemy") and not s.shield[enemy, slot]:
        health = int(health_of(setup.params, s, enemy, slot))
        if first.number >= health:
            values = {"card": this.name, "enemy": in_slot(setup, s, enemy, slot), "health": health}
            yield Text("{card} deals {damage} damage, and {enemy} has {health} health.", damage=first.number, **values)
    yield from _stronger(setup, s, slot, other)


def _target(setup: GameSetup, s: S.State, action: int, other: int) -> Iterator[Text]:
    """Say how a strike ends; else compare two enemies by their attack."""
    slot, enemy = int(s.attacker) - 1, 1 - int(s.player)
    name, certain = in_slot(setup, s, int(s.player), slot), _strike_is_certain(setup, s, slot)
    if action == S.OPPONENT:
        if certain:
            yield Text("{card} hits your opponent for {hit}.", card=name, hit=_hit(setup, s, slot))
        return
    target = action - S.ENEMY
    defeats, survives = _clash(setup, s, slot, target)
    if certain and defeats:
        values = {"card": name, "enemy": in_slot(setup, s, enemy, target)}
        if survives:
            yield Text("{card} defeats {enemy} and survives.", **values)
        else:
            yield Text("{card} and {enemy} defeat each other.", **values)
    if other != S.OPPONENT:
        yield from _stronger(setup, s, target, other - S.ENEMY)


def _hold(setup: GameSetup, s: S.State, slot: int) -> Iterator[Text]:
    """Say that an attack would only lose the attacker."""
    aims = _targets(setup, s, slot)
    if -1 in aims or not _strike_is_certain(setup, s, slot):
        return
    if all(_clash(setup, s, slot, aim) == (False, False) for aim in aims):
        name = in_slot(setup, s, int(s.player), slot)
        yield Text("Any enemy that {card} can attack would survive the strike and defeat {card}.", card=name)


def _stronger(setup: GameSetup, s: S.State, slot: int, other: int) -> Iterator[Text]:
    """Compare two enemies by their attack."""
    enemy = 1 - int(s.player)
    one, two = (int(attack_of(setup.params, s, enemy, each)) for each in (slot, other))
    if one > two:
        values = {"card": in_slot(setup, s, enemy, slot), "other": in_slot(setup, s, enemy, other)}
        yield Text("{card} has {attack} attack, {other} only {less}.", attack=one, less=two, **values)


def _targets(setup: GameSetup, s: S.State, slot: int) -> list[int]:
    """Return the slots of the enemies that a character can attack; -1 is the opponent."""
    if setup.params.combat == S.LANES:
        return [slot if s.row[1 - s.player, slot] else -1]
    out = np.zeros(len(S.ACTIONS), np.int16)
    found = out[: targets(setup.params, s, out)]
    return [-1 if action == S.OPPONENT else int(action) - S.ENEMY for action in found]


def _strike_is_certain(setup: GameSetup, s: S.State, slot: int) -> bool:
    """Return whether nothing happens between the attack of a character and its strike."""
    attacker = card_of(setup, int(s.row[s.player, slot]) - 1)
    return all(effect.when != E.WHEN[E.ATTACKS] for effect in attacker.effects)


def _clash(setup: GameSetup, s: S.State, slot: int, target: int) -> tuple[bool, bool]:
    """Return whether a strike defeats the target, and whether the attacker survives it."""
    params, player, enemy = setup.params, int(s.player), 1 - int(s.player)
    blow, answer = attack_of(params, s, player, slot), attack_of(params, s, enemy, target)
    defeats = not s.shield[enemy, target] and blow >= health_of(params, s, enemy, target)
    survives = s.shield[player, slot] or answer < health_of(params, s, player, slot)
    return bool(defeats), bool(survives)


def _hit(setup: GameSetup, s: S.State, slot: int) -> Text:
    """Return what a hit on the opponent takes or scores."""
    blow = int(attack_of(setup.params, s, int(s.player), slot))
    if setup.params.win == S.POINTS:
        return Text("{n} point", "{n} points", n=blow)
    return Text("{blow} of {life} life", blow=blow, life=s.life[1 - s.player])
