"""World of Fighters: the table as a seat sees it, and the words for every choice."""

from typing import Any

from sparring.engine.cards import in_order
from sparring.engine.game import Box
from sparring.engine.squares import column_of, row_of, square_name
from sparring.scene import (
    Banner, Board, Button, Card, Fact, Facts, Group, Layout, Pile, Row, Scene, Seat, Track, replace, upturned,
)  # fmt: skip
from sparring.scene.sentences import listed

from . import art
from . import moves
from . import state as R
from .faces import action_face, in_words, movement_face, portrait_face, roster_face, score_line, score_words, scores_of
from .kit import KINDS, Fighter
from .refusing import why_not
from .ring import ring, squares_by
from .telling import as_shown, ending, fighter, held, kind_name, scored, tell

__all__ = ["ALOUD", "ONLY", "aliases", "scene", "tell", "why_not", "words"]

#: Why there is only one choice, by phase.
ONLY = {R.MOVE: "Only one square:"}

#: How its short words are read out.
ALOUD = {"HP": "health", "K.O.": "Knock-out", **{f"R{far}": f"range {far}" for far in range(1, 20)}}


def words(box: Box, s: Any, action: int) -> str:
    """The words of a choice: `pick Hai Wu`, `move 2`, `call punch`, `to c4`, `claim`, `counter kick`, `pass`."""
    block, number = R.ACTIONS.name_of(action)
    if block == "fighter":
        return f"pick {box.content.fighters[number].name}" if number < len(box.content.fighters) else ""
    if block == "movement":
        return f"move {number + 1}"
    if block == "square":
        inside = column_of(number) < box.kit.columns and row_of(number) < box.kit.rows
        return f"to {square_name(number)}" if inside else ""
    if block in ("card", "call", "counter"):
        return {"card": "", "call": "call ", "counter": "counter "}[block] + KINDS[number].lower()
    return "pass" if block == "skip" else block


def aliases(box: Box, s: Any, action: int) -> tuple[str, ...]:
    """The fighter alone, `2` or `movement 2`, `c4`, `kick` for `counter kick`; a call is also the super's name."""
    block, number = R.ACTIONS.name_of(action)
    if block in ("fighter", "square", "counter"):
        bare = words(box, s, action).partition(" ")[2]
        return (bare, f"move to {bare}") if block == "square" and bare else (bare,)
    if block == "movement":
        return (f"movement {number + 1}", f"movement card {number + 1}", f"card {number + 1}", str(number + 1))
    if block == "call":
        card = fighter(box, s, int(s.player)) if s.fighter[s.player] >= 0 else None
        own = (card.super, f"call {card.super}", "call", "super") if card and card.super_kind == number + 1 else ()
        return (f"{KINDS[number]} with super", f"{KINDS[number]} + super", f"{KINDS[number]} super", *own)
    return {"no": ("no claim",), "skip": ("no counter",)}.get(block, ())


def scene(box: Box, s: Any, seat: int, choices: list[int], beat: str = "") -> Scene:
    """The table for `seat` (from 0; negative: somebody who watches)."""
    return _Table(box, s, seat, choices, beat).scene()


def outline(box: Box, s: Any) -> Scene:
    """The table for somebody who watches, without what lies on it."""
    return _Table(box, s, -1, [], "").outline()


class _Table(Layout):
    """One seat's table being laid out."""

    waiting = (
        "picks a fighter", "lays two cards face down", "lays two cards face down", "moves", "may claim a super",
        "may counter",
    )  # fmt: skip

    def __init__(self, box: Box, s: Any, seat: int, choices: list[int], beat: str) -> None:
        super().__init__(box, s, seat, choices, beat)
        self.picking = s.phase == R.PICK
        #: The round whose Action cards were shown last, and whether the tokens still stand where they stood then.
        self.shown = as_shown(s)
        self.settled = bool(s.shown) or s.phase <= R.ACTION_CARD

    def scene(self) -> Scene:
        return replace(
            self.outline(),
            left=() if self.picking else (Group((self.draw_pile(), self.laid(0))),),
            middle=(self.roster() if self.picking else self.board(),),
            right=() if self.picking else (Group((self.laid(1), self.discard_pile())),),
            hand=(Group(self.hand()),) if self.seat >= 0 and not self.picking else (),
            banner=self.banner(), backs=(art.ACTION_BACK, art.MOVEMENT_BACK),
            exchange=Group((self.laid(0), self.laid(1))) if self.beat in DECIDING else None,
        )  # fmt: skip

    def status(self) -> str:
        return "Before the first round" if self.picking else f"Round {int(self.s.turn)}"

    # Who plays

    def panel(self, i: int) -> Seat:
        """A fighter's card: portrait, health, scores at each range, super."""
        s, name = self.s, self.voice.name(i)
        card = fighter(self.box, s, i) if s.fighter[i] >= 0 else None
        tracks: tuple[Track, ...] = ()
        parts: tuple[Row | Facts, ...] = ()
        if card:
            portrait = Card(f"fighter {int(s.fighter[i])}", portrait_face(card), label=f"portrait of {card.name}")
            parts = (Row(f"portrait {i}", cards=(portrait,), layout="small"),)
        if card and not self.picking:
            tracks = (Track(f"health {i}", "Health", int(s.health[i]), R.HEALTH, "bar"),)
            parts = (*parts, self.sheet(i, card))
        return Seat(
            number=i + 1, title=card.name if card else "", you=i == self.seat, turn=i == self.waited_for,
            out=bool(s.over and s.payoff[i] < 0), tags=self.tags(i), tracks=tracks, parts=parts,
            label=f"{name}, {card.name}, health {int(s.health[i])}" if card else f"{name}, no fighter yet",
        )  # fmt: skip

    def tags(self, i: int) -> tuple[str, ...]:
        s = self.s
        first = i == moves.first_mover(s) and not s.over and not self.picking
        return (*(("moves first",) if first else ()), *((f"-{int(s.lost[i])}",) if s.lost[i] and self.settled else ()))

    def sheet(self, i: int, card: Fighter) -> Facts:
        """The card in figures: scores at range 1, 2, 3 (the present range in brackets), stats, moves, super."""
        s, apart = self.s, int(moves.range_now(self.s))
        facts = [
            Fact(f"kind {i} {kind}", f"{kind_name(kind)} +{card.stats[kind - 1]}",
                 score_line(scores_of(self.box, s, i, kind), apart),
                 score_words(kind, scores_of(self.box, s, i, kind)))
            for kind in (R.PUNCH, R.KICK, R.GRAPPLE)
        ]  # fmt: skip
        free = " ".join(str(n) for n in (1, 2, 3) if n != s.resting[i])
        state = "used" if s.super_used[i] else "ready" if moves.has_super(s, i) else f"at {R.SUPER_HEALTH} HP"
        told = {"used": "used up", "ready": "can be called"}.get(state, f"at {R.SUPER_HEALTH} health or less")
        need = f"{card.super}: a {kind_name(card.super_kind)} at range {card.super_range}, {told}"
        return Facts((
            *facts, Fact(f"block {i}", "Block", f"-{card.block}"), Fact(f"reach {i}", "Reach", card.reach),
            Fact(f"moves {i}", "Moves", free), Fact(f"super {i}", card.super, f"{card.requirement} {state}", need),
        ))  # fmt: skip

    # What lies on the table

    def laid(self, i: int) -> Row:
        """The cards before a seat: the resting Movement card, what is committed, or what was played last."""
        s, shown = self.s, self.shown
        cards = []
        if s.resting[i] and not s.movement[i]:
            steps, origin = int(s.resting[i]), f"movement of {i} in {int(s.turn) - 1}"
            label = f"Movement {steps} rests"
            cards.append(Card(f"resting {i}", movement_face(steps), sideways=True, label=label, origin=origin))
        if s.movement[i]:
            cards.append(self.laid_movement(i))
        last = not s.shown and not s.action[i] and s.phase != R.MOVE
        if s.action[i]:
            cards.append(self.laid_action(s, i))
        elif last and shown.action[i]:
            cards.append(self.laid_action(shown, i))
        if shown.counter and shown.action[i] == R.BLOCK and (last or s.shown):
            face = action_face(
                int(shown.counter), scores_of(self.box, s, i, int(shown.counter)), int(moves.range_now(s))
            )
            cards.append(Card(f"counter in {int(shown.turn)}", face, marks=("counter",), origin=f"seat {i + 1}"))
        title = f"Seat {i + 1}" + (f", round {int(shown.turn)}" if last and shown.action[i] else "")
        return Row(f"laid {i}", title, tuple(cards), total=self.total(i) if last or s.shown else "", seat=i + 1)

    def laid_movement(self, i: int) -> Card:
        steps, key = int(self.s.movement[i]), f"movement of {i} in {int(self.s.turn)}"
        if steps < 0:
            return Card(key, back="steps", label="a Movement card face down", origin=f"seat {i + 1}")
        marks = ("face down",) if self.s.phase <= R.ACTION_CARD else ()
        return Card(key, movement_face(steps), marks=marks, origin=f"movement {steps}")

    def laid_action(self, s: Any, i: int) -> Card:
        """The Action card of the round that `s` shows; one's own lies open for oneself."""
        kind, key = int(s.action[i]), f"action of {i} in {int(s.turn)}"
        if kind < 0:
            return Card(key, back="fists", label="an Action card face down", origin=f"seat {i + 1}")
        up = bool(s.shown) or s is self.shown
        marks = ("super",) if s.performed[i] else ("called",) if s.called[i] else ()
        apart = int(moves.range_now(s)) if up else 0
        face = action_face(kind, scores_of(self.box, s, i, kind), apart)
        return Card(key, face, marks=marks if up else (*marks, "face down"), origin=f"hand {kind}")

    def total(self, i: int) -> str:
        """What the shown card scored, as it is added up."""
        shown = self.shown
        if shown.action[i] <= 0:
            return ""
        return ("-" if shown.action[i] == R.BLOCK else "") + (scored(self.box, shown, i) or "0")

    def draw_pile(self) -> Pile:
        return Pile("draw pile", "Draw pile", int(self.s.deck[0]), back="fists")

    def discard_pile(self) -> Pile:
        lying = in_order(self.s.discard)
        cards = tuple(upturned(f"discard {n}", action_face(kind)) for n, kind in enumerate(lying))
        return Pile("discard pile", "Discards", len(lying), cards)

    def board(self) -> Board:
        """The ring; while a Movement card is chosen each lights the squares it would lead to as things stand."""
        lit: dict[int, tuple[str, ...]] = {}
        for steps in (1, 2, 3):
            if R.TO_MOVE + steps - 1 in self.choices:
                for square in squares_by(self.box, self.s, self.seat, steps):
                    lit[square] = (*lit.get(square, ()), f"movement {steps}")
        struck = (int(self.s.lost[0]), int(self.s.lost[1])) if self.settled else (0, 0)
        return ring(self.box, self.s, self.voice, self.chosen, struck, lit)

    def roster(self) -> Row:
        """The fighters to pick from; one that is taken lies with its seat."""
        cards = tuple(
            Card(f"fighter {n}", roster_face(card), label=in_words(card), **self.chosen(R.TO_PICK + n))
            for n, card in enumerate(self.box.content.fighters) if n not in self.s.fighter
        )  # fmt: skip
        return Row("roster", "The fighters", cards, "hand")

    # One's own cards

    def hand(self) -> tuple[Row, Row]:
        """Movement cards and Action cards that are not committed."""
        s, seat = self.s, self.seat
        movement = [self.own_movement(n) for n in (1, 2, 3) if n not in (s.resting[seat], s.movement[seat])]
        kinds = held(s, seat)
        if s.action[seat] > 0 and not s.shown:
            kinds.remove(int(s.action[seat]))
        actions = [self.own_action(kind, kinds.count(kind)) for kind in sorted(set(kinds))]
        return (
            Row("movement cards", "Your Movement cards", tuple(movement), "hand", seat=seat + 1),
            Row("hand", "Your Action cards", tuple(actions), "hand", seat=seat + 1),
        )

    def own_movement(self, steps: int) -> Card:
        stuck = self.s.phase == R.MOVE_CARD and self.asked and not squares_by(self.box, self.s, self.seat, steps)
        label = f"Movement {steps}" + (", no way to go as things stand" if stuck else "")
        return Card(f"movement {steps}", movement_face(steps), marks=("no way",) if stuck else (), label=label,
                    origin=f"resting {self.seat}", **self.chosen(R.TO_MOVE + steps - 1))  # fmt: skip

    def own_action(self, kind: int, count: int) -> Card:
        counter = self.s.phase == R.COUNTER and kind != R.BLOCK
        scores = scores_of(self.box, self.s, self.seat, kind)
        each = f"takes {scores[0]} off" if kind == R.BLOCK else f"scores {', '.join(map(str, scores))} at range 1, 2, 3"
        face = action_face(kind, scores, int(moves.range_now(self.s)) if counter else 0)
        return Card(f"hand {kind}", face, count=count, label=f"{kind_name(kind)}, {each}", origin="draw pile",
                    **self.chosen((R.TO_COUNTER if counter else R.TO_LAY) + kind - 1))  # fmt: skip

    # What is asked

    def banner(self) -> Banner:
        """What an arcade would shout."""
        s = self.s
        if self.picking:
            return Banner("pick", "Choose your fighter")
        if s.over:
            return Banner("end", SHOUTS[int(s.ending)])
        apart = f"range {int(moves.range_now(s))}" + ("" if moves.range_now(s) <= 3 else ": too far")
        for i in range(R.SEATS):
            if s.performed[i]:
                return Banner(f"super {i} {s.turn}", f"{fighter(self.box, s, i).super}!", apart, i + 1)
        for i in range(R.SEATS):
            if s.called[i] and s.phase == R.MOVE:
                move = fighter(self.box, s, i)
                detail = f"{kind_name(move.super_kind)} at range {move.super_range}"
                return Banner(f"call {i} {s.turn}", f"{move.super}!", detail, i + 1)
        return Banner(f"round {s.turn}", f"Round {int(s.turn)}", apart)

    def ending(self) -> str:
        return ending(self.s, self.seat)

    def question(self) -> str:
        s, seat = self.s, self.seat
        if s.phase == R.PICK:
            return "Pick your fighter."
        if s.phase == R.MOVE_CARD:
            first = f"{self.voice.does(int(moves.first_mover(s)), 'move', 'moves')} first."
            return f"Lay a Movement card. {first}{self.leads_nowhere()}"
        if s.phase == R.ACTION_CARD:
            call = ", or call your super" if moves.may_call(self.box.kit, s, seat) else ""
            return f"Now lay an Action card{call}."
        if s.phase == R.MOVE:
            how = "" if self.box.options["movement"] == "exact" else "up to "
            return f"Move {how}{int(s.movement[seat])} straight: choose a square.{self.edge_warning()}"
        if s.phase == R.CLAIM:
            move = fighter(self.box, s, seat).super
            apart = f"You are at range {int(moves.range_now(s))}"
            return f"{apart}: is this {kind_name(s.action[seat])} your {move}? Claimed, it is used up."
        return f"Your Block stands. Strike back with a card from your hand, or do not.{self.out_of_reach()}"

    # What a choice would lose by the rules, as far as this seat can tell

    def leads_nowhere(self) -> str:
        """Movement cards without a legal move: certain for who moves first, for the other as things stand (R8)."""
        s, seat = self.s, self.seat
        stuck = [str(n) for n in (1, 2, 3) if n != s.resting[seat] and not squares_by(self.box, s, seat, n)]
        if not stuck:
            return ""
        sure = "" if seat == moves.first_mover(s) else " as things stand"
        return f" {listed(stuck)} would lead nowhere{sure}, and whoever cannot move loses."

    def edge_warning(self) -> str:
        """A called super of the other, which throws out whoever stands on the edge at its range (R28, R29)."""
        other = 1 - self.seat
        if not self.s.called[other] or self.s.called[self.seat]:
            return ""
        card = fighter(self.box, self.s, other)
        return f" On the edge at range {card.super_range} {self.voice.whom(other)}'s {card.super} throws you out."

    def out_of_reach(self) -> str:
        """Cards that a Counter would spend for nothing (R20)."""
        apart = int(moves.range_now(self.s))
        held_now = sorted({kind for kind in held(self.s, self.seat) if kind != R.BLOCK})
        short = [kind_name(n) for n in held_now if not moves.base(self.box.kit, self.s.fighter[self.seat], n, apart)]
        verb = "does" if len(short) == 1 else "do"
        return f" At range {apart} {listed(short)} {verb} not reach." if short else ""

    def buttons(self) -> tuple[Button, ...]:
        """The choices that are neither a card nor a square."""
        plain = [action for action in sorted(self.choices) if R.ACTIONS.name_of(action)[0] in BUTTONS]
        return tuple(
            Button(text=self.text(action), main=action == R.TO_CLAIM, **self.chosen(action)) for action in plain
        )

    def text(self, action: int) -> str:
        block, _ = R.ACTIONS.name_of(action)
        if block in ("call", "claim"):
            return f"{block.capitalize()} {fighter(self.box, self.s, self.seat).super}"
        return {"no": "No, an ordinary card", "skip": "Do not strike back"}[block]


#: The beats at which something is decided.
DECIDING = ("thrown out", "first blow", "second blow", "two blocks", "counter")

#: The choices that are buttons of the prompt.
BUTTONS = ("call", "claim", "no", "skip")

SHOUTS = ("K.O.", "Ring out", "Forced off", "Time")
