"""What is shown of moves: players' descriptions of them, by exchange and seat, and their trails on boards."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, NamedTuple

import msgspec

from sparring.engine.errors import BadRecord
from sparring.engine.match import Match
from sparring.engine.messages import reading_in
from sparring.engine.views import Beat, Transition, View

from .markup import plain
from .model import Area, Board, Group, NamedMove, Place, Scene, Stroke, Token, replace
from .sentences import Text, is_result, mention


#: The longest name of a move and the longest description, in characters; the most descriptions in a record.
LONGEST_NAME, LONGEST, MOST = 400, 200, 2000


class MoveDescriptions(msgspec.Struct, frozen=True):
    """A description: the exchange (from 1), the seat, the game's name for the move, and the player's words."""

    exchange: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
    seat: Annotated[int, msgspec.Meta(ge=1, le=12)]
    move: Annotated[str, msgspec.Meta(max_length=LONGEST_NAME)]
    words: Annotated[str, msgspec.Meta(max_length=LONGEST)]

    @property
    def clean(self) -> "MoveDescriptions":
        """Return the description as plain one-line texts: a record may come from anywhere."""
        return msgspec.structs.replace(self, move=plain(self.move), words=plain(self.words))

    @property
    def sentence(self) -> Text:
        """Return the description as a sentence of the log."""
        return Text("{who}, {move}: “{words}”", who=mention(self.seat - 1), move=self.move, words=self.words)


#: All descriptions of a match.
AllDescribed = Annotated[tuple[MoveDescriptions, ...], msgspec.Meta(max_length=MOST)]


class _Recorded(msgspec.Struct):
    moves: AllDescribed = ()


class _Record(msgspec.Struct):
    table: _Recorded = msgspec.field(default_factory=_Recorded)


def recorded_descriptions(record: str) -> list[MoveDescriptions]:
    """Return the descriptions in a record, as plain texts; raise BadRecord if they are malformed."""
    try:
        return [each.clean for each in msgspec.json.decode(record, type=_Record).table.moves]
    except (msgspec.MsgspecError, RecursionError):
        raise BadRecord("The table part of this record is malformed.") from None


class ExchangeCounter:
    """Count the public exchanges of a match, and name the moves in them."""

    def __init__(self, match: Match) -> None:
        self.match = match
        #: The number of exchanges so far, and the moves of the last one.
        self.number = 0
        self.named_moves: Sequence[NamedMove] = ()
        #: The names of moves by exchange and seat.
        self.names: dict[tuple[int, int], str] = {}
        self._processed = 0
        #: The moves that spectators see, with the match and its number of choices then.
        self._seen: tuple[Match, int, Sequence[NamedMove]] | None = None

    def follow(self, transitions: Sequence[Transition]) -> None:
        """Count the exchanges among transitions that are new."""
        for transition in transitions[self._processed :]:
            self.add(transition)
        self._processed = len(transitions)

    def add(self, transition: Transition) -> None:
        """Count the exchanges in the next transition."""
        for beat in self.match.beats(0, transition) if transition.marks else ():
            if has_result(beat) and (moves := _stored_moves(beat.view)):
                self.number, self.named_moves = self.number + 1, moves
                self._name(self.number, self.named_moves)

    def undo(self, count: int) -> None:
        """Forget undone choices. They contain no exchange: after a beat, earlier choices can't be undone."""
        self._processed, self._seen = min(self._processed, count), None

    def to_describe(self) -> tuple[int, Sequence[NamedMove]]:
        """Return the number of the current exchange and its moves: those on the table replace those of the last one."""
        length = len(self.match.history)
        if self._seen is None or self._seen[0] is not self.match or self._seen[1] != length:
            self._seen = self.match, length, _stored_moves(self.match.view(0))
        moves = self._seen[2]
        if not moves:
            return self.number, self.named_moves
        self._name(self.number + 1, moves)
        return self.number + 1, moves

    def _name(self, exchange: int, moves: Sequence[NamedMove]) -> None:
        self.names.update({(exchange, move.seat): move.name for move in moves})


def _stored_moves(view: View) -> Sequence[NamedMove]:
    """Return the moves that a view shows, with the names that are stored beside their descriptions."""
    with reading_in(None):
        return view.named_moves


def has_result(beat: Beat) -> bool:
    """Return whether a beat has a result."""
    return bool(beat.view.beat) and any(map(is_result, beat.lines))


class Trail(NamedTuple):
    """The way of a token, named by its key, on a board; a token that was just placed has no start."""

    board: str
    start: Place | None
    end: Place


#: The places of tokens, by the key of the board and the key of the token.
TokenPlaces = Mapping[tuple[str, str], Place]


def token_places(scene: Scene) -> TokenPlaces:
    """Return where the tokens of a scene are."""
    return {
        (board.key, token.key): token.at
        for board in _boards((*scene.left, *scene.middle, *scene.right))
        for token in board.tokens if isinstance(token, Token)
    }  # fmt: skip


def _boards(areas: Iterable[Area]) -> Iterator[Board]:
    for area in areas:
        if isinstance(area, Board):
            yield area
        elif isinstance(area, Group):
            yield from _boards(area.parts)


def trails_between(before: TokenPlaces, after: TokenPlaces) -> tuple[Trail, ...]:
    """Return the ways of the tokens that moved or were placed between two scenes.

    >>> trails_between({("board", "a"): (0, 0)}, {("board", "a"): (0, 2)})
    (Trail(board='board', start=(0, 0), end=(0, 2)),)
    """
    return tuple(Trail(key[0], before.get(key), at) for key, at in after.items() if before.get(key) != at)


def with_trails(scene: Any, trails: tuple[Trail, ...]) -> Any:
    """Return a scene whose boards mark the trails."""
    if not trails:
        return scene
    sides = ("left", "middle", "right")
    return replace(scene, **{side: tuple(_marked(area, trails) for area in getattr(scene, side)) for side in sides})


def _marked(area: Area, trails: tuple[Trail, ...]) -> Area:
    if isinstance(area, Group):
        return replace(area, parts=tuple(_marked(part, trails) for part in area.parts))
    if not isinstance(area, Board):
        return area
    marks = {trail.start: "from" for trail in trails if trail.board == area.key and trail.start is not None}
    marks |= {trail.end: "to" for trail in trails if trail.board == area.key}
    cells = tuple(replace(cell, last=marks[cell.at]) if cell.at in marks else cell for cell in area.cells)
    ways = [Stroke(f"way {n}", (trail.start, trail.end), arrow=False) for n, trail in enumerate(trails)
            if trail.board == area.key and trail.start is not None]  # fmt: skip
    return replace(area, cells=cells, strokes=(*ways, *area.strokes))
