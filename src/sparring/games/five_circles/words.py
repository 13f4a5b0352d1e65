"""Five Circles: the words for every choice, and reasons why a choice is not legal."""

from collections.abc import Iterator

from sparring.engine.game import Box

from . import using as U
from .abilities import ABILITIES, Ability
from .designs import Design, Resource
from .options import PLAYERS, SEATS, SLOTS
from .state import (
    ACTIONS, ANSWER, COLOURS, EXTRA, PICK, RESOURCE, SIDE, TOP, State,
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
