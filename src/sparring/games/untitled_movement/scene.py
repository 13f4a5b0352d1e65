"""Untitled Movement Game: the table as a seat sees it, what happens to the objects on it, and the log."""

from collections import Counter
from typing import Any

import numpy as np

from sparring.engine.cards import in_order
from sparring.engine.game import Box
from sparring.engine.squares import OFF, square_name
from sparring.scene import (
    Card, Effect, Fact, Facts, Group, Pile, PrintableScene, Row, Seat, Shortcut, Track, face_up_card, replace,
    win_effects, winners,
)  # fmt: skip
from sparring.scene.sentences import AsideLine, ResultLine, TurnLine, Voice, counted, listed

from . import state as R
from .board import BoardLayout, face_words, owner, tokens_home
from .components import BACK, HOME_IN_WORDS, die, face
from .kit import KIND_NAMES, KINDS
from .moves import direction_of, legal, on_goal
from .phases import PHASES
from .rules import step, steps_to

#: Card letters as read aloud.
ALOUD = dict(zip(KINDS, KIND_NAMES, strict=True))


class _MovementTable(BoardLayout):
    """Lays out the scene for one seat."""

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
        mid_turn = int(s.hand[s.player, 0]) < R.HAND
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


scene, outline = _MovementTable.draw, _MovementTable.draw_outline


# The effects of a beat on the objects on the table


def effects(box: Box, before: R.State, action: int | None, after: R.State, seat: int, beat: str = "") -> list[Effect]:
    """Return the effects: tokens that moved, tokens that came home, the winner."""
    seats = range(int(after.seats))
    found = [
        Effect("move", target=f"token {i} {n}")
        for i in seats for n in range(R.TOKENS)
        if after.token[i, n] not in (OFF, before.token[i, n])
    ]  # fmt: skip
    for i in seats:
        gained = tokens_home(box, after, i) - tokens_home(box, before, i)
        if gained > 0:
            found.append(Effect("score", target=f"home {i}", amount=gained))
    return found if beat else found + win_effects(after)


# The log


def tell(box: Box, before: R.State, action: int | None, after: R.State, seat: int, beat: str = "") -> list[str]:
    """Return what happened as sentences for `seat`: the choice, rolls, a new draw pile, the cards drawn, the end."""
    voice = Voice(seat)
    lines = [] if action is None else PHASES[before.phase].tell(box, before, action, after, voice)
    if beat == "thrown":
        lines.append(_opening_roll(after, voice))
    elif before.phase == R.START and after.phase == R.TURN:
        lines.append(TurnLine(f"{voice.does(int(after.first), 'go', 'goes')} first."))
    elif beat == "reshuffled":
        lines.append(AsideLine("The discards are shuffled into a new draw pile."))
    lines += _drawn(before, after, voice)
    if after.turn != before.turn and before.turn and not after.over:
        whose = owner(voice, int(after.player))
        lines.append(TurnLine(f"{whose[0].upper()}{whose[1:]} turn (turn {int(after.turn)})."))
    if after.over:
        lines.append(ResultLine(ending(box, after, seat)))
    return lines


def _drawn(before: R.State, after: R.State, voice: Voice) -> list[str]:
    """Return which cards the player drew at the end of the turn."""
    player = int(before.player)
    drawn = Counter(in_order(after.hand[player])) - Counter(in_order(before.hand[player]))
    names = [KIND_NAMES[kind].capitalize() for kind in sorted(drawn.elements())]
    return [AsideLine(voice.does(player, "draw", "draws"), *names)] if names else []


def opening_rolls(s: R.State) -> list[list[tuple[int, int]]]:
    """Return the rolls for the first turn, one list of (seat, face) for each time the dice were rolled."""
    rounds: list[list[tuple[int, int]]] = []
    for roll in map(int, s.throws[1 : int(s.throws[0]) + 1]):
        seat, shown = roll >> 3, roll & 7
        if not rounds or seat <= rounds[-1][-1][0]:
            rounds.append([])
        rounds[-1].append((seat, shown))
    return rounds


def _opening_roll(s: R.State, voice: Voice) -> str:
    """Return the latest rolls for the first turn."""
    rounds = opening_rolls(s)
    rolls = listed([f"{voice.then(seat, 'roll', 'rolls')} {face_words(shown)}" for seat, shown in rounds[-1]])
    return f"{'To break the tie' if len(rounds) > 1 else 'To see who goes first'}, {rolls}."


def ending(box: Box, s: R.State, seat: int) -> str:
    """Return how the match ended, as `seat` reads it."""
    voice = Voice(seat)
    won = winners(s)
    if s.ending == R.HOME:
        return f"{voice.does(won[0], 'win', 'wins')}: {HOME_IN_WORDS[int(box.kit.home)]} home."
    stalled = f"after {counted(int(s.idle), 'idle round')}"
    if len(won) == 1:
        return f"{voice.does(won[0], 'win', 'wins')}: in the lead {stalled}."
    tied = won or range(int(s.seats))
    return f"A draw between {listed([voice.whom(i) for i in tied])} {stalled}."
