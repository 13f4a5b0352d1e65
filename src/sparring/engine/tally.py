"""What is counted while matches are played: the same rules count in machine code and in plain Python.

A driver lays out a `Sheet` and calls three rules: `begin` when a match is dealt, `note` before each choice, and `close`
when it is over. What a seat holds and who is ahead is looked at whenever a turn begins, and what is held once more at
the end: looking at every choice would cost more than playing. What a seat plays it has drawn, seen or not.

All that is counted are whole numbers, so that sums are the same in whatever order they are made: shares are counted in
parts of WHOLE, of which a half, a third and so on to a tenth are whole numbers.
"""

from collections.abc import Callable
from math import floor, log2, sqrt
from typing import Any, NamedTuple

import numpy as np

from .game import Box, Game
from .items import asked, families, room
from .rule import rule

Array = np.ndarray[Any, Any]

WHOLE = 2520

#: What is known of the match being played, by its place in `Sheet.now`.
CHOICES, TURN, TURNS, ROUNDS, ROUND, LAST, DECISIONS, WIDTH, TOUCHED, FIRST = range(10)

#: What became of an item on a seat; `Sheet.cells` counts them in this order, marks are 8 bits apart.
DRAWN, KEPT, PLAYED = range(3)
DREW, KEEPS, PLAYS = 1, 1 << 8, 1 << 16

#: Who was ahead is asked at these places of a match, in quarters.
QUARTERS = 3


class Sheet(NamedTuple):
    """Room for counting. The first five are of the match being played, the next two are given, the others add up."""

    now: Array
    #: How far each seat was when a turn began (turns x seats).
    trace: Array
    #: What became of each item on each seat; in the last row, whether it stands in `touched`.
    marks: Array
    touched: Array
    #: Room for choices and for items.
    out: Array
    #: The block of each choice.
    family: Array
    #: Choices by phase and block.
    kinds: Array
    #: Choices by how many there were to choose from.
    widths: Array
    #: How often each item was played.
    times: Array
    #: Matches by item, by DRAWN, KEPT or PLAYED, and by three numbers: on how many seats, how many of these won, how
    #: many won at all (see `cell`).
    cells: Array

    @classmethod
    def blank(cls, box: Box, seats: int) -> "Sheet":
        """A sheet for matches of these rules, items and seats."""
        rules, items = box.game.rules, len(asked(box.game).names(box))
        actions, phases, blocks = len(rules.ACTIONS), len(rules.PHASES), len(rules.ACTIONS.blocks)
        return cls(
            now=np.zeros(10, np.int64), trace=np.zeros((box.game.longest(box, seats) + 1, seats), np.float32),
            marks=np.zeros((seats + 1, items), np.int32), touched=np.zeros(items, np.int32),
            out=room(box), family=families(rules.ACTIONS),
            kinds=np.zeros((phases, blocks), np.int64), widths=np.zeros(actions + 1, np.int64),
            times=np.zeros(items, np.int64), cells=np.zeros((items, 3, (seats + 1) ** 3), np.int64),
        )  # fmt: skip


def payoff_unit(game: Game) -> int:
    """In which parts of a unit payoffs are counted: as fine as their squares, added up, allow."""
    if game.payoffs is None:
        return WHOLE
    return int(2 ** max(0, floor(log2(2**16 / max(abs(game.payoffs.low), abs(game.payoffs.high))))))


@rule
def touch(sheet, seat, item, mark):
    """Something became of an item on a seat."""
    marks, now = sheet.marks, sheet.now
    marks[seat, item] |= mark
    last = marks.shape[0] - 1
    if marks[last, item] == 0:
        marks[last, item] = 1
        sheet.touched[now[TOUCHED]] = item
        now[TOUCHED] += 1


def looking(game: Game) -> Callable[..., Any]:
    """A rule that looks at what each seat holds, and how far it is, as a turn begins."""
    held, ahead = asked(game).held, asked(game).ahead

    def look(kit, s, sheet):
        now = sheet.now
        now[TURN] = s.turn
        for seat in range(s.seats):
            sheet.trace[now[TURNS], seat] = ahead(kit, s, seat)
            n = held(kit, s, seat, sheet.out)
            for i in range(n):
                touch(sheet, seat, sheet.out[i], DREW)
        now[TURNS] += 1

    return rule(look)


@rule
def begin(s, sheet):
    """A match is dealt: nothing has been chosen yet."""
    now = sheet.now
    for i in range(len(now)):
        now[i] = 0
    now[LAST] = -1
    now[FIRST] = s.player


def noting(game: Game) -> Callable[..., Any]:
    """A rule that counts a choice of `n`, before it is carried out."""
    look, played = looking(game), asked(game).played

    def note(kit, s, sheet, action, n):
        now = sheet.now
        player = s.player
        if s.turn != now[TURN] or now[CHOICES] == 0:
            look(kit, s, sheet)
        now[CHOICES] += 1
        sheet.kinds[s.phase, sheet.family[action]] += 1
        sheet.widths[n] += 1
        if n > 1:
            now[DECISIONS] += 1
            now[WIDTH] += n
        if player != now[LAST]:
            if now[ROUND] >> player & 1:  # it comes round to a seat that has chosen before
                now[ROUNDS] += 1
                now[ROUND] = 0
            now[ROUND] |= 1 << player
            now[LAST] = player
        items = played(kit, s, action, sheet.out)
        for i in range(items):
            item = sheet.out[i]
            sheet.times[item] += 1
            touch(sheet, player, item, DREW | PLAYS)

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
def cell(seats, on, winners_on, winners):
    """Where matches are counted in which an item was on so many seats, so many of which won, of so many winners."""
    return (on * (seats + 1) + winners_on) * (seats + 1) + winners


@rule
def count_items(s, sheet, won):
    """What became of each item, and who won; then the sheet is empty for the next match."""
    seats, marks, winners = int(s.seats), sheet.marks, how_many(won)
    for k in range(sheet.now[TOUCHED]):
        item = sheet.touched[k]
        on = 0
        winners_on = 0
        for seat in range(seats):
            on += marks[seat, item]
            winners_on += marks[seat, item] * (won >> seat & 1)
            marks[seat, item] = 0
        marks[seats, item] = 0
        for what in range(3):
            if on >> 8 * what & 255:
                place = cell(seats, on >> 8 * what & 255, winners_on >> 8 * what & 255, winners)
                sheet.cells[item, what, place] += 1


@rule
def leader(s, sheet, turn):
    """The seat that was ahead when a turn began; -1: several were equally far."""
    best = 0
    alone = True
    for seat in range(1, s.seats):
        if sheet.trace[turn, seat] > sheet.trace[turn, best]:
            best = seat
            alone = True
        elif sheet.trace[turn, seat] == sheet.trace[turn, best]:
            alone = False
    return best if alone else -1


@rule
def count_leads(s, sheet, won, row, k):
    """Changes of the lead; who led after each quarter, and did not win; how the winner was behind; the place after.

    Drama is that of Browne (Automatic Generation and Evaluation of Recombination Games, thesis, 2008): the root of how
    far the winner was behind, averaged over the turns in which it was.
    """
    turns = sheet.now[TURNS]
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
        if won:
            if ahead < 0 or won >> ahead & 1 == 0:
                settled = turn + 1
            best = 0.0
            winners = 0.0
            for seat in range(s.seats):
                far = sheet.trace[turn, seat]
                if won >> seat & 1:
                    winners = max(winners, far)
                else:
                    best = max(best, far)
            if best > winners:
                behind += 1
                drama += sqrt(best - winners)
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
def count_wins(s, sheet, won, number, row):
    """The share of each seat in the win, of each place from the one that began, and of each bot; the place after."""
    winners = how_many(won)
    share = (WHOLE + winners // 2) // winners if winners else 0
    seats = int(s.seats)
    for seat in range(seats):
        part = share * (won >> seat & 1)
        row[seat] = part
        row[seats + (seat - sheet.now[FIRST]) % seats] = part
        row[2 * seats + (seat + number) % seats] = part
    row[3 * seats] = winners == 0
    return 3 * seats + 1


def closing(game: Game) -> Callable[..., Any]:
    """A rule that counts a match that is over: into its `row` (see `lab.measures.columns`), and its items.

    It has this number among all, and so seat k was played by bot (k + number) modulo the seats.
    """
    held, pays, unit, endings = asked(game).held, game.payoffs is not None, payoff_unit(game), len(game.rules.ENDINGS)

    def close(kit, s, sheet, number, row):
        now = sheet.now
        seats = int(s.seats)
        won = winning(s)
        k = count_wins(s, sheet, won, number, row)
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
        count_leads(s, sheet, won, row, k + 5)
        for seat in range(seats):
            n = held(kit, s, seat, sheet.out)
            for i in range(n):
                touch(sheet, seat, sheet.out[i], DREW | KEEPS)
        count_items(s, sheet, won)

    return rule(close)
