"""The scene model (a table as one seat sees it) and its renderers for HTML, text, SVG and speech; knows no game."""

from .layout import Layout
from .model import (
    Area, Banner, Board, Button, Card, Cell, Choosable, Colour, NamedMove, Face, Fact, Facts, Group, Label, Picture, Pile,
    Place, Prompt, Row, Seat, Slot, Stroke, Token, Track, without_choices, replace, things, without_drawings,
    face_up_card,
)  # fmt: skip
from .inventory import CardCopies, PaperCounter, PaperDeck, PaperInventory, CounterScale
from .printed import PrintableScene

__all__ = [
    "Area",
    "Banner",
    "Board",
    "Button",
    "Card",
    "CardCopies",
    "Cell",
    "Choosable",
    "Colour",
    "CounterScale",
    "NamedMove",
    "Face",
    "Fact",
    "Facts",
    "Group",
    "Label",
    "Layout",
    "PaperCounter",
    "PaperDeck",
    "PaperInventory",
    "Picture",
    "Pile",
    "Place",
    "PrintableScene",
    "Prompt",
    "Row",
    "Seat",
    "Slot",
    "Stroke",
    "Token",
    "Track",
    "without_choices",
    "replace",
    "things",
    "without_drawings",
    "face_up_card",
]  # fmt: skip
