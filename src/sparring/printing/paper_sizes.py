"""Print options, and sizes of paper and cards in mm."""

import re
from dataclasses import dataclass
from typing import NamedTuple

from sparring.engine.errors import CannotPrint


class PaperSize(NamedTuple):
    """Width and height, in mm."""

    width: float
    height: float

    @property
    def turned(self) -> "PaperSize":
        """The size turned by 90 degrees."""
        return PaperSize(self.height, self.width)


PAPERS = {"a4": PaperSize(210, 297), "letter": PaperSize(215.9, 279.4)}
#: The default is 63 x 88, the size of the drawings.
CARDS = {
    "usual": PaperSize(63, 88),
    "poker": PaperSize(63.5, 88.9),
    "bridge": PaperSize(57.15, 88.9),
    "tarot": PaperSize(70, 120),
}
SMALLEST, LARGEST = 20.0, 200.0

#: The margin that printers can't print on, and the distance of all text from a card's cut.
MARGIN, SAFE = 3.0, 3.0
MAX_BLEED = 10.0
#: The least and greatest width of a board space.
SPACE_WIDTHS = (8.0, 60.0)

DUPLEX = ("long-edge", "short-edge", "fold", "none")
INKS = ("colour", "black")


@dataclass(frozen=True, kw_only=True)
class PrintOptions:
    """How to print; lengths are in mm.

    :raises CannotPrint: A value is out of range.
    """

    paper: str = "a4"
    card: PaperSize = CARDS["usual"]
    duplex: str = "long-edge"
    bleed: float = 1.5
    ink: str = "colour"
    #: Width of a board space; None: as wide as one sheet allows; if that is too small, the board takes several.
    place: float | None = None
    #: Whether to draw the safe area, for checking.
    guides: bool = False

    def __post_init__(self) -> None:
        _one_of("paper", self.paper, tuple(PAPERS))
        _one_of("duplex mode", self.duplex, DUPLEX)
        _one_of("ink", self.ink, INKS)
        if not 0 <= self.bleed <= MAX_BLEED:
            raise CannotPrint(f"The bleed must be 0 to {MAX_BLEED:g} mm, not {self.bleed:g} mm.")
        low, high = SPACE_WIDTHS
        if self.place is not None and not low <= self.place <= high:
            raise CannotPrint(f"A board space must be {low:g} to {high:g} mm wide, not {self.place:g} mm.")

    @property
    def sheet(self) -> PaperSize:
        """The paper size, upright."""
        return PAPERS[self.paper]


def _one_of(what: str, value: str, values: tuple[str, ...]) -> None:
    if value not in values:
        raise CannotPrint(f"The {what} must be {', '.join(values[:-1])} or {values[-1]}, not {value}.")


def read_card(text: str) -> PaperSize:
    """Parse a card size: a name, or millimetres as in `63x88`.

    :raises CannotPrint: It is neither, or too small or large.
    """
    name = text.strip().casefold()
    if name in CARDS:
        return CARDS[name]
    match = re.fullmatch(r"(\d{1,3}(?:\.\d{1,3})?)\s*[x×*]\s*(\d{1,3}(?:\.\d{1,3})?)", name)
    size = PaperSize(float(match[1]), float(match[2])) if match else None
    if size is None or not all(SMALLEST <= length <= LARGEST for length in size):
        raise CannotPrint(
            f"The card size must be {', '.join(CARDS)}, or width and height in mm such as 63x88 "
            f"({SMALLEST:g} to {LARGEST:g} each), not {text}."
        )
    return size
