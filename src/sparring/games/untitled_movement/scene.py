"""Untitled Movement Game: the table as a seat sees it, what happens to the objects on it, and the log."""

from collections import Counter
from typing import Any

import numpy as np

from sparring.engine.cards import in_order
from sparring.engine.messages import cached_by_language
from sparring.engine.squares import OFF, square_name
from sparring.scene import (
    Card, Effect, Fact, Facts, Group, Pile, PrintableScene, Row, Seat, Shortcut, Track, face_up_card, replace, winners,
)  # fmt: skip
from sparring.scene.sentences import Text, Voice, aside, listed, mention, say, turn

from . import state as R
from .board_scene import BoardLayout, face_text, tokens_home
from .components import BACK, die, face
from .moves import direction_of, legal, on_goal
from .params import CARD_TEXTS, KINDS, WAY_TEXTS
from .rules import step, steps_to

#: Card letters as read aloud.
SPOKEN = {letters: Text(way) for letters, way in zip(KINDS, WAY_TEXTS, strict=True)}


@cached_by_language(256)
def goals_text(*squares: int) -> str:
    """Return where a seat's goals are, in the reader's language."""
    return say("goals on {goals}", goals=listed(square_name(square) for square in squares))


class _MovementTable(BoardLayout):
    """What one seat sees and reads."""

    def scene(self) -> PrintableScene:
        return replace(
            self.outline(),
            left=(Group((self.draw_pile(), self.discard_pile())),), middle=(self.board(),),
            right=(*self.dice(), self.facts()),
            hand=(self.hand(),) if self.seat >= 0 else (), exchange=self.exchange(), backs=(BACK,),
        )  # fmt: skip

    def status(self) -> Text:
        return Text("Turn {number}", number=self.s.turn) if self.s.turn else Text("Start")

    # Seats

    def panel(self, i: int) -> Seat:
        s = self.s
        off = int(sum(square == OFF for square in s.token[i]))
        done, needed = tokens_home(self.setup, s, i), int(self.setup.params.home)
        tags = (say("{off} to place", off=off),) if off else ()
        goals = goals_text(*self.setup.params.start[self.sides[i] ^ 2].tolist())
        values = {"done": done, "needed": needed, "goals": goals}
        home = say("{done} of {needed} tokens home, {goals}", **values)
        forms = "{who}, {done} of {needed} tokens home, {off} to place, {goals}"
        return Seat(
            tags=tags, tracks=(Track(f"home {i}", say("Home"), done, needed, label=home),),
            parts=() if i == self.seat else (Row(f"hand of {i}", cards=self.open_hand(i), layout="small"),),
            label=say(forms, who=self.voice.label(i), off=off, **values),
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
        if self.beat != "moved" or not on_goal(self.setup.params, s, player, s.token[player, s.picked]):
            return None
        values = {"done": tokens_home(self.setup, s, player), "needed": self.setup.params.home}
        return Row(
            "exchange",
            say("{who}: {done} of {needed} home", who=mention(player), **values),
            (Card("exchange card", face(int(s.card), self.heading(player, int(s.card)))),),
            "small",
            seat=player + 1,
        )

    def rolls(self) -> Group:
        """Return the dice just rolled for the first turn."""
        return Group(tuple(
            Row(f"throw {i}", mention(i), (self.die(shown, f"throw of {i}"),), "small", seat=i + 1)
            for i, shown in opening_rolls(self.s)[-1]
        ))  # fmt: skip

    def die(self, shown: int, key: str) -> Card:
        """Return the die showing a face."""
        return Card(key, die(shown), label=say("the die shows {face}", face=face_text(shown)))

    # Piles, die and hand

    def draw_pile(self) -> Pile:
        return Pile("draw pile", say("Draw pile"), int(self.s.deck[0]))

    def discard_pile(self) -> Pile:
        """Return the discards; the top card keeps its key from the hand, so that it is animated from there."""
        kinds = in_order(self.s.discard)
        keys = [f"discard {n}" for n in range(len(kinds))]
        if kinds:
            keys[-1] = self.last_key(kinds[-1]) or keys[-1]
        cards = tuple(face_up_card(key, face(kind)) for key, kind in zip(keys, kinds, strict=True))
        return Pile("discard pile", say("Discards"), len(kinds), cards)

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
        return (Row("die", say("Die"), (self.die(int(s.face), f"die of turn {s.turn}"),), "small"),)

    def facts(self) -> Facts:
        """Return the moves left and the idle rounds."""
        s, limit = self.s, int(self.setup.params.stall_rounds)
        moves = Fact("moves", say("Moves left"), str(int(s.moves)) if s.face and s.turn else "–")
        return Facts((moves, Fact("idle", say("Idle rounds"), say("{idle} of {limit}", idle=s.idle, limit=limit))))

    def hand(self) -> Row:
        """Return this seat's hand, with equal cards as one card and a count."""
        held = in_order(self.s.hand[self.seat])
        cards = tuple(self.own_card(kind, held.count(kind)) for kind in sorted(set(held)))
        return Row("hand", say("Your hand"), cards, "hand", seat=self.seat + 1)

    def own_card(self, kind: int, count: int) -> Card:
        picked = self.has_turn and self.s.phase in (R.TOKEN, R.SPACE) and kind == self.s.card
        return Card(
            self.card_key(self.seat, kind),
            face(kind),
            count,
            marks=(say("picked"),) if picked else (),
            origin="draw pile",
            label=self.reach(kind) or say(CARD_TEXTS[kind]),
            **({} if picked else self.choice_of_card(kind)),
        )

    def choice_of_card(self, kind: int) -> dict[str, Any]:
        """Return the choice of a card; with a 3 it also decides to move."""
        if self.has_turn and self.phase == R.THREE and self.own_moves.get(kind):
            text = say("Move {way}", way=say(WAY_TEXTS[kind]))
            return {"shortcuts": (Shortcut(f"move; {KINDS[kind]}", text),)}
        return self.choice_fields(R.KIND + kind)

    # Additions to questions

    def if_stuck(self, question: Text) -> Text:
        """Add to a question that no card can move a token, whatever the roll."""
        if any(self.own_moves.values()):
            return question
        return Text("{question} None of your cards can move a token.", question=question)

    def if_home(self, question: Text) -> Text:
        """Add to a question that a token can't leave a goal, if it can reach one."""
        spaces = (action - R.TO for action in self.choices)
        can_come_in = any(on_goal(self.setup.params, self.s, self.seat, square) for square in spaces)
        return Text("{question} Once on a goal, it stays there.", question=question) if can_come_in else question

    def if_stranded(self, question: Text) -> Text:
        """Add to a question the distances after which no card in hand could use the moves left over."""
        params, s = self.setup.params, self.s
        costs = []
        for action in sorted(self.choices):
            cost, then = int(steps_to(s, action - R.TO)), s.copy()
            if cost < s.moves:
                step(params, then, action)
                out = np.zeros(len(R.ACTIONS), np.int16)
                if not then.over and legal(params, then, out) == 1:
                    costs.append(cost)
        if not costs:
            return question
        if len(costs) > 1:
            return Text(
                "{question} Moving {costs:or} spaces leaves moves that none of your cards can use.", question=question,
                costs=sorted(costs),
            )  # fmt: skip
        return Text(
            "{question} Moving {spaces} leaves {n} move that none of your cards can use.",
            "{question} Moving {spaces} leaves {n} moves that none of your cards can use.",
            n=s.moves - costs[0], question=question, spaces=Text("{n} space", "{n} spaces", n=costs[0]),
        )  # fmt: skip

    # What has happened, to the objects on the table and in the log

    def effects(self, before: R.State, action: int | None) -> list[Effect]:
        """Return the effects: tokens that moved, tokens that came home."""
        seats = range(int(self.s.seats))
        found = [
            Effect("move", target=f"token {i} {n}")
            for i in seats for n in range(R.TOKENS)
            if self.s.token[i, n] not in (OFF, before.token[i, n])
        ]  # fmt: skip
        for i in seats:
            gained = tokens_home(self.setup, self.s, i) - tokens_home(self.setup, before, i)
            if gained > 0:
                found.append(Effect("score", target=f"home {i}", amount=gained))
        return found

    def events(self, before: R.State, action: int | None) -> list[Text]:
        """Return log sentences: rolls, a new draw pile, the cards drawn, a new turn."""
        after, voice, lines = self.s, self.voice, []
        if self.beat == "thrown":
            lines.append(_opening_roll(after, voice))
        elif before.phase == R.START and after.phase == R.TURN:
            lines.append(turn(voice.text("You go first.", "{who} goes first.", who=after.first)))
        elif self.beat == "reshuffled":
            lines.append(aside(Text("The discards are shuffled into a new draw pile.")))
        lines += _drawn(before, after, voice)
        if after.turn != before.turn and before.turn and not after.over:
            forms = "Your turn (turn {number}).", "{who}'s turn (turn {number})."
            lines.append(turn(voice.text(*forms, who=after.player, number=after.turn)))
        return lines

    def ending(self) -> Text:
        s, won = self.s, winners(self.s)
        if s.ending == R.HOME:
            return self.voice.text(*WON_FORMS[int(self.setup.params.home)], who=won[0])
        if len(won) == 1:
            forms = "You win: in the lead after {rounds}.", "{who} wins: in the lead after {rounds}."
            return self.voice.text(*forms, who=won[0], rounds=Text("{n} idle round", "{n} idle rounds", n=s.idle))
        tied = [self.voice.item(i) for i in won or range(int(s.seats))]
        return Text(
            "A draw between {seats} after {n} idle round.", "A draw between {seats} after {n} idle rounds.", n=s.idle,
            seats=tied,
        )  # fmt: skip


SeatTable = _MovementTable


# The log


def _drawn(before: R.State, after: R.State, voice: Voice) -> list[Text]:
    """Return which cards the player drew at the end of the turn."""
    player = int(before.player)
    drawn = Counter(in_order(after.hand[player])) - Counter(in_order(before.hand[player]))
    names = [Text(CARD_TEXTS[kind]) for kind in sorted(drawn.elements())]
    return [aside(voice.text("You draw {items}.", "{who} draws {items}.", who=player, items=names))] if names else []


def opening_rolls(s: R.State) -> list[list[tuple[int, int]]]:
    """Return the rolls for the first turn, one list of (seat, face) for each time the dice were rolled."""
    rounds: list[list[tuple[int, int]]] = []
    for roll in map(int, s.throws[1 : int(s.throws[0]) + 1]):
        seat, shown = roll >> 3, roll & 7
        if not rounds or seat <= rounds[-1][-1][0]:
            rounds.append([])
        rounds[-1].append((seat, shown))
    return rounds


def _opening_roll(s: R.State, voice: Voice) -> Text:
    """Return the latest rolls for the first turn."""
    rounds = opening_rolls(s)
    forms = "you roll {face}", "{who} rolls {face}"
    rolls = [voice.text(*forms, who=seat, face=face_text(shown)) for seat, shown in rounds[-1]]
    if len(rounds) > 1:
        return Text("To break the tie, {rolls}.", rolls=rolls)
    return Text("To see who goes first, {rolls}.", rolls=rolls)


#: How a match is won with a number of tokens home, as the winner reads it and as others do.
WON_FORMS = {
    1: ("You win: a token is home.", "{who} wins: a token is home."),
    2: ("You win: two tokens are home.", "{who} wins: two tokens are home."),
    3: ("You win: three tokens are home.", "{who} wins: three tokens are home."),
    R.TOKENS: ("You win: all four tokens are home.", "{who} wins: all four tokens are home."),
}
