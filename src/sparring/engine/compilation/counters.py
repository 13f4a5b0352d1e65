"""What is counted while matches are played: the same rules count in machine code and in plain Python.

A driver has a sheet (`blank_sheet`) and calls three rules: `begin` when a match is dealt, `note` before each choice,
and `close` when it is over. Who is ahead is looked at whenever a turn begins; what a seat holds when it first chooses
in a turn, and once more at the end: looking at every choice would cost more than playing. What a seat plays it has
drawn, seen or not.

All that is counted are whole numbers, so that sums are the same in whatever order they are made: shares are counted in
parts of WHOLE, of which a half, a third and so on to a tenth are whole numbers.
"""

from collections.abc import Callable
from functools import cache
from math import floor, log2, sqrt
from typing import Any

import numpy as np

from sparring.engine.game import Box, Game
from sparring.engine.items import asked, families
from sparring.engine.rule import blank, record_dtype, rule

WHOLE = 2520

#: What is known of the match being played, by its place in `now`.
CHOICES, TURN, TURNS, ROUNDS, ROUND, LAST, DECISIONS, WIDTH, FIRST, APART, LOOKED = range(11)

#: Of so many turns it is kept how far the seats were; of a longer match those of every second turn, every fourth, ...
SAMPLES = 256

#: There is room for items in steps of so many.
MORE = 64

#: What can become of an item on a seat: it was drawn, was held to the end, was played.
DRAWN, KEPT, PLAYED = range(3)
FATES = 3

#: Who was ahead is asked at these places of a match, in quarters.
QUARTERS = 3


@cache
def sheet_dtype(game: Game, items: int) -> np.dtype[Any]:
    """A record to count matches on: first what is known of the match being played, then what adds up over matches.

    It is a record and not a bundle of arrays, because at every call machine code counts who refers to an array.
    """
    rules, seats = game.rules, max(game.seats)
    actions, blocks, row = len(rules.ACTIONS), len(rules.ACTIONS.blocks), 5 * seats + len(rules.ENDINGS) + 16
    return record_dtype([
        ("now", "i8", 11),
        ("far", "f4", (SAMPLES, seats)),  # how far each seat was when a turn began
        # How often each seat was seen to hold each item as it chose, when the match was over, and has played it.
        ("marks", "u2", (FATES, seats, items)),
        ("place", "u2", (FATES, items)),  # in which cell an item is to be counted (see `count_items`)
        ("there", "u2", items),  # the items that anybody had
        ("row", "i8", row),  # what the match that was closed gave
        ("items", "i8"),  # how many there are
        ("family", "i2", actions),  # the block of each choice
        ("mix", "i8", blocks),  # choices of each block in this match
        ("sums", "i8", row),  # of the rows
        ("squares", "i8", row),
        ("kinds", "i8", (len(rules.PHASES), blocks)),  # choices by phase and block
        ("kind_squares", "i8", blocks),  # of how many choices of a block each match had
        ("kind_products", "i8", blocks),  # of that and all choices of the match
        ("widths", "i8", actions + 1),  # choices by how many there were to choose from
        ("times", "i8", items),  # how often each item was played
        # Matches by item, by DRAWN, KEPT or PLAYED, and by three numbers: on how many seats, how many of these won, how
        # many won at all (see `count_items`); as close together as the seats that play allow.
        ("cells", "i4", items * FATES * (seats + 1) ** 3),
    ])  # fmt: skip


def blank_sheet(box: Box) -> Any:
    """A sheet with room for some more items than there are, so that other content seldom needs other machine code."""
    items = len(asked(box.game).names(box))
    sheet = blank(sheet_dtype(box.game, -(-items // MORE) * MORE))
    sheet["items"] = items
    sheet["family"] = families(box.game.rules.ACTIONS)
    return sheet


def payoff_unit(game: Game) -> int:
    """In which parts of a unit payoffs are counted: as fine as their squares, added up, allow."""
    if game.payoffs is None:
        return WHOLE
    return int(2 ** max(0, floor(log2(2**16 / max(abs(game.payoffs.low), abs(game.payoffs.high))))))


@rule
def thin_out(s, sheet):
    """Keep every second sample of how far the seats were: the match is long."""
    for sample in range(SAMPLES // 2):
        for seat in range(s.seats):
            sheet.far[sample, seat] = sheet.far[2 * sample, seat]
    sheet.now[APART] *= 2


def looking(game: Game) -> Callable[..., Any]:
    """A rule that looks how far each seat is, as a turn begins."""
    ahead = asked(game).ahead

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
    """A match is dealt: nothing has been chosen yet."""
    now = sheet.now
    for i in range(len(now)):
        now[i] = 0
    now[LAST] = -1
    now[APART] = 1
    now[FIRST] = s.player


def noting(game: Game) -> Callable[..., Any]:
    """A rule that counts a choice of `n`, before it is carried out."""
    look, held, played = looking(game), asked(game).held, asked(game).played

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
            if now[ROUND] >> player & 1:  # it comes round to a seat that has chosen before
                now[ROUNDS] += 1
                now[ROUND] = 0
            now[ROUND] |= 1 << player
            now[LAST] = player
        played(kit, s, action, sheet.marks[PLAYED, player])

    return rule(note)


@rule
def winning(s):
    """Who won, as bits: the highest payoff, unless all are equal."""
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
    """How many seats a set of them holds."""
    n = 0
    while bits:
        n += bits & 1
        bits >>= 1
    return n


@rule
def was_drawn(sheet, seat, what):
    """What a seat has played, or holds to the end, it has drawn, seen or not."""
    for item in range(len(sheet.times)):
        sheet.marks[DRAWN, seat, item] |= sheet.marks[what, seat, item]


@rule
def add_fate(sheet, what, seat, place):
    """Of which items something is true on a seat moves their places on; then nothing is, for the next match."""
    for item in range(len(sheet.times)):
        sheet.place[what, item] += place * int(sheet.marks[what, seat, item] > 0)
        sheet.marks[what, seat, item] = 0


@rule
def add_seat(sheet, seat, place):
    """What became of the items on a seat. Loops over all items do one thing each: a processor does many at once."""
    for item in range(len(sheet.times)):
        sheet.times[item] += sheet.marks[PLAYED, seat, item]
    was_drawn(sheet, seat, KEPT)
    was_drawn(sheet, seat, PLAYED)
    for what in range(FATES):
        add_fate(sheet, what, seat, place)


@rule
def count_items(s, sheet, won):
    """What became of each item, and who won: one match more in the cell of DRAWN, of KEPT and of PLAYED.

    The cell is a number of three digits to the base of the seats and one: on how many seats that is true, how many of
    these won, how many won at all.
    """
    base = int(s.seats) + 1
    cells, place, winners = base**3, sheet.place, how_many(won)
    for what in range(FATES):
        for item in range(len(sheet.times)):
            place[what, item] = winners
    for seat in range(s.seats):
        add_seat(sheet, seat, base * base + base * (won >> seat & 1))
    n = 0
    for item in range(sheet.items):  # without a branch, which a processor would guess wrong for every second item
        sheet.there[n] = item
        n += int(place[DRAWN, item] >= base * base)
    for i in range(n):
        first = FATES * sheet.there[i]
        for what in range(FATES):
            sheet.cells[(first + what) * cells + place[what, sheet.there[i]]] += 1


@rule
def leader(s, sheet, turn):
    """The seat that was ahead at a sample; -1: several were equally far."""
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
    """How far the best of the others was before the best of those who won; 0 if it was not."""
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
    """Changes of the lead; who led after each quarter, and did not win; how the winner was behind; the place after.

    Drama is that of Browne (Automatic Generation and Evaluation of Recombination Games, thesis, 2008): the root of how
    far the winner was behind, averaged over the turns in which it was.
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
    """The share of each seat in the win, of each place from the one that began, and of each bot; the place after."""
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
    """How the choices of each block vary from match to match."""
    for block in range(len(sheet.mix)):
        sheet.kind_squares[block] += sheet.mix[block] * sheet.mix[block]
        sheet.kind_products[block] += sheet.mix[block] * sheet.now[CHOICES]
        sheet.mix[block] = 0


def closing(game: Game) -> Callable[..., Any]:
    """A rule that counts a match that is over: in the row of the sheet (see `lab.measures.columns`), and its items.

    It has this number among all, and so seat k was played by bot (k + number) modulo the seats.
    """
    held, pays, unit, endings = asked(game).held, game.payoffs is not None, payoff_unit(game), len(game.rules.ENDINGS)

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
