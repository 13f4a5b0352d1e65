"""The shapes (100 x 100) and inks of card pictures.

Stored drawings refer to both by number, so add new ones at the end and never remove any.
"""

from typing import NamedTuple


class ShapeInk(NamedTuple):
    """A colour: its name, and its value in `cards.css`."""

    word: str
    hex: str


INKS = (
    ShapeInk("ink", "#1d1a16"), ShapeInk("paper", "#fbf6ea"), ShapeInk("red", "#c3272b"), ShapeInk("green", "#1e7a43"),
    ShapeInk("blue", "#2160b0"), ShapeInk("yellow", "#f2b90f"), ShapeInk("brown", "#6b4a35"), ShapeInk("skin",
    "#f6d9b8"),
    ShapeInk("grey", "#8d8473"), ShapeInk("violet", "#7d3fa0"), ShapeInk("teal", "#00727a"), ShapeInk("orange",
    "#a85b00"),
)  # fmt: skip
INK, PAPER, RED, GREEN, BLUE, YELLOW, BROWN, SKIN, GREY, VIOLET, TEAL, ORANGE = range(len(INKS))


class Outline(NamedTuple):
    """A shape: its name and path; drawn as lines only or filled."""

    word: str
    path: str
    line: bool = False


SHAPES = (
    Outline("circle", "M50 3a47 47 0 1 1 0 94a47 47 0 1 1 0-94z"),
    Outline("egg", "M50 4q34 8 34 52-2 40-34 40T16 56Q16 12 50 4z"),
    Outline("dome", "M4 74q0-48 46-48t46 48z"),
    Outline("square", "M8 8h84v84H8z"),
    Outline("plank", "M2 40h96v20H2z"),
    Outline("triangle", "M50 8 95 90H5z"),
    Outline("diamond", "M50 3 90 50 50 97 10 50z"),
    Outline("gem", "M30 18h40l18 26-38 46L12 44z"),
    Outline("drop", "M50 8q30 38 30 54a30 30 0 0 1-60 0q0-16 30-54z"),
    Outline("leaf", "M16 84Q8 24 86 14q6 72-54 70z"),
    Outline("shield", "M18 14h64v36q-2 30-32 42-30-12-32-42z"),
    Outline("star", "M50 4l14 31 33 4-25 23 7 34-29-18-29 18 7-34L3 39l33-4z"),
    Outline("heart", "M50 92Q4 58 8 32q6-24 26-20 12 4 16 16 4-12 16-16 20-4 26 20 4 26-42 60z"),
    Outline("flame", "M50 4q26 24 22 44 8-4 8-14 16 24 2 46-12 16-32 16T18 80Q6 56 26 38q2 10 8 12-2-26 16-46z"),
    Outline("lightning", "M54 4 18 56h24L34 96l46-58H54l12-34z"),
    Outline("moon", "M66 6A45 45 0 1 0 94 66 36 36 0 1 1 66 6z"),
    Outline("burst", "M50 6 62 34 90 18 74 46 98 62 66 66 62 94 46 70 18 86 30 58 2 50 30 38 18 14 46 30z"),
    Outline("cloud", "M20 78Q2 74 6 58q4-14 18-12 2-24 26-22 18 0 24 18 20-2 22 16 0 18-20 20z"),
    Outline("wave", "M2 60q12-24 24 0t24 0 24 0 24 0v34H2z"),
    Outline("arrow", "M46 22 84 50 46 78V62H18V38h28z"),
    Outline("speech", "M12 16h76q6 0 6 6v40q0 6-6 6H50L34 90V68H12q-6 0-6-6V22q0-6 6-6z"),
    Outline("blade", "M50 2l9 12v56H41V14zM26 70h48v8H56v18H44V78H26z"),
    Outline("hammer", "M16 10h68v30H58v56H42V40H16z"),
    Outline("crown", "M10 84V26l22 24 18-36 18 36 22-24v58z"),
    Outline("pointed hat", "M50 4l18 62q26 4 28 14-46 14-92 0 2-10 28-14z"),
    Outline("helmet", "M18 92V48q0-40 32-40t32 40v44H62V58H38v34z"),
    Outline("horn", "M22 90Q16 40 66 10q-8 34 12 62z"),
    Outline("ear", "M26 92Q12 30 42 6q32 24 32 86z"),
    Outline("wing", "M6 20q52-10 88 30-18-2-26 2 8 8 8 18-16-8-26-4 4 8 2 18Q16 76 6 20z"),
    Outline("beard", "M10 16q40 22 80 0 4 48-40 80Q6 64 10 16z"),
    Outline("hair", "M10 92Q4 20 50 10q46 10 40 82Q86 52 70 42 46 56 30 40 14 54 10 92z"),
    Outline("coat", "M34 8h32l30 88H4z"),
    Outline("fist", "M16 46q0-11 11-12 2-12 14-11 4-10 16-6 10-6 18 5 15 1 14 18l2 20q0 32-32 33H28q-12 0-12-16z"),
    Outline("boot", "M30 6h32v46l28 20q8 8 4 20H30z"),
    Outline("tree", "M44 66h12v30H44zM50 4q34 4 32 36-8 28-32 28T18 40Q16 8 50 4z"),
    Outline("tower", "M20 96V6h14v14h10V6h12v14h10V6h14v90H62V70H38v26z"),
    Outline("fish", "M4 50q26-38 62-10l28-20v60L66 60Q30 88 4 50z"),
    Outline("skull", "M50 6q42 0 42 40 0 20-16 26v20H24V72Q8 66 8 46 8 6 50 6z"),
    Outline("smile", "M16 36q34 44 68 0", line=True),
    Outline("straight line", "M6 50h88", line=True),
    Outline("bow", "M24 8q60 42 0 84", line=True),
    Outline("arm", "M8 18q10 54 84 62", line=True),
    Outline("tail", "M8 60q18-40 36 0t40-18q10-28-12-26", line=True),
    Outline("ring", "M50 8a42 42 0 1 1 0 84a42 42 0 1 1 0-84z", line=True),
    Outline("crossed blades", "M20 86 78 16M62 16h18v16M80 86 22 16M38 16H20v16M14 76l14 14M72 90l14-14", line=True),
    Outline("ropes", "M4 26q46 6 92 0M4 50q46 6 92 0M4 74q46 6 92 0", line=True),
)
NUMBER = {shape.word: number for number, shape in enumerate(SHAPES)}


def path(word: str) -> str:
    """Return the SVG path of a shape."""
    return SHAPES[NUMBER[word]].path
