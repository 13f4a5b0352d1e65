"""Count what happens in matches, with the same rules in compiled code and plain Python.

A driver has a counters record (`blank_counters`) and calls three rules: `begin` when a match is dealt, `note` before
each action, and `close` when it is over. `progress` is sampled at the start of each turn. What a seat holds is recorded
when it first acts in a turn, and at the end: recording it at every action would cost more than playing. What a seat
plays or keeps counts as drawn.

All sums are integers, so they do not depend on the order of matches. Shares are counted in units of 1/WHOLE; WHOLE
is divisible by 1 to 10.
"""

from collections.abc import Callable
from functools import cache
from math import floor, log2, sqrt
from typing import Any

import numpy as np

from sparring.engine.game import Game, GameSetup
from sparring.engine.items import action_blocks, item_rules
from sparring.engine.rule import blank, record_dtype, rule

WHOLE = 2520

#: Indices into `now`, the counters of the match being played: actions; the current turn; turns; finished rounds; the
#: seats that acted in this round (a bit set); the seat that acted last; actions with alternatives; their alternatives
#: in total; the seat that acted first; the number of turns between samples of `progress`; the seats whose items were
#: recorded in this turn (a bit set).
CHOICES, TURN, TURNS, ROUNDS, ROUND, LAST, DECISIONS, WIDTH, FIRST, INTERVAL, RECORDED = range(11)

#: The most samples of `progress` per match. Longer matches keep every second turn, every fourth, and so on.
SAMPLES = 256

#: Space for items is allocated in multiples of this number.
ITEM_MULTIPLE = 64

#: The fates of an item on a seat: it was drawn, kept to the end, or played.
DRAWN, KEPT, PLAYED = range(3)
FATES = 3

#: The leader is recorded after each of the first three quarters of a match.
QUARTERS = 3


@cache
def counters_dtype(game: Game, items: int) -> np.dtype[Any]:
    """Return the dtype of the counters with space for `items` items: first the match being played, then sums.

    It is one record instead of several arrays, because compiled code counts references to each array at every call.
    """
    rules, seats = game.rules, max(game.seats)
    actions, blocks, row = len(rules.ACTIONS), len(rules.ACTIONS.blocks), 5 * seats + len(rules.ENDINGS) + 16
    return record_dtype([
        ("now", "i8", 11),
        ("progress", "f4", (SAMPLES, seats)),  # how close each seat is to winning at the start of a turn
        # How often each seat held each item when it acted, held it at the end, and played it.
        ("marks", "u2", (FATES, seats, items)),
        ("cell", "u2", (FATES, items)),  # the cell in which to count an item (see `count_items`)
        ("present", "u2", items),  # the items that any seat had
        ("row", "i8", row),  # the results of the closed match
        ("items", "i8"),  # the number of items
        ("block_of", "i2", actions),  # the block of each action
        ("mix", "i8", blocks),  # actions of each block in this match
        ("sums", "i8", row),  # sums of the rows
        ("squares", "i8", row),  # sums of their squares
        ("kinds", "i8", (len(rules.PHASES), blocks)),  # actions by phase and block
        ("kind_squares", "i8", blocks),  # sums of squares of `mix`
        ("kind_products", "i8", blocks),  # sums of products of `mix` and all actions of the match
        ("widths", "i8", actions + 1),  # decisions by the number of legal actions
        ("times", "i8", items),  # how often each item was played
        # Matches by item, by fate, and by three numbers: the seats with that fate, the winners among them, and all
        # winners (see `count_items`). Packed for the number of seats in play.
        ("cells", "i4", items * FATES * (seats + 1) ** 3),
    ])  # fmt: skip


def blank_counters(setup: GameSetup) -> Any:
    """Return blank counters with space for a few more items, so that other content seldom needs recompilation."""
    items = len(item_rules(setup.game).names(setup))
    counters = blank(counters_dtype(setup.game, -(-items // ITEM_MULTIPLE) * ITEM_MULTIPLE))
    counters["items"] = items
    counters["block_of"] = action_blocks(setup.game.rules.ACTIONS)
    return counters


def payoff_unit(game: Game) -> int:
    """Return the number of parts of a payoff unit in which payoffs are counted: as many as sums of squares allow."""
    if game.payoffs is None:
        return WHOLE
    return int(2 ** max(0, floor(log2(2**16 / max(abs(game.payoffs.low), abs(game.payoffs.high))))))


@rule
def thin_out(s, counters):
    """Drop every second sample of a long match."""
    for sample in range(SAMPLES // 2):
        for seat in range(s.seats):
            counters.progress[sample, seat] = counters.progress[2 * sample, seat]
    counters.now[INTERVAL] *= 2


def sample_lead_rule(game: Game) -> Callable[..., Any]:
    """Return a rule that records how close each seat is to winning (`progress`) at the start of a turn."""
    progress = item_rules(game).progress

    def sample_lead(params, s, counters):
        now = counters.now
        now[TURN] = s.turn
        now[RECORDED] = 0
        if now[TURNS] == now[INTERVAL] * SAMPLES:
            thin_out(s, counters)
        sample = now[TURNS] // now[INTERVAL]
        if sample * now[INTERVAL] == now[TURNS]:
            for seat in range(s.seats):
                counters.progress[sample, seat] = progress(params, s, seat)
        now[TURNS] += 1

    return rule(sample_lead)


@rule
def begin(s, counters):
    """Start counting a match."""
    now = counters.now
    for i in range(len(now)):
        now[i] = 0
    now[LAST] = -1
    now[INTERVAL] = 1
    now[FIRST] = s.player


def note_rule(game: Game) -> Callable[..., Any]:
    """Return a rule that counts an action, chosen from `n` legal ones, before it is applied."""
    sample_lead, held, played = sample_lead_rule(game), item_rules(game).held, item_rules(game).played

    def note(params, s, counters, action, n):
        now = counters.now
        player = s.player
        if s.turn != now[TURN] or now[CHOICES] == 0:
            sample_lead(params, s, counters)
        if now[RECORDED] >> player & 1 == 0:
            now[RECORDED] |= 1 << player
            held(params, s, player, counters.marks[DRAWN, player])
        now[CHOICES] += 1
        block = counters.block_of[action]
        counters.kinds[s.phase, block] += 1
        counters.mix[block] += 1
        counters.widths[n] += 1
        now[DECISIONS] += int(n > 1)
        now[WIDTH] += n * int(n > 1)
        if player != now[LAST]:
            if now[ROUND] >> player & 1:  # a new round: this seat has acted in the last one
                now[ROUNDS] += 1
                now[ROUND] = 0
            now[ROUND] |= 1 << player
            now[LAST] = player
        played(params, s, action, counters.marks[PLAYED, player])

    return rule(note)


@rule
def winner_set(s):
    """Return the winners as a bit set: the seats with the highest payoff, unless all are equal."""
    best = s.payoff[0]
    least = s.payoff[0]
    for seat in range(1, s.seats):
        best = max(best, s.payoff[seat])
        least = min(least, s.payoff[seat])
    won = 0
    if best > least:
        for seat in range(s.seats):
            won |= int(s.payoff[seat] == best) << seat
    return won


@rule
def count_seats(bits):
    """Return the number of seats in a bit set."""
    n = 0
    while bits:
        n += bits & 1
        bits >>= 1
    return n


@rule
def count_as_drawn(counters, seat, fate):
    """Count the items with this fate on a seat (KEPT or PLAYED) as drawn, too."""
    for item in range(len(counters.times)):
        counters.marks[DRAWN, seat, item] |= counters.marks[fate, seat, item]


@rule
def move_cells(counters, fate, seat, cell):
    """Add `cell` to the cell of every item with this fate on a seat, and reset the marks."""
    for item in range(len(counters.times)):
        counters.cell[fate, item] += cell * int(counters.marks[fate, seat, item] > 0)
        counters.marks[fate, seat, item] = 0


@rule
def add_seat(counters, seat, cell):
    """Count the fates of all items on a seat. Each loop over items does one thing, so that it can be vectorized.

    `cell` is what the seat adds to the cell of an item (see `count_items`).
    """
    for item in range(len(counters.times)):
        counters.times[item] += counters.marks[PLAYED, seat, item]
    count_as_drawn(counters, seat, KEPT)
    count_as_drawn(counters, seat, PLAYED)
    for fate in range(FATES):
        move_cells(counters, fate, seat, cell)


@rule
def count_items(s, counters, won):
    """Count the match for each item and fate, in one of its cells; `won` is the bit set of winners.

    The number of the cell has three digits to the base of seats + 1: the number of seats with that fate, the number of
    winners among them, and the number of all winners.
    """
    base = int(s.seats) + 1
    cells, cell, winners = base**3, counters.cell, count_seats(won)
    for fate in range(FATES):
        for item in range(len(counters.times)):
            cell[fate, item] = winners
    for seat in range(s.seats):
        add_seat(counters, seat, base * base + base * (won >> seat & 1))
    n = 0
    for item in range(counters.items):  # branch-free: a branch would be mispredicted for every second item
        counters.present[n] = item
        n += int(cell[DRAWN, item] >= base * base)
    for i in range(n):
        first = FATES * counters.present[i]
        for fate in range(FATES):
            counters.cells[(first + fate) * cells + cell[fate, counters.present[i]]] += 1


@rule
def leading_seat(s, counters, turn):
    """Return the seat that is closest to winning at sample `turn`; -1 in a tie."""
    highest = counters.progress[turn, 0]
    leading = 0
    for seat in range(1, s.seats):
        progress = counters.progress[turn, seat]
        if progress > highest:
            highest = progress
            leading = seat
        elif progress == highest:
            leading = -1
    return leading


@rule
def deficit(s, counters, turn, won):
    """Return how far the best winner was behind the best loser at sample `turn`; 0 if it was not behind."""
    highest = 0.0
    highest_winner = 0.0
    for seat in range(s.seats):
        progress = counters.progress[turn, seat]
        if won >> seat & 1:
            if progress > highest_winner:
                highest_winner = progress
        elif progress > highest:
            highest = progress
    return highest - highest_winner if highest > highest_winner else 0.0


@rule
def count_leads(s, counters, won, k):
    """Write the lead figures from column `k` on: changes of the lead, leaders at each quarter, drama; return the next.

    Drama as defined by Browne (Automatic Generation and Evaluation of Recombination Games, thesis, 2008): the square
    root of the winner's deficit, averaged over the turns in which there was one.
    """
    row = counters.row
    turns = (counters.now[TURNS] - 1) // counters.now[INTERVAL] + 1
    last_leader = -1
    changes = 0
    behind = 0
    drama = 0.0
    settled = turns if won == 0 else 0
    for turn in range(turns):
        leading = leading_seat(s, counters, turn)
        if leading >= 0:
            changes += last_leader >= 0 and leading != last_leader
            last_leader = leading
        if won and (leading < 0 or won >> leading & 1 == 0):
            settled = turn + 1
            lag = deficit(s, counters, turn, won)
            if lag > 0:
                behind += 1
                drama += sqrt(lag)
    row[k] = changes
    k += 1
    for quarter in range(1, QUARTERS + 1):
        leading = leading_seat(s, counters, turns * quarter // 4)
        row[k] = leading >= 0
        row[k + QUARTERS] = leading >= 0 and won != 0 and won >> leading & 1 == 0
        k += 1
    k += QUARTERS
    row[k] = int(WHOLE * drama / behind + 0.5) if behind else 0
    row[k + 1] = (WHOLE * behind + turns // 2) // turns
    row[k + 2] = (WHOLE * settled + turns // 2) // turns
    return k + 3


@rule
def count_wins(s, counters, won, number):
    """Write the shares of the win by seat, by place after the starter, and by bot; return the next column."""
    row, winners = counters.row, count_seats(won)
    share = (WHOLE + winners // 2) // winners if winners else 0
    seats = int(s.seats)
    for seat in range(seats):
        part = share * (won >> seat & 1)
        row[seat] = part
        row[seats + (seat - counters.now[FIRST]) % seats] = part
        row[2 * seats + (seat + number) % seats] = part
    row[3 * seats] = winners == 0
    return 3 * seats + 1


@rule
def count_kinds(counters):
    """Accumulate how the actions of each block vary between matches."""
    for block in range(len(counters.mix)):
        counters.kind_squares[block] += counters.mix[block] * counters.mix[block]
        counters.kind_products[block] += counters.mix[block] * counters.now[CHOICES]
        counters.mix[block] = 0


def close_rule(game: Game) -> Callable[..., Any]:
    """Return a rule that counts a finished match: it writes the row (see `lab.measures.columns`) and adds up the sums.

    `number` is the match's number: bot (k + number) modulo the number of seats played seat k.
    """
    held, has_payoffs, unit, endings = (
        item_rules(game).held,
        game.payoffs is not None,
        payoff_unit(game),
        len(game.rules.ENDINGS),
    )

    def close(params, s, counters, number):
        now, row = counters.now, counters.row
        for i in range(len(row)):
            row[i] = 0
        seats = int(s.seats)
        won = winner_set(s)
        k = count_wins(s, counters, won, number)
        if has_payoffs:
            for seat in range(seats):
                payoff = floor(s.payoff[seat] * unit + 0.5)
                row[k + seat] = payoff
                row[k + seats + (seat + number) % seats] = payoff
            k += 2 * seats
        row[k + s.ending] = 1
        k += endings
        row[k] = now[CHOICES]
        row[k + 1] = now[TURNS]
        row[k + 2] = now[ROUNDS] + 1
        row[k + 3] = now[DECISIONS]
        row[k + 4] = (WHOLE * now[WIDTH] + now[DECISIONS] // 2) // now[DECISIONS] if now[DECISIONS] else 0
        count_leads(s, counters, won, k + 5)
        for seat in range(seats):
            held(params, s, seat, counters.marks[KEPT, seat])
        count_items(s, counters, won)
        count_kinds(counters)
        for i in range(len(row)):
            counters.sums[i] += row[i]
            counters.squares[i] += row[i] * row[i]

    return rule(close)
