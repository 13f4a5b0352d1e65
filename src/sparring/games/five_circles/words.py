"""Five Circles: the words for every choice, and reasons why a choice is not legal."""

from collections.abc import Iterator
from typing import Any

from sparring.engine.cards import in_order
from sparring.engine.game import Box

from . import using as U
from .abilities import ABILITIES, Ability, when_used
from .designs import Design, Resource
from .options import PLAYERS, SEATS, SLOTS
from .state import (
    ACTIONS, ANSWER, ASLEEP, BRACE, COLOURS, EXTRA, LANE, LANES, MAIN, MEND, PHASES, PICK, RESOURCE, RESOURCES_PHASE,
    SIDE, SPREAD, TOP, State,
)  # fmt: skip
from .table import deck_of, discard_of

#: Choices of one word.
ONE_WORD = {"take": "take", "keep": "keep", "attack": "attack", "hold": "hold", "done": "done", "none": "none"}


# Cards


def design(box: Box, card: int) -> Design:
    """Return the design of a character."""
    found: Design = box.content.cards[int(box.kit.card_design[card])]
    return found


def name(box: Box, card: int) -> str:
    """Return a card's name: a character's, or the colour of a resource."""
    return COLOURS[card - RESOURCE] if card >= RESOURCE else str(design(box, card).name)


def ability_in(box: Box, card: int, slot: int) -> Ability | None:
    """Return the ability in a slot of a character, if there is one."""
    number = int(box.kit.card_ability[card, slot])
    return ABILITIES[number] if number >= 0 else None


def row(s: State, seat: int) -> Iterator[tuple[int, int]]:
    """Yield a seat's characters in play as (lane, card), from lane 1 outward."""
    for lane in range(1, int(s.last[seat]) + 1):
        if s.row[seat * SIDE + lane]:
            yield lane, int(s.row[seat * SIDE + lane]) - 1


def seat_of(s: State, card: int) -> int:
    """Return the seat in whose row a character is, or -1."""
    return int(s.at[card]) // SIDE if s.at[card] else -1


def name_in_play(box: Box, s: State, card: int, seat: int) -> str:
    """Return an unambiguous name for a character in play: `Kite Archer`, `enemy Kite Archer`, `Kite Archer lane 2`."""
    alike = {other: lane for side in range(SEATS) for lane, other in row(s, side)
             if box.kit.card_design[other] == box.kit.card_design[card]}  # fmt: skip
    side = seat_of(s, card)
    mine = [other for other in alike if seat_of(s, other) == side]
    before = "enemy " if side != seat and len(mine) < len(alike) else ""
    after = f" lane {alike[card]}" if len(mine) > 1 and card in alike else ""
    return f"{before}{name(box, card)}{after}"


def other_names(box: Box, s: State, card: int, seat: int) -> set[str]:
    """Return other unambiguous names for a character in play."""
    side = seat_of(s, card)
    if side < 0:
        return {name(box, card)}
    full = f"{name(box, card)} lane {int(s.at[card]) % SIDE}"
    short = name_in_play(box, s, card, seat)
    if side == seat:
        return {full, short, f"my {full}"}
    bare = short.removeprefix("enemy ")
    return {short, f"enemy {full}", f"enemy {bare}", *([full] if not short.startswith("enemy ") else [])}


def is_known(box: Box, s: State, card: int) -> bool:
    """Return whether there is a character with this number of which the seat that chooses may know.

    Of another seat's half these are the designs of the cards that the seat sees (R68).
    """
    kit = box.kit
    if card >= kit.characters or not box.hides_content or kit.card_owner[card] == s.player:
        return bool(card < kit.characters)
    piles = [*s.hand]
    for owner in range(SEATS):
        piles += [deck_of(kit, s, owner), discard_of(kit, s, owner)]
    seen = [int(each) for pile in piles for each in pile[1 : pile[0] + 1] if 0 <= each < RESOURCE]
    seen += [each for seat in range(SEATS) for _, each in row(s, seat)]
    return any(kit.card_design[card] == kit.card_design[each] for each in seen)


def next_resource(box: Box, s: State, seat: int, colour: int) -> Resource:
    """Return the resource that a seat plays next.

    Resources of a colour are alike (R15), so the game doesn't know which of them a seat holds: it plays its own deck's,
    one after the other.

    """
    found: Resource = box.content.resource(seat, colour, int(s.ready[seat, colour] + s.spent[seat, colour]))
    return found


# Choices


def words(box: Box, s: State, action: int) -> str:
    """Return the words of a choice, or nothing if it has no meaning in this state."""
    block, number = ACTIONS.name_of(action)
    if block in ONE_WORD:
        return ONE_WORD[block]
    if block == "resource":
        return f"resource {COLOURS[number].lower()}"
    if block == "player":
        return "opponent" if box.kit.fireball == PLAYERS else ""
    if block == "place":
        return _place(box, s, number)
    card = number // SLOTS if block == "use" else number
    if not is_known(box, s, card):
        return ""
    if block == "bring":
        return name(box, card) if s.phase == EXTRA else f"play {name(box, card)}"
    if block == "target":
        return name_in_play(box, s, card, int(s.player)) if s.at[card] else ""
    ability = ability_in(box, card, number % SLOTS)
    return _use(box, s, card, ability) if ability else ""


def _use(box: Box, s: State, card: int, ability: Ability) -> str:
    if s.phase == ANSWER and s.hit == card + 1 and ability.response:
        return ability.response
    verb = "heal" if s.phase == ANSWER and ability.wants == U.HURT else "use"
    return f"{verb} {name_in_play(box, s, card, int(s.player))}: {ability.name}"


def aliases(box: Box, s: State, action: int) -> tuple[str, ...]:
    """Return other words for a choice: with colons, with the lane, `bring` for `play`."""
    block, number = ACTIONS.name_of(action)
    if block == "resource":
        colour, drawn = COLOURS[number].lower(), next_resource(box, s, int(s.player), number)
        return colour, f"resource:{colour}", *((drawn.name, f"play {drawn.name}") if drawn.drawn else ())
    if block == "player":
        return "player", "the opponent", "enemy player", f"seat {2 - int(s.player)}"
    if block == "place":
        card = _card_at(box, s, number)
        return (name(box, card),) if card >= 0 else ()
    card = number // SLOTS if block == "use" else number
    if block in ONE_WORD or not is_known(box, s, card):
        return ()
    if block == "bring":
        return tuple(f"{verb}{name(box, card)}" for verb in ("play ", "play:", "bring ", "bring:"))
    names = other_names(box, s, card, int(s.player))
    if block == "target":
        return tuple(names) if s.at[card] else ()
    ability = ability_in(box, card, number % SLOTS)
    if ability is None:  # so that asking for one it doesn't have is understood, and refused with a reason
        lacking = [each.name for each in ABILITIES if each.name not in design(box, card).abilities]
        return tuple(f"use {each}:{other}" for each in names for other in lacking)
    response = (ability.response,) if ability.response and (s.phase != ANSWER or s.hit == card + 1) else ()
    verbs = ("use ", "use:", "heal ", "heal:")
    return (*response, *(f"{verb}{each}:{ability.name}" for each in names for verb in verbs))


def _card_at(box: Box, s: State, place: int) -> int:
    """Return the card at a place of the pile being picked from, or -1 if there is none or it is hidden."""
    wants = int(box.kit.ability_wants[s.ability]) if s.phase == PICK else U.NOTHING
    if wants == U.ARRANGE:
        deck = deck_of(box.kit, s, s.player)
        return int(deck[deck[0] - place]) if place < min(TOP, deck[0]) else -1
    if wants != U.DISCARD:
        return -1
    discard = discard_of(box.kit, s, s.player)
    return int(discard[place + 1]) if place < discard[0] else -1


def _place(box: Box, s: State, place: int) -> str:
    """Return the name of a card in a pile, numbered if another card has the same name."""
    card = _card_at(box, s, place)
    if card < 0:
        return ""
    alike = [other for other in range(int(max(place + 1, discard_of(box.kit, s, s.player)[0], TOP)))
             if _same(box, _card_at(box, s, other), card)]  # fmt: skip
    return name(box, card) + (f" {alike.index(place) + 1}" if len(alike) > 1 else "")


def _same(box: Box, one: int, other: int) -> bool:
    return one >= 0 and name(box, one) == name(box, other)


# Why a choice is not legal


def why_not(box: Box, s: State, action: int) -> str:
    """Return one sentence: why `s.player` can't make this choice now."""
    block, number = ACTIONS.name_of(action)
    if block == "resource":
        return _why_not_resource(s, number)
    if block in ("place", "player", "target"):
        return _why_not_target(box, s, block, number)
    if block in ONE_WORD:
        return _why_not_plain(s, block)
    card = number // SLOTS if block == "use" else number
    if not is_known(box, s, card):
        return "There is no such card in this match."
    if block == "bring":
        return _why_not_bring(box, s, card)
    return why_not_use(box, s, card, number % SLOTS)


def _why_not_resource(s: State, colour: int) -> str:
    if s.phase != RESOURCES_PHASE:
        return "You play resources at the start of your turn, at most two."
    return f"You have no {COLOURS[colour]} resource in hand."


def _why_not_bring(box: Box, s: State, card: int) -> str:
    if card not in in_order(s.hand[s.player]):
        return f"{name(box, card)} is not in your hand."
    if s.phase not in (MAIN, EXTRA):
        return NOT_NOW[int(s.phase)]
    if s.last[s.player] == LANES:
        return "Your row is full."
    if s.phase == EXTRA:
        return "Use your first copy of this card."
    ready = s.ready[s.player]
    lacking = [f"{int(need - have)} more {COLOURS[colour]}" for colour, (need, have)
               in enumerate(zip(box.kit.card_cost[card], ready, strict=True)) if need > have]  # fmt: skip
    if not lacking:
        return "Use your first copy of this card."
    return f"{name(box, card)} costs {design(box, card).price}; you need {' and '.join(lacking)}."


def why_not_use(box: Box, s: State, card: int, slot: int) -> str:
    """Return why the seat that chooses can't use this ability of a character now."""
    ability = ability_in(box, card, slot)
    user = name(box, card)
    if ability is None:
        return f"{user} doesn't have that ability."
    if seat_of(s, card) != s.player:
        return f"You have no {user} in play."
    if not ability.used_in(box.kit):
        return f"{ability.name} is automatic."
    if s.phase in (RESOURCES_PHASE, EXTRA, PICK, SPREAD, LANE):
        return NOT_NOW[int(s.phase)]
    reason = _OBSTACLES[int(U.obstacle(box.kit, s, card, slot, int(s.phase)))]
    return str(reason(box, s, user, ability))


def _unpaid(box: Box, s: State, user: str, ability: Ability) -> str:
    have = int(s.ready[s.player, ability.colour])
    return f"{ability.name} costs {ability.kind}; you have {have or 'none'} ready."


def _wrong_time(box: Box, s: State, user: str, ability: Ability) -> str:
    phases = [phase for phase in range(len(PHASES)) if ability.used_in(box.kit) >> phase & 1]
    return f"You can use {user}'s {ability.name} only {when_used(phases)}."


#: What is missing for an ability, by what it wants.
NO_TARGET: dict[int, str] = {
    U.FACING: "There is no awake enemy in front of it.",
    U.ITSELF: "It can only avoid damage to itself.",
    U.OTHERS: "It can only move damage it is about to take, and only to your other characters.",
    U.DECK: "The deck is empty.",
    U.HAND_CARD: "You have no character in hand to play.",
    U.ENEMY: "There is no enemy in play.",
    U.ENEMY_OR_PLAYER: "There is no enemy in play.",
    U.AWAKE_ENEMY: "There is no awake enemy in play.",
    U.HURT: "No character has damage.",
    U.PAIR: "You need two characters in play.",
    U.DISCARD: "The discard pile is empty.",
    U.ARRANGE: "The deck has fewer than two cards.",
}

_OBSTACLES: dict[int, Any] = {
    U.USABLE: lambda box, s, user, ability: f"You can use {user}'s {ability.name} only when it is your turn to choose.",
    U.NO_ABILITY: lambda box, s, user, ability: f"{user} doesn't have that ability.",
    U.WRONG_TIME: _wrong_time,
    U.USED: lambda box, s, user, ability: f"{user} has already used {ability.name} this turn.",
    U.OTHER_COPY: lambda box, s, user, ability: f"{user} has {ability.name} twice; use the first one first.",
    U.SILENCED: lambda box, s, user, ability: f"{user} is asleep and can't use abilities.",
    U.UNPAID: _unpaid,
    U.NO_FIGHT: lambda box, s, user, ability: f"There is no combat this turn; {ability.name} would be wasted.",
    U.TOO_NEW: lambda box, s, user, ability: f"{user} can't attack on the turn it is played.",
    U.OTHER_ATTACK: lambda box, s, user, ability: f"{user} can't use both Target and Long Range in one turn.",
    U.NO_TARGET: lambda box, s, user, ability: NO_TARGET[ability.wants],
}

#: What to do first, by phase.
NOT_NOW = {
    RESOURCES_PHASE: "First play resources, or skip them with “done”.",
    MAIN: "You can't do that on your turn before combat.",
    BRACE: "Before your opponent's attack, all you can do is use abilities.",
    LANE: "First choose whether this character attacks.",
    MEND: "After combat, all you can do is heal.", EXTRA: "First choose a character for Extra Card, or “none”.",
    PICK: "First choose a target for your ability.", ANSWER: "First respond to the damage.",
    SPREAD: "First choose where the damage goes.",
}  # fmt: skip


def _why_not_target(box: Box, s: State, block: str, number: int) -> str:
    if s.phase == SPREAD and block == "target":
        return "You can move damage only to another of your characters in play."
    if s.phase != PICK:
        return "There is no target to choose now."
    wants = int(box.kit.ability_wants[s.ability])
    ability = ABILITIES[s.ability].name
    if block != "target" or wants in (U.DISCARD, U.ARRANGE):
        return f"{ability} can't be used on that."
    if number >= box.kit.characters or not s.at[number]:
        return "That character is not in play."
    if wants == U.PAIR:
        return f"{ability} needs two different characters from your row."
    if wants == U.HURT:
        return f"{name(box, number)} has no damage."
    if seat_of(s, number) == s.player:
        return f"{ability} needs an enemy."
    return (
        f"{name(box, number)} is already asleep." if s.status[number] & ASLEEP else f"{ability} can't be used on that."
    )


def _why_not_plain(s: State, block: str) -> str:
    if block in ("take", "keep"):
        spread = "Move damage to another character, or keep the rest."
        return spread if s.phase == SPREAD else "There is no damage to respond to."
    if block in ("attack", "hold"):
        return "You can't choose attackers now; your characters attack when you are done."
    return NOT_NOW[int(s.phase)]
