"""World of Fighters: what learning agents, the lab and hints read: features, items, and reasons for an action."""

from collections.abc import Iterator

from sparring.engine.cards import count_of
from sparring.engine.features import layout, one_hot
from sparring.engine.game import GameSetup, Item
from sparring.engine.rule import rule
from sparring.engine.squares import OFF, column_of, on_edge, row_of, square_name
from sparring.engine.types import CardPile, Floats, Numbers
from sparring.scene.sentences import Text

from .moves import (
    card_of, first_mover, kind_name, may_claim, ordinary_score, range_now, some_cards, squares_by, super_score,
)  # fmt: skip
from .params import KINDS, REVEAL, SEATS, Params
from .state import (
    ACTION_CARD, ACTIONS, BLOCK, CARDS, CLAIM, COUNTER, GRAPPLE, HAND, HEALTH, KICK, NO_FIGHTER, NOTHING, PHASES, PUNCH,
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
def features(params: Params, s: State, seat: int, out: Floats) -> None:
    """Write FEATURES floats to `out`: phase, own hand, discards, both seats (own first), range, draw pile, round."""
    n = one_hot(out, 0, len(PHASES), s.phase)
    n = encode_kinds(s.hand[seat], HAND, out, n)
    n = encode_kinds(s.discard, CARDS, out, n)
    for place in range(SEATS):
        n = encode_fighter(params, s, 1 - seat if place else seat, out, n)
    out[n] = range_now(s) / ROWS if s.square[0] != OFF and s.square[1] != OFF else 0.0
    out[n + 1] = s.deck[0] / CARDS
    out[n + 2] = s.turn / params.round_limit
    out[n + 3] = 1.0 if s.player == seat else 0.0


@rule
def encode_fighter(params: Params, s: State, seat: int, out: Floats, n: int) -> int:
    """Write a seat's fighter, square, health, super and commitments; return the next free place in `out`."""
    picked = s.fighter[seat] != NO_FIGHTER
    fighter = s.fighter[seat] if picked else 0
    for kind in range(PUNCH, BLOCK + 1):
        out[n + kind - 1] = params.stat[fighter, kind] / 9 if picked else 0.0
    n = one_hot(out, n + KIND_COUNT, KIND_COUNT, params.super_kind[fighter] - 1 if picked else NO_FIGHTER)
    out[n] = params.super_range[fighter] / 3 if picked else 0.0
    out[n + 1] = 1.0 if picked and params.long[fighter] else 0.0
    on_board = s.square[seat] != OFF
    out[n + 2] = column_of(s.square[seat]) / (params.columns - 1) if on_board else 0.0
    out[n + 3] = row_of(s.square[seat]) / (params.rows - 1) if on_board else 0.0
    out[n + 4] = 1.0 if on_board and on_edge(s.square[seat], params.columns, params.rows) else 0.0
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


def names(setup: GameSetup) -> tuple[Item, ...]:
    """Return the kinds of Action card, the fighters, and their supers."""
    fighters = setup.content.fighters
    return (
        *(Item("action", kind) for kind in KINDS),
        *(Item("fighter", fighter.name) for fighter in fighters),
        *(Item("super", f"{fighter.super} of {fighter.name}") for fighter in fighters),
    )


@rule
def held(params: Params, s: State, seat: int, marks: Numbers) -> None:
    """Mark the fighter, its super until it is performed, and the kinds in hand."""
    fighter = s.fighter[seat]
    if fighter == NO_FIGHTER:
        return
    marks[FIGHTER + fighter] += 1
    if not s.super_used[seat]:
        marks[FIGHTER + params.fighters + fighter] += 1
    hand = s.hand[seat]
    for i in range(1, hand[0] + 1):
        marks[hand[i] - 1] += 1


@rule
def played(params: Params, s: State, action: int, marks: Numbers) -> None:
    """Mark the Action card that a choice plays, with its fighter, and a super that is called or claimed."""
    fighter = s.fighter[s.player]
    called = action >= TO_CALL
    if s.phase == ACTION_CARD:
        marks[FIGHTER + fighter] += 1
        marks[action - (TO_CALL if called else TO_PLAY)] += 1
    if (s.phase == ACTION_CARD and called) or (s.phase == CLAIM and action == TO_CLAIM):
        marks[FIGHTER + params.fighters + fighter] += 1
    if s.phase == COUNTER and action != SKIP:
        marks[action - TO_COUNTER] += 1


@rule
def progress(params: Params, s: State, seat: int) -> float:
    """Return a seat's share of full health (R33)."""
    return s.health[seat] / HEALTH


# Reasons to prefer one action to another

ATTACKS = (PUNCH, KICK, GRAPPLE)


def reasons_for(setup: GameSetup, s: State, action: int, other: int) -> list[Text]:
    """Return reasons to prefer `action` to `other`, the most important first."""
    block, number = ACTIONS.name_of(action)
    rival = ACTIONS.name_of(other)[1]
    found: Iterator[Text] = iter(())
    match block:
        case "movement":
            found = _movement(setup, s, number + 1, rival + 1)
        case "card" | "call":
            found = _action_card(setup, s, action, other)
        case "square" if first_mover(s) == s.player:
            found = _first_move(setup, s, number, rival)
        case "square":
            found = _last_move(setup, s, number, rival)
        case "counter" | "skip":
            found = _counter(setup, s, action, other)
        case "claim":
            found = _claim(setup, s)
    return list(found)


def _movement(setup: GameSetup, s: State, here: int, there: int) -> Iterator[Text]:
    one, two = (len(squares_by(setup, s, int(s.player), steps)) for steps in (here, there))
    values = {"n": one, "here": here, "there": there}
    if one > two > 0:
        yield Text(
            "From here, Move {here} can reach {n} square, Move {there} only {less}.",
            "From here, Move {here} can reach {n} squares, Move {there} only {less}.", less=two, **values,
        )  # fmt: skip
    elif one > two:
        yield Text(
            "From here, Move {here} can reach {n} square, Move {there} none.",
            "From here, Move {here} can reach {n} squares, Move {there} none.", **values,
        )  # fmt: skip


def _action_card(setup: GameSetup, s: State, action: int, other: int) -> Iterator[Text]:
    called, calling = (TO_CALL <= choice < TO_SQUARE for choice in (action, other))
    kind, rival = (choice - (TO_CALL if call else TO_PLAY) + 1
                   for choice, call in ((action, called), (other, calling)))  # fmt: skip
    if called and kind in ATTACKS:
        at = int(setup.params.super_range[s.fighter[s.player]])
        yield Text(
            "At range {range} the called {card} scores {score} instead of {plain}.", range=at, card=kind_name(kind),
            score=super_score(setup.params, s, s.player), plain=_score_at(setup, s, kind, at),
        )  # fmt: skip
    elif calling and kind == rival:
        yield Text("A call tells your opponent that you play {card}.", card=some_cards(kind))
    elif kind == BLOCK and not has_super(s, 1 - s.player):
        stat = int(setup.params.stat[s.fighter[s.player], BLOCK])
        yield Text("A Block takes {stat} off an attack, and then you may counter.", stat=stat)
    elif kind in ATTACKS and rival in ATTACKS and not calling:
        best, most = (max(_score_at(setup, s, each, at) for at in (1, 2, 3)) for each in (kind, rival))
        if best > most:
            yield Text(
                "Your {card} scores up to {best}, your {other} up to {less}.", card=kind_name(kind), best=best,
                other=kind_name(rival), less=most,
            )  # fmt: skip


def _first_move(setup: GameSetup, s: State, here: int, there: int) -> Iterator[Text]:
    """Compare two squares by what the opponent can still do: its Movement card is open."""
    me, enemy = int(s.player), int(1 - s.player)
    moves = [squares_by(setup, _moved(s, square), enemy, int(s.movement[enemy])) for square in (here, there)]
    if not moves[0]:
        yield Text("Then your opponent can't move, and a fighter who can't move loses.")
        return
    kind = int(s.action[me])
    if kind in ATTACKS and moves[1]:
        ways = [
            sum(ordinary_score(setup.params, _moved(s, square, reply), me, kind) > 0 for reply in replies)
            for square, replies in zip((here, there), moves, strict=True)
        ]
        if ways[0] * len(moves[1]) > ways[1] * len(moves[0]):
            yield Text(
                "Your {card} is in range after {ways} of the {n} move that your opponent then has; from {square}, "
                "after {fewer} of {more}.",
                "Your {card} is in range after {ways} of the {n} moves that your opponent then has; from {square}, "
                "after {fewer} of {more}.",
                card=kind_name(kind), ways=ways[0], n=len(moves[0]), square=square_name(there), fewer=ways[1],
                more=len(moves[1]),
            )  # fmt: skip
    yield from _off_the_edge(setup, s, here, there)


def _last_move(setup: GameSetup, s: State, here: int, there: int) -> Iterator[Text]:
    """Compare two squares by the range, which is final."""
    me, kind = int(s.player), int(s.action[s.player])
    after, instead = _moved(s, here), _moved(s, there)
    near, far = int(range_now(after)), int(range_now(instead))
    at = int(setup.params.super_range[s.fighter[me]])
    if s.called[me] and near == at != far:
        yield Text("At range {range} you perform {super}.", range=near, super=card_of(setup, s, me).super)
    elif kind in ATTACKS:
        score, rival = (int(ordinary_score(setup.params, state, me, kind)) for state in (after, instead))
        values = {"range": near, "card": kind_name(kind), "score": score, "other": far, "less": rival}
        if score > rival > 0:
            yield Text("At range {range} your {card} scores {score}; at range {other} it would score {less}.", **values)
        elif score > rival:
            yield Text(
                "At range {range} your {card} scores {score}; at range {other} it would be out of range.", **values
            )
    if near > 3 >= far:
        yield Text("At range {range} no attack reaches.", range=near)
    yield from _off_the_edge(setup, s, here, there)


def _off_the_edge(setup: GameSetup, s: State, here: int, there: int) -> Iterator[Text]:
    """Say that a square is off the edge if the opponent could throw the fighter out."""
    edge, rival = (on_edge(square, setup.params.columns, setup.params.rows) for square in (here, there))
    enemy = int(1 - s.player)
    threatens = s.called[enemy] or (setup.params.super_call == REVEAL and has_super(s, enemy))
    if threatens and rival and not edge:
        yield Text(
            "On the edge, at {edge}, a super would throw you out; {square} is off the edge.", edge=square_name(there),
            square=square_name(here),
        )  # fmt: skip


def _counter(setup: GameSetup, s: State, action: int, other: int) -> Iterator[Text]:
    at = int(range_now(s))
    scores = [
        int(ordinary_score(setup.params, s, s.player, choice - TO_COUNTER + 1)) if choice < SKIP else 0
        for choice in (action, other)
    ]
    if action == SKIP and not scores[1]:
        yield Text("At range {range} that card is out of range: you would waste it.", range=at)
    elif scores[0] > scores[1]:
        values = {"range": at, "card": some_cards(action - TO_COUNTER + 1), "score": scores[0]}
        if other == SKIP:
            yield Text("At range {range} {card} scores {score}.", **values)
        else:
            rival = some_cards(other - TO_COUNTER + 1)
            yield Text("At range {range} {card} scores {score}, {other} {less}.", other=rival, less=scores[1], **values)


def _claim(setup: GameSetup, s: State) -> Iterator[Text]:
    if may_claim(setup.params, s, s.player) and s.action[s.player] in ATTACKS:
        plain = int(ordinary_score(setup.params, s, s.player, s.action[s.player]))
        yield Text(
            "The super scores {score} instead of {plain}.", score=super_score(setup.params, s, s.player), plain=plain
        )


def _moved(s: State, square: int, reply: int | None = None) -> State:
    """Return the state with the player's fighter on a square, and the opponent's on another."""
    moved = s.copy()
    moved.square[s.player] = square
    if reply is not None:
        moved.square[1 - s.player] = reply
    return moved


def _score_at(setup: GameSetup, s: State, kind: int, at: int) -> int:
    """Return the ordinary score of the player's fighter at a range from 1 to 3."""
    trial = s.copy()
    trial.square[:] = 0, at
    return int(ordinary_score(setup.params, trial, s.player, kind))
