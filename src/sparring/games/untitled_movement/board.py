"""Untitled Movement Game: the board as a seat sees it, turned so that its own side is the lowest."""

from typing import Any

from sparring.engine.cards import in_order
from sparring.engine.game import Box
from sparring.engine.squares import OFF, column_of, row_of
from sparring.scene import Board, Cell, Layout, Token, replace
from sparring.scene.sentences import listed

from . import state as R
from .art import meeple, sign
from .ground import ground
from .kit import KIND_NAMES, KINDS
from .moves import on_goal
from .rules import steps_to
from .state import TOKENS
from .telling import moves, reached, space_name


class Played(Layout):
    """The part of a table that is the board, and where one's own cards lead on it."""

    def __init__(self, box: Box, s: Any, seat: int, choices: list[int], beat: str) -> None:
        super().__init__(box, s, seat, choices, beat)
        self.phase = int(s.phase)
        self.sides: list[int] = s.side[: s.seats].tolist()
        #: By how many quarters the board is turned, so that this seat sits below.
        self.turns = -self.sides[seat] % 4 if seat >= 0 else 0
        self.ground = ground(
            int(box.kit.rows), int(box.kit.columns), tuple(box.kit.open.tolist()), tuple(box.kit.start_side.tolist()),
            tuple(self.sides), seat,
        )  # fmt: skip
        self.ways = self.own_ways()
        self.leads = self.leading_to()

    # Where one's own cards lead

    def own_ways(self) -> dict[int, list[tuple[int, int, int]]]:
        """For each kind in one's hand: which tokens it moves, where to, at what cost; up to three before a throw."""
        s = self.s
        if self.seat < 0 or s.over or self.beat or s.phase == R.START:
            return {}
        most = int(s.moves) if self.asked and s.phase in (R.CARD, R.TOKEN, R.SPACE) else 3
        return {kind: reached(self.box, s, self.seat, kind, most) for kind in set(in_order(s.hand[self.seat]))}

    def leading_to(self) -> dict[int, list[int]]:
        """The kinds of one's hand that lead to a space."""
        leads: dict[int, list[int]] = {}
        for kind in sorted(self.ways):
            for square in {square for _, square, _ in self.ways[kind]}:
                leads.setdefault(square, []).append(kind)
        return leads

    def reach(self, kind: int) -> str:
        """Where a card leads, in words."""
        tokens: dict[int, list[str]] = {}
        for token, square, _ in self.ways.get(kind, ()):
            tokens.setdefault(token, []).append(space_name(square))
        said = [
            f"{space_name(self.s.token[self.seat, token])} to {listed(spaces, 'or')}"
            for token, spaces in tokens.items()
        ]
        return f"{KIND_NAMES[kind].capitalize()}: {'; '.join(said)}" if said else ""

    # The board

    def board(self) -> Board:
        """The ground, lit by the cards that lead there, and the tokens."""
        s = self.s
        cells = tuple(self.cell(square, space) for square, space in self.ground.spaces)
        tokens = (self.token(seat, n) for seat in range(int(s.seats)) for n in range(TOKENS) if s.token[seat, n] != OFF)
        return Board("board", "The board", cells, tuple(tokens), labels=self.ground.labels, turns=self.turns)

    def cell(self, square: int, space: Cell) -> Cell:
        """A space of the ground; changed where one is asked for, or cards lead to it."""
        lead, action = self.leads.get(square, []), R.TO + square
        wanted = self.asked and self.s.phase in (R.START, R.PLACE, R.SPACE)
        if not lead and not wanted:
            return space
        here = self.asked and self.phase == R.TOKEN and int(self.s.card) in lead and action not in self.choices
        return replace(
            space, tone="reach" if here else space.tone, text=self.text(square, lead) or space.text,
            lit_by=tuple(f"card {KINDS[kind]}" for kind in lead), label=self.label(square, space, lead),
            **(self.chosen(action) if wanted else {}),
        )  # fmt: skip

    def text(self, square: int, lead: list[int]) -> str:
        """What a space says: what it costs, the arrows of the cards that lead there."""
        if self.asked and self.phase == R.SPACE and R.TO + square in self.choices:
            return str(int(steps_to(self.s, square)))
        if self.asked and self.phase == R.CARD and lead:
            return "".join(sign(kind) for kind in lead)
        if self.asked and self.phase == R.TOKEN and int(self.s.card) in lead:
            return sign(int(self.s.card))
        return ""

    def label(self, square: int, space: Cell, lead: list[int]) -> str:
        """A space in words."""
        parts = [space_name(square)]
        if R.TO + square in self.choices and self.phase == R.SPACE:
            parts.append(f"for {moves(int(steps_to(self.s, square)))}")
        parts += self.ground.whose_space(space.seat, space.goal)
        if lead and self.phase != R.SPACE:
            parts.append(f"reached by {listed([KIND_NAMES[kind] for kind in lead], 'or')}")
        return ", ".join(parts)

    def token(self, seat: int, n: int) -> Token:
        """A token, where it stands."""
        s = self.s
        square = int(s.token[seat, n])
        arrived = bool(on_goal(self.box.kit, s, seat, square))
        picked = s.phase == R.SPACE and seat == s.player and n == s.picked and not s.over
        whose = "your token" if seat == self.seat else f"a token of Seat {seat + 1}"
        choice = self.chosen(R.PICK + n) if self.asked and seat == s.player and not picked else {}
        return Token(
            key=f"token {seat} {n}", at=(column_of(square), row_of(square)), seat=seat + 1,
            state="home" if arrived else "picked" if picked else "", picture=meeple(seat + 1, arrived),
            label=f"{space_name(square)}, {whose}{', home' if arrived else ''}", **choice,
        )  # fmt: skip
