"""Untitled Movement Game: the table as a seat sees it, and the words for every choice."""

from typing import Any

import numpy as np

from sparring.engine.cards import in_order
from sparring.engine.game import Box
from sparring.engine.squares import OFF, column_of, row_of
from sparring.scene import (
    Button, Card, Fact, Facts, Group, Pile, Row, Scene, Seat, Track, replace, upturned,
)  # fmt: skip
from sparring.scene.sentences import listed

from . import state as R
from .art import BACK, die, face
from .board import Played
from .kit import KIND_NAMES, KINDS
from .moves import is_first_card, legal, on_goal, way
from .rules import opposite, step, steps_to
from .state import HAND, TOKENS
from .telling import ending, home, moves, rounds_of_throws, shown, space_name, tell, why_not

__all__ = ["ALOUD", "ONLY", "aliases", "scene", "tell", "why_not", "words"]

#: Why there is only one choice, by phase.
ONLY = {
    R.START: "Only one start:", R.PLACE: "Only one start is free:", R.CARD: "No card can move a token.",
    R.TOKEN: "Only one token can move.", R.SPACE: "Only one space:", R.DISCARD: "Only one kind of card:",
}  # fmt: skip

#: How its short words are read out.
ALOUD = dict(zip(KINDS, KIND_NAMES, strict=True))

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


def outline(box: Box, s: Any) -> Scene:
    """The table for somebody who watches, without what lies on it."""
    return _Table(box, s, -1, [], "").outline()


class _Table(Played):
    """One seat's table being laid out."""

    waiting = (
        "chooses a start for the seat across", "is to roll, or discards the hand", "has a 3: to place, or to move",
        "places a token", *3 * ("is on the move",), "discards a card",
    )  # fmt: skip

    def scene(self) -> Scene:
        return replace(
            self.outline(),
            left=(Group((self.draw_pile(), self.discard_pile())),), middle=(self.board(),),
            right=(*self.thrown(), self.facts()),
            hand=(self.hand(),) if self.seat >= 0 else (), exchange=self.exchange(), backs=(BACK,),
        )  # fmt: skip

    def status(self) -> str:
        return f"Turn {self.s.turn}" if self.s.turn else "Start"

    # Who plays

    def panel(self, i: int) -> Seat:
        s = self.s
        off = sum(square == OFF for square in s.token[i])
        done = home(self.box, s, i)
        tags = (f"{off} to place",) if off else ()
        goals = f"goals on {listed([space_name(square) for square in self.box.kit.start[self.sides[i] ^ 2].tolist()])}"
        return Seat(
            number=i + 1, you=i == self.seat, turn=i == self.waited_for, tags=tags,
            tracks=(Track(f"home {i}", "Home", done, TOKENS, label=f"{done} of {TOKENS} tokens home, {goals}"),),
            parts=() if i == self.seat else (Row(f"hand of {i}", cards=self.open_hand(i), layout="small"),),
            label=f"{self.voice.name(i)}, {done} of {TOKENS} tokens home, {off} to place, {goals}",
        )  # fmt: skip

    def open_hand(self, i: int) -> tuple[Card, ...]:
        """Somebody else's hand, which lies open (R29), its arrows as they point on the board before this seat."""
        held = in_order(self.s.hand[i])
        return tuple(
            Card(self.card_key(i, kind, held[:n].count(kind)), face(kind, self.heading(i, kind)), origin="draw pile")
            for n, kind in enumerate(held)
        )

    def heading(self, i: int, kind: int) -> int:
        """Which way a card leads the tokens of a seat, on the screen: eighths of a turn clockwise from straight up."""
        return (int(way(self.s, i, kind)) + 2 * self.turns) % 8

    def card_key(self, i: int, kind: int, copy: int = 0) -> str:
        """What a card is called: one's own equal cards are one with a count, those of others lie side by side."""
        return f"card {KINDS[kind]}" if i == self.seat else f"seat {i + 1} {KINDS[kind]} {copy}"

    # What was decided

    def exchange(self) -> Row | Group | None:
        """The throws for the first turn; a token that has come home, and the card that brought it there."""
        s = self.s
        if self.beat == "thrown":
            return self.throws()
        who = int(s.player)
        if self.beat != "moved" or not on_goal(self.box.kit, s, who, s.token[who, s.picked]):
            return None
        title = f"Seat {who + 1}: {home(self.box, s, who)} of {TOKENS} home"
        return Row("exchange", title, (Card("exchange card", face(int(s.card))),), "small", seat=who + 1)

    def throws(self) -> Group:
        """The dice of everybody who has just thrown for the first turn."""
        return Group(tuple(
            Row(f"throw {i}", f"Seat {i + 1}", (self.die(shows, f"throw of {i}"),), "small", seat=i + 1)
            for i, shows in rounds_of_throws(self.s)[-1]
        ))  # fmt: skip

    def die(self, shows: int, key: str) -> Card:
        """The die as it lies there."""
        return Card(key, die(shows), label=f"the die shows {shown(shows)}")

    # What lies on the table

    def draw_pile(self) -> Pile:
        return Pile("draw pile", "Draw pile", int(self.s.deck[0]))

    def discard_pile(self) -> Pile:
        """The discards; the top one keeps the name it had in the hand it came from, so that it is seen to travel."""
        lying = in_order(self.s.discard)
        names = [f"discard {n}" for n in range(len(lying))]
        if lying:
            names[-1] = self.last_key(lying[-1]) or names[-1]
        cards = tuple(upturned(name, face(kind)) for name, kind in zip(names, lying, strict=True))
        return Pile("discard pile", "Discards", len(lying), cards)

    def last_key(self, kind: int) -> str:
        """What the card that was laid last was called in its hand, if that name is free."""
        s = self.s
        mid_turn = int(s.hand[s.player, 0]) < HAND
        who = int(s.player) if mid_turn else (int(s.player) - 1) % int(s.seats)
        copies = in_order(s.hand[who]).count(kind)
        return "" if copies and who == self.seat else self.card_key(who, kind, copies)

    def thrown(self) -> tuple[Row | Group, ...]:
        """The die, once it is thrown in a turn; before the first turn everybody's."""
        s = self.s
        if self.beat == "thrown":
            return (self.throws(),)
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
        held = in_order(self.s.hand[self.seat])
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
            return f"Roll, or discard your whole hand.{self.if_stuck()}"
        if s.phase == R.THREE:
            return f"A 3: place a new token, which takes all of it, or move.{self.if_stuck()}"
        if s.phase == R.PLACE:
            return "On which start do you place it?"
        if s.phase == R.TOKEN:
            return f"Which token goes {KIND_NAMES[int(s.card)]}?"
        if s.phase == R.SPACE:
            return f"How far does it go?{self.if_home()}{self.if_stranded()}"
        if s.phase == R.DISCARD:
            return "Discard one card."
        return self.card_question()

    def card_question(self) -> str:
        """How many moves there are, and what becomes of them."""
        first = bool(is_first_card(self.s))
        left = f"{moves(int(self.s.moves))}{'' if first else ' left'}"
        if not any(action < R.PICK for action in self.choices):
            return f"{left}: no card can be used, so {'one is discarded' if first else 'the rest is lost'}."
        return (
            f"{left}: use a card, or {'move nothing and discard one' if first else 'end your turn and lose the rest'}."
        )

    def if_stuck(self) -> str:
        """That no card can move a token, whatever the die shows."""
        return "" if any(self.ways.values()) else " No card of yours can move a token."

    def if_home(self) -> str:
        """That a goal cannot be left again, if one can be reached."""
        spaces = (action - R.TO for action in self.choices)
        home = any(on_goal(self.box.kit, self.s, self.seat, square) for square in spaces)
        return " On a goal it stays for good." if home else ""

    def if_stranded(self) -> str:
        """How far not to go if the moves left over are to be used: no card of the hand could use them there."""
        kit, s = self.box.kit, self.s
        costs = []
        for action in sorted(self.choices):
            cost, then = int(steps_to(s, action - R.TO)), s.copy()
            if cost < s.moves:
                step(kit, then, action)
                out = np.zeros(len(R.ACTIONS), np.int16)
                if not then.over and legal(kit, then, out) == 1:
                    costs.append(cost)
        if not costs:
            return ""
        left = moves(int(s.moves) - costs[0]) if len(costs) == 1 else "moves"
        return f" Going {listed(list(map(str, sorted(costs))), 'or')} leaves {left} that no card of yours can use."

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
