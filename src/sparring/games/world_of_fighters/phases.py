"""World of Fighters: what the page asks, says and refuses in each phase, and the words of choices."""

from collections.abc import Mapping

from sparring.engine.cards import in_order
from sparring.engine.game import Box
from sparring.engine.squares import column_of, row_of, square_name
from sparring.scene import Layout, Phase
from sparring.scene.sentences import ResultLine, Voice, counted, listed

from . import moves
from . import state as R
from .kit import HEARD, KINDS, REVEAL, SEATS
from .moves import card_of, kind_name, ordinary_parts, squares_by

Table = Layout[R.State]


#: Why a choice can't be made outside its phase, by block.
REFUSALS = {
    "fighter": "Both fighters are already picked.",
    "movement": "You can't play a Movement card now.",
    "card": "You can't play an Action card now.",
    "call": "You can't play an Action card now.",
    "square": "You can't move your fighter now.",
    "claim": "There is no super to claim now.",
    "no": "There is no super to claim now.",
    "counter": "There is nothing to counter.",
    "skip": "You can't pass here; you can only skip a Counter.",
}


class FightersPhase(Phase):
    """A phase of a match; it refuses choices of other phases by their block."""

    refusal_texts: Mapping[str, str] = REFUSALS

    def is_main_button(self, table: Table, action: int) -> bool:
        """Return whether a button stands out: only a claim."""
        return action == R.TO_CLAIM

    def why_not(self, box: Box, s: R.State, block: str, number: int) -> str:
        """Say that the choice belongs to another phase."""
        return self.refusal_texts[block]


class Pick(FightersPhase):
    """Each player picks a fighter (R3)."""

    name = "pick"
    waiting_text = "{who} is picking a fighter."
    question_text = "Pick a fighter. P, K, G, B: strength of Punch, Kick, Grapple, Block."

    def why_not(self, box: Box, s: R.State, block: str, number: int) -> str:
        """Say that the fighter is taken or doesn't exist."""
        if block != "fighter":
            return super().why_not(box, s, block, number)
        fighters = box.content.fighters
        if number >= len(fighters):
            return f"There are only {len(fighters)} fighters."
        return f"{fighters[number].name} is already taken."

    def tell(self, box: Box, before: R.State, action: int, after: R.State, voice: Voice) -> list[str]:
        """Say who picks which fighter."""
        name = box.content.fighters[action - R.TO_PICK].name
        return [f"{voice.does(int(before.player), 'pick', 'picks')} {name}."]


class FaceDown(FightersPhase):
    """The player plays one of two cards face down; others see only that both are played (R5)."""

    waiting_text = "{who} is playing two cards face down."

    def tell(self, box: Box, before: R.State, action: int, after: R.State, voice: Voice) -> list[str]:
        """Say what a seat reads about a face-down card, and about calls and Movement cards revealed by it."""
        player = int(before.player)
        both_played, heard = after.phase == R.MOVE, box.kit.super_call == HEARD
        lines = []
        if action >= 0 and player == voice.seat:
            lines.append(f"You play {self.own_card(box, before, action)}.")
        elif both_played or after.action[player] != R.NOTHING:
            lines.append(f"{voice.name(player)} plays two cards face down.")
        if both_played or heard:
            callers = (player,) if heard else range(SEATS)
            lines += [f"{self.call(box, after, seat, voice)}!" for seat in callers if after.called[seat]]
        if both_played:
            first = int(moves.first_mover(after))
            cards = [f"Move {int(after.movement[seat])} for {voice.whom(seat)}" for seat in (first, 1 - first)]
            lines.append(f"Movement cards: {', '.join(cards)}.")
        return lines

    def own_card(self, box: Box, before: R.State, action: int) -> str:
        """Return what a player reads about its own card, and about its call."""
        block, number = R.ACTIONS.name_of(action)
        if block == "movement":
            return f"Move {number + 1} face down"
        call = f" and call {card_of(box, before, int(before.player)).super}" if block == "call" else ""
        return f"a {KINDS[number]} face down{call}"

    def call(self, box: Box, s: R.State, seat: int, voice: Voice) -> str:
        """Return how a called super is announced: `Seat 2 calls Heron Kick, a Kick at range 3`."""
        card = card_of(box, s, seat)
        needs = f"a {kind_name(card.super_kind)} at range {card.super_range}"
        return f"{voice.does(seat, 'call', 'calls')} {card.super}, {needs}"


class MoveCard(FaceDown):
    """The player chooses a Movement card (R5, R6)."""

    name = "move_card"
    refusal_texts = REFUSALS | dict.fromkeys(("card", "call", "counter"), "First play a Movement card.")

    def question(self, table: Table) -> str:
        """Ask for the card; say who moves first, and which cards have no legal move."""
        first = table.voice.does(int(moves.first_mover(table.s)), "move", "moves")
        return f"Play a Movement card. {first} first.{self.stuck_warning(table)}"

    def stuck_warning(self, table: Table) -> str:
        """Return which Movement cards have no legal move; for the second mover that can still change (R8)."""
        s, seat = table.s, table.seat
        stuck = [f"Move {n}" for n in (1, 2, 3) if n != s.resting[seat] and not squares_by(table.box, s, seat, n)]
        if not stuck:
            return ""
        verb, now = "has" if len(stuck) == 1 else "have", "" if seat == moves.first_mover(s) else " right now"
        return f" {listed(stuck)} {verb} nowhere to go{now}, and a fighter who can't move loses."

    def why_not(self, box: Box, s: R.State, block: str, number: int) -> str:
        """Say that the card rests, or that a Movement card comes first."""
        if block == "movement":
            return f"Move {number + 1} rests this round; you used it in the last one."
        return super().why_not(box, s, block, number)


class ActionCard(FaceDown):
    """The player chooses an Action card, and perhaps calls its super (R5, R24)."""

    name = "action_card"
    refusal_texts = REFUSALS | {"movement": "You have played a Movement card; now play an Action card."}

    def question(self, table: Table) -> str:
        """Ask for the card; warn of a call that was heard."""
        call = ", or call your super" if R.may_call(table.box.kit, table.s, table.seat) else ""
        return f"Now play an Action card{call}.{edge_warning(table)}"

    def button(self, table: Table, block: str, number: int) -> str:
        """Return `Call Heron Kick`."""
        return f"Call {card_of(table.box, table.s, table.seat).super}" if block == "call" else ""

    def why_not(self, box: Box, s: R.State, block: str, number: int) -> str:
        """Say that the card isn't in hand, or why the super can't be called."""
        if block == "call":
            return self.why_not_call(box, s, number + 1)
        return f"You have no {KINDS[number]}." if block == "card" else super().why_not(box, s, block, number)

    def why_not_call(self, box: Box, s: R.State, kind: int) -> str:
        """Say why the super can't be called with this kind of card."""
        card = card_of(box, s, int(s.player))
        if box.kit.super_call == REVEAL:
            return "At this table you claim a super when the cards are revealed."
        if kind != card.super_kind:
            return f"{card.super} needs a {kind_name(card.super_kind)}."
        if R.has_super(s, s.player):
            return f"You have no {kind_name(kind)} for {card.super}."
        if s.super_used[s.player]:
            return f"You have already used {card.super} in this match."
        return f"You can call a super only at {R.SUPER_HEALTH} health or less; you have {int(s.health[s.player])}."


class Move(FightersPhase):
    """The player moves its fighter as its Movement card says (R7 to R9)."""

    name = "move"
    waiting_text = "{who} is moving."
    forced_text = "Only one legal move: {choice:inside}"

    def question(self, table: Table) -> str:
        """Ask for the square; warn of a called super."""
        how = "" if table.box.options["movement"] == "exact" else "up to "
        steps = counted(int(table.s.movement[table.seat]), "square")
        return f"Move {how}{steps} in a straight line.{edge_warning(table)}"

    def why_not(self, box: Box, s: R.State, block: str, number: int) -> str:
        """Say why the fighter can't move to the square."""
        if block != "square":
            return super().why_not(box, s, block, number)
        if number == s.square[s.player]:
            return "You must leave your square."
        if number == s.square[1 - s.player]:
            return "Your opponent is there."
        how = "exactly " if box.options["movement"] == "exact" else "up to "
        steps = counted(int(s.movement[s.player]), "square")
        return f"Move {how}{steps} in a straight line, not through your opponent."

    def tell(self, box: Box, before: R.State, action: int, after: R.State, voice: Voice) -> list[str]:
        """Say who moves where."""
        return [f"{voice.does(int(before.player), 'move', 'moves')} to {square_name(action - R.TO_SQUARE)}."]


class Claim(FightersPhase):
    """The player claims its super with its revealed card, or doesn't (R24)."""

    name = "claim"
    waiting_text = "{who} is deciding whether to claim a super."

    def question(self, table: Table) -> str:
        """Ask whether the player claims its super."""
        s, seat = table.s, table.seat
        name, kind = card_of(table.box, s, seat).super, kind_name(s.action[seat])
        return f"{kind} at range {int(moves.range_now(s))}: claim {name}? You can use it once per match."

    def button(self, table: Table, block: str, number: int) -> str:
        """Return `Claim Heron Kick` or `Don't claim`."""
        return f"Claim {card_of(table.box, table.s, table.seat).super}" if block == "claim" else "Don't claim"

    def tell(self, box: Box, before: R.State, action: int, after: R.State, voice: Voice) -> list[str]:
        """Say who claims a super, or doesn't."""
        player = int(before.player)
        name = card_of(box, before, player).super
        if action == R.TO_CLAIM:
            return [f"{voice.does(player, 'claim', 'claims')} {name}!"]
        return [f"{does_not(voice, player)} claim {name}."]


class Counter(FightersPhase):
    """The blocker counters with an attack, or doesn't (R20 to R22)."""

    name = "counter"
    waiting_text = "{who} is deciding whether to counter."
    button_texts = {"skip": "Don't counter"}
    refusal_texts = REFUSALS | {"call": "A Counter can't be a super."}

    def question(self, table: Table) -> str:
        """Ask for the Counter; say which cards are out of range."""
        return f"Counter with a card from your hand, or skip.{self.useless_cards(table)}"

    def useless_cards(self, table: Table) -> str:
        """Return which cards are out of range for a Counter (R20)."""
        kit, number, range_ = table.box.kit, table.s.fighter[table.seat], int(moves.range_now(table.s))
        kinds = sorted({kind for kind in in_order(table.s.hand[table.seat]) if kind != R.BLOCK})
        useless = [kind_name(kind) for kind in kinds if not moves.base_value(kit, number, kind, range_)]
        verb = "does" if len(useless) == 1 else "do"
        return f" {listed(useless)} {verb} nothing at range {range_}." if useless else ""

    def why_not(self, box: Box, s: R.State, block: str, number: int) -> str:
        """Say that the card can't be a Counter, or isn't in hand."""
        if block in ("card", "call") and number + 1 == R.BLOCK:
            return "You can't counter with a Block."
        if block in ("card", "counter"):
            return f"You have no {KINDS[number]} to counter with."
        return super().why_not(box, s, block, number)

    def tell(self, box: Box, before: R.State, action: int, after: R.State, voice: Voice) -> list[str]:
        """Say who counters, and with what result."""
        player = int(before.player)
        if action == R.SKIP:
            return [f"{does_not(voice, player)} counter."]
        kind = action - R.TO_COUNTER + 1
        parts = ordinary_parts(box, before, player, kind)
        result = f"{damage(parts)} {health_left(after, 1 - player, voice)}" if parts else "out of range."
        counters = f"{voice.does(player, 'counter', 'counters')} with a {kind_name(kind)}"
        return [ResultLine(f"{counters}: {result}", hit=bool(parts))]


PHASES = (Pick(), MoveCard(), ActionCard(), Move(), Claim(), Counter())


def edge_warning(table: Table) -> str:
    """Return a warning about the opponent's called super, which forces a ring-out on the edge (R28, R29)."""
    s, other = table.s, 1 - table.seat
    if not s.called[other] or s.called[table.seat]:
        return ""
    card = card_of(table.box, s, other)
    called = f"{table.voice.whom(other)}'s {card.super}"
    return f" If you are on the edge at range {card.super_range}, {called} throws you out of the ring."


def does_not(voice: Voice, seat: int) -> str:
    """Return `You don't` or `Seat 2 doesn't`."""
    return voice.does(seat, "don't", "doesn't")


def damage(parts: tuple[int, ...], blocked: int = 0, block: str = "") -> str:
    """Return damage and its sum: `3 damage (2 + 3 − 2 Block).`, with a full stop."""
    points = max(0, sum(parts) - blocked)
    total = " + ".join(map(str, parts)) + (f" − {blocked} {block}" if block else "")
    return f"{points or 'no'} damage{f' ({total})' if len(parts) > 1 or block else ''}."


def health_left(s: R.State, seat: int, voice: Voice) -> str:
    """Return a player's health now."""
    return f"{voice.does(seat, 'have', 'has')} {int(s.health[seat])} health left."


# The words of choices


def words(box: Box, s: R.State, action: int) -> str:
    """Return the words of a choice: `pick Hai Wu`, `move 2`, `punch`, `call punch`, `to c4`, `claim`, `pass`."""
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


def aliases(box: Box, s: R.State, action: int) -> tuple[str, ...]:
    """Return other words for a choice: a fighter's name, `2`, `c4`, `kick` (a Counter), a super's name (its call)."""
    block, number = R.ACTIONS.name_of(action)
    if block in ("fighter", "square", "counter"):
        name = words(box, s, action).partition(" ")[2]
        return (name, f"move to {name}") if block == "square" and name else (name,)
    if block == "movement":
        return (f"movement {number + 1}", f"movement card {number + 1}", f"card {number + 1}", str(number + 1))
    if block == "call":
        card = card_of(box, s, int(s.player)) if s.fighter[s.player] >= 0 else None
        own = (card.super, f"call {card.super}", "call", "super") if card and card.super_kind == number + 1 else ()
        return (f"{KINDS[number]} with super", f"{KINDS[number]} + super", f"{KINDS[number]} super", *own)
    return {"no": ("no claim",), "skip": ("no counter",)}.get(block, ())
