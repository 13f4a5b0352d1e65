"""Untitled Movement Game: the board as a seat sees it, rotated so that its own side is at the bottom."""

from functools import cached_property

from sparring.engine.cards import in_order
from sparring.engine.game import GameSetup
from sparring.engine.messages import cached_by_language
from sparring.engine.squares import OFF, STRIDES, column_of, is_in, row_of, square_name
from sparring.scene import Board, Cell, Layout, Shortcut, Token, replace
from sparring.scene.sentences import Text, Voice, say

from . import state as R
from .components import BareBoard, bare_board, meeple, sign
from .moves import count_on_starts, direction_of, goal_side, landings, on_goal
from .params import CARD_TEXTS, KINDS, WAY_TEXTS, token_colour
from .rules import steps_to
from .state import TOKENS, face_value


def face_text(face: int) -> Text | int:
    """Return a roll in words: `5 (counts as 2)`."""
    return Text("{face} (counts as {value})", face=face, value=face_value(face)) if face > 3 else face


def tokens_home(setup: GameSetup, s: R.State, seat: int) -> int:
    """Return how many tokens of a seat are on its goals."""
    return int(count_on_starts(setup.params, s, seat, goal_side(s, seat)))


def reachable(setup: GameSetup, s: R.State, seat: int, kind: int, moves: int) -> list[tuple[int, int, int]]:
    """Return where a card can take the tokens of a seat with a number of moves: (token, space, cost)."""
    state = s.copy()
    state.moves = moves
    found = []
    for token in range(TOKENS):
        origin = int(state.token[seat, token])
        steps = int(landings(setup.params, state, seat, token, kind))
        stride = STRIDES[int(direction_of(state, seat, kind))]
        found += [(token, origin + step * stride, step) for step in range(1, 4) if steps >> step & 1]
    return found


@cached_by_language(64)
def token_text(yours: bool, seat: int, colour: str) -> str:
    """Return whose token it is, in the reader's language."""
    voice = Voice(seat if yours else -1)
    if colour:
        return str(voice.text("your {colour} token", "{who}'s {colour} token", who=seat, colour=say(colour)))
    return str(voice.text("your token", "{who}'s token", who=seat))


@cached_by_language(256)
def reach_text(*kinds: int) -> str:
    """Return which cards reach a space, in the reader's language."""
    return say("reachable with {cards:or}", cards=[say(WAY_TEXTS[kind]) for kind in kinds])


class BoardLayout(Layout[R.State]):
    """The board of a table, and where the cards of its seat can move tokens."""

    def __init__(self, setup: GameSetup, s: R.State, seat: int, choices: list[int], beat: str) -> None:
        super().__init__(setup, s, seat, choices, beat)
        self.phase = int(s.phase)
        self.sides: list[int] = s.side[: s.seats].tolist()
        #: Quarter turns of the board that put this seat at the bottom.
        self.turns = -self.sides[seat] % 4 if seat >= 0 else 0

    @cached_property
    def bare(self) -> BareBoard:
        """The board without tokens and choices."""
        params = self.setup.params
        return bare_board(
            int(params.rows), int(params.columns), tuple(params.open.tolist()), tuple(params.start_side.tolist()),
            tuple(self.sides), self.seat,
        )  # fmt: skip

    # What the hand can move

    @cached_property
    def own_moves(self) -> dict[int, list[tuple[int, int, int]]]:
        """The (token, space, cost) of each kind in hand, with the moves left or, before the roll, 3."""
        s = self.s
        if self.seat < 0 or s.over or self.beat or s.phase == R.START:
            return {}
        moves = int(s.moves) if self.has_turn and s.phase in (R.CARD, R.TOKEN, R.SPACE) else 3
        return {kind: reachable(self.setup, s, self.seat, kind, moves) for kind in set(in_order(s.hand[self.seat]))}

    @cached_property
    def kinds_to(self) -> dict[int, list[int]]:
        """The kinds in hand that can move a token to each space."""
        kinds: dict[int, list[int]] = {}
        for kind in sorted(self.own_moves):
            for square in {square for _, square, _ in self.own_moves[kind]}:
                kinds.setdefault(square, []).append(kind)
        return kinds

    # Shortcuts: a tap on a space or token answers several questions

    @cached_property
    def shortcuts_to(self) -> dict[int, tuple[Shortcut, ...]]:
        """The moves that end on each space while a card, a token or how to use a 3 is still to be chosen."""
        if not self.has_turn or self.phase not in (R.THREE, R.CARD, R.TOKEN):
            return {}
        found: dict[int, list[Shortcut]] = {}
        if R.PLACE_NEW in self.choices:
            for square in self.free_starts():
                place = Shortcut(f"place; to {square_name(square)}", say("Place a new token (uses all 3 moves)"))
                found.setdefault(square, []).append(place)
        for kind in self.playable_kinds():
            for token, square, cost in self.own_moves[kind]:
                origin = square_name(self.s.token[self.seat, token])
                words = f"{self.words_before(kind)}token {origin}; to {square_name(square)}"
                forms = "{arrow} {card} from {space}, {n} move", "{arrow} {card} from {space}, {n} moves"
                text = say(*forms, n=cost, arrow=sign(kind), card=say(CARD_TEXTS[kind]), space=origin)
                found.setdefault(square, []).append(Shortcut(words, text))
        return {square: tuple(ways) for square, ways in found.items()}

    def shortcuts_of(self, token: int) -> tuple[Shortcut, ...]:
        """Return the cards that can move one of this seat's tokens, if a card is still to be chosen."""
        if not self.has_turn or self.phase not in (R.THREE, R.CARD):
            return ()
        origin = square_name(self.s.token[self.seat, token])
        kinds = [kind for kind in self.playable_kinds() if any(token == other for other, _, _ in self.own_moves[kind])]
        return tuple(
            Shortcut(f"{self.words_before(kind)}token {origin}", f"{sign(kind)} {say(CARD_TEXTS[kind])}")
            for kind in kinds
        )

    def playable_kinds(self) -> list[int]:
        """Return the kinds that can move a token now; only the chosen one once a card is chosen."""
        return [int(self.s.card)] if self.phase == R.TOKEN else sorted(self.own_moves)

    def words_before(self, kind: int) -> str:
        """Return the choices that come before the choice of a token."""
        if self.phase == R.TOKEN:
            return ""
        return f"{'move; ' if self.phase == R.THREE else ''}{KINDS[kind]}; "

    def free_starts(self) -> list[int]:
        """Return this seat's starts without a token."""
        starts = map(int, self.setup.params.start[self.sides[self.seat]])
        return [square for square in starts if not is_in(self.s.taken, square)]

    def reach(self, kind: int) -> str:
        """Return where a card can move tokens, in words: `Left: f8 to e8 or d8`."""
        tokens: dict[int, list[str]] = {}
        for token, square, _ in self.own_moves.get(kind, ()):
            tokens.setdefault(token, []).append(square_name(square))
        moves = [
            say("{space} to {spaces:or}", space=square_name(self.s.token[self.seat, token]), spaces=spaces)
            for token, spaces in tokens.items()
        ]
        return say("{card}: {moves}", card=say(CARD_TEXTS[kind]), moves=say("; ").join(moves)) if moves else ""

    # The board

    def board(self) -> Board:
        """Return the board with its tokens, and highlights for the cards in hand."""
        s = self.s
        cells = tuple(self.cell(square, space) for square, space in self.bare.spaces)
        tokens = (self.token(seat, n) for seat in range(int(s.seats)) for n in range(TOKENS) if s.token[seat, n] != OFF)
        return Board(
            "board", say("Board"), cells, tuple(tokens), labels=self.bare.labels, turns=self.turns, coordinates=True
        )  # fmt: skip

    def cell(self, square: int, space: Cell) -> Cell:
        """Return a cell, changed from the bare board if it can be chosen or a card can move a token there."""
        kinds, action, shortcuts = self.kinds_to.get(square, []), R.TO + square, self.shortcuts_to.get(square, ())
        choosing = self.has_turn and self.s.phase in (R.START, R.PLACE, R.SPACE)
        if not kinds and not choosing and not shortcuts:
            return space
        in_reach = self.has_turn and self.phase == R.TOKEN and int(self.s.card) in kinds and action not in self.choices
        return replace(
            space, tone="reach" if in_reach else space.tone, text=self.text(square, kinds) or space.text,
            lit_by=tuple(f"card {KINDS[kind]}" for kind in kinds), label=self.label(square, space, kinds),
            shortcuts=shortcuts,
            **(self.choice_fields(action) if choosing else {}),
        )  # fmt: skip

    def text(self, square: int, kinds: list[int]) -> str:
        """Return the text in a space: what it costs, or the arrows of the cards that reach it."""
        if self.has_turn and self.phase == R.SPACE and R.TO + square in self.choices:
            return str(int(steps_to(self.s, square)))
        if not self.has_turn or self.phase not in (R.THREE, R.CARD, R.TOKEN):
            return ""
        return "".join(sign(kind) for kind in self.playable_kinds() if kind in kinds)

    def label(self, square: int, space: Cell, kinds: list[int]) -> str:
        """Return a space in words."""
        parts = [space.label if space.name else square_name(square)]
        if R.TO + square in self.choices and self.phase == R.SPACE:
            costs = say("costs {n} move", "costs {n} moves", n=steps_to(self.s, square))
            parts = [square_name(square), costs, *self.bare.ownership(space.seat, space.goal)]
        if kinds and self.phase != R.SPACE:
            parts.append(reach_text(*kinds))
        return say(", ").join(parts)

    def token(self, seat: int, n: int) -> Token:
        """Return a token that is on the board."""
        s = self.s
        square = int(s.token[seat, n])
        home = bool(on_goal(self.setup.params, s, seat, square))
        picked = s.phase == R.SPACE and seat == s.player and n == s.picked and not s.over
        colour = token_colour(self.setup, seat)
        whose = token_text(self.voice.seat == seat, seat, colour)
        choice = self.choice_fields(R.PICK + n) if self.has_turn and seat == s.player and not picked else {}
        if choice and (shortcuts := self.shortcuts_of(n)):
            choice = {"shortcuts": shortcuts}
        return Token(
            key=f"token {seat} {n}", at=(column_of(square), row_of(square)), seat=seat + 1,
            state="home" if home else "picked" if picked else "", picture=meeple(seat + 1, home, colour),
            label=say(", ").join((square_name(square), whose, *((say("home"),) if home else ()))), **choice,
        )  # fmt: skip
