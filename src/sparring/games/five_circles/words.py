"""Five Circles: the words for every choice, and why a choice cannot be made now."""

from collections.abc import Iterator
from typing import Any

from sparring.engine.game import Box

from . import using as U
from .abilities import ABILITIES, WHEN, Ability
from .designs import Design
from .options import PLAYERS
from .state import (
    ACTIONS, ANSWER, ASLEEP, BRACE, COLOURS, EXTRA, LANE, LANES, MAIN, MEND, PICK, RESOURCE, RESOURCES_PHASE,
    SEATS, SIDE, SLOTS, SPREAD, TOP,
)  # fmt: skip
from .table import deck_of, discard_of

#: Choices that are one word.
PLAIN = {"take": "take", "keep": "keep", "attack": "attack", "hold": "hold", "done": "done", "none": "none"}


# Cards


def design(box: Box, card: int) -> Design:
    """What is printed on a character."""
    found: Design = box.content.cards[int(box.kit.card_design[card])]
    return found


def name(box: Box, card: int) -> str:
    """What a card is called: a character's name, or the colour of a resource."""
    return COLOURS[card - RESOURCE] if card >= RESOURCE else str(design(box, card).name)


def ability_in(box: Box, card: int, slot: int) -> Ability | None:
    """The ability in a slot of a character."""
    number = int(box.kit.card_ability[card, slot])
    return ABILITIES[number] if number >= 0 else None


def row(s: Any, seat: int) -> Iterator[tuple[int, int]]:
    """The characters a seat has in play, as (lane, card), from lane 1 outward."""
    for lane in range(1, int(s.last[seat]) + 1):
        if s.row[seat * SIDE + lane]:
            yield lane, int(s.row[seat * SIDE + lane]) - 1


def seat_of(s: Any, card: int) -> int:
    """Whose row a character stands in; -1 if it is not in play."""
    return int(s.at[card]) // SIDE if s.at[card] else -1


def called(box: Box, s: Any, card: int, seat: int) -> str:
    """A character in play so that no other fits: `Kite Archer`, `enemy Kite Archer`, `Kite Archer lane 2`."""
    alike = {other: lane for side in range(SEATS) for lane, other in row(s, side)
             if box.kit.card_design[other] == box.kit.card_design[card]}  # fmt: skip
    side = seat_of(s, card)
    mine = [other for other in alike if seat_of(s, other) == side]
    before = "enemy " if side != seat and len(mine) < len(alike) else ""
    after = f" lane {alike[card]}" if len(mine) > 1 and card in alike else ""
    return f"{before}{name(box, card)}{after}"


def longer_names(box: Box, s: Any, card: int, seat: int) -> set[str]:
    """Other ways of naming a character in play that fit no other one."""
    side = seat_of(s, card)
    if side < 0:
        return {name(box, card)}
    full = f"{name(box, card)} lane {int(s.at[card]) % SIDE}"
    short = called(box, s, card, seat)
    if side == seat:
        return {full, short, f"my {full}"}
    bare = short.removeprefix("enemy ")
    return {short, f"enemy {full}", f"enemy {bare}", *([full] if not short.startswith("enemy ") else [])}


# Choices


def words(box: Box, s: Any, action: int) -> str:
    """The words of a choice; empty if it means nothing in this state."""
    block, number = ACTIONS.name_of(action)
    if block in PLAIN:
        return PLAIN[block]
    if block == "resource":
        return f"resource {COLOURS[number].lower()}"
    if block == "player":
        return "opponent" if box.kit.fireball == PLAYERS else ""
    if block == "place":
        return _place(box, s, number)
    card = number // SLOTS if block == "use" else number
    if card >= box.kit.characters:
        return ""
    if block == "bring":
        return name(box, card) if s.phase == EXTRA else f"bring {name(box, card)}"
    if block == "target":
        return called(box, s, card, int(s.player)) if s.at[card] else ""
    ability = ability_in(box, card, number % SLOTS)
    return _use(box, s, card, ability) if ability else ""


def _use(box: Box, s: Any, card: int, ability: Ability) -> str:
    if s.phase == ANSWER and s.hit == card + 1 and ability.word:
        return ability.word
    verb = "heal" if s.phase == ANSWER and ability.wants == U.HURT else "use"
    return f"{verb} {called(box, s, card, int(s.player))}: {ability.name}"


def aliases(box: Box, s: Any, action: int) -> tuple[str, ...]:
    """Other words for a choice: with colons, by the lane, without the verb."""
    block, number = ACTIONS.name_of(action)
    if block == "resource":
        colour = COLOURS[number].lower()
        return colour, f"resource:{colour}"
    if block == "player":
        return "player", "the opponent", "enemy player", f"seat {2 - int(s.player)}"
    if block == "place":
        card = _card_at(box, s, number)
        return (name(box, card),) if card >= 0 else ()
    card = number // SLOTS if block == "use" else number
    if block in PLAIN or card >= box.kit.characters:
        return ()
    if block == "bring":
        return f"bring {name(box, card)}", f"bring:{name(box, card)}"
    names = longer_names(box, s, card, int(s.player))
    if block == "target":
        return tuple(names) if s.at[card] else ()
    ability = ability_in(box, card, number % SLOTS)
    if ability is None:  # so that asking for what it cannot do is understood, and refused
        lacking = [each.name for each in ABILITIES if each.name not in design(box, card).abilities]
        return tuple(f"use {each}:{other}" for each in names for other in lacking)
    answer = (ability.word,) if ability.word and (s.phase != ANSWER or s.hit == card + 1) else ()
    return (*answer, *(f"{verb}{each}:{ability.name}" for each in names for verb in ("use ", "use:", "heal ", "heal:")))


def _card_at(box: Box, s: Any, place: int) -> int:
    """The card at a place of the pile that is being picked from; -1 if there is none, or the seat may not know it."""
    wants = int(box.kit.ability_wants[s.ability]) if s.phase == PICK else U.NOTHING
    if wants == U.ARRANGE:
        deck = deck_of(box.kit, s, s.player)
        return int(deck[deck[0] - place]) if place < min(TOP, deck[0]) else -1
    if wants != U.DISCARD:
        return -1
    discard = discard_of(box.kit, s, s.player)
    return int(discard[place + 1]) if place < discard[0] else -1


def _place(box: Box, s: Any, place: int) -> str:
    """A card of a pile by its name; equal cards are counted, since they are different cards."""
    card = _card_at(box, s, place)
    if card < 0:
        return ""
    alike = [other for other in range(int(max(place + 1, discard_of(box.kit, s, s.player)[0], TOP)))
             if _same(box, _card_at(box, s, other), card)]  # fmt: skip
    return name(box, card) + (f" {alike.index(place) + 1}" if len(alike) > 1 else "")


def _same(box: Box, one: int, other: int) -> bool:
    return one >= 0 and name(box, one) == name(box, other)


# Why not


def why_not(box: Box, s: Any, action: int) -> str:
    """One kind sentence: why `s.player` may not choose this now."""
    block, number = ACTIONS.name_of(action)
    if block == "resource":
        return _why_not_resource(s, number)
    if block in ("place", "player", "target"):
        return _why_not_target(box, s, block, number)
    if block in PLAIN:
        return _why_not_plain(s, block)
    card = number // SLOTS if block == "use" else number
    if card >= box.kit.characters:
        return "There is no such card in this game."
    if block == "bring":
        return _why_not_bring(box, s, card)
    return why_not_use(box, s, card, number % SLOTS)


def _why_not_resource(s: Any, colour: int) -> str:
    if s.phase != RESOURCES_PHASE:
        return "Resources are played at the start of your turn, two at most."
    return f"You have no {COLOURS[colour]} resource in hand."


def _why_not_bring(box: Box, s: Any, card: int) -> str:
    if card not in s.hand[s.player, 1 : s.hand[s.player, 0] + 1]:
        return f"{name(box, card)} is not in your hand."
    if s.phase not in (MAIN, EXTRA):
        return (
            NOT_NOW[int(s.phase)] if s.phase != RESOURCES_PHASE else "First play your resources, then bring characters."
        )
    if s.last[s.player] == LANES:
        return "Your row has no lane left."
    if s.phase == EXTRA:
        return "An equal card stands for this one."
    ready = s.ready[s.player]
    lacking = [f"{int(need - have)} more {COLOURS[colour]}" for colour, (need, have)
               in enumerate(zip(box.kit.card_cost[card], ready, strict=True)) if need > have]  # fmt: skip
    if not lacking:
        return "An equal card stands for this one."
    return f"{name(box, card)} costs {design(box, card).price}; you need {' and '.join(lacking)} ready."


def why_not_use(box: Box, s: Any, card: int, slot: int) -> str:
    """Why this ability of a character cannot be used now by the seat that is asked."""
    ability = ability_in(box, card, slot)
    who = name(box, card)
    if ability is None:
        return f"{who} has no such ability."
    if seat_of(s, card) != s.player:
        return f"You have no {who} in play."
    if not ability.used_in(box.kit):
        return f"{ability.name} works by itself."
    if s.phase in (RESOURCES_PHASE, EXTRA, PICK, SPREAD, LANE):
        return NOT_NOW[int(s.phase)]
    told = _OBSTACLES[int(U.obstacle(box.kit, s, card, slot, int(s.phase)))]
    return str(told(box, s, who, ability))


def _unpaid(box: Box, s: Any, who: str, ability: Ability) -> str:
    have = int(s.ready[s.player, ability.colour])
    return f"{ability.name} costs {ability.kind}; you have {have or 'none'} ready."


def _wrong_time(box: Box, s: Any, who: str, ability: Ability) -> str:
    times = [when for phase, when in WHEN.items() if ability.used_in(box.kit) >> phase & 1]
    return f"{ability.name} is used {' or '.join(times)}."


#: What is missing, by what an ability wants.
NO_TARGET: dict[int, str] = {
    U.FACING: "There is no awake enemy in front of it.",
    U.ITSELF: "This card is not the one that is hit.",
    U.OTHERS: "It hands on only its own damage, and only to another character of yours.",
    U.DECK: "The draw deck is empty.",
    U.HAND_CARD: "You have no character in hand to bring.",
    U.ENEMY: "There is no enemy in play.",
    U.ENEMY_OR_PLAYER: "There is no enemy in play.",
    U.AWAKE_ENEMY: "There is no awake enemy in play.",
    U.HURT: "Nobody has damage.",
    U.PAIR: "You need two characters in play.",
    U.DISCARD: "The discard pile is empty.",
    U.ARRANGE: "There are not two cards in the draw deck.",
}

_OBSTACLES: dict[int, Any] = {
    U.FREE: lambda box, s, who, ability: f"{who} can use {ability.name} only when you are asked for it.",
    U.ABSENT: lambda box, s, who, ability: f"{who} has no such ability.",
    U.WRONG_TIME: _wrong_time,
    U.USED: lambda box, s, who, ability: f"{who} has used {ability.name} this turn.",
    U.OTHER_COPY: lambda box, s, who, ability: f"{who} has {ability.name} twice; the first one is used first.",
    U.SILENCED: lambda box, s, who, ability: f"{who} is asleep, and at this table sleepers use nothing.",
    U.UNPAID: _unpaid,
    U.NO_FIGHT: lambda box, s, who, ability: f"There is no combat this turn, so {ability.name} would be wasted.",
    U.TOO_NEW: lambda box, s, who, ability: f"{who} came this turn and does not attack yet.",
    U.OTHER_WAY: lambda box, s, who, ability: f"{who} attacks in another way this turn already.",
    U.NO_TARGET: lambda box, s, who, ability: NO_TARGET[ability.wants],
}

#: Why other things wait, by phase.
NOT_NOW = {
    RESOURCES_PHASE: "First play your resources.", MAIN: "That cannot be done in your turn before combat.",
    BRACE: "Before the opponent's attack you can only use abilities.",
    LANE: "First say whether this character attacks.",
    MEND: "After combat you can only heal.", EXTRA: "First say whom Extra Card brings.",
    PICK: "First pick a target for the ability you use.", ANSWER: "First answer the damage.",
    SPREAD: "First say where the damage goes.",
}  # fmt: skip


def _why_not_target(box: Box, s: Any, block: str, number: int) -> str:
    if s.phase == SPREAD and block == "target":
        return "Damage is handed on to another of your own characters in play."
    if s.phase != PICK:
        return "Nothing is to be picked now."
    wants = int(box.kit.ability_wants[s.ability])
    ability = ABILITIES[s.ability].name
    if block != "target" or wants in (U.DISCARD, U.ARRANGE):
        return f"That cannot be picked for {ability}."
    if number >= box.kit.characters or not s.at[number]:
        return "That character is not in play."
    if wants == U.PAIR:
        return f"{ability} takes two different characters of your own."
    if wants == U.HURT:
        return f"{name(box, number)} has no damage."
    if seat_of(s, number) == s.player:
        return f"{ability} takes an enemy."
    return (
        f"{name(box, number)} is asleep already."
        if s.status[number] & ASLEEP
        else f"That cannot be picked for {ability}."
    )


def _why_not_plain(s: Any, block: str) -> str:
    if block in ("take", "keep"):
        return "There is no damage to answer." if s.phase != SPREAD else "Hand a point on, or keep the rest."
    if block in ("attack", "hold"):
        return "Nobody asks whether a character attacks."
    return NOT_NOW[int(s.phase)]
