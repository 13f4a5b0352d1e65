"""Five Circles: what a seat knows (section 12); features for learners, items that the lab measures, and reasons."""

from collections.abc import Iterator

import numpy as np

from sparring.engine.cards import UNKNOWN, count_cards, empty, in_order, insert, put, shuffle, take_top
from sparring.engine.chance import forget, reseed
from sparring.engine.features import layout, one_hot
from sparring.engine.game import GameSetup, Item
from sparring.engine.messages import Text
from sparring.engine.rule import no_private_observation, rule, zeros
from sparring.engine.types import CardPile, Floats, Generator, Numbers

from .abilities import ABILITIES, ARRANGE, attack_of, can_use, health_of, would_fall
from .combat import is_shielded
from .components import ability_in, design, name, seat_of
from .state import (
    ACTIONS, ANSWER, ASLEEP, AVOIDING, BOOST, CHARACTERS, COLOURS, EXTRA, LANES, LONG, MAIN, OWN, PHASES, PICK,
    PILE, PLAY_CHARACTER, PLAY_RESOURCE, RESOURCE, RESOURCES_PHASE, SEATS, SEEN, SIDE, SLOTS, TARGET, USE, Params,
    State, count_decks, count_resources, deck_of, discard_of, payable,
)  # fmt: skip

#: Cards have numbers below this one.
CARD_NUMBERS = RESOURCE + 3

private_observation = no_private_observation


@rule
def redact(params: Params, s: State, seat: int) -> None:
    """Hide the random generator, decks except known tops, other hands, and an order still being picked."""
    forget(s.rng)
    for owner in range(count_decks(params)):
        hide_deck(params, s, deck_of(params, s, owner), owner, seat)
    for owner in range(SEATS):
        hide_hand(s, owner, seat)
    if seat != s.player:
        empty(s.picks)


@rule
def hide_deck(params: Params, s: State, deck: CardPile, owner: int, seat: int) -> None:
    """Hide a deck's cards, except those on top that the seat knows."""
    known = s.known_top[seat] if seat >= 0 and (params.decks != OWN or owner == seat) else 0
    for i in range(1, deck[0] + 1 - known):
        deck[i] = UNKNOWN


@rule
def hide_hand(s: State, owner: int, seat: int) -> None:
    """Hide a hand except for cards the seat has seen; its owner doesn't learn which of them those are."""
    hand = s.hand[owner]
    kept = 0
    count = int(hand[0])
    for i in range(1, count + 1):
        card = hand[i]
        if seat == owner or (seat >= 0 and s.status[card] & SEEN):
            kept += 1
            hand[kept] = card
        if seat == owner or seat < 0:
            s.status[card] = 0
    for i in range(kept + 1, count + 1):
        hand[i] = 0
    hand[0] = kept
    for colour in range(3):
        if seat == owner or seat < 0:
            s.known[owner, colour] = 0
        if seat != owner:
            s.held[owner, colour] = s.known[owner, colour]


@rule
def observe_action(params: Params, s: State, action: int, seat: int) -> int:
    """Return the choice, or UNKNOWN for another seat's pick in Change the Future."""
    if s.phase == PICK and s.player != seat and params.ability_wants[s.ability] == ARRANGE:
        return UNKNOWN
    return action


# Determinization


@rule
def determinize(params: Params, s: State, seat: int, g: Generator) -> None:
    """Randomly deal the cards that the seat doesn't know, consistent with all it has seen."""
    reseed(s.rng, g)
    pool = zeros(PILE, np.int16)
    for owner in range(count_decks(params)):
        collect_unseen(params, s, owner, pool)
        shuffle(g, pool)
        for holder in range(SEATS):
            if params.decks != OWN or holder == owner:
                deal_hand(params, s, holder, pool)
        deck = deck_of(params, s, owner)
        for i in range(1, deck[0] + 1):
            if deck[i] == UNKNOWN:
                deck[i] = take_top(pool)
    if s.phase == PICK and seat != s.player and params.ability_wants[s.ability] == ARRANGE:
        empty(s.picks)


@rule
def collect_unseen(params: Params, s: State, owner: int, pool: CardPile) -> None:
    """Put all cards whose place is hidden into `pool`: those of one player's half, or of both if they are mixed."""
    empty(pool)
    seen = zeros(CARD_NUMBERS, np.int16)
    for seat in range(SEATS):
        count_cards(seen, s.hand[seat])
        if params.decks != OWN or seat == owner:
            for colour in range(3):
                seen[RESOURCE + colour] += s.held[seat, colour] + s.ready[seat, colour] + s.spent[seat, colour]
    count_cards(seen, discard_of(params, s, owner))
    count_cards(seen, deck_of(params, s, owner))
    for card in range(params.characters):
        if not seen[card] and s.at[card] == 0 and (params.decks != OWN or params.card_owner[card] == owner):
            put(pool, card)
    for colour in range(3):
        count = params.resources[owner, colour]
        if params.decks != OWN:
            count += params.resources[1 - owner, colour]
        for _ in range(count - seen[RESOURCE + colour]):
            put(pool, RESOURCE + colour)


@rule
def deal_hand(params: Params, s: State, seat: int, pool: CardPile) -> None:
    """Fill a hand from the pool; if its owner is choosing from the hand, deal at least one card that allows it."""
    unknown = s.cards[seat] - s.hand[seat, 0] - count_resources(s, seat)
    if unknown <= 0:
        return
    if seat == s.player and seat == s.active and s.phase <= EXTRA and needs_usable_card(params, s, seat):
        ensure_usable_card(params, s, seat, pool, unknown)
    for _ in range(unknown):
        card = take_top(pool)
        if card >= RESOURCE:
            s.held[seat, card - RESOURCE] += 1
        else:
            insert(s.hand[seat], card)


@rule
def needs_usable_card(params: Params, s: State, seat: int) -> bool:
    """Return whether the phase would have been skipped with the known part of the hand alone."""
    if s.phase == RESOURCES_PHASE:
        return count_resources(s, seat) == 0
    if s.phase == EXTRA:
        return s.hand[seat, 0] == 0
    if s.phase != MAIN or can_use(params, s, seat, MAIN):
        return False
    for i in range(1, s.hand[seat, 0] + 1):
        if payable(params, s, seat, s.hand[seat, i]):
            return False
    return True


@rule
def is_usable(params: Params, s: State, seat: int, card: int) -> bool:
    """Return whether a card can be chosen in this phase."""
    if card >= RESOURCE:
        return s.phase == RESOURCES_PHASE
    return s.phase == EXTRA or (s.phase == MAIN and payable(params, s, seat, card))


@rule
def ensure_usable_card(params: Params, s: State, seat: int, pool: CardPile, unknown: int) -> None:
    """Swap the first card of the pool with a usable one further down if none of the next `unknown` ones is usable."""
    top = pool[0]
    for i in range(top, 0, -1):
        card = pool[i]
        if is_usable(params, s, seat, card):
            if i <= top - unknown:
                pool[i] = pool[top]
                pool[top] = card
            return


# The input of learning agents

PER_CARD = 12
PER_SEAT = 13
FEATURES = len(PHASES) + CHARACTERS * PER_CARD + SEATS * PER_SEAT + 3 + 8
LAYOUT = layout(
    ("phase", len(PHASES), 0, 1, "the phase, one-hot"),
    ("characters", (CHARACTERS, PER_CARD), -1, 1,
     ("each character: in own hand, side (own 1, other -1), lane, attack, health, damage, asleep, avoiding,"
      " long range, boosts, abilities used, hit or in use")),
    ("seats", (SEATS, PER_SEAT), 0, 1,
     ("each seat, own seat first: life / 50, cards in hand, draw pile, known top cards; ready, spent and "
      "known resources by colour")),
    ("held", 3, 0, 1, "resources in own hand, by colour / 8"),
    ("active", 1, -1, 1, "whether it is this seat's turn, or the other's (-1)"),
    ("to_act", 1, -1, 1, "whether this seat must act, or the other one (-1)"),
    ("turn", 1, 0, 1, "turns / 400"),
    ("dry", 1, 0, 1, "turns without damage / 20"),
    ("laid", 1, 0, 1, "resources laid this turn / 2"),
    ("packet", 1, 0, 1, "damage being dealt / 10"),
    ("lane", 1, -1, 1, "the lane of the attack / lanes"),
    ("serene", 1, 0, 1, "whether serenity is in effect"),
)  # fmt: skip


@rule
def features(params: Params, s: State, seat: int, out: Floats) -> None:
    """Write FEATURES floats to `out`: the phase, each character, each seat (own first), resources in hand, the turn."""
    n = one_hot(out, 0, len(PHASES), s.phase)
    for card in range(CHARACTERS):
        observe_card(params, s, seat, out, n, card)
        n += PER_CARD
    for i in range(1, s.hand[seat, 0] + 1):
        out[len(PHASES) + s.hand[seat, i] * PER_CARD] = 1.0
    for place in range(SEATS):
        observe_seat(params, s, seat if place == 0 else 1 - seat, out, n)
        n += PER_SEAT
    for colour in range(3):
        out[n + colour] = min(1.0, s.held[seat, colour] / 8)
    n += 3
    out[n] = 1.0 if s.active == seat else -1.0
    out[n + 1] = 1.0 if s.player == seat else -1.0
    out[n + 2] = s.turn / 400
    out[n + 3] = s.dry / 20
    out[n + 4] = s.laid / 2
    out[n + 5] = min(1.0, s.packet / 10)
    out[n + 6] = s.lane / LANES
    out[n + 7] = 1.0 if s.serene else 0.0


@rule
def observe_card(params: Params, s: State, seat: int, out: Floats, n: int, card: int) -> None:
    """Write a character's place, values and this-turn effects; its first feature is for the hand."""
    for i in range(PER_CARD):
        out[n + i] = 0.0
    at = s.at[card]
    if at == 0:
        return
    out[n + 1] = 1.0 if at >> 6 == seat else -1.0
    out[n + 2] = (at & 63) / LANES
    out[n + 3] = min(1.0, attack_of(params, s, card) / 16)
    out[n + 4] = min(1.0, health_of(params, s, card) / 16)
    out[n + 5] = min(1.0, s.damage[card] / 16)
    out[n + 6] = 1.0 if s.status[card] & ASLEEP else 0.0
    out[n + 7] = 1.0 if s.status[card] & AVOIDING else 0.0
    out[n + 8] = 1.0 if s.status[card] & LONG else 0.0
    out[n + 9] = (s.status[card] // BOOST & 3) / 3
    out[n + 10] = (s.status[card] & (1 << SLOTS) - 1) / (1 << SLOTS)
    out[n + 11] = 1.0 if s.hit == card + 1 else 0.5 if s.using == card + 1 else 0.0


@rule
def observe_seat(params: Params, s: State, seat: int, out: Floats, n: int) -> None:
    """Write a seat's life, card counts and resources."""
    out[n] = s.life[seat] / 50
    out[n + 1] = min(1.0, s.cards[seat] / 16)
    out[n + 2] = deck_of(params, s, seat)[0] / PILE
    out[n + 3] = s.known_top[seat] / 3
    for colour in range(3):
        out[n + 4 + colour] = min(1.0, s.ready[seat, colour] / 12)
        out[n + 7 + colour] = min(1.0, s.spent[seat, colour] / 12)
        out[n + 10 + colour] = min(1.0, s.known[seat, colour] / 12)


# Items, and how close a seat is to winning

#: Item order: abilities, colours, designs.
COLOUR = len(ABILITIES)
CHARACTER = COLOUR + len(COLOURS)


def names(setup: GameSetup) -> tuple[Item, ...]:
    """Return abilities, resource colours, and character designs."""
    return (
        *(Item("ability", ability.name) for ability in ABILITIES),
        *(Item("resource", colour) for colour in COLOURS),
        *(Item("character", str(card.name)) for card in setup.content.cards),
    )


@rule
def mark_character(params: Params, card: int, marks: Numbers) -> None:
    """Mark a character and its abilities."""
    marks[CHARACTER + params.card_design[card]] += 1
    for slot in range(SLOTS):
        if params.card_ability[card, slot] < 0:
            break
        marks[params.card_ability[card, slot]] += 1


@rule
def held(params: Params, s: State, seat: int, marks: Numbers) -> None:
    """Mark the characters in hand and in play with their abilities, and the resources in hand."""
    hand = s.hand[seat]
    for i in range(1, hand[0] + 1):
        mark_character(params, hand[i], marks)
    for at in range(seat * SIDE + 1, seat * SIDE + s.last[seat] + 1):
        if s.row[at]:
            mark_character(params, s.row[at] - 1, marks)
    for colour in range(len(COLOURS)):
        marks[COLOUR + colour] += s.held[seat, colour]


@rule
def played(params: Params, s: State, action: int, marks: Numbers) -> None:
    """Mark a resource, a character with its automatic abilities, or a used ability."""
    if action < PLAY_CHARACTER:
        marks[COLOUR + action - PLAY_RESOURCE] += 1
    elif action < USE:
        card = action - PLAY_CHARACTER
        marks[CHARACTER + params.card_design[card]] += 1
        for slot in range(SLOTS):
            ability = params.card_ability[card, slot]
            if ability >= 0 and params.ability_phases[ability] == 0:
                marks[ability] += 1
    elif action < TARGET:
        card = (action - USE) // SLOTS
        marks[params.card_ability[card, action - USE - card * SLOTS]] += 1


@rule
def progress(params: Params, s: State, seat: int) -> float:
    """Return a seat's life as a share of the life at the start (section 11)."""
    return min(1.0, max(0.0, s.life[seat] / params.life))


# Reasons to prefer one choice


def reasons_for(setup: GameSetup, s: State, action: int, other: int) -> list[Text]:
    """Return reasons to prefer `action` to `other`, the most important first."""
    block, number = ACTIONS.name_of(action)
    rival, another = ACTIONS.name_of(other)
    found: Iterator[Text] = iter(())
    match block:
        case "resource":
            found = _why_resource(setup, s, number, another if rival == "resource" else None)
        case "bring":
            found = _why_bring(setup, s, number, another if rival == "bring" else None)
        case "use":
            found = _why_use(setup, s, number)
        case "target" if rival == "target":
            found = _why_target(setup, s, number, another)
        case "take":
            found = _why_take(setup, s)
        case "done" if rival in ("use", "bring"):
            found = _why_wait(s)
    return list(found)


def _why_resource(setup: GameSetup, s: State, colour: int, other: int | None) -> Iterator[Text]:
    """Name a character in hand for which the player has too few resources of a colour in play."""
    missing = _missing(setup, s, colour)
    if not missing:
        return
    card = missing[0]
    values = {"card": name(setup, card), "needs": int(setup.params.card_cost[card, colour]), "colour": COLOURS[colour],
              "owned": _owned(s, colour)}  # fmt: skip
    if other is None or _missing(setup, s, other):
        yield Text("{card} in your hand costs {needs} {colour}, and you have {owned} in play.", **values)
        return
    yield Text(
        "{card} in your hand costs {needs} {colour}, and you have {owned} in play; none of them needs more {other}.",
        other=COLOURS[other], **values,
    )  # fmt: skip


def _missing(setup: GameSetup, s: State, colour: int) -> list[int]:
    """Return the characters in hand that cost more of a colour than the player has in play, the cheapest first."""
    held = in_order(s.hand[s.player])
    short = [card for card in held if setup.params.card_cost[card, colour] > _owned(s, colour)]
    return sorted(short, key=lambda card: (int(setup.params.card_cost[card].sum()), card))


def _owned(s: State, colour: int) -> int:
    return int(s.ready[s.player, colour] + s.spent[s.player, colour])


def _why_bring(setup: GameSetup, s: State, card: int, other: int | None) -> Iterator[Text]:
    lane = int(s.last[s.player]) + 1
    front = int(s.row[(1 - s.player) * SIDE + lane]) - 1 if lane < SIDE else -1
    if other is None:
        if front < 0:
            yield Text("{card} takes lane {lane}, with no enemy in front of it.", card=name(setup, card), lane=lane)
            return
        forms = "{card} takes lane {lane}, in front of {enemy}, which no one faces now."
        yield Text(forms, card=name(setup, card), lane=lane, enemy=name(setup, front))
        return
    one, two = design(setup, card), design(setup, other)
    values = {"card": one.name, "other": two.name}
    if one.attack > two.attack and one.health >= two.health:
        forms = "{card} attacks with {attack}, {other} only with {less}."
        yield Text(forms, attack=one.attack, less=two.attack, **values)
    elif one.health > two.health and one.attack >= two.attack:
        yield Text("{card} has {health} health, {other} only {less}.", health=one.health, less=two.health, **values)
    cost, more = (int(setup.params.card_cost[each].sum()) for each in (card, other))
    if cost < more:
        yield Text(
            "{card} costs {n} resource, {other} {more}.", "{card} costs {n} resources, {other} {more}.",
            n=cost, more=more, **values,
        )  # fmt: skip


def _why_use(setup: GameSetup, s: State, number: int) -> Iterator[Text]:
    card, slot = divmod(number, SLOTS)
    ability = ability_in(setup, card, slot)
    if s.phase == ANSWER and s.hit == card + 1 and would_fall(setup.params, s):
        forms = "Without a response, {card} takes {points} damage and is destroyed."
        yield Text(forms, card=name(setup, card), points=int(s.packet))
    if ability is not None:
        yield Text("{ability}: {effect}", ability=ability.name, effect=ability.effect)


def _why_target(setup: GameSetup, s: State, card: int, other: int) -> Iterator[Text]:
    """Compare two enemies by their attack."""
    if s.player in (seat_of(s, card), seat_of(s, other)):
        return
    one, two = (int(attack_of(setup.params, s, each)) for each in (card, other))
    if one > two:
        forms = "{card} is the stronger attacker: {attack} attack, {other} {less}."
        yield Text(forms, card=name(setup, card), attack=one, other=name(setup, other), less=two)


def _why_take(setup: GameSetup, s: State) -> Iterator[Text]:
    if s.phase == ANSWER and s.hit and not would_fall(setup.params, s) and not is_shielded(setup.params, s, s.hit - 1):
        yield Text("This damage alone doesn't destroy {card}.", card=name(setup, int(s.hit) - 1))


def _why_wait(s: State) -> Iterator[Text]:
    ready = int(sum(s.ready[s.player]))
    if ready and s.active == s.player:
        yield Text(
            "You keep {n} resource ready for your opponent's turn.",
            "You keep {n} resources ready for your opponent's turn.", n=ready,
        )  # fmt: skip
