"""Five Circles: the turn and its choices (sections 4, 5 and 11; the rulings in rules.md).

Other modules: `state` (options and records; decks, hands, rows), `abilities` (the 24 abilities, and when they may be
used), `combat` (how damage is dealt, and what abilities do), `knowledge` (hidden information).
"""

from sparring.engine.cards import holds, put, put_copies, shuffle
from sparring.engine.chance import below
from sparring.engine.rule import beat, end_moment, finish, offer, rule
from sparring.engine.types import Numbers

from .abilities import (
    ARRANGE, DISCARD, ENEMY, ENEMY_OR_PLAYER, HURT, PAIR, USABLE, any_pick, can_pick, can_use, check_destruction,
    has_combat, obstacle,
)  # fmt: skip
from .combat import (
    attack_from_lane, finish_combat, land_packet, look_before_arranging, move_point, resolve_combat, start_combat,
    take_effect,
)  # fmt: skip
from .state import (
    ANSWER, ATTACK, AT_ONCE, BRACE, DONE, EACH_TURN, EVERY_TURN, EXTRA, EXTRA_DRAW, HAND, HOLD_BACK, KEEP, LANE,
    LANES, MAIN, MEND, NONE, PICK, PLACE, PLAYER, PLAYERS, PLAY_CHARACTER, PLAY_RESOURCE, RAN_DRY, RESHUFFLE,
    RESOURCE, RESOURCES_PHASE, SEATS, SIDE, SLOTS, SPREAD, TAKE, TARGET, TOP, TURN, TURN_LIMIT, USE, Params, State,
    count_decks, count_resources, deck_of, discard_of, draw_card, enter_play, payable, play_resource, spend,
)  # fmt: skip


@rule
def setup(params: Params, s: State) -> None:
    """Shuffle, deal five cards to each seat and choose the starting seat (section 4, R5 to R7)."""
    for owner in range(SEATS):
        deck = deck_of(params, s, owner)
        for card in range(params.characters):
            if params.card_owner[card] == owner:
                put(deck, card)
        for colour in range(3):
            put_copies(deck, RESOURCE + colour, params.resources[owner, colour])
    for owner in range(count_decks(params)):
        shuffle(s.rng, deck_of(params, s, owner))
    for seat in range(SEATS):
        s.life[seat] = params.life
        for _ in range(HAND):
            draw_card(params, s, seat)
    s.active = below(s.rng, SEATS)
    begin_turn(params, s)
    run_automatic_steps(params, s)


# The turn


@rule
def begin_turn(params: Params, s: State) -> None:
    """Run DRAW: one card, or three with an empty hand (R8, R16); without a deck the turn is dry (R17)."""
    s.turn += 1
    s.laid = 0
    s.window = RESOURCES_PHASE
    dry = deck_of(params, s, s.active)[0] == 0
    cards = 1
    if s.cards[s.active] == 0 and params.refill != AT_ONCE:
        cards = 4 if params.refill == EXTRA_DRAW else 3
    drawn = 0
    for _ in range(cards):
        if draw_card(params, s, s.active):
            drawn += 1
    if params.empty == RESHUFFLE:
        dry = drawn == 0
    s.dry = s.dry + 1 if dry else 0
    beat(s, TURN)


@rule
def run_automatic_steps(params: Params, s: State) -> None:
    """Run destruction checks (section 7) and the parts of the turn until a player has a choice."""
    end_moment(s)
    if s.window != LANE:
        check_destruction(params, s)
    while not s.over:
        s.player = s.active
        s.phase = s.window
        if s.window == RESOURCES_PHASE:
            if s.laid < 2 and count_resources(s, s.active) > 0:
                return
            make_ready(params, s)
        elif s.window == MAIN:
            if can_act(params, s):
                return
            end_main(params, s)
        elif s.window == BRACE:
            s.player = 1 - s.active
            if can_use(params, s, s.player, BRACE):
                return
            start_combat(s)
        elif s.window == LANE:
            if resolve_combat(params, s):
                return
        else:
            if any_pick(params, s, s.active, HURT) and can_use(params, s, s.active, MEND):
                return
            end_turn(params, s)


@rule
def make_ready(params: Params, s: State) -> None:
    """Run READY: the turn player's resources become ready (R19) and their characters recover (R24, `recover`)."""
    s.window = MAIN
    for colour in range(3):
        s.ready[s.active, colour] += s.spent[s.active, colour]
        s.spent[s.active, colour] = 0
    for seat in range(SEATS):
        if seat == s.active or params.recover == EVERY_TURN:
            for at in range(seat * SIDE + 1, seat * SIDE + s.last[seat] + 1):
                if s.row[at]:
                    s.damage[s.row[at] - 1] = 0


@rule
def can_act(params: Params, s: State) -> bool:
    """Return whether the turn player can play or use anything in MAIN."""
    hand = s.hand[s.active]
    playable = 0
    for i in range(1, hand[0] + 1):
        playable |= int(payable(params, s, s.active, hand[i]))
    if playable and s.last[s.active] < LANES:
        return True
    return can_use(params, s, s.active, MAIN)


@rule
def end_main(params: Params, s: State) -> None:
    """End MAIN; BRACE follows unless there is no attack to prepare for (section 5)."""
    if has_combat(params, s) and s.last[s.active] > 0:
        s.window = BRACE
        return
    finish_combat(s)


@rule
def end_turn(params: Params, s: State) -> None:
    """Run END: this-turn effects end (R33), the game may end (R17), otherwise the other seat's turn begins."""
    end_effects(s, 0)
    end_effects(s, 1)
    s.serene = 0
    if s.dry >= params.sunset or s.turn >= params.limit:
        finish(s, RAN_DRY if s.dry >= params.sunset else TURN_LIMIT, players_ahead(s))
        return
    s.active = 1 - s.active
    begin_turn(params, s)


@rule
def end_effects(s: State, seat: int) -> None:
    """End a row's this-turn effects: sleepers wake, and abilities can be used again."""
    for at in range(seat * SIDE + 1, seat * SIDE + s.last[seat] + 1):
        if s.row[at]:
            s.status[s.row[at] - 1] = 0
            s.target[s.row[at] - 1] = 0


@rule
def players_ahead(s: State) -> int:
    """Return the seats with the most life, as bits (section 11)."""
    if s.life[0] == s.life[1]:
        return 3
    return 1 if s.life[0] > s.life[1] else 2


# Choices


@rule
def legal(params: Params, s: State, out: Numbers) -> int:
    """Write the choices of `s.player` to `out`, by the phase table of section 5; return their number."""
    n = 0
    if s.phase == PICK:
        return list_picks(params, s, out)
    if s.phase == LANE:
        out[0] = ATTACK
        out[1] = HOLD_BACK
        return 2
    if s.phase == SPREAD:
        n = list_row(s, out, 0, s.player, PAIR)
        out[n] = KEEP
        return n + 1
    if s.phase == RESOURCES_PHASE:
        for colour in range(3):
            n = offer(out, n, PLAY_RESOURCE + colour, s.held[s.player, colour] > 0)
    elif s.phase == EXTRA:
        n = list_hand(params, s, out, False)
    else:
        if s.phase == MAIN:
            n = list_hand(params, s, out, True)
        n = list_uses(params, s, out, n, s.phase)
    out[n] = NONE if s.phase == EXTRA else TAKE if s.phase == ANSWER else DONE
    return n + 1


@rule
def list_hand(params: Params, s: State, out: Numbers, paid: bool) -> int:
    """Write the characters in hand that can come into play, one per design, to `out`; return their number."""
    hand = s.hand[s.player]
    n = 0
    if s.last[s.player] == LANES:
        return 0
    for i in range(1, hand[0] + 1):
        if i > 1 and params.card_design[hand[i]] == params.card_design[hand[i - 1]]:
            continue
        n = offer(out, n, PLAY_CHARACTER + hand[i], not paid or payable(params, s, s.player, hand[i]))
    return n


@rule
def insert_choice(out: Numbers, first: int, n: int, action: int) -> None:
    """Insert a choice in order among out[first] to out[n - 1]."""
    i = n
    while i > first and out[i - 1] > action:
        out[i] = out[i - 1]
        i -= 1
    out[i] = action


@rule
def list_uses(params: Params, s: State, out: Numbers, n: int, phase: int) -> int:
    """Append every ability that `s.player` may use in a phase to the n choices in `out`; return the new count."""
    first = n
    side = s.player * SIDE
    for at in range(side + 1, side + s.last[s.player] + 1):
        card = s.row[at] - 1
        if card >= 0 and params.card_phases[card] >> phase & 1:
            for slot in range(SLOTS):
                if obstacle(params, s, card, slot, phase) == USABLE:
                    insert_choice(out, first, n, USE + card * SLOTS + slot)
                    n += 1
    return n


@rule
def list_row(s: State, out: Numbers, n: int, seat: int, wants: int) -> int:
    """Insert every character of a row that can be picked among the n choices in `out`; return the new count."""
    for at in range(seat * SIDE + 1, seat * SIDE + s.last[seat] + 1):
        if s.row[at] and can_pick(s, s.row[at] - 1, wants):
            insert_choice(out, 0, n, TARGET + s.row[at] - 1)
            n += 1
    return n


@rule
def list_picks(params: Params, s: State, out: Numbers) -> int:
    """Write what can be picked for the ability being used to `out` (PICK); return the count."""
    wants = params.ability_wants[s.ability]
    seat = s.player
    n = 0
    if wants == DISCARD:
        for place in range(discard_of(params, s, seat)[0]):
            out[n] = PLACE + place
            n += 1
    elif wants == ARRANGE:
        for place in range(min(TOP, deck_of(params, s, seat)[0])):
            n = offer(out, n, PLACE + place, not holds(s.picks, place))
    else:
        for other in range(SEATS):
            if wants == HURT or (wants == PAIR) == (other == seat):
                n = list_row(s, out, n, other, wants)
        n = offer(out, n, PLAYER, wants == ENEMY_OR_PLAYER and params.fireball == PLAYERS)
    return n


@rule
def step(params: Params, s: State, action: int) -> None:
    """Apply one choice and everything automatic after it."""
    player = s.player
    needs_choice = apply_choice(params, s, action)
    if s.over:
        return
    if not needs_choice:
        run_automatic_steps(params, s)
    elif s.player != player:
        end_moment(s)


@rule
def apply_choice(params: Params, s: State, action: int) -> bool:
    """Apply the choice itself; return whether it needs another choice before the turn continues."""
    if s.phase == PICK:
        return pick(params, s, action)
    if s.phase == SPREAD:
        return spread(params, s, action)
    if USE <= action < TARGET:
        return use(params, s, action - USE)
    if PLAY_CHARACTER <= action < USE:
        return play_character(params, s, action - PLAY_CHARACTER)
    if action < PLAY_CHARACTER:
        play_resource(params, s, s.player, action - PLAY_RESOURCE)
    elif action == TAKE:
        land_packet(s)
    elif action == ATTACK:
        attack_from_lane(params, s)
    elif action == DONE:
        end_phase(params, s)
    return False


@rule
def end_phase(params: Params, s: State) -> None:
    """End the current part of the turn (`done`)."""
    if s.window == RESOURCES_PHASE:
        make_ready(params, s)
    elif s.window == MAIN:
        end_main(params, s)
    elif s.window == BRACE:
        start_combat(s)
    else:
        end_turn(params, s)


@rule
def play_character(params: Params, s: State, card: int) -> bool:
    """Play a character, paid (R20, R60) or free (R56); return whether its Extra Card needs a choice."""
    if s.phase != EXTRA:
        for colour in range(3):
            spend(s, s.player, colour, params.card_cost[card, colour])
    enter_play(params, s, s.player, card)
    if params.card_extra[card] and params.extra != EACH_TURN and s.hand[s.player, 0] > 0 and s.last[s.player] < LANES:
        s.phase = EXTRA
        return True
    return False


@rule
def use(params: Params, s: State, number: int) -> bool:
    """Pay for an ability and use it, or open its pick (section 9); return whether a choice is needed."""
    card = number // SLOTS
    slot = number - card * SLOTS
    ability = params.card_ability[card, slot]
    wants = params.ability_wants[ability]
    spend(s, s.player, params.ability_colour[ability], params.ability_price[ability])
    if not params.ability_again[ability]:
        s.status[card] |= 1 << slot  # used this turn (R33)
    if wants >= ENEMY and s.phase != ANSWER:
        s.using = card + 1
        s.ability = ability
        s.phase = PICK
        if wants == ARRANGE:
            look_before_arranging(params, s)
        return True
    return take_effect(params, s, ability, card, card)


@rule
def pick(params: Params, s: State, action: int) -> bool:
    """Use the ability on the picked target; return whether another choice is needed."""
    chosen = -1
    if action >= PLACE:
        chosen = action - PLACE
    elif action != PLAYER:
        chosen = action - TARGET
    card = s.using - 1
    ability = s.ability
    needs_choice = take_effect(params, s, ability, card, chosen)
    if not needs_choice or s.phase != PICK:
        s.using = 0
        s.ability = 0
    return needs_choice


@rule
def spread(params: Params, s: State, action: int) -> bool:
    """Move one point to another character, or keep the rest (R48); return whether there are more points."""
    if action == KEEP:
        land_packet(s)
        return False
    return move_point(params, s, action - TARGET)
