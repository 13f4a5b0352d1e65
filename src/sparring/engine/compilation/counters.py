"""Count what happens in matches, with the same rules in compiled code and plain Python.

A driver has a sheet (`blank_counters`) and calls three rules: `begin` when a match is dealt, `note` before each action,
and `close` when it is over. `ahead` is sampled at the start of each turn. What a seat holds is recorded when it first
acts in a turn, and at the end: recording it at every action would cost more than playing. What a seat plays counts as
drawn.

All counters are integers, so sums do not depend on their order. Shares are counted in units of 1/WHOLE; halves, thirds
and so on to tenths of WHOLE are integers.
"""

from collections.abc import Callable
from functools import cache
from math import floor, log2, sqrt
from typing import Any

import numpy as np

from sparring.engine.game import Box, Game
from sparring.engine.items import action_blocks, item_rules
from sparring.engine.rule import blank, record_dtype, rule

WHOLE = 2520

#: Indices into `now`, the counters of the match being played.
CHOICES, TURN, TURNS, ROUNDS, ROUND, LAST, DECISIONS, WIDTH, FIRST, APART, LOOKED = range(11)

#: The number of samples of `ahead` per match. Longer matches keep every second turn, every fourth, and so on.
SAMPLES = 256

#: Space for items is allocated in multiples of this.
MORE = 64

#: What can happen to an item on a seat: it was drawn, kept to the end, played.
DRAWN, KEPT, PLAYED = range(3)
FATES = 3

#: The leader is recorded after each of the first three quarters of a match.
QUARTERS = 3


@cache
def counters_dtype(game: Game, items: int) -> np.dtype[Any]:
    """Return the dtype of a sheet: first the match being played, then sums over matches.

    It is one record instead of several arrays, because compiled code counts references to each array at every call.
    """
    rules, seats = game.rules, max(game.seats)
    actions, blocks, row = len(rules.ACTIONS), len(rules.ACTIONS.blocks), 5 * seats + len(rules.ENDINGS) + 16
    return record_dtype([
        ("now", "i8", 11),
        ("far", "f4", (SAMPLES, seats)),  # `ahead` of each seat at the start of a turn
        # How often each seat held each item when it acted, held it at the end, and played it.
        ("marks", "u2", (FATES, seats, items)),
        ("place", "u2", (FATES, items)),  # the cell in which to count an item (see `count_items`)
        ("there", "u2", items),  # the items that any seat had
        ("row", "i8", row),  # the results of the closed match
        ("items", "i8"),  # the number of items
        ("family", "i2", actions),  # the block of each action
        ("mix", "i8", blocks),  # actions of each block in this match
        ("sums", "i8", row),  # of the rows
        ("squares", "i8", row),  # of the rows
        ("kinds", "i8", (len(rules.PHASES), blocks)),  # actions by phase and block
        ("kind_squares", "i8", blocks),  # sums of squares of `mix`
        ("kind_products", "i8", blocks),  # sums of products of `mix` and all actions of the match
        ("widths", "i8", actions + 1),  # decisions by the number of legal actions
        ("times", "i8", items),  # how often each item was played
        # Matches by item, by DRAWN, KEPT or PLAYED, and by three numbers: on how many seats, how many of these won, how
        # many seats won at all (see `count_items`). Packed for the number of seats in play.
        ("cells", "i4", items * FATES * (seats + 1) ** 3),
    ])  # fmt: skip


def blank_counters(box: Box) -> Any:
    """Return a blank sheet with space for a few more items, so that other content seldom needs recompilation."""
    items = len(item_rules(box.game).names(box))
    sheet = blank(counters_dtype(box.game, -(-items // MORE) * MORE))
    sheet["items"] = items
    sheet["family"] = action_blocks(box.game.rules.ACTIONS)
    return sheet


def payoff_unit(game: Game) -> int:
    """Return the number of parts per unit in which payoffs are counted: as fine as sums of their squares allow."""
    if game.payoffs is None:
        return WHOLE
    return int(2 ** max(0, floor(log2(2**16 / max(abs(game.payoffs.low), abs(game.payoffs.high))))))


@rule
def thin_out(s, sheet):
    """Keep every second sample of a long match."""
    for sample in range(SAMPLES // 2):
        for seat in range(s.seats):
            sheet.far[sample, seat] = sheet.far[2 * sample, seat]
    sheet.now[APART] *= 2


def sample_lead_rule(game: Game) -> Callable[..., Any]:
    """Return a rule that samples `ahead` of each seat at the start of a turn."""
    ahead = item_rules(game).ahead

    def look(kit, s, sheet):
        now = sheet.now
        now[TURN] = s.turn
        now[LOOKED] = 0
        if now[TURNS] == now[APART] * SAMPLES:
            thin_out(s, sheet)
        sample = now[TURNS] // now[APART]
        if sample * now[APART] == now[TURNS]:
            for seat in range(s.seats):
                sheet.far[sample, seat] = ahead(kit, s, seat)
        now[TURNS] += 1

    return rule(look)


@rule
def begin(s, sheet):
    """Start counting a match."""
    now = sheet.now
    for i in range(len(now)):
        now[i] = 0
    now[LAST] = -1
    now[APART] = 1
    now[FIRST] = s.player


def note_rule(game: Game) -> Callable[..., Any]:
    """Return a rule that counts an action out of `n`, before it is applied."""
    look, held, played = sample_lead_rule(game), item_rules(game).held, item_rules(game).played

    def note(kit, s, sheet, action, n):
        now = sheet.now
        player = s.player
        if s.turn != now[TURN] or now[CHOICES] == 0:
            look(kit, s, sheet)
        if now[LOOKED] >> player & 1 == 0:
            now[LOOKED] |= 1 << player
            held(kit, s, player, sheet.marks[DRAWN, player])
        now[CHOICES] += 1
        block = sheet.family[action]
        sheet.kinds[s.phase, block] += 1
        sheet.mix[block] += 1
        sheet.widths[n] += 1
        now[DECISIONS] += int(n > 1)
        now[WIDTH] += n * int(n > 1)
        if player != now[LAST]:
            if now[ROUND] >> player & 1:  # a new round: this seat has acted in the last one
                now[ROUNDS] += 1
                now[ROUND] = 0
            now[ROUND] |= 1 << player
            now[LAST] = player
        played(kit, s, action, sheet.marks[PLAYED, player])

    return rule(note)


@rule
def winning(s):
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
def how_many(bits):
    """Return the number of seats in a bit set."""
    n = 0
    while bits:
        n += bits & 1
        bits >>= 1
    return n


@rule
def was_drawn(sheet, seat, what):
    """Count what a seat played or kept as drawn."""
    for item in range(len(sheet.times)):
        sheet.marks[DRAWN, seat, item] |= sheet.marks[what, seat, item]


@rule
def add_fate(sheet, what, seat, place):
    """Move the cells of all items with this fate on a seat, and reset the marks."""
    for item in range(len(sheet.times)):
        sheet.place[what, item] += place * int(sheet.marks[what, seat, item] > 0)
        sheet.marks[what, seat, item] = 0


@rule
def add_seat(sheet, seat, place):
    """Count the fates of all items on a seat. Each loop over items does one thing, so that it can be vectorized."""
    for item in range(len(sheet.times)):
        sheet.times[item] += sheet.marks[PLAYED, seat, item]
    was_drawn(sheet, seat, KEPT)
    was_drawn(sheet, seat, PLAYED)
    for what in range(FATES):
        add_fate(sheet, what, seat, place)


@rule
def count_items(s, sheet, won):
    """Count the match for each item, in the cell of DRAWN, KEPT and PLAYED.

    The cell is a three-digit number to the base of seats + 1: the number of seats with that fate, how many of these
    won, how many seats won at all.
    """
    base = int(s.seats) + 1
    cells, place, winners = base**3, sheet.place, how_many(won)
    for what in range(FATES):
        for item in range(len(sheet.times)):
            place[what, item] = winners
    for seat in range(s.seats):
        add_seat(sheet, seat, base * base + base * (won >> seat & 1))
    n = 0
    for item in range(sheet.items):  # branch-free: a branch would be mispredicted for every second item
        sheet.there[n] = item
        n += int(place[DRAWN, item] >= base * base)
    for i in range(n):
        first = FATES * sheet.there[i]
        for what in range(FATES):
            sheet.cells[(first + what) * cells + place[what, sheet.there[i]]] += 1


@rule
def leader(s, sheet, turn):
    """Return the leading seat at a sample; -1 in a tie."""
    best = sheet.far[turn, 0]
    ahead = 0
    for seat in range(1, s.seats):
        far = sheet.far[turn, seat]
        if far > best:
            best = far
            ahead = seat
        elif far == best:
            ahead = -1
    return ahead


@rule
def behind_by(s, sheet, turn, won):
    """Return how far the best winner was behind the best other seat; 0 if it was not."""
    best = 0.0
    winners = 0.0
    for seat in range(s.seats):
        far = sheet.far[turn, seat]
        if won >> seat & 1:
            if far > winners:
                winners = far
        elif far > best:
            best = far
    return best - winners if best > winners else 0.0


@rule
def count_leads(s, sheet, won, k):
    """Count changes of the lead, leaders at each quarter who did not win, and drama; return the next index.

    Drama as defined by Browne (Automatic Generation and Evaluation of Recombination Games, thesis, 2008): the square
    root of the winner's deficit, averaged over the turns in which there was one.
    """
    row = sheet.row
    turns = (sheet.now[TURNS] - 1) // sheet.now[APART] + 1
    last = -1
    changes = 0
    behind = 0
    drama = 0.0
    settled = turns if won == 0 else 0
    for turn in range(turns):
        ahead = leader(s, sheet, turn)
        if ahead >= 0:
            changes += last >= 0 and ahead != last
            last = ahead
        if won and (ahead < 0 or won >> ahead & 1 == 0):
            settled = turn + 1
            far = behind_by(s, sheet, turn, won)
            if far > 0:
                behind += 1
                drama += sqrt(far)
    row[k] = changes
    k += 1
    for quarter in range(1, QUARTERS + 1):
        ahead = leader(s, sheet, turns * quarter // 4)
        row[k] = ahead >= 0
        row[k + QUARTERS] = ahead >= 0 and won != 0 and won >> ahead & 1 == 0
        k += 1
    k += QUARTERS
    row[k] = int(WHOLE * drama / behind + 0.5) if behind else 0
    row[k + 1] = (WHOLE * behind + turns // 2) // turns
    row[k + 2] = (WHOLE * settled + turns // 2) // turns
    return k + 3


@rule
def count_wins(s, sheet, won, number):
    """Count the share of the win by seat, by place after the starter, and by bot; return the next index."""
    row, winners = sheet.row, how_many(won)
    share = (WHOLE + winners // 2) // winners if winners else 0
    seats = int(s.seats)
    for seat in range(seats):
        part = share * (won >> seat & 1)
        row[seat] = part
        row[seats + (seat - sheet.now[FIRST]) % seats] = part
        row[2 * seats + (seat + number) % seats] = part
    row[3 * seats] = winners == 0
    return 3 * seats + 1


@rule
def count_kinds(sheet):
    """Accumulate how the actions of each block vary between matches."""
    for block in range(len(sheet.mix)):
        sheet.kind_squares[block] += sheet.mix[block] * sheet.mix[block]
        sheet.kind_products[block] += sheet.mix[block] * sheet.now[CHOICES]
        sheet.mix[block] = 0


def close_rule(game: Game) -> Callable[..., Any]:
    """Return a rule that counts a finished match in the row of the sheet (see `lab.measures.columns`), and its items.

    `number` is the match's number: bot (k + number) modulo the seats played seat k.
    """
    held, pays, unit, endings = (
        item_rules(game).held,
        game.payoffs is not None,
        payoff_unit(game),
        len(game.rules.ENDINGS),
    )

    def close(kit, s, sheet, number):
        now, row = sheet.now, sheet.row
        for i in range(len(row)):
            row[i] = 0
        seats = int(s.seats)
        won = winning(s)
        k = count_wins(s, sheet, won, number)
        if pays:
            for seat in range(seats):
                paid = floor(s.payoff[seat] * unit + 0.5)
                row[k + seat] = paid
                row[k + seats + (seat + number) % seats] = paid
            k += 2 * seats
        row[k + s.ending] = 1
        k += endings
        row[k] = now[CHOICES]
        row[k + 1] = now[TURNS]
        row[k + 2] = now[ROUNDS] + 1
        row[k + 3] = now[DECISIONS]
        row[k + 4] = (WHOLE * now[WIDTH] + now[DECISIONS] // 2) // now[DECISIONS] if now[DECISIONS] else 0
        count_leads(s, sheet, won, k + 5)
        for seat in range(seats):
            held(kit, s, seat, sheet.marks[KEPT, seat])
        count_items(s, sheet, won)
        count_kinds(sheet)
        for i in range(len(row)):
            sheet.sums[i] += row[i]
            sheet.squares[i] += row[i] * row[i]

    return rule(close)
