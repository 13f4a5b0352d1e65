"""World of Fighters: what learning agents, the lab and hints read: features, items, and reasons for an action."""

from collections.abc import Iterator

from sparring.engine.cards import count_of
from sparring.engine.features import one_hot
from sparring.engine.game import Box, Item
from sparring.engine.layouts import layout
from sparring.engine.rule import rule
from sparring.engine.squares import OFF, column_of, on_edge, row_of, square_name
from sparring.engine.types import CardPile, Floats, Numbers
from sparring.scene.sentences import counted

from .kit import KINDS, REVEAL, SEATS, Params
from .moves import (
    card_of, first_mover, kind_name, may_claim, ordinary_score, range_now, squares_by, super_score,
)  # fmt: skip
from .state import (
    ACTIONS, ACTION_CARD, BLOCK, CARDS, CLAIM, COUNTER, GRAPPLE, HAND, HEALTH, KICK, NOTHING, NO_FIGHTER, PHASES, PUNCH,
    ROWS, SKIP, TO_CALL, TO_CLAIM, TO_COUNTER, TO_PLAY, TO_SQUARE, State, has_super,
)  # fmt: skip

# Features: what a seat can see, in numbers

KIND_COUNT = len(KINDS)
PER_SEAT = 31
FEATURES = len(PHASES) + 2 * KIND_COUNT + SEATS * PER_SEAT + 4
LAYOUT = layout(
    ("phase", len(PHASES), 0, 1, "the phase, one-hot"),
    ("hand", KIND_COUNT, 0, 1, "own hand: cards by kind / hand size"),
    ("discard", KIND_COUNT, 0, 1, "the discard pile: cards by kind / all cards"),
    ("fighters", (SEATS, PER_SEAT), 0, 1,
     ("each seat, own seat first: stats, kind of the super, its range, long range, column, row, on the "
      "edge, health, super ready, super used, movement picked, card picked, called, performed, moves first;"
      " resting card, movement and card as far as the seat knows them, one-hot")),
    ("range", 1, 0, 1, "the range between the fighters / rows"),
    ("deck", 1, 0, 1, "cards in the draw pile / all cards"),
    ("round", 1, 0, 1, "rounds / limit"),
    ("to_act", 1, 0, 1, "whether this seat must act"),
)  # fmt: skip


@rule
def encode_kinds(pile: CardPile, scale: int, out: Floats, n: int) -> int:
    """Write how many cards of each kind are in a pile, divided by `scale`; return the next free place in `out`."""
    for kind in range(PUNCH, BLOCK + 1):
        out[n + kind - 1] = count_of(pile, kind) / scale
    return n + KIND_COUNT


@rule
def features(kit: Params, s: State, seat: int, out: Floats) -> None:
    """Write FEATURES floats to `out`: phase, own hand, discards, both seats (own first), range, draw pile, round."""
    n = one_hot(out, 0, len(PHASES), s.phase)
    n = encode_kinds(s.hand[seat], HAND, out, n)
    n = encode_kinds(s.discard, CARDS, out, n)
    for place in range(SEATS):
        n = encode_fighter(kit, s, 1 - seat if place else seat, out, n)
    out[n] = range_now(s) / ROWS if s.square[0] != OFF and s.square[1] != OFF else 0.0
    out[n + 1] = s.deck[0] / CARDS
    out[n + 2] = s.turn / kit.round_limit
    out[n + 3] = 1.0 if s.player == seat else 0.0


@rule
def encode_fighter(kit: Params, s: State, seat: int, out: Floats, n: int) -> int:
    """Write a seat's fighter, square, health, super and commitments; return the next free place in `out`."""
    picked = s.fighter[seat] != NO_FIGHTER
    fighter = s.fighter[seat] if picked else 0
    for kind in range(PUNCH, BLOCK + 1):
        out[n + kind - 1] = kit.stat[fighter, kind] / 9 if picked else 0.0
    n = one_hot(out, n + KIND_COUNT, KIND_COUNT, kit.super_kind[fighter] - 1 if picked else NO_FIGHTER)
    out[n] = kit.super_range[fighter] / 3 if picked else 0.0
    out[n + 1] = 1.0 if picked and kit.long[fighter] else 0.0
    on_board = s.square[seat] != OFF
    out[n + 2] = column_of(s.square[seat]) / (kit.columns - 1) if on_board else 0.0
    out[n + 3] = row_of(s.square[seat]) / (kit.rows - 1) if on_board else 0.0
    out[n + 4] = 1.0 if on_board and on_edge(s.square[seat], kit.columns, kit.rows) else 0.0
    out[n + 5] = s.health[seat] / HEALTH
    out[n + 6] = 1.0 if has_super(s, seat) else 0.0
    out[n + 7] = s.super_used[seat]
    out[n + 8] = 1.0 if s.movement[seat] != NOTHING else 0.0
    out[n + 9] = 1.0 if s.action[seat] != NOTHING else 0.0
    out[n + 10] = s.called[seat]
    out[n + 11] = s.performed[seat]
    out[n + 12] = 1.0 if first_mover(s) == seat else 0.0
    n = one_hot(out, n + 13, 3, s.resting[seat] - 1)
    n = one_hot(out, n, 3, s.movement[seat] - 1)
    return one_hot(out, n, KIND_COUNT, s.action[seat] - 1)


# The items that the lab measures (cards, fighters, supers), and how close a seat is to winning

#: Item order: kinds of Action card, fighters, their supers.
FIGHTER = KIND_COUNT

#: Phases in which lab matches choose at random: search bots would pick the same few fighters again and again.
BY_LOT = ("pick",)


def names(box: Box) -> tuple[Item, ...]:
    """Return the kinds of Action card, the fighters, and their supers."""
    fighters = box.content.fighters
    return (
        *(Item("action", kind) for kind in KINDS),
        *(Item("fighter", fighter.name) for fighter in fighters),
        *(Item("super", f"{fighter.super} of {fighter.name}") for fighter in fighters),
    )


@rule
def held(kit: Params, s: State, seat: int, marks: Numbers) -> None:
    """Mark the fighter, its super until it is performed, and the kinds in hand."""
    fighter = s.fighter[seat]
    if fighter == NO_FIGHTER:
        return
    marks[FIGHTER + fighter] += 1
    if not s.super_used[seat]:
        marks[FIGHTER + kit.fighters + fighter] += 1
    hand = s.hand[seat]
    for i in range(1, hand[0] + 1):
        marks[hand[i] - 1] += 1


@rule
def played(kit: Params, s: State, action: int, marks: Numbers) -> None:
    """Mark the Action card that a choice plays, with its fighter, and a super that is called or claimed."""
    fighter = s.fighter[s.player]
    called = action >= TO_CALL
    if s.phase == ACTION_CARD:
        marks[FIGHTER + fighter] += 1
        marks[action - (TO_CALL if called else TO_PLAY)] += 1
    if (s.phase == ACTION_CARD and called) or (s.phase == CLAIM and action == TO_CLAIM):
        marks[FIGHTER + kit.fighters + fighter] += 1
    if s.phase == COUNTER and action != SKIP:
        marks[action - TO_COUNTER] += 1


@rule
def ahead(kit: Params, s: State, seat: int) -> float:
    """Return a seat's share of full health (R33)."""
    return s.health[seat] / HEALTH


# Reasons to prefer one action to another

ATTACKS = (PUNCH, KICK, GRAPPLE)


def reasons_for(box: Box, s: State, action: int, other: int) -> list[str]:
    """Return reasons to prefer `action` to `other`, the most important first."""
    block, number = ACTIONS.name_of(action)
    rival = ACTIONS.name_of(other)[1]
    found: Iterator[str] = iter(())
    match block:
        case "movement":
            found = _movement(box, s, number + 1, rival + 1)
        case "card" | "call":
            found = _action_card(box, s, action, other)
        case "square" if first_mover(s) == s.player:
            found = _first_move(box, s, number, rival)
        case "square":
            found = _last_move(box, s, number, rival)
        case "counter" | "skip":
            found = _counter(box, s, action, other)
        case "claim":
            found = _claim(box, s)
    return list(found)


def _movement(box: Box, s: State, here: int, there: int) -> Iterator[str]:
    one, two = (len(squares_by(box, s, int(s.player), steps)) for steps in (here, there))
    if one > two:
        rest = f"only {two}" if two else "none"
        yield f"From here, Move {here} can reach {counted(one, 'square')}, Move {there} {rest}."


def _action_card(box: Box, s: State, action: int, other: int) -> Iterator[str]:
    called, calling = (TO_CALL <= choice < TO_SQUARE for choice in (action, other))
    kind, rival = (choice - (TO_CALL if call else TO_PLAY) + 1
                   for choice, call in ((action, called), (other, calling)))  # fmt: skip
    if called and kind in ATTACKS:
        at = int(box.kit.super_range[s.fighter[s.player]])
        plain = _score_at(box, s, kind, at)
        yield (
            f"At range {at} the called {kind_name(kind)} scores {int(super_score(box.kit, s, s.player))} "
            f"instead of {plain}."
        )
    elif calling and kind == rival:
        yield f"A call tells your opponent that you play a {kind_name(kind)}."
    elif kind == BLOCK and not has_super(s, 1 - s.player):
        stat = int(box.kit.stat[s.fighter[s.player], BLOCK])
        yield f"A Block takes {stat} off an attack, and then you may counter."
    elif kind in ATTACKS and rival in ATTACKS and not calling:
        best, most = (max(_score_at(box, s, each, at) for at in (1, 2, 3)) for each in (kind, rival))
        if best > most:
            yield f"Your {kind_name(kind)} scores up to {best}, your {kind_name(rival)} up to {most}."


def _first_move(box: Box, s: State, here: int, there: int) -> Iterator[str]:
    """Compare two squares by what the opponent can still do: its Movement card is open."""
    me, enemy = int(s.player), int(1 - s.player)
    moves = [squares_by(box, _moved(s, square), enemy, int(s.movement[enemy])) for square in (here, there)]
    if not moves[0]:
        yield "Then your opponent can't move, and a fighter who can't move loses."
        return
    kind = int(s.action[me])
    if kind in ATTACKS and moves[1]:
        ways = [
            sum(ordinary_score(box.kit, _moved(s, square, reply), me, kind) > 0 for reply in replies)
            for square, replies in zip((here, there), moves, strict=True)
        ]
        if ways[0] * len(moves[1]) > ways[1] * len(moves[0]):
            has = counted(len(moves[0]), "move")
            yield (
                f"Your {kind_name(kind)} is in range after {ways[0]} of the {has} that your opponent then has; "
                f"from {square_name(there)}, after {ways[1]} of {len(moves[1])}."
            )
    yield from _off_the_edge(box, s, here, there)


def _last_move(box: Box, s: State, here: int, there: int) -> Iterator[str]:
    """Compare two squares by the range, which is final."""
    me, kind = int(s.player), int(s.action[s.player])
    after, instead = _moved(s, here), _moved(s, there)
    near, far = int(range_now(after)), int(range_now(instead))
    at = int(box.kit.super_range[s.fighter[me]])
    if s.called[me] and near == at != far:
        yield f"At range {near} you perform {card_of(box, s, me).super}."
    elif kind in ATTACKS:
        score, rival = (int(ordinary_score(box.kit, state, me, kind)) for state in (after, instead))
        if score > rival:
            yield f"At range {near} your {kind_name(kind)} scores {score}; at range {far} {_would(rival)}."
    if near > 3 >= far:
        yield f"At range {near} no attack reaches."
    yield from _off_the_edge(box, s, here, there)


def _off_the_edge(box: Box, s: State, here: int, there: int) -> Iterator[str]:
    """Say that a square is off the edge if the opponent could throw the fighter out."""
    edge, rival = (on_edge(square, box.kit.columns, box.kit.rows) for square in (here, there))
    enemy = int(1 - s.player)
    threatens = s.called[enemy] or (box.kit.super_call == REVEAL and has_super(s, enemy))
    if threatens and rival and not edge:
        yield f"On the edge, at {square_name(there)}, a super would throw you out; {square_name(here)} is off the edge."


def _counter(box: Box, s: State, action: int, other: int) -> Iterator[str]:
    at = int(range_now(s))
    scores = [
        int(ordinary_score(box.kit, s, s.player, choice - TO_COUNTER + 1)) if choice < SKIP else 0
        for choice in (action, other)
    ]
    if action == SKIP and not scores[1]:
        yield f"At range {at} that card is out of range: you would waste it."
    elif scores[0] > scores[1]:
        kind = kind_name(action - TO_COUNTER + 1)
        rest = "" if other == SKIP else f", a {kind_name(other - TO_COUNTER + 1)} {scores[1]}"
        yield f"At range {at} a {kind} scores {scores[0]}{rest}."


def _claim(box: Box, s: State) -> Iterator[str]:
    if may_claim(box.kit, s, s.player) and s.action[s.player] in ATTACKS:
        plain = int(ordinary_score(box.kit, s, s.player, s.action[s.player]))
        yield f"The super scores {int(super_score(box.kit, s, s.player))} instead of {plain}."


def _moved(s: State, square: int, reply: int | None = None) -> State:
    """Return the state with the player's fighter on a square, and the opponent's on another."""
    moved = s.copy()
    moved.square[s.player] = square
    if reply is not None:
        moved.square[1 - s.player] = reply
    return moved


def _score_at(box: Box, s: State, kind: int, at: int) -> int:
    """Return the ordinary score of the player's fighter at a range from 1 to 3."""
    trial = s.copy()
    trial.square[:] = 0, at
    return int(ordinary_score(box.kit, trial, s.player, kind))


def _would(score: int) -> str:
    return f"it would score {score}" if score else "it would be out of range"
