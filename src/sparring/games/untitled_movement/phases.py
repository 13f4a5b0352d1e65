"""Untitled Movement Game: what the page asks, says and refuses in each phase, and the words of choices."""

from typing import Any

from sparring.engine.cards import in_order
from sparring.engine.game import GameSetup
from sparring.engine.squares import OFF, column_of, is_in, row_of, square_name
from sparring.scene import Layout, Phase
from sparring.scene.sentences import Text, Voice, aside, mention, result

from . import state as R
from .board_scene import face_text, tokens_home
from .moves import hand_is_full, land_obstacle, on_goal
from .params import CARD_TEXTS, KIND_NAMES, KINDS, WAY_TEXTS
from .position import space_name
from .rules import opposite, place_obstacle, steps_to

#: Why the first choices of a turn come too late.
ROLLED_TEXTS = {
    "roll": "You have already rolled.", "discard_hand": "You can discard your whole hand only before you roll.",
}  # fmt: skip

#: Why no token can be placed with a 3, and why none can land on a space, by what is in the way.
PLACE_TEXTS = {
    R.ALL_ON_BOARD: "All your tokens are on the board.",
    R.NO_FREE_START: "None of your starts is free.",
    R.NOTHING: "You have already chosen to move with this 3.",
}
LAND_TEXTS = {
    R.OCCUPIED: "There is a token on {space}; a move must end on a free space.",
    R.NEIGHBOURS_START: "Space {space} is a start of the player to your left or right; your tokens can't stop there.",
}


class MovementPhase(Phase):
    """A phase of this game."""

    refusal_texts = ROLLED_TEXTS
    #: Words that may be typed before a space or a card.
    verbs: tuple[str, ...] = ()
    #: Whether a square that is typed means a space, not the token on it.
    asks_for_space = False

    def is_main_button(self, table: Layout[R.State], action: int) -> bool:
        """Return whether a button stands out: to roll, or the only choice."""
        return action == R.ROLL or super().is_main_button(table, action)

    def why_not(self, setup: GameSetup, s: R.State, block: str, number: int) -> Text:
        """Say why nothing can be done with a thing at all, or why this phase doesn't allow the choice."""
        never = None
        if block == "kind" and number not in in_order(s.hand[s.player]):
            never = Text("You have no {card} card.", card=Text(WAY_TEXTS[number]))
        elif block == "to":
            never = _why_never_there(setup, number)
        elif block == "token":
            never = _why_it_stays(setup, s, int(s.token[s.player, number]))
        never = never or self.why_not_here(setup, s, block, number)
        return never or super().why_not(setup, s, block, number)

    def why_not_here(self, setup: GameSetup, s: R.State, block: str, number: int) -> Text | None:
        """Say why not, where it depends on the state; return nothing where the texts say it."""
        return None


def _why_never_there(setup: GameSetup, square: int) -> Text | None:
    """Say why no token can ever be on a space."""
    name = square_name(square)
    if not _on_board(setup, square):
        return Text("Space {space} is not on this board.", space=name)
    return None if setup.params.open[square] else Text("Space {space} is closed.", space=name)


def _why_it_stays(setup: GameSetup, s: R.State, square: int) -> Text | None:
    """Say why the player's token on a space can't move, whatever the card."""
    if square == OFF:
        return Text("That token is not on the board yet.")
    is_home = on_goal(setup.params, s, s.player, square)
    return Text("The token on {space} is home and can't move any more.", space=square_name(square)) if is_home else None


class StartPhase(MovementPhase):
    """A phase in which a token comes to a start."""

    asks_for_space = True
    #: Why a space is none of the starts that can be chosen.
    no_start_text: str

    def why_not_here(self, setup: GameSetup, s: R.State, block: str, number: int) -> Text | None:
        """Say why a space is no free start."""
        if block != "to":
            return None
        name = square_name(number)
        is_taken = is_in(s.taken, number)
        return Text("There is already a token on {space}." if is_taken else self.no_start_text, space=name)


class Start(StartPhase):
    """Each seat chooses where the first token of the seat opposite starts (R5)."""

    name = "start"
    waiting_text = "{other} is choosing where {who}'s first token starts."
    forced_text = "Only one start is free: {choice:inside}"
    refusal_text = "First choose a start for the player opposite you."
    refusal_texts = {}
    no_start_text = "Space {space} is not a start of the player opposite you."
    verbs = ("start",)

    def waiting(self, table: Layout[R.State]) -> Text:
        """Return whose token is placed."""
        forms = "{other} is choosing where your first token starts.", self.waiting_text
        voice: Voice = table.voice
        return voice.text(*forms, who=opposite(table.s, table.s.player), other=mention(table.s.player))

    def question(self, table: Layout[R.State]) -> Text:
        """Ask for the start, and say what makes one good."""
        return Text(
            "Choose where {whose}'s first token starts. The harder its way across, the better for you.",
            whose=mention(opposite(table.s, table.s.player)),
        )

    def tell(self, setup: GameSetup, before: R.State, action: int, after: R.State, voice: Voice) -> list[Text]:
        """Say whose token is put where."""
        return [voice.text(
            "You put {whom}'s first token on {space}.", "{who} puts your first token on {space}.",
            "{who} puts {whom}'s first token on {space}.",
            who=before.player, whom=opposite(before, before.player), space=square_name(action - R.TO),
        )]  # fmt: skip


class Turn(MovementPhase):
    """The player rolls, or discards the hand before the die is seen (R14)."""

    name = "turn"
    waiting_text = "{who} is deciding whether to roll or discard their hand."
    refusal_text = "First roll the die or discard your whole hand."
    refusal_texts = {"place": "You can place a new token only after rolling a 3."}
    button_texts = {"roll": "Roll", "discard_hand": "Discard hand, end turn"}

    def question(self, table: Any) -> Text:
        """Ask for the roll, and say whether it can be of use."""
        question: Text = table.if_stuck(Text("Roll, or discard your whole hand."))
        return question

    def tell(self, setup: GameSetup, before: R.State, action: int, after: R.State, voice: Voice) -> list[Text]:
        """Say what is rolled, or which hand is discarded."""
        player = before.player
        if action == R.ROLL:
            return [voice.text("You roll {face}.", "{who} rolls {face}.", who=player, face=face_text(int(after.face)))]
        hand = [Text(CARD_TEXTS[kind]) for kind in in_order(before.hand[player])]
        forms = "You discard your whole hand: {items}.", "{who} discards their whole hand: {items}."
        return [aside(voice.text(*forms, who=player, items=hand))]


class Three(MovementPhase):
    """With a 3, the player places a new token or moves (R12)."""

    name = "three"
    waiting_text = "{who} is deciding whether to place a token or move."
    refusal_text = "First decide whether to place a token or move."
    button_texts = {"place": "Place a token", "move": "Move"}

    def question(self, table: Any) -> Text:
        """Ask what the 3 is used for, and say whether a card can use it."""
        question: Text = table.if_stuck(Text("You rolled a 3: place a new token (uses all 3 moves) or move."))
        return question


class Place(StartPhase):
    """A new token comes to one of the player's own starts (R12, R13)."""

    name = "place"
    waiting_text = "{who} is placing a token."
    question_text = "Choose a start for your new token."
    forced_text = "Only one start is free: {choice:inside}"
    refusal_text = "First choose a start for your new token."
    no_start_text = "Space {space} is not one of your starts."
    verbs = ("start", "place")

    def tell(self, setup: GameSetup, before: R.State, action: int, after: R.State, voice: Voice) -> list[Text]:
        """Say where the new token is."""
        forms = "You place a new token on {space}.", "{who} places a new token on {space}."
        return [voice.text(*forms, who=before.player, space=square_name(action - R.TO))]


class Card(MovementPhase):
    """The player picks a card to move with, or stops (R10, R11, R33)."""

    name = "card"
    waiting_text = "{who} is moving."
    forced_text = "None of your cards can move a token."
    refusal_text = "First choose a card."
    refusal_texts = {
        **ROLLED_TEXTS,
        "no_move": "You have already played a card this turn: finish with “done”.",
        "done": "You haven't played a card this turn: choose “no move”, then discard a card.",
        "move": "Choose a card to move with.",
    }
    button_texts = {"no_move": "Don't move", "done": "End your turn"}

    def question(self, table: Layout[R.State]) -> Text:
        """Say how many moves there are, and what happens if they are not used."""
        playable = any(action < R.PICK for action in table.choices)
        if hand_is_full(table.s):
            forms = (
                "You have {n} move: play a card, or don't move and discard one.",
                "You have {n} moves: play a card, or don't move and discard one.",
            )
            if not playable:
                forms = (
                    "You have {n} move, but none of your cards can move a token: you'll have to discard one.",
                    "You have {n} moves, but none of your cards can move a token: you'll have to discard one.",
                )
        elif playable:
            forms = (
                "You have {n} move left: play another card, or end your turn and lose it.",
                "You have {n} moves left: play another card, or end your turn and lose them.",
            )
        else:
            forms = (
                "You have {n} move left, but none of your cards can use it.",
                "You have {n} moves left, but none of your cards can use them.",
            )
        return Text(*forms, n=table.s.moves)

    def why_not_here(self, setup: GameSetup, s: R.State, block: str, number: int) -> Text | None:
        """Say why a card moves no token, or why no token can be placed."""
        if block == "kind":
            return Text(
                "With {n} move, none of your tokens can move {way}.",
                "With {n} moves, none of your tokens can move {way}.", n=s.moves, way=Text(WAY_TEXTS[number]),
            )  # fmt: skip
        if block != "place":
            return None
        if R.face_value(int(s.face)) != 3:
            return Text("You need a 3 to place a new token.")
        return Text(PLACE_TEXTS[int(place_obstacle(setup.params, s))])

    def tell(self, setup: GameSetup, before: R.State, action: int, after: R.State, voice: Voice) -> list[Text]:
        """Say that the player doesn't move, or stops; the sentence about the move names the card."""
        if action == R.NO_MOVE:
            return [voice.text("You don't move.", "{who} doesn't move.", who=before.player)]
        if action == R.DONE:
            forms = "You leave {moves} unused.", "{who} leaves {moves} unused."
            return [voice.text(*forms, who=before.player, moves=Text("{n} move", "{n} moves", n=before.moves))]
        return []


class Token(MovementPhase):
    """The player picks the token that the card moves."""

    name = "token"
    waiting_text = "{who} is moving."
    forced_text = "Only one token can move that way."
    refusal_text = "First choose a token to move."

    def question(self, table: Layout[R.State]) -> Text:
        """Ask for the token."""
        return Text("Which token moves {way}?", way=Text(WAY_TEXTS[table.s.card]))

    def why_not_here(self, setup: GameSetup, s: R.State, block: str, number: int) -> Text | None:
        """Say that the card can't move a token."""
        if block != "token":
            return None
        return Text(
            "With {n} move, the token on {space} can't move {way}.",
            "With {n} moves, the token on {space} can't move {way}.",
            n=s.moves, space=square_name(int(s.token[s.player, number])), way=Text(WAY_TEXTS[s.card]),
        )  # fmt: skip


class Space(MovementPhase):
    """The player picks the space where the token lands (R9, R16 to R21)."""

    name = "space"
    waiting_text = "{who} is moving."
    forced_text = "Only one space is in reach: {choice:inside}"
    refusal_text = "First choose a space for the token."
    asks_for_space = True

    def question(self, table: Any) -> Text:
        """Ask for the space, and say what follows from some."""
        question: Text = table.if_stranded(table.if_home(Text("How far does it move?")))
        return question

    def why_not_here(self, setup: GameSetup, s: R.State, block: str, number: int) -> Text | None:
        """Say why the token can't land on a space."""
        if block != "to":
            return None
        name, obstacle = square_name(number), int(land_obstacle(s, s.player, number))
        if obstacle in LAND_TEXTS:
            return Text(LAND_TEXTS[obstacle], space=name)
        return Text(
            "Your token can't reach {space}: it moves {way} in a straight line, up to {n} space.",
            "Your token can't reach {space}: it moves {way} in a straight line, up to {n} spaces.",
            n=s.moves, space=name, way=Text(WAY_TEXTS[s.card]),
        )  # fmt: skip

    def tell(self, setup: GameSetup, before: R.State, action: int, after: R.State, voice: Voice) -> list[Text]:
        """Say the move with its direction, the tokens it hops over, and whether it ends on a goal."""
        player, square = int(before.player), action - R.TO
        origin, cost = int(before.token[player, before.picked]), int(steps_to(before, square))
        stride = (square - origin) // cost
        hopped = sum(bool(is_in(before.taken, origin + step * stride)) for step in range(1, cost))
        is_home = on_goal(setup.params, after, player, square)
        if is_home and hopped:
            forms = (
                "You move {way} from {origin} to {space} over {hopped}: {done} of {needed} home.",
                "{who} moves {way} from {origin} to {space} over {hopped}: {done} of {needed} home.",
            )
        elif is_home:
            forms = (
                "You move {way} from {origin} to {space}: {done} of {needed} home.",
                "{who} moves {way} from {origin} to {space}: {done} of {needed} home.",
            )
        elif hopped:
            forms = (
                "You move {way} from {origin} to {space} over {hopped}.",
                "{who} moves {way} from {origin} to {space} over {hopped}.",
            )
        else:
            forms = "You move {way} from {origin} to {space}.", "{who} moves {way} from {origin} to {space}."
        line = voice.text(
            *forms, who=player, way=Text(WAY_TEXTS[before.card]), origin=square_name(origin), space=square_name(square),
            hopped=Text("a token", "{n} tokens", n=hopped),
            done=tokens_home(setup, after, player), needed=setup.params.home,
        )  # fmt: skip
        return [result(line) if is_home else line]


class Discard(MovementPhase):
    """The player discards one card (R11, R12)."""

    name = "discard"
    waiting_text = "{who} is discarding a card."
    question_text = "Discard one card."
    forced_text = "You have only one kind of card: {choice:inside}"
    refusal_text = "First choose one card to discard."
    verbs = ("discard",)

    def tell(self, setup: GameSetup, before: R.State, action: int, after: R.State, voice: Voice) -> list[Text]:
        """Say which card is discarded."""
        forms = "You discard {items}.", "{who} discards {items}."
        return [aside(voice.text(*forms, who=before.player, items=[Text(CARD_TEXTS[action - R.KIND])]))]


PHASES = (Start(), Turn(), Three(), Place(), Card(), Token(), Space(), Discard())


def words(setup: GameSetup, s: R.State, action: int) -> str:
    """Return the words of a choice: `roll`, `discard hand`, `place`, `FL`, `token d5`, `to c4`, `no move`, `done`."""
    block, number = R.ACTIONS.name_of(action)
    if block == "kind":
        return KINDS[number]
    if block == "token":
        square = s.token[s.player, number]
        return f"token {square_name(square)}" if square != OFF else ""
    if block == "to":
        return f"to {square_name(number)}" if _on_board(setup, number) else ""
    return block.replace("_", " ")


def aliases(setup: GameSetup, s: R.State, action: int) -> tuple[str, ...]:
    """Return other words for a choice: `forward-left` or `card FL` for a card, just `d5` for a token or space.

    The row and column of a position (`4,3`) name a space too.
    """
    block, number = R.ACTIONS.name_of(action)
    phase = PHASES[s.phase]
    if block == "kind":
        return (KIND_NAMES[number], *(f"{word} {KINDS[number]}" for word in ("card", *phase.verbs)))
    if block == "token":
        square = s.token[s.player, number]
        if square == OFF:
            return ()
        at = space_name(square)
        return (f"token {at}",) if phase.asks_for_space else (f"token {at}", square_name(square), at)
    if block == "to" and _on_board(setup, number):
        names = square_name(number), space_name(number)
        return (*names, *(f"{word} {name}" for word in ("to", "space", *phase.verbs) for name in names))
    return ()


def _on_board(setup: GameSetup, square: int) -> bool:
    return bool(row_of(square) < setup.params.rows and column_of(square) < setup.params.columns)
