"""Hand-made scenes that belong to no game."""

from sparring.scene import (
    Area,
    Banner,
    Board,
    Button,
    Card,
    Cell,
    Colour,
    Face,
    Fact,
    Facts,
    Group,
    Picture,
    Pile,
    PrintableScene,
    Prompt,
    Row,
    Seat,
    Slot,
    Stroke,
    Token,
    Track,
    replace,
)

RED = Colour("red", "Red", "R", "diagonal")
FIST = Picture("fist", '<path class="p" d="M0 0h9v9z"/>')
JAB = Face("Jab", RED, "1", FIST, lines=("quick",), circles=(RED, None), feet=(("attack", "3"), ("health", "4")))
BACK = Picture("ring", '<rect width="63" height="88"/>')

HAND = Row(
    "hand",
    "Your hand",
    (
        Card("card 1", JAB, action=1, words="Jab", origin="draw pile"),
        Card("card 2", replace(JAB, name="Chop"), why_not="Chop hurts <b>Seat 2</b>."),
        Card("card 3", replace(JAB, name="Poke"), action=2, words="Poke", count=2, marks=("tired",)),
    ),
    "hand",
)


def squares(turns: int = 0) -> Board:
    """Return 3 x 2 squares with a wall, a token that can be chosen and two spaces to move to."""
    cells = (
        Cell((0, 0), label="a1, empty", action=5, words="to a1", name="a1"),
        Cell((1, 0), "wall", label="b1, wall", name="b1"),
        Cell((2, 0), label="c1, Seat 2", name="c1"),
        Cell((0, 1), "start", label="a2", seat=1, name="a2"),
        Cell((1, 1), label="b2", action=6, words="to b2", name="b2"),
        Cell((2, 1), "edge", label="c2", why_not="Too far for now.", name="c2"),
    )
    tokens = (Token("piece 1", (0, 1), 1, action=7, words="piece a2"), Token("piece 2", (2, 0), 2, "K"))
    return Board("board", "The board", cells, tokens, (Stroke("way", ((0, 1), (1, 1)), text="1"),), turns=turns)


def hexes() -> Board:
    """Return a hex and its six neighbours."""
    ring = ((0, 0), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
    cells = tuple(
        Cell(at, label=f"hex {at[0]},{at[1]}", action=20 + i, words=f"to {at[0]},{at[1]}") for i, at in enumerate(ring)
    )
    return Board("grid", "The grid", cells, hexes=True)


def table(*middle: Area, prompt: Prompt | None = None) -> PrintableScene:
    """Return a two-player table on seat 1's turn, with the choices 1 to 4, 8 and 9."""
    return PrintableScene(
        game="toy",
        title="A Toy",
        status="Turn 3",
        seats=(
            Seat(1, you=True, turn=True, tags=("Attacker",), tracks=(Track("health 1", "Health", 13, 20, "bar"),)),
            Seat(
                2,
                action=8,
                words="target 2",
                tracks=(Track("points 2", "Points", 2, 3),),
                parts=(Row("hand of 2", cards=(Card("seat 2 hand 0"), Card("seat 2 hand 1")), layout="small"),),
            ),
        ),
        left=(
            Group((Pile("draw pile", "Draw pile", 40), Pile("discard pile", "Discards", 1, (Card("card 9", JAB),)))),
        ),
        middle=(
            Row("lane", "Lane", (Slot("lane 1", "1", action=9, words="lane 1"),), total="2 + 3 = 5"),
            Facts((Fact("range", "Range", "2 to Seat 2"),)),
            *middle,
        ),
        hand=(HAND,),
        prompt=prompt or Prompt("Seat 2 waits: what now?", (Button(text="Done", action=3, words="done", main=True),)),
        banner=Banner("move", "Big Jab", "5 against 4", 1),
        backs=(BACK,),
    )
