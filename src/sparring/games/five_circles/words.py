"""Five Circles: the words of choices, log sentences, and reasons to prefer one choice to another."""

from collections.abc import Iterator
from functools import reduce
from typing import Any

from sparring.engine.cards import in_order
from sparring.engine.game import GameSetup
from sparring.scene import winners
from sparring.scene.sentences import Text, Voice, aside, mention, result, turn

from . import abilities as A
from .abilities import ABILITIES, FIREBALL
from .combat import is_shielded
from .components import (
    ability_in, design, in_lane, is_known, name, name_in_play, next_resource, other_names, pile_to_pick, row, seat_of,
    title_in_play,
)  # fmt: skip
from .phases import PHASES, destroyed, destruction, would_fall
from .queries import attack_of
from .state import (
    ACTIONS, ANSWER, BRACE, COLOURS, DONE, EXTRA, FALLING, LANE, MAIN, NO_LIFE, PICK, PLAY_RESOURCE, PLAYERS, RAN_DRY,
    RESOURCES_PHASE, SEATS, SIDE, SLOTS, TURN_LIMIT, State,
)  # fmt: skip

#: Choices of one word.
ONE_WORD = ("take", "keep", "attack", "hold", "done", "none")


# Choices


def words(setup: GameSetup, s: State, action: int) -> str:
    """Return the words of a choice, or nothing if it has no meaning in this state."""
    block, number = ACTIONS.name_of(action)
    if block in ONE_WORD:
        return block
    if block == "resource":
        return f"resource {COLOURS[number].lower()}"
    if block == "player":
        return "opponent" if setup.params.fireball == PLAYERS else ""
    if block == "place":
        return _place(setup, s, number)
    card = number // SLOTS if block == "use" else number
    if not is_known(setup, s, card):
        return ""
    if block == "bring":
        return name(setup, card) if s.phase == EXTRA else f"play {name(setup, card)}"
    if block == "target":
        return name_in_play(setup, s, card, int(s.player)) if s.at[card] else ""
    ability = ability_in(setup, card, number % SLOTS)
    if ability is None:
        return ""
    if s.phase == ANSWER and s.hit == card + 1 and ability.response:
        return ability.response
    verb = "heal" if s.phase == ANSWER and ability.wants == A.HURT else "use"
    return f"{verb} {name_in_play(setup, s, card, int(s.player))}: {ability.name}"


def aliases(setup: GameSetup, s: State, action: int) -> tuple[str, ...]:
    """Return other words for a choice: with colons, with the lane, `bring` for `play`."""
    block, number = ACTIONS.name_of(action)
    if block == "resource":
        colour, drawn = COLOURS[number].lower(), next_resource(setup, s, int(s.player), number)
        return colour, f"resource:{colour}", *((drawn.name, f"play {drawn.name}") if drawn.drawn else ())
    if block == "player":
        return "player", "the opponent", "enemy player", f"seat {2 - int(s.player)}"
    if block == "place":
        cards = pile_to_pick(setup, s)
        return (name(setup, cards[number]),) if number < len(cards) and cards[number] >= 0 else ()
    card = number // SLOTS if block == "use" else number
    if block in ONE_WORD or not is_known(setup, s, card):
        return ()
    if block == "bring":
        return tuple(f"{verb}{name(setup, card)}" for verb in ("play ", "play:", "bring ", "bring:"))
    names = other_names(setup, s, card, int(s.player))
    if block == "target":
        return tuple(names) if s.at[card] else ()
    ability = ability_in(setup, card, number % SLOTS)
    if ability is None:  # so that asking for one it doesn't have is understood, and refused with a reason
        lacking = [each.name for each in ABILITIES if each.name not in design(setup, card).abilities]
        return tuple(f"use {each}:{other}" for each in names for other in lacking)
    response = (ability.response,) if ability.response and (s.phase != ANSWER or s.hit == card + 1) else ()
    verbs = ("use ", "use:", "heal ", "heal:")
    return (*response, *(f"{verb}{each}:{ability.name}" for each in names for verb in verbs))


def _place(setup: GameSetup, s: State, place: int) -> str:
    """Return the name of a card in the pile being picked from, numbered if another card has the same name.

    There is none if the card is hidden.
    """
    names = [name(setup, card) if card >= 0 else "" for card in pile_to_pick(setup, s)]
    if place >= len(names) or not names[place] or names.count(names[place]) == 1:
        return "".join(names[place : place + 1])
    return f"{names[place]} {names[: place + 1].count(names[place])}"


# The log


def tell(setup: GameSetup, before: State, action: int | None, after: State, seat: int, beat: str = "") -> list[Text]:
    """Return log sentences for `seat`: the choice, damage and destruction, a new turn, drawn cards, the ending."""
    voice = Voice(seat)
    lines = [] if action is None else PHASES[before.phase].tell(setup, before, action, after, voice)
    lines += _damage(setup, before, after, beat, voice)
    lines += [
        Text("{card} moves up to lane {lane}.", card=title_in_play(setup, after, card, seat, starts=True), lane=lane)
        for card, lane in closed_ranks(before, after)
    ]
    passed = _nothing_to_play(before, action, after, voice) or _passes(before, action, after, voice)
    lines += passed
    if after.turn != before.turn:
        forms = "Your turn (turn {number}).", "{who}'s turn (turn {number})."
        lines.append(turn(voice.text(*forms, who=after.active, number=after.turn)))
    lines += _drawn(setup, before, action, after, voice)
    if beat == "combat" and not passed:
        lines.append(voice.text("You attack.", "{who} attacks.", who=after.active))
    elif beat == "reshuffled":
        lines.append(aside(Text("The discards are shuffled into a new deck.")))
    if after.over and not beat:
        lines.append(result(ending(after, seat)))
    return lines


# Parts of the turn that are skipped


def _nothing_to_play(before: State, action: int | None, after: State, voice: Voice) -> list[Text]:
    """Return a sentence for the player only, if MAIN was skipped because they had nothing (else) to play."""
    if voice.seat != before.active or before.window not in (RESOURCES_PHASE, MAIN):
        return []
    same_turn = after.turn == before.turn
    if (same_turn and after.window in (RESOURCES_PHASE, MAIN)) or action == DONE:
        return []
    untouched = before.window == RESOURCES_PHASE and action is None
    if same_turn and after.window in (BRACE, LANE):
        forms = "Nothing to play: your characters attack.", "Nothing else to play: your characters attack."
    else:
        forms = "Nothing to play.", "Nothing else to play."
    return [Text(forms[0 if untouched else 1])]


def _passes(before: State, action: int | None, after: State, voice: Voice) -> list[Text]:
    """Return a sentence if a turn has ended in which its player did nothing; everyone can see that."""
    player = int(before.active)
    ended = after.turn != before.turn and before.window in (RESOURCES_PHASE, MAIN) and action in (None, DONE)
    idle = ended and not before.laid and not before.last[player] and not after.last[player]
    return [voice.text("You pass.", "{who} passes.", who=player)] if idle else []


# Damage and destruction


def _damage(setup: GameSetup, before: State, after: State, beat: str, voice: Voice) -> list[Text]:
    """Return who takes damage, who is destroyed by it and who loses life; in combat for one lane."""
    taken, lost = damage_taken(before, after), life_lost(before, after)
    falling = falling_in(after) if beat == "destroyed" else []
    if falling and not (taken or lost or _is_in_lane(after)):
        return [result(destruction(setup, after, falling, voice), hit=True)]
    parts = _damage_of_each(setup, after, taken, falling, voice)
    parts += [_lost_life(setup, after, seat, points, voice) for seat, points in lost.items()]
    harmless = not parts and beat == "lane" and is_new_lane(before, after)
    if harmless:
        parts = [Text("no damage")]
    if not parts:
        return []
    told = reduce(lambda one, other: Text("{one}; {other}", one=one, other=other), parts)
    if _is_in_lane(after):
        return [result(Text("Lane {lane}: {told}.", lane=after.lane, told=told), hit=not harmless)]
    # Outside a lane, only Fireball deals damage.
    return [result(Text("{ability}: {told}.", ability=ABILITIES[FIREBALL].name, told=told), hit=True)]


def _damage_of_each(setup: GameSetup, s: State, taken: dict[int, int], falling: list[int], voice: Voice) -> list[Text]:
    """Return the damage and destruction of each character."""
    names = {card: title_in_play(setup, s, card, voice.seat) for card in (*taken, *falling)}
    if _is_even_exchange(s, taken):
        points = next(iter(taken.values()))
        values = {"cards": [names[card] for card in taken], "points": points}
        both = Text("{cards} deal {points} damage to each other", **values)
        if not falling:
            return [both]
        if set(falling) == set(taken):
            return [both, Text("both are destroyed")]
        return [both, destroyed([names[card] for card in falling])]
    parts = []
    for card, points in taken.items():
        forms = "{card} takes {points} damage"
        if card in falling:
            forms = "{card} takes {points} damage and is destroyed"
        parts.append(Text(forms, card=names[card], points=points))
    others = [names[card] for card in falling if card not in taken]
    return [*parts, *([destroyed(others)] if others else [])]


def _is_even_exchange(s: State, taken: dict[int, int]) -> bool:
    """Return whether two characters have struck each other for the same damage, without reflection."""
    fought = {int(s.hitter) - 1, int(s.striker) - 1}
    alone = s.struck == s.striker and not s.reflected and not s.mirror
    return bool(_is_in_lane(s) and alone and set(taken) == fought and len(set(taken.values())) == 1)


def _lost_life(setup: GameSetup, s: State, seat: int, points: int, voice: Voice) -> Text:
    """Return who loses life, and in combat which attacker takes it."""
    values: dict[str, Any] = {"lost": points, "left": int(s.life[seat])}
    attacker = in_lane(s, int(s.active)) if s.active != seat else -1
    forms = "you lose {lost} life ({left} left)", "{who} loses {lost} life ({left} left)"
    if attacker >= 0:
        values["card"] = title_in_play(setup, s, attacker, voice.seat)
        forms = (
            "{card} gets through and you lose {lost} life ({left} left)",
            "{card} gets through and {who} loses {lost} life ({left} left)",
        )
    return voice.text(*forms, who=seat, **values)


def _is_in_lane(s: State) -> bool:
    """Return whether a lane is being fought; combat begins with lane 0, before the first one."""
    return bool(s.window == LANE and s.lane)


# What has changed between two states


def is_new_lane(before: State, after: State) -> bool:
    """Return whether the lane that is fought wasn't shown before."""
    return bool(before.window != LANE or before.lane < after.lane)


def damage_taken(before: State, after: State) -> dict[int, int]:
    """Return the damage that each character in play has taken."""
    damage = {card: int(after.damage[card] - before.damage[card]) for card in range(len(after.at)) if after.at[card]}
    return {card: points for card, points in damage.items() if points > 0}


def life_lost(before: State, after: State) -> dict[int, int]:
    """Return the life that each seat has lost."""
    lost = {seat: int(before.life[seat] - after.life[seat]) for seat in range(SEATS)}
    return {seat: points for seat, points in lost.items() if points > 0}


def falling_in(s: State) -> list[int]:
    """Return the characters that are about to be destroyed."""
    return [card for card in range(len(s.at)) if s.at[card] and s.status[card] & FALLING]


def closed_ranks(before: State, after: State) -> list[tuple[int, int]]:
    """Return the characters that have closed a gap in their row after combat, with their new lanes (R31)."""
    if before.window != LANE or after.window == LANE:
        return []
    lanes = {card: lane for seat in range(SEATS) for lane, card in row(before, seat)}
    return [(card, lane) for seat in range(SEATS) for lane, card in row(after, seat) if lane < lanes.get(card, 0)]


# Draws


def _drawn(setup: GameSetup, before: State, action: int | None, after: State, voice: Voice) -> list[Text]:
    """Return what this seat drew, and the number of cards that another drew if more than one."""
    lines = list[Text]()
    for seat in range(SEATS):
        count = int(after.cards[seat] - before.cards[seat])
        if action is not None and seat == before.player:
            count += _from_hand(before, action)
        if count > 0 and seat == voice.seat:
            lines.append(aside(Text("You draw {items}.", items=_new_cards(setup, before, action, after, seat))))
        elif count > 1:
            lines.append(aside(Text("{who} draws {n} card.", "{who} draws {n} cards.", who=mention(seat), n=count)))
    return lines


def _from_hand(s: State, action: int) -> int:
    """Return the number of cards that a choice takes from the hand; -1 if it adds one."""
    block = ACTIONS.name_of(action)[0] if action >= 0 else ""
    if block == "place" and s.phase == PICK and ABILITIES[int(s.ability)].wants == A.DISCARD:
        return -1
    return int(block in ("resource", "bring"))


def _new_cards(setup: GameSetup, before: State, action: int | None, after: State, seat: int) -> list[Text | str]:
    old = in_order(before.hand[seat])
    found: list[Text | str] = [name(setup, card) for card in in_order(after.hand[seat]) if card not in old]
    for colour, word in enumerate(COLOURS):
        played = int(action == PLAY_RESOURCE + colour and before.player == seat)
        count = int(after.held[seat, colour] - before.held[seat, colour]) + played
        if count > 0:
            found.append(Text("a {colour} resource", "{n} {colour} resources", n=count, colour=word))
    return found


#: How a match is won: as the winner reads it, as the other player does if that differs, and as all others do.
WIN_FORMS = {
    NO_LIFE: (
        "You win: {whom} has no life left.", "{who} wins: you have no life left.",
        "{who} wins: {whom} has no life left.",
    ),
    RAN_DRY: (
        "The deck has run out: you win with {most} life to {least}.",
        "The deck has run out: {who} wins with {most} life to {least}.",
    ),
    TURN_LIMIT: (
        "The turn limit is reached: you win with {most} life to {least}.",
        "The turn limit is reached: {who} wins with {most} life to {least}.",
    ),
}  # fmt: skip
#: How a match is drawn.
DRAW_TEXTS = {
    RAN_DRY: "The deck has run out, with {life} life each: a draw.",
    TURN_LIMIT: "The turn limit is reached, with {life} life each: a draw.",
}


def ending(s: State, seat: int) -> Text:
    """Return how the match ended, as `seat` reads it."""
    won, how = winners(s), int(s.ending)
    if not won:
        return Text(DRAW_TEXTS[how], life=s.life[0])
    values = {"most": max(s.life), "least": min(s.life)}
    return Voice(seat).text(*WIN_FORMS[how], who=won[0], whom=1 - won[0], **values)


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
    if s.phase == ANSWER and s.hit == card + 1 and would_fall(setup, s):
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
    if s.phase == ANSWER and s.hit and not would_fall(setup, s) and not is_shielded(setup.params, s, s.hit - 1):
        yield Text("This damage alone doesn't destroy {card}.", card=name(setup, int(s.hit) - 1))


def _why_wait(s: State) -> Iterator[Text]:
    ready = int(sum(s.ready[s.player]))
    if ready and s.active == s.player:
        yield Text(
            "You keep {n} resource ready for your opponent's turn.",
            "You keep {n} resources ready for your opponent's turn.", n=ready,
        )  # fmt: skip
