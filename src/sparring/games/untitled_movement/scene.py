"""Untitled Movement Game: the scene of the table for a seat, and the words for every choice."""

from typing import Any

import numpy as np

from sparring.engine.cards import in_order
from sparring.engine.game import Box
from sparring.engine.squares import OFF, column_of, row_of, square_name
from sparring.scene import (
    Button, Card, Fact, Facts, Group, Pile, Row, PrintableScene, Seat, Shortcut, Track, replace, face_up_card,
)  # fmt: skip
from sparring.scene.sentences import counted, listed

from . import state as R
from .art import BACK, die, face
from .board import BoardLayout
from .kit import KIND_NAMES, KINDS
from .moves import direction_of, hand_is_full, legal, on_goal
from .position import space_name
from .rules import opposite, step, steps_to
from .state import HAND
from .effects import effects
from .log_sentences import ending, face_words, opening_rolls, owner, tell, tokens_home, why_not

__all__ = ["ALOUD", "ONLY", "aliases", "effects", "scene", "tell", "why_not", "words"]

#: Log text for a choice made automatically because it was the only one, by phase.
ONLY = {
    R.START: "Only one start is free:", R.PLACE: "Only one start is free:",
    R.CARD: "None of your cards can move a token.", R.TOKEN: "Only one token can move that way.",
    R.SPACE: "(the only space you could reach)", R.DISCARD: "You have only one kind of card:",
}  # fmt: skip

#: Card letters as read aloud.
ALOUD = dict(zip(KINDS, KIND_NAMES, strict=True))

WORDS = {
    "roll": "roll", "discard_hand": "discard hand", "place": "place", "move": "move", "no_move": "no move",
    "done": "done",
}  # fmt: skip
#: Verbs that may be typed before a space or a card, by phase.
VERBS = {R.START: ("start",), R.PLACE: ("start", "place"), R.DISCARD: ("discard",)}


def words(box: Box, s: R.State, action: int) -> str:
    """Return the words of a choice: `roll`, `discard hand`, `place`, `FL`, `token d5`, `to c4`, `no move`, `done`."""
    block, number = R.ACTIONS.name_of(action)
    if block == "kind":
        return KINDS[number]
    if block == "token":
        square = s.token[s.player, number]
        return f"token {square_name(square)}" if square != OFF else ""
    if block == "to":
        return f"to {square_name(number)}" if _on_board(box, number) else ""
    return WORDS[block]


def aliases(box: Box, s: R.State, action: int) -> tuple[str, ...]:
    """Return other words for a choice: `forward-left` or `card FL` for a card, just `d5` for a token or space.

    The row and column of a position (`4,3`) name a space too.
    """
    block, number = R.ACTIONS.name_of(action)
    verbs = VERBS.get(int(s.phase), ())
    if block == "kind":
        return (KIND_NAMES[number], *(f"{word} {KINDS[number]}" for word in ("card", *verbs)))
    if block == "token":
        square = s.token[s.player, number]
        if square == OFF:
            return ()
        at, ambiguous = space_name(square), s.phase in (R.START, R.PLACE, R.SPACE)
        return (f"token {at}",) if ambiguous else (f"token {at}", square_name(square), at)
    if block == "to" and _on_board(box, number):
        names = square_name(number), space_name(number)
        return (*names, *(f"{word} {name}" for word in ("to", "space", *verbs) for name in names))
    return ()


def _on_board(box: Box, square: int) -> bool:
    return bool(row_of(square) < box.kit.rows and column_of(square) < box.kit.columns)


def scene(box: Box, s: R.State, seat: int, choices: list[int], beat: str = "") -> PrintableScene:
    """Return the scene for `seat` (from 0; negative: a spectator)."""
    return _MovementTable(box, s, seat, choices, beat).scene()


def outline(box: Box, s: R.State) -> PrintableScene:
    """Return a spectator's scene without the areas on the table."""
    return _MovementTable(box, s, -1, [], "").outline()


#: What a player is doing, by phase after the first.
WAITING = (
    "is deciding whether to roll or discard their hand", "is deciding whether to place a token or move",
    "is placing a token",
    *3 * ("is moving",), "is discarding a card",
)  # fmt: skip


class _MovementTable(BoardLayout):
    """Lays out the scene for one seat."""

    def __init__(self, box: Box, s: R.State, seat: int, choices: list[int], beat: str) -> None:
        super().__init__(box, s, seat, choices, beat)
        whose = owner(self.voice, int(opposite(s, s.player)))
        self.waiting_texts = (f"is choosing where {whose} first token starts", *WAITING)

    def scene(self) -> PrintableScene:
        return replace(
            self.outline(),
            left=(Group((self.draw_pile(), self.discard_pile())),), middle=(self.board(),),
            right=(*self.dice(), self.facts()),
            hand=(self.hand(),) if self.seat >= 0 else (), exchange=self.exchange(), backs=(BACK,),
        )  # fmt: skip

    def status(self) -> str:
        return f"Turn {self.s.turn}" if self.s.turn else "Start"

    # Seats

    def panel(self, i: int) -> Seat:
        s = self.s
        off = sum(square == OFF for square in s.token[i])
        done, needed = tokens_home(self.box, s, i), int(self.box.kit.home)
        tags = (f"{off} to place",) if off else ()
        goals = f"goals on {listed([square_name(square) for square in self.box.kit.start[self.sides[i] ^ 2].tolist()])}"
        return Seat(
            number=i + 1, you=i == self.seat, turn=i == self.turn_seat, tags=tags,
            tracks=(Track(f"home {i}", "Home", done, needed, label=f"{done} of {needed} tokens home, {goals}"),),
            parts=() if i == self.seat else (Row(f"hand of {i}", cards=self.open_hand(i), layout="small"),),
            label=f"{self.voice.name(i)}, {done} of {needed} tokens home, {off} to place, {goals}",
        )  # fmt: skip

    def open_hand(self, i: int) -> tuple[Card, ...]:
        """Return another seat's open hand (R29), with arrows as they point on the board this seat sees."""
        held = in_order(self.s.hand[i])
        return tuple(
            Card(self.card_key(i, kind, held[:n].count(kind)), face(kind, self.heading(i, kind)), origin="draw pile")
            for n, kind in enumerate(held)
        )

    def heading(self, i: int, kind: int) -> int:
        """Return where a seat's card points on this seat's screen, in eighths of a turn clockwise from up."""
        return (int(direction_of(self.s, i, kind)) + 2 * self.turns) % 8

    def card_key(self, i: int, kind: int, copy: int = 0) -> str:
        """Return the key of a card: equal cards share one in this seat's hand, and have one each in other hands."""
        return f"card {KINDS[kind]}" if i == self.seat else f"seat {i + 1} {KINDS[kind]} {copy}"

    # The last exchange

    def exchange(self) -> Row | Group | None:
        """Return the rolls for the first turn, or the card that has just brought a token home."""
        s = self.s
        if self.beat == "thrown":
            return self.rolls()
        player = int(s.player)
        if self.beat != "moved" or not on_goal(self.box.kit, s, player, s.token[player, s.picked]):
            return None
        title = f"Seat {player + 1}: {tokens_home(self.box, s, player)} of {int(self.box.kit.home)} home"
        return Row(
            "exchange",
            title,
            (Card("exchange card", face(int(s.card), self.heading(player, int(s.card)))),),
            "small",
            seat=player + 1,
        )

    def rolls(self) -> Group:
        """Return the dice just rolled for the first turn."""
        return Group(tuple(
            Row(f"throw {i}", f"Seat {i + 1}", (self.die(shown, f"throw of {i}"),), "small", seat=i + 1)
            for i, shown in opening_rolls(self.s)[-1]
        ))  # fmt: skip

    def die(self, shown: int, key: str) -> Card:
        """Return the die showing a face."""
        return Card(key, die(shown), label=f"the die shows {face_words(shown)}")

    # Piles, die and hand

    def draw_pile(self) -> Pile:
        return Pile("draw pile", "Draw pile", int(self.s.deck[0]))

    def discard_pile(self) -> Pile:
        """Return the discards; the top card keeps its key from the hand, so that it is animated from there."""
        kinds = in_order(self.s.discard)
        keys = [f"discard {n}" for n in range(len(kinds))]
        if kinds:
            keys[-1] = self.last_key(kinds[-1]) or keys[-1]
        cards = tuple(face_up_card(key, face(kind)) for key, kind in zip(keys, kinds, strict=True))
        return Pile("discard pile", "Discards", len(kinds), cards)

    def last_key(self, kind: int) -> str:
        """Return the key that the last discard had in its hand, if no other card has it now."""
        s = self.s
        mid_turn = int(s.hand[s.player, 0]) < HAND
        owner_seat = int(s.player) if mid_turn else (int(s.player) - 1) % int(s.seats)
        copies = in_order(s.hand[owner_seat]).count(kind)
        return "" if copies and owner_seat == self.seat else self.card_key(owner_seat, kind, copies)

    def dice(self) -> tuple[Row | Group, ...]:
        """Return the die of this turn once it is rolled; at the opening roll, everyone's dice."""
        s = self.s
        if self.beat == "thrown":
            return (self.rolls(),)
        if not s.face or not s.turn:
            return ()
        return (Row("die", "Die", (self.die(int(s.face), f"die of turn {s.turn}"),), "small"),)

    def facts(self) -> Facts:
        """Return the moves left and the idle rounds."""
        s, limit = self.s, int(self.box.kit.stall_rounds)
        moves = Fact("moves", "Moves left", str(int(s.moves)) if s.face and s.turn else "–")
        return Facts((moves, Fact("idle", "Idle rounds", f"{int(s.idle)} of {limit}")))

    def hand(self) -> Row:
        """Return this seat's hand, with equal cards as one card and a count."""
        held = in_order(self.s.hand[self.seat])
        return Row("hand", "Your hand", tuple(self.own_card(kind, held.count(kind)) for kind in sorted(set(held))),
                   "hand", seat=self.seat + 1)  # fmt: skip

    def own_card(self, kind: int, count: int) -> Card:
        picked = self.has_turn and self.s.phase in (R.TOKEN, R.SPACE) and kind == self.s.card
        return Card(
            self.card_key(self.seat, kind),
            face(kind),
            count,
            marks=("picked",) if picked else (),
            origin="draw pile",
            label=self.reach(kind) or KIND_NAMES[kind].capitalize(),
            **({} if picked else self.choice_of_card(kind)),
        )

    def choice_of_card(self, kind: int) -> dict[str, Any]:
        """Return the choice of a card; with a 3 it also decides to move."""
        if self.has_turn and self.phase == R.THREE and self.own_moves.get(kind):
            name = KIND_NAMES[kind]
            return {"shortcuts": (Shortcut(f"move; {KINDS[kind]}", f"Move {name}"),)}
        return self.choice_fields(R.KIND + kind)

    # Prompt and ending

    def ending(self) -> str:
        return ending(self.box, self.s, self.seat)

    def question(self) -> str:
        s = self.s
        if s.phase == R.START:
            theirs = owner(self.voice, int(opposite(s, s.player)))
            return f"Choose where {theirs} first token starts. The harder its way across, the better for you."
        if s.phase == R.TURN:
            return f"Roll, or discard your whole hand.{self.if_stuck()}"
        if s.phase == R.THREE:
            return f"You rolled a 3: place a new token (uses all 3 moves) or move.{self.if_stuck()}"
        if s.phase == R.PLACE:
            return "Choose a start for your new token."
        if s.phase == R.TOKEN:
            return f"Which token moves {KIND_NAMES[int(s.card)]}?"
        if s.phase == R.SPACE:
            return f"How far does it move?{self.if_home()}{self.if_stranded()}"
        if s.phase == R.DISCARD:
            return "Discard one card."
        return self.card_question()

    def card_question(self) -> str:
        """Return how many moves there are, and what happens if they are not used."""
        moves = counted(int(self.s.moves), "move")
        playable = any(action < R.PICK for action in self.choices)
        if hand_is_full(self.s):
            if not playable:
                return f"You have {moves}, but none of your cards can move a token: you'll have to discard one."
            return f"You have {moves}: play a card, or don't move and discard one."
        these = "it" if self.s.moves == 1 else "them"
        if not playable:
            return f"You have {moves} left, but none of your cards can use {these}."
        return f"You have {moves} left: play another card, or end your turn and lose {these}."

    def if_stuck(self) -> str:
        """Return a note that no card can move a token, whatever the roll."""
        return "" if any(self.own_moves.values()) else " None of your cards can move a token."

    def if_home(self) -> str:
        """Return a note that a token can't leave a goal, if it can reach one."""
        spaces = (action - R.TO for action in self.choices)
        can_come_in = any(on_goal(self.box.kit, self.s, self.seat, square) for square in spaces)
        return " Once on a goal, it stays there." if can_come_in else ""

    def if_stranded(self) -> str:
        """Return a note on the distances after which no card in hand could use the moves left over."""
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
        left = counted(int(s.moves) - costs[0], "move") if len(costs) == 1 else "moves"
        spaces = f"{listed(list(map(str, sorted(costs))), 'or')} space{'' if costs == [1] else 's'}"
        return f" Moving {spaces} leaves {left} that none of your cards can use."

    def buttons(self) -> tuple[Button, ...]:
        """Return the choices that are not a card, a token or a space."""
        plain = [action for action in sorted(self.choices) if R.ACTIONS.name_of(action)[0] in TEXTS]
        return tuple(
            Button(
                action=action, words=words(self.box, self.s, action), text=TEXTS[R.ACTIONS.name_of(action)[0]],
                main=action == R.ROLL or self.choices == {action},
            )
            for action in plain
        )  # fmt: skip


#: Button labels.
TEXTS = {
    "roll": "Roll", "discard_hand": "Discard hand, end turn", "place": "Place a token", "move": "Move",
    "no_move": "Don't move", "done": "End your turn",
}  # fmt: skip
