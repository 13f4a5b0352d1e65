"""The scene model: a table as one seat sees it. Games build scenes, renderers draw them.

A scene has seats at the top, areas (rows, piles, boards, tracks, facts) in the middle, the viewer's hand at the bottom,
and a prompt. Objects that can be chosen have the number of an action; every legal action appears exactly once.

Keys identify objects across scenes, so that renderers can animate moves. The key of a face-up card identifies the card
(`card 17`), that of a face-down card only its position (`seat 2 hand 3`), so that a key reveals no more than the
picture.

Sentences and labels refer to seats as `Seat 2`; renderers replace that with the player's name.
"""

from msgspec.structs import replace

from .scene import Track, Fact, Facts, Group, Area, Seat, Prompt, Banner, NamedMove
from .cards import Thing, Colour, Picture, Shortcut, Choosable, Button
from .boards import Place, Cell, Token, Stroke, Label, Board
from .cards import Face, Card, face_up_card, Slot, Row, Pile
from .scene import Effect, EFFECTS
from .parts import things, without_choices, without_shortcuts, with_shortcuts, without_drawings
from .scene import Scene

__all__ = [
    "EFFECTS",
    "Area",
    "Banner",
    "Board",
    "Button",
    "Card",
    "Cell",
    "Choosable",
    "Colour",
    "Effect",
    "Face",
    "Fact",
    "Facts",
    "Group",
    "Label",
    "NamedMove",
    "Picture",
    "Pile",
    "Place",
    "Prompt",
    "Row",
    "Scene",
    "Seat",
    "Shortcut",
    "Slot",
    "Stroke",
    "Thing",
    "Token",
    "Track",
    "face_up_card",
    "replace",
    "things",
    "with_shortcuts",
    "without_choices",
    "without_drawings",
    "without_shortcuts",
]
