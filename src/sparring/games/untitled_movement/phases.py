"""Untitled Movement Game: what the page asks, says and refuses in each phase, and the words of choices."""

from collections.abc import Mapping
from typing import Any

from sparring.engine.cards import in_order
from sparring.engine.game import Box
from sparring.engine.squares import OFF, column_of, is_in, row_of, square_name
from sparring.scene import Phase
from sparring.scene.sentences import AsideLine, ResultLine, Voice, counted

from . import state as R
from .board import face_words, owner, tokens_home
from .kit import KIND_NAMES, KINDS
from .moves import hand_is_full, land_obstacle, on_goal
from .position import space_name
from .rules import opposite, place_obstacle, steps_to

#: Why the first choices of a turn come too late.
ROLLED = {"roll": "You have already rolled.", "discard_hand": "You can discard your whole hand only before you roll."}

#: Why no token can be placed, or land on a space, by what is in the way.
OBSTACLES = {
    R.ALL_ON_BOARD: "All your tokens are on the board.",
    R.NO_FREE_START: "None of your starts is free.",
    R.OCCUPIED: "There is a token on {name}; a move must end on a free space.",
    R.NEIGHBOURS_START: "Space {name} is a start of the player to your left or right; your tokens can't stop there.",
}


class MovementPhase(Phase):
    """A phase of this game."""

    #: Why the choices of a block aren't possible; `refusal_text` for all others.
    refusal_texts: Mapping[str, str] = ROLLED
    #: Words that may be typed before a space or a card.
    verbs: tuple[str, ...] = ()
    #: Whether a square that is typed means a space, not the token on it.
    asks_for_space = False

    def is_main_button(self, table: Any, action: int) -> bool:
        """Return whether a button stands out: to roll, or the only choice."""
        return action == R.ROLL or super().is_main_button(table, action)

    def why_not(self, box: Box, s: R.State, block: str, number: int) -> str:
        """Say why nothing can be done with a thing at all, or why this phase doesn't allow the choice."""
        never = ""
        if block == "kind" and number not in in_order(s.hand[s.player]):
            never = f"You have no {KIND_NAMES[number]} card."
        elif block == "to":
            never = _why_never_there(box, number)
        elif block == "token":
            never = _why_it_stays(box, s, int(s.token[s.player, number]))
        return never or self.why_not_here(box, s, block, number) or self.refusal_texts.get(block, self.refusal_text)

    def why_not_here(self, box: Box, s: R.State, block: str, number: int) -> str:
        """Say why not, where it depends on the state; return nothing where the texts say it."""
        return ""


def _why_never_there(box: Box, square: int) -> str:
    """Say why no token can ever be on a space."""
    name = square_name(square)
    if not _on_board(box, square):
        return f"Space {name} is not on this board."
    return "" if box.kit.open[square] else f"Space {name} is closed."


def _why_it_stays(box: Box, s: R.State, square: int) -> str:
    """Say why the player's token on a space can't move, whatever the card."""
    if square == OFF:
        return "That token is not on the board yet."
    is_home = on_goal(box.kit, s, s.player, square)
    return f"The token on {square_name(square)} is home and can't move any more." if is_home else ""


class StartPhase(MovementPhase):
    """A phase in which a token comes to a start."""

    asks_for_space = True
    #: Whose starts can be chosen.
    starts: str

    def why_not_here(self, box: Box, s: R.State, block: str, number: int) -> str:
        """Say why a space is no free start."""
        if block != "to":
            return ""
        name = square_name(number)
        is_taken = is_in(s.taken, number)
        return f"There is already a token on {name}." if is_taken else f"Space {name} is not {self.starts}."


class Start(StartPhase):
    """Each seat chooses where the first token of the seat opposite starts (R5)."""

    name = "start"
    forced_text = "Only one start is free: {choice:inside}"
    refusal_text = "First choose a start for the player opposite you."
    refusal_texts: Mapping[str, str] = {}
    starts = "a start of the player opposite you"
    verbs = ("start",)

    def waiting(self, table: Any) -> str:
        """Return whose token is placed."""
        theirs = owner(table.voice, int(opposite(table.s, table.s.player)))
        return f"{table.voice.name(int(table.s.player))} is choosing where {theirs} first token starts."

    def question(self, table: Any) -> str:
        """Ask for the start, and say what makes one good."""
        theirs = owner(table.voice, int(opposite(table.s, table.s.player)))
        return f"Choose where {theirs} first token starts. The harder its way across, the better for you."

    def tell(self, box: Box, before: R.State, action: int, after: R.State, voice: Voice) -> list[str]:
        """Say whose token is put where."""
        player = int(before.player)
        whose = owner(voice, int(opposite(before, player)))
        return [f"{voice.does(player, 'put', 'puts')} {whose} first token on {square_name(action - R.TO)}."]


class Turn(MovementPhase):
    """The player rolls, or discards the hand before the die is seen (R14)."""

    name = "turn"
    waiting_text = "{who} is deciding whether to roll or discard their hand."
    refusal_text = "First roll the die or discard your whole hand."
    refusal_texts = {"place": "You can place a new token only after rolling a 3."}
    button_texts = {"roll": "Roll", "discard_hand": "Discard hand, end turn"}

    def question(self, table: Any) -> str:
        """Ask for the roll, and say whether it can be of use."""
        return f"Roll, or discard your whole hand.{table.if_stuck()}"

    def tell(self, box: Box, before: R.State, action: int, after: R.State, voice: Voice) -> list[str]:
        """Say what is rolled, or which hand is discarded."""
        player = int(before.player)
        if action == R.ROLL:
            return [f"{voice.does(player, 'roll', 'rolls')} {face_words(int(after.face))}."]
        hand = [KIND_NAMES[kind].capitalize() for kind in in_order(before.hand[player])]
        whose = voice.verb(player, "your", "their")
        return [AsideLine(f"{voice.does(player, 'discard', 'discards')} {whose} whole hand:", *hand)]


class Three(MovementPhase):
    """With a 3, the player places a new token or moves (R12)."""

    name = "three"
    waiting_text = "{who} is deciding whether to place a token or move."
    refusal_text = "First decide whether to place a token or move."
    button_texts = {"place": "Place a token", "move": "Move"}

    def question(self, table: Any) -> str:
        """Ask what the 3 is used for, and say whether a card can use it."""
        return f"You rolled a 3: place a new token (uses all 3 moves) or move.{table.if_stuck()}"


class Place(StartPhase):
    """A new token comes to one of the player's own starts (R12, R13)."""

    name = "place"
    waiting_text = "{who} is placing a token."
    question_text = "Choose a start for your new token."
    forced_text = "Only one start is free: {choice:inside}"
    refusal_text = "First choose a start for your new token."
    starts = "one of your starts"
    verbs = ("start", "place")

    def tell(self, box: Box, before: R.State, action: int, after: R.State, voice: Voice) -> list[str]:
        """Say where the new token is."""
        return [f"{voice.does(int(before.player), 'place', 'places')} a new token on {square_name(action - R.TO)}."]


class Card(MovementPhase):
    """The player picks a card to move with, or stops (R10, R11, R33)."""

    name = "card"
    waiting_text = "{who} is moving."
    forced_text = "None of your cards can move a token."
    refusal_text = "First choose a card."
    refusal_texts = {
        **ROLLED,
        "no_move": "You have already played a card this turn: finish with “done”.",
        "done": "You haven't played a card this turn: choose “no move”, then discard a card.",
        "move": "Choose a card to move with.",
    }
    button_texts = {"no_move": "Don't move", "done": "End your turn"}

    def question(self, table: Any) -> str:
        """Say how many moves there are, and what happens if they are not used."""
        s = table.s
        moves, these = counted(int(s.moves), "move"), "it" if s.moves == 1 else "them"
        playable = any(action < R.PICK for action in table.choices)
        if hand_is_full(s):
            if not playable:
                return f"You have {moves}, but none of your cards can move a token: you'll have to discard one."
            return f"You have {moves}: play a card, or don't move and discard one."
        if not playable:
            return f"You have {moves} left, but none of your cards can use {these}."
        return f"You have {moves} left: play another card, or end your turn and lose {these}."

    def why_not_here(self, box: Box, s: R.State, block: str, number: int) -> str:
        """Say why a card moves no token, or why no token can be placed."""
        if block == "kind":
            return f"With {counted(int(s.moves), 'move')}, none of your tokens can move {KIND_NAMES[number]}."
        if block != "place":
            return ""
        if R.face_value(int(s.face)) != 3:
            return "You need a 3 to place a new token."
        return OBSTACLES.get(int(place_obstacle(box.kit, s)), "You have already chosen to move with this 3.")

    def tell(self, box: Box, before: R.State, action: int, after: R.State, voice: Voice) -> list[str]:
        """Say that the player doesn't move, or stops; the sentence about the move names the card."""
        player = int(before.player)
        if action == R.NO_MOVE:
            return [voice.does(player, "don't move.", "doesn't move.")]
        if action == R.DONE:
            return [f"{voice.does(player, 'leave', 'leaves')} {counted(int(before.moves), 'move')} unused."]
        return []


class Token(MovementPhase):
    """The player picks the token that the card moves."""

    name = "token"
    waiting_text = "{who} is moving."
    forced_text = "Only one token can move that way."
    refusal_text = "First choose a token to move."

    def question(self, table: Any) -> str:
        """Ask for the token."""
        return f"Which token moves {KIND_NAMES[int(table.s.card)]}?"

    def why_not_here(self, box: Box, s: R.State, block: str, number: int) -> str:
        """Say that the card can't move a token."""
        if block != "token":
            return ""
        at = square_name(int(s.token[s.player, number]))
        return f"With {counted(int(s.moves), 'move')}, the token on {at} can't move {KIND_NAMES[int(s.card)]}."


class Space(MovementPhase):
    """The player picks the space where the token lands (R9, R16 to R21)."""

    name = "space"
    waiting_text = "{who} is moving."
    forced_text = "(the only space you could reach)"
    refusal_text = "First choose a space for the token."
    asks_for_space = True

    def question(self, table: Any) -> str:
        """Ask for the space, and say what follows from some."""
        return f"How far does it move?{table.if_home()}{table.if_stranded()}"

    def why_not_here(self, box: Box, s: R.State, block: str, number: int) -> str:
        """Say why the token can't land on a space."""
        if block != "to":
            return ""
        way = f"it moves {KIND_NAMES[int(s.card)]} in a straight line, up to {counted(int(s.moves), 'space')}"
        text = OBSTACLES.get(int(land_obstacle(s, s.player, number)), f"Your token can't reach {{name}}: {way}.")
        return text.format(name=square_name(number))

    def tell(self, box: Box, before: R.State, action: int, after: R.State, voice: Voice) -> list[str]:
        """Say the move with its direction, the tokens it hops over, and whether it ends on a goal."""
        player, square = int(before.player), action - R.TO
        origin, cost = int(before.token[player, before.picked]), int(steps_to(before, square))
        line = f"{voice.does(player, 'move', 'moves')} {KIND_NAMES[int(before.card)]}"
        line += f" from {square_name(origin)} to {square_name(square)}"
        stride = (square - origin) // cost
        hopped = sum(bool(is_in(before.taken, origin + step * stride)) for step in range(1, cost))
        if hopped:
            line += f" over {'a token' if hopped == 1 else f'{hopped} tokens'}"
        if on_goal(box.kit, after, player, square):
            return [ResultLine(f"{line}: {tokens_home(box, after, player)} of {int(box.kit.home)} home.")]
        return [f"{line}."]


class Discard(MovementPhase):
    """The player discards one card (R11, R12)."""

    name = "discard"
    waiting_text = "{who} is discarding a card."
    question_text = "Discard one card."
    forced_text = "You have only one kind of card: {choice:inside}"
    refusal_text = "First choose one card to discard."
    verbs = ("discard",)

    def tell(self, box: Box, before: R.State, action: int, after: R.State, voice: Voice) -> list[str]:
        """Say which card is discarded."""
        discards = voice.does(int(before.player), "discard", "discards")
        return [AsideLine(discards, KIND_NAMES[action - R.KIND].capitalize())]


PHASES = (Start(), Turn(), Three(), Place(), Card(), Token(), Space(), Discard())


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
    return block.replace("_", " ")


def aliases(box: Box, s: R.State, action: int) -> tuple[str, ...]:
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
    if block == "to" and _on_board(box, number):
        names = square_name(number), space_name(number)
        return (*names, *(f"{word} {name}" for word in ("to", "space", *phase.verbs) for name in names))
    return ()


def _on_board(box: Box, square: int) -> bool:
    return bool(row_of(square) < box.kit.rows and column_of(square) < box.kit.columns)
