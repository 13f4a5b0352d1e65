"""Untitled Movement Game: the table as a seat sees it, and the words for every choice."""

from typing import Any

from sparring.engine.game import Box
from sparring.engine.squares import OFF, column_of, row_of, square_at
from sparring.scene import (
    Board, Button, Card, Cell, Fact, Facts, Group, Layout, Pile, Prompt, Row, Scene, Seat, Token, Track,
)  # fmt: skip
from sparring.scene.sentences import listed

from . import state as R
from .art import BACK, die, face, meeple, sign
from .kit import KIND_NAMES, KINDS, NO_SIDE
from .moves import is_first_card, on_goal
from .rules import opposite, steps_to
from .state import HAND, TOKENS
from .telling import ending, home, kinds, moves, reached, rounds_of_throws, shown, space_name, tell, why_not

__all__ = ["ONLY", "aliases", "scene", "tell", "why_not", "words"]

#: Why there is only one choice, by phase.
ONLY = {
    R.START: "Only one start:", R.PLACE: "Only one start is free:", R.CARD: "No card can move a token.",
    R.TOKEN: "Only one token can move.", R.SPACE: "Only one space:", R.DISCARD: "Only one kind of card:",
}  # fmt: skip

WORDS = {
    "roll": "roll", "discard_hand": "discard hand", "place": "place", "move": "move", "no_move": "no move",
    "done": "done",
}  # fmt: skip
#: What can be said before a space or a card in a phase.
VERBS = {R.START: ("start",), R.PLACE: ("start", "place"), R.DISCARD: ("discard",)}


def words(box: Box, s: Any, action: int) -> str:
    """The words of a choice: `roll`, `discard hand`, `place`, `FL`, `token 4,3`, `to 3,2`, `no move`, `done`."""
    block, number = R.ACTIONS.name_of(action)
    if block == "kind":
        return KINDS[number]
    if block == "token":
        square = s.token[s.player, number]
        return f"token {space_name(square)}" if square != OFF else ""
    if block == "to":
        return f"to {space_name(number)}" if _on_board(box, number) else ""
    return WORDS[block]


def aliases(box: Box, s: Any, action: int) -> tuple[str, ...]:
    """A card is also `forward-left` or `card FL`, what is asked for, token or space, just `4,3`; some have verbs."""
    block, number = R.ACTIONS.name_of(action)
    verbs = VERBS.get(int(s.phase), ())
    if block == "kind":
        return (KIND_NAMES[number], *(f"{word} {KINDS[number]}" for word in ("card", *verbs)))
    if block == "token":
        square = s.token[s.player, number]
        return (space_name(square),) if square != OFF and s.phase not in (R.START, R.PLACE, R.SPACE) else ()
    if block == "to" and _on_board(box, number):
        name = space_name(number)
        return (name, *(f"{word} {name}" for word in ("space", *verbs)))
    return ()


def _on_board(box: Box, square: int) -> bool:
    return bool(row_of(square) < box.kit.rows and column_of(square) < box.kit.columns)


def scene(box: Box, s: Any, seat: int, choices: list[int], beat: str = "") -> Scene:
    """The table for `seat` (from 0; negative: somebody who watches)."""
    return _Table(box, s, seat, choices, beat).scene()


class _Table(Layout):
    """One seat's table being laid out."""

    waiting = (
        "chooses a start for the seat across", "is to roll, or discards the hand", "has a 3: to place, or to move",
        "places a token", *3 * ("is on the move",), "discards a card",
    )  # fmt: skip

    def __init__(self, box: Box, s: Any, seat: int, choices: list[int], beat: str) -> None:
        super().__init__(box, s, seat, choices, beat)
        self.phase = int(s.phase)
        self.sides: list[int] = s.side[: s.seats].tolist()
        self.goals = self.sides[seat] ^ 2 if seat >= 0 else NO_SIDE
        self.open: list[int] = box.kit.open.tolist()
        self.start_side: list[int] = box.kit.start_side.tolist()
        self.rows, self.columns = int(box.kit.rows), int(box.kit.columns)
        self.ways = self.own_ways()

    def scene(self) -> Scene:
        s = self.s
        return Scene(
            game=self.box.game.name, title=self.box.game.title, status=f"Turn {s.turn}" if s.turn else "Start",
            seats=tuple(self.panel(i) for i in range(int(s.seats))),
            prompt=Prompt(self.sentence(), self.buttons()),
            left=(Group((self.draw_pile(), self.discard_pile())),), middle=(self.board(),),
            right=(*self.thrown(), self.facts()),
            hand=(self.hand(),) if self.seat >= 0 else (), exchange=self.exchange(),
            over=bool(s.over), backs=(BACK,),
        )  # fmt: skip

    # Who plays

    def panel(self, i: int) -> Seat:
        s = self.s
        off = sum(square == OFF for square in s.token[i])
        done = home(self.box, s, i)
        tags = (f"{off} to place",) if off else ()
        return Seat(
            number=i + 1, you=i == self.seat, turn=i == self.waited_for, tags=tags,
            tracks=(Track(f"home {i}", "Home", done, TOKENS),),
            parts=() if i == self.seat else (Row(f"hand of {i}", cards=self.open_hand(i), layout="small"),),
            label=f"{self.voice.name(i)}, {done} of {TOKENS} tokens home, {off} to place",
        )  # fmt: skip

    def open_hand(self, i: int) -> tuple[Card, ...]:
        """Somebody else's hand, which lies open (R29)."""
        held = kinds(self.s.hand[i])
        return tuple(
            Card(self.card_key(i, kind, held[:n].count(kind)), face(kind), origin="draw pile")
            for n, kind in enumerate(held)
        )

    def card_key(self, i: int, kind: int, copy: int = 0) -> str:
        """What a card is called: one's own equal cards are one with a count, those of others lie side by side."""
        return f"card {KINDS[kind]}" if i == self.seat else f"seat {i + 1} {KINDS[kind]} {copy}"

    # What was decided

    def exchange(self) -> Row | Group | None:
        """The throws for the first turn; a token that has come home, and the card that brought it there."""
        s = self.s
        if self.beat == "thrown":
            return Group(tuple(
                Row(f"throw {i}", f"Seat {i + 1}", (self.die(shows, f"throw of {i}"),), "small", seat=i + 1)
                for i, shows in rounds_of_throws(s)[-1]
            ))  # fmt: skip
        who = int(s.player)
        if self.beat != "moved" or not on_goal(self.box.kit, s, who, s.token[who, s.picked]):
            return None
        title = f"Seat {who + 1}: {home(self.box, s, who)} of {TOKENS} home"
        return Row("exchange", title, (Card("exchange card", face(int(s.card))),), "small", seat=who + 1)

    def die(self, shows: int, key: str) -> Card:
        """The die as it lies there."""
        return Card(key, die(shows), label=f"the die shows {shown(shows)}")

    # Where one's own cards lead

    def own_ways(self) -> dict[int, list[tuple[int, int, int]]]:
        """For each kind in one's hand: which tokens it moves, where to, at what cost; up to three before a throw."""
        s = self.s
        if self.seat < 0 or s.over or self.beat or s.phase == R.START:
            return {}
        most = int(s.moves) if self.asked and s.phase in (R.CARD, R.TOKEN, R.SPACE) else 3
        return {kind: reached(self.box, s, self.seat, kind, most) for kind in set(kinds(s.hand[self.seat]))}

    def leading_to(self, square: int) -> list[int]:
        """The kinds of one's hand that lead to a space."""
        return [kind for kind in sorted(self.ways) if any(space == square for _, space, _ in self.ways[kind])]

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

    # What lies on the table

    def board(self) -> Board:
        s = self.s
        squares = [square_at(column, row) for row in range(self.rows) for column in range(self.columns)]
        tokens = (self.token(seat, n) for seat in range(int(s.seats)) for n in range(TOKENS) if s.token[seat, n] != OFF)
        return Board(
            "board", "The board", tuple(self.cell(square) for square in squares), tuple(tokens),
            turns=-self.sides[self.seat] % 4 if self.seat >= 0 else 0,
        )  # fmt: skip

    def cell(self, square: int) -> Cell:
        """A space: open, closed, somebody's start; lit by the cards that lead there."""
        at = column_of(square), row_of(square)
        if not self.open[square]:
            number = self.number_on_border(square)
            return Cell(at=at, tone="border" if number else "wall", text=number, label=f"{space_name(square)}, closed")
        owner = self.owner(square)
        lead = self.leading_to(square)
        goal = bool(owner) and self.start_side[square] == self.goals
        choice = self.offered(R.TO + square)
        return Cell(
            at=at, tone=self.tone(square, owner, goal), text=self.text(square, lead), seat=owner,
            lit_by=tuple(f"card {KINDS[kind]}" for kind in lead), label=self.label(square, owner, goal, lead), **choice,
        )  # fmt: skip

    def number_on_border(self, square: int) -> str:
        """The closed spaces along the border bear the numbers of rows and columns, as spaces are called by them."""
        row, column = row_of(square), column_of(square)
        inside = 0 < row < self.rows - 1, 0 < column < self.columns - 1
        return str(row) if inside == (True, False) else str(column) if inside == (False, True) else ""

    def owner(self, square: int) -> int:
        """Whose start a space is, from 1; 0 for nobody's who plays."""
        side = self.start_side[square]
        return self.sides.index(side) + 1 if side in self.sides else 0

    def tone(self, square: int, owner: int, goal: bool) -> str:
        picked = self.phase == R.TOKEN and self.asked and R.TO + square not in self.choices
        if picked and any(space == square for _, space, _ in self.ways[int(self.s.card)]):
            return "reach"
        return "goal" if goal else "start" if owner else "floor"

    def text(self, square: int, lead: list[int]) -> str:
        """What a space says: what it costs, the arrows of the cards that lead there, the circle of a start."""
        if self.asked and self.phase == R.SPACE and R.TO + square in self.choices:
            return str(int(steps_to(self.s, square)))
        if self.asked and self.phase == R.CARD and lead:
            return "".join(sign(kind) for kind in lead)
        if self.asked and self.phase == R.TOKEN and int(self.s.card) in lead:
            return sign(int(self.s.card))
        return "○" if self.start_side[square] != NO_SIDE else ""

    def label(self, square: int, owner: int, goal: bool, lead: list[int]) -> str:
        parts = [space_name(square)]
        if R.TO + square in self.choices and self.phase == R.SPACE:
            parts.append(f"for {moves(int(steps_to(self.s, square)))}")
        if goal:
            parts.append("your goal")
        if owner:
            parts.append("your start" if owner == self.seat + 1 else f"a start of Seat {owner}")
        if lead and self.phase != R.SPACE:
            parts.append(f"reached by {listed([KIND_NAMES[kind] for kind in lead], 'or')}")
        return ", ".join(parts)

    def token(self, seat: int, n: int) -> Token:
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

    def draw_pile(self) -> Pile:
        return Pile("draw pile", "Draw pile", int(self.s.deck[0]))

    def discard_pile(self) -> Pile:
        """The discards; the top one keeps the name it had in the hand it came from, so that it is seen to travel."""
        lying = kinds(self.s.discard)
        names = [f"discard {n}" for n in range(len(lying))]
        if lying:
            names[-1] = self.last_key(lying[-1]) or names[-1]
        cards = tuple(Card(name, face(kind)) for name, kind in zip(names, lying, strict=True))
        return Pile("discard pile", "Discards", len(lying), cards)

    def last_key(self, kind: int) -> str:
        """What the card that was laid last was called in its hand, if that name is free."""
        s = self.s
        mid_turn = int(s.hand[s.player, 0]) < HAND
        who = int(s.player) if mid_turn else (int(s.player) - 1) % int(s.seats)
        copies = kinds(s.hand[who]).count(kind)
        return "" if copies and who == self.seat else self.card_key(who, kind, copies)

    def thrown(self) -> tuple[Row, ...]:
        """The die, once it is thrown in a turn."""
        s = self.s
        if not s.face or not s.turn:
            return ()
        return (Row("die", "Die", (self.die(int(s.face), f"die of turn {s.turn}"),), "small"),)

    def facts(self) -> Facts:
        s = self.s
        facts = [Fact("moves", "Moves left", str(int(s.moves)))] if s.face and s.turn else []
        idle = f"{int(s.idle)} of {int(self.box.kit.stall_rounds)}"
        return Facts((*facts, Fact("idle", "Idle rounds", idle)))

    def hand(self) -> Row:
        """One's own cards, equal ones as one with a count."""
        held = kinds(self.s.hand[self.seat])
        return Row("hand", "Your hand", tuple(self.own_card(kind, held.count(kind)) for kind in sorted(set(held))),
                   "hand", seat=self.seat + 1)  # fmt: skip

    def own_card(self, kind: int, count: int) -> Card:
        picked = self.asked and self.s.phase in (R.TOKEN, R.SPACE) and kind == self.s.card
        return Card(
            self.card_key(self.seat, kind), face(kind), count, marks=("picked",) if picked else (), origin="draw pile",
            label=self.reach(kind) or KIND_NAMES[kind].capitalize(), **({} if picked else self.chosen(R.KIND + kind)),
        )  # fmt: skip

    # What is asked

    def ending(self) -> str:
        return ending(self.s, self.seat)

    def question(self) -> str:
        s = self.s
        if s.phase == R.START:
            return f"Where does the first token of {self.voice.whom(int(opposite(s, s.player)))} start?"
        if s.phase == R.TURN:
            return "Roll, or discard your whole hand."
        if s.phase == R.THREE:
            return "A 3: place a new token, or move."
        if s.phase == R.PLACE:
            return "On which start do you place it?"
        if s.phase == R.TOKEN:
            return f"Which token goes {KIND_NAMES[int(s.card)]}?"
        if s.phase == R.SPACE:
            return "How far does it go?"
        if s.phase == R.DISCARD:
            return "Discard one card."
        usable = any(action < R.PICK for action in self.choices)
        left = f"{moves(int(s.moves))}{'' if is_first_card(s) else ' left'}"
        if not usable:
            return f"{left}: no card can be used."
        return f"{left}: use a card, or {'move nothing and discard one' if is_first_card(s) else 'end your turn'}."

    def buttons(self) -> tuple[Button, ...]:
        """The choices that have no place on the table."""
        plain = [action for action in sorted(self.choices) if R.ACTIONS.name_of(action)[0] in TEXTS]
        return tuple(
            Button(
                action=action, words=words(self.box, self.s, action), text=TEXTS[R.ACTIONS.name_of(action)[0]],
                main=action in (R.ROLL, R.DONE),
            )
            for action in plain
        )  # fmt: skip


TEXTS = {
    "roll": "Roll", "discard_hand": "Discard hand, end turn", "place": "Place a token", "move": "Move",
    "no_move": "Move nothing", "done": "End your turn",
}  # fmt: skip
