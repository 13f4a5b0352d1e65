"""World of Fighters: what the page asks, says and refuses in each phase, and the words of choices."""

from sparring.engine.cards import in_order
from sparring.engine.game import GameSetup
from sparring.engine.squares import column_of, row_of, square_name
from sparring.scene import Layout, Phase
from sparring.scene.sentences import AnyText, Text, Voice, mention, result

from . import moves
from . import state as R
from .moves import card_of, kind_name, ordinary_parts, some_cards, squares_by
from .params import HEARD, KINDS, REVEAL, SEATS


#: Why a choice can't be made outside its phase, by block.
REFUSAL_TEXTS = {
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

    refusal_texts = REFUSAL_TEXTS

    def is_main_button(self, table: Layout[R.State], action: int) -> bool:
        """Return whether a button stands out: only a claim."""
        return action == R.TO_CLAIM


class Pick(FightersPhase):
    """Each player picks a fighter (R3)."""

    name = "pick"
    waiting_text = "{who} is picking a fighter."
    question_text = "Pick a fighter. P, K, G, B: strength of Punch, Kick, Grapple, Block."

    def why_not(self, setup: GameSetup, s: R.State, block: str, number: int) -> Text:
        """Say that the fighter is taken or doesn't exist."""
        if block != "fighter":
            return super().why_not(setup, s, block, number)
        fighters = setup.content.fighters
        if number >= len(fighters):
            return Text("There are only {number} fighters.", number=len(fighters))
        return Text("{fighter} is already taken.", fighter=fighters[number].name)

    def tell(self, setup: GameSetup, before: R.State, action: int, after: R.State, voice: Voice) -> list[Text]:
        """Say who picks which fighter."""
        forms = "You pick {fighter}.", "{who} picks {fighter}."
        return [voice.text(*forms, who=before.player, fighter=setup.content.fighters[action - R.TO_PICK].name)]


class FaceDown(FightersPhase):
    """The player plays one of two cards face down; others see only that both are played (R5)."""

    waiting_text = "{who} is playing two cards face down."

    def tell(self, setup: GameSetup, before: R.State, action: int, after: R.State, voice: Voice) -> list[Text]:
        """Say what a seat reads about a face-down card, and about calls and Movement cards revealed by it."""
        player = int(before.player)
        both_played, heard = after.phase == R.MOVE, setup.params.super_call == HEARD
        lines = []
        if action >= 0 and player == voice.seat:
            lines.append(self.own_card(setup, before, action))
        elif both_played or after.action[player] != R.NOTHING:
            lines.append(Text("{who} plays two cards face down.", who=mention(player)))
        if both_played or heard:
            callers = (player,) if heard else range(SEATS)
            lines += [self.call(setup, after, seat, voice) for seat in callers if after.called[seat]]
        if both_played:
            first = int(moves.first_mover(after))
            own, other = (
                voice.text("Move {steps} for you", "Move {steps} for {who}", who=seat, steps=after.movement[seat])
                for seat in (first, 1 - first)
            )
            lines.append(Text("Movement cards: {first}, {second}.", first=own, second=other))
        return lines

    def own_card(self, setup: GameSetup, before: R.State, action: int) -> Text:
        """Return what a player reads about its own card, and about its call."""
        block, number = R.ACTIONS.name_of(action)
        if block == "movement":
            return Text("You play Move {steps} face down.", steps=number + 1)
        card = some_cards(number + 1)
        if block == "card":
            return Text("You play {card} face down.", card=card)
        called = card_of(setup, before, before.player).super
        return Text("You play {card} face down and call {super}.", card=card, super=called)

    def call(self, setup: GameSetup, s: R.State, seat: int, voice: Voice) -> Text:
        """Return how a called super is announced: `Seat 2 calls Heron Kick, a Kick at range 3!`."""
        card = card_of(setup, s, seat)
        return voice.text(
            "You call {super}, {card} at range {range}!", "{who} calls {super}, {card} at range {range}!",
            who=seat, super=card.super, card=some_cards(card.super_kind), range=card.super_range,
        )  # fmt: skip


class MoveCard(FaceDown):
    """The player chooses a Movement card (R5, R6)."""

    name = "move_card"
    refusal_texts = {**REFUSAL_TEXTS, **dict.fromkeys(("card", "call", "counter"), "First play a Movement card.")}

    def question(self, table: Layout[R.State]) -> Text:
        """Ask for the card; say who moves first, and which cards have no legal move (it can change, R8)."""
        s, seat, first = table.s, table.seat, moves.first_mover(table.s)
        forms = "Play a Movement card. You move first.", "Play a Movement card. {who} moves first."
        question = table.voice.text(*forms, who=first)
        stuck = [n for n in (1, 2, 3) if n != s.resting[seat] and not squares_by(table.setup, s, seat, n)]
        if not stuck:
            return question
        values = {"n": len(stuck), "cards": [Text("Move {steps}", steps=n) for n in stuck], "question": question}
        if seat == first:
            return Text(
                "{question} {cards} has nowhere to go, and a fighter who can't move loses.",
                "{question} {cards} have nowhere to go, and a fighter who can't move loses.", **values,
            )  # fmt: skip
        return Text(
            "{question} {cards} has nowhere to go right now, and a fighter who can't move loses.",
            "{question} {cards} have nowhere to go right now, and a fighter who can't move loses.", **values,
        )  # fmt: skip

    def why_not(self, setup: GameSetup, s: R.State, block: str, number: int) -> Text:
        """Say that the card rests, or that a Movement card comes first."""
        if block == "movement":
            return Text("Move {steps} rests this round; you used it in the last one.", steps=number + 1)
        return super().why_not(setup, s, block, number)


class ActionCard(FaceDown):
    """The player chooses an Action card, and perhaps calls its super (R5, R24)."""

    name = "action_card"
    refusal_texts = {**REFUSAL_TEXTS, "movement": "You have played a Movement card; now play an Action card."}

    def question(self, table: Layout[R.State]) -> Text:
        """Ask for the card; warn of a call that was heard."""
        question = Text("Now play an Action card.")
        if R.may_call(table.setup.params, table.s, table.seat):
            question = Text("Now play an Action card, or call your super.")
        return with_edge_warning(table, question)

    def button(self, table: Layout[R.State], block: str, number: int) -> AnyText:
        """Return `Call Heron Kick`."""
        return Text("Call {super}", super=card_of(table.setup, table.s, table.seat).super) if block == "call" else ""

    def why_not(self, setup: GameSetup, s: R.State, block: str, number: int) -> Text:
        """Say that the card isn't in hand, or why the super can't be called."""
        if block == "call":
            return self.why_not_call(setup, s, number + 1)
        if block == "card":
            return Text("You have no {card}.", card=kind_name(number + 1))
        return super().why_not(setup, s, block, number)

    def why_not_call(self, setup: GameSetup, s: R.State, kind: int) -> Text:
        """Say why the super can't be called with this kind of card."""
        card = card_of(setup, s, s.player)
        if setup.params.super_call == REVEAL:
            return Text("At this table you claim a super when the cards are revealed.")
        if kind != card.super_kind:
            return Text("{super} needs {card}.", super=card.super, card=some_cards(card.super_kind))
        if R.has_super(s, s.player):
            return Text("You have no {card} for {super}.", card=kind_name(kind), super=card.super)
        if s.super_used[s.player]:
            return Text("You have already used {super} in this match.", super=card.super)
        return Text(
            "You can call a super only at {limit} health or less; you have {health}.", limit=R.SUPER_HEALTH,
            health=s.health[s.player],
        )  # fmt: skip


class Move(FightersPhase):
    """The player moves its fighter as its Movement card says (R7 to R9)."""

    name = "move"
    waiting_text = "{who} is moving."
    forced_text = "Only one legal move: {choice:inside}"

    def question(self, table: Layout[R.State]) -> Text:
        """Ask for the square; warn of a called super."""
        n = table.s.movement[table.seat]
        question = Text("Move {n} square in a straight line.", "Move {n} squares in a straight line.", n=n)
        if table.setup.options["movement"] != "exact":
            question = Text(
                "Move up to {n} square in a straight line.", "Move up to {n} squares in a straight line.", n=n
            )
        return with_edge_warning(table, question)

    def why_not(self, setup: GameSetup, s: R.State, block: str, number: int) -> Text:
        """Say why the fighter can't move to the square."""
        if block != "square":
            return super().why_not(setup, s, block, number)
        if number == s.square[s.player]:
            return Text("You must leave your square.")
        if number == s.square[1 - s.player]:
            return Text("Your opponent is there.")
        if setup.options["movement"] == "exact":
            return Text(
                "Move exactly {n} square in a straight line, not through your opponent.",
                "Move exactly {n} squares in a straight line, not through your opponent.", n=s.movement[s.player],
            )  # fmt: skip
        return Text(
            "Move up to {n} square in a straight line, not through your opponent.",
            "Move up to {n} squares in a straight line, not through your opponent.", n=s.movement[s.player],
        )  # fmt: skip

    def tell(self, setup: GameSetup, before: R.State, action: int, after: R.State, voice: Voice) -> list[Text]:
        """Say who moves where."""
        forms = "You move to {square}.", "{who} moves to {square}."
        return [voice.text(*forms, who=before.player, square=square_name(action - R.TO_SQUARE))]


class Claim(FightersPhase):
    """The player claims its super with its revealed card, or doesn't (R24)."""

    name = "claim"
    waiting_text = "{who} is deciding whether to claim a super."

    def question(self, table: Layout[R.State]) -> Text:
        """Ask whether the player claims its super."""
        s, seat = table.s, table.seat
        return Text(
            "{card} at range {range}: claim {super}? You can use it once per match.", card=kind_name(s.action[seat]),
            range=moves.range_now(s), super=card_of(table.setup, s, seat).super,
        )  # fmt: skip

    def button(self, table: Layout[R.State], block: str, number: int) -> Text:
        """Return `Claim Heron Kick` or `Don't claim`."""
        if block == "claim":
            return Text("Claim {super}", super=card_of(table.setup, table.s, table.seat).super)
        return Text("Don't claim")

    def tell(self, setup: GameSetup, before: R.State, action: int, after: R.State, voice: Voice) -> list[Text]:
        """Say who claims a super, or doesn't."""
        forms = "You don't claim {super}.", "{who} doesn't claim {super}."
        if action == R.TO_CLAIM:
            forms = "You claim {super}!", "{who} claims {super}!"
        return [voice.text(*forms, who=before.player, super=card_of(setup, before, before.player).super)]


class Counter(FightersPhase):
    """The blocker counters with an attack, or doesn't (R20 to R22)."""

    name = "counter"
    waiting_text = "{who} is deciding whether to counter."
    button_texts = {"skip": "Don't counter"}
    refusal_texts = {**REFUSAL_TEXTS, "call": "A Counter can't be a super."}

    def question(self, table: Layout[R.State]) -> Text:
        """Ask for the Counter; say which cards are out of range (R20)."""
        params, number, range_ = table.setup.params, table.s.fighter[table.seat], int(moves.range_now(table.s))
        question = Text("Counter with a card from your hand, or skip.")
        kinds = sorted({kind for kind in in_order(table.s.hand[table.seat]) if kind != R.BLOCK})
        useless = [kind_name(kind) for kind in kinds if not moves.base_value(params, number, kind, range_)]
        if not useless:
            return question
        return Text(
            "{question} {cards} does nothing at range {range}.", "{question} {cards} do nothing at range {range}.",
            n=len(useless), question=question, cards=useless, range=range_,
        )  # fmt: skip

    def why_not(self, setup: GameSetup, s: R.State, block: str, number: int) -> Text:
        """Say that the card can't be a Counter, or isn't in hand."""
        if block in ("card", "call") and number + 1 == R.BLOCK:
            return Text("You can't counter with a Block.")
        if block in ("card", "counter"):
            return Text("You have no {card} to counter with.", card=kind_name(number + 1))
        return super().why_not(setup, s, block, number)

    def tell(self, setup: GameSetup, before: R.State, action: int, after: R.State, voice: Voice) -> list[Text]:
        """Say who counters, and with what result."""
        player = int(before.player)
        if action == R.SKIP:
            return [voice.text("You don't counter.", "{who} doesn't counter.", who=player)]
        kind = action - R.TO_COUNTER + 1
        card, parts = some_cards(kind), ordinary_parts(setup, before, player, kind)
        if not parts:
            forms = "You counter with {card}: out of range.", "{who} counters with {card}: out of range."
            return [result(voice.text(*forms, who=player, card=card))]
        forms = "You counter with {card}: {damage}. {health}", "{who} counters with {card}: {damage}. {health}"
        health = health_left(after, 1 - player, voice)
        return [result(voice.text(*forms, who=player, card=card, damage=damage(parts), health=health), hit=True)]


PHASES = (Pick(), MoveCard(), ActionCard(), Move(), Claim(), Counter())


def with_edge_warning(table: Layout[R.State], question: Text) -> Text:
    """Add a warning about the opponent's called super, which forces a ring-out on the edge (R28, R29)."""
    s, other = table.s, 1 - table.seat
    if not s.called[other] or s.called[table.seat]:
        return question
    card = card_of(table.setup, s, other)
    return Text(
        "{question} If you are on the edge at range {range}, {whose}'s {super} throws you out of the ring.",
        question=question, range=card.super_range, whose=mention(other), super=card.super,
    )  # fmt: skip


def damage(parts: tuple[int, ...], blocked: int = 0, block: AnyText = "") -> Text:
    """Return damage and its sum: `3 damage (2 + 3 − 2 Block)`."""
    points = max(0, sum(parts) - blocked)
    total: AnyText = " + ".join(map(str, parts))
    if block:
        total = Text("{total} − {blocked} {block}", total=total, blocked=blocked, block=block)
    if not points:
        return Text("no damage ({total})", total=total)
    if len(parts) == 1 and not block:
        return Text("{points} damage", points=points)
    return Text("{points} damage ({total})", points=points, total=total)


def health_left(s: R.State, seat: int, voice: Voice) -> Text:
    """Return a player's health now."""
    forms = "You have {health} health left.", "{who} has {health} health left."
    return voice.text(*forms, who=seat, health=s.health[seat])


# The words of choices


def words(setup: GameSetup, s: R.State, action: int) -> str:
    """Return the words of a choice: `pick Hai Wu`, `move 2`, `punch`, `call punch`, `to c4`, `claim`, `pass`."""
    block, number = R.ACTIONS.name_of(action)
    if block == "fighter":
        return f"pick {setup.content.fighters[number].name}" if number < len(setup.content.fighters) else ""
    if block == "movement":
        return f"move {number + 1}"
    if block == "square":
        inside = column_of(number) < setup.params.columns and row_of(number) < setup.params.rows
        return f"to {square_name(number)}" if inside else ""
    if block in ("card", "call", "counter"):
        return {"card": "", "call": "call ", "counter": "counter "}[block] + KINDS[number].lower()
    return "pass" if block == "skip" else block


def aliases(setup: GameSetup, s: R.State, action: int) -> tuple[str, ...]:
    """Return other words for a choice: a fighter's name, `2`, `c4`, `kick` (a Counter), a super's name (its call)."""
    block, number = R.ACTIONS.name_of(action)
    if block in ("fighter", "square", "counter"):
        name = words(setup, s, action).partition(" ")[2]
        return (name, f"move to {name}") if block == "square" and name else (name,)
    if block == "movement":
        return (f"movement {number + 1}", f"movement card {number + 1}", f"card {number + 1}", str(number + 1))
    if block == "call":
        card = card_of(setup, s, int(s.player)) if s.fighter[s.player] >= 0 else None
        own = (card.super, f"call {card.super}", "call", "super") if card and card.super_kind == number + 1 else ()
        return (f"{KINDS[number]} with super", f"{KINDS[number]} + super", f"{KINDS[number]} super", *own)
    return {"no": ("no claim",), "skip": ("no counter",)}.get(block, ())
