"""Boards with their spaces, tokens, lines and labels."""

from .cards import Choosable, Picture, Thing

#: A board space: column and row for squares, axial q and r for hexes (q grows to the east, r to the south-east).
Place = tuple[int, int]


class Cell(Choosable, frozen=True):
    """A square or hex of a board."""

    at: Place
    #: The ground: words of the game's theme such as `floor`, `edge`, `wall`, `start`, `reach`.
    tone: str = "floor"
    text: str = ""
    #: The seat that starts here, from 1; 0 for none.
    seat: int = 0
    #: The seat whose goal it is, from 1; 0 for none.
    goal: int = 0
    #: Keys of cards that lead here; a theme can highlight the space while one of them has the focus.
    lit_by: tuple[str, ...] = ()
    #: Its name in typed choices: `c3`, `2,-1`.
    name: str = ""
    #: `from` or `to` if a token left it or arrived in the last move (`last_move.py`); games leave it empty.
    last: str = ""


class Token(Choosable, frozen=True):
    """A piece on a board."""

    key: str
    at: Place
    #: The owner's seat, from 1, which gives colour and pattern.
    seat: int
    text: str = ""
    #: A word of the game's theme: knocked down, frozen, at the goal.
    state: str = ""
    #: Drawn instead of the disc: 20 x 20 around 0,0, with the classes `rim` (outline) and `disc` (seat's colour).
    picture: Picture | None = None


class Stroke(Thing, frozen=True):
    """A line over the board: a move, a knockback, a distance."""

    key: str
    places: tuple[Place, ...]
    #: Whether it ends in an arrowhead.
    arrow: bool = True
    text: str = ""
    seat: int = 0


class Label(Thing, frozen=True):
    """Text along a line, such as the name of a side; upright if both ends are the same point.

    A point is a space or lies between spaces: (3.5, 0) is half a square to the right of the middle of (3, 0).
    """

    ends: tuple[tuple[float, float], tuple[float, float]]
    text: str
    seat: int = 0


class Board(Thing, frozen=True):
    """A board of squares or hexes with its tokens, lines and labels."""

    key: str
    title: str
    cells: tuple[Cell, ...]
    tokens: tuple[Token, ...] = ()
    strokes: tuple[Stroke, ...] = ()
    labels: tuple[Label, ...] = ()
    hexes: bool = False
    #: Clockwise rotation on the screen, in quarter turns (squares) or sixths (hexes).
    turns: int = 0
    #: Whether to draw the names of spaces: in each hex; for squares, which are then named as in `squares.square_name`,
    #: as letters and numbers along the edges, as turned.
    coordinates: bool = False
