"""What people and programs send with an action at a table (`tables/actions.py`), and its bounds."""

from typing import Annotated

import msgspec

from sparring.settings import Limits
from sparring.tables.state.chat_log import MOST_PARTS
from sparring.tables.state.clock_state import What
from sparring.tables.state.table_settings import LONGEST_FIELD

#: The upper bound of choice numbers, and the longest text of a choice in characters.
MOST_CHOICES = 1 << 15
LONGEST_WORDS = 200

#: The longest chat text accepted: invisible characters count here, but not in the resulting line.
LONGEST_TEXT = 4 * Limits.longest_line

Version = Annotated[int, msgspec.Meta(ge=0, lt=1 << 31, description="The version of the table that you saw.")]
Number = Annotated[int, msgspec.Meta(ge=0, lt=MOST_CHOICES, description="A choice by its number.")]
Words = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_WORDS, description="A choice in words.")]
Choice = Number | Words

Field = Annotated[str, msgspec.Meta(max_length=LONGEST_FIELD)]
Seat = Annotated[int, msgspec.Meta(ge=1, le=12, description="The seat, from 1.")]
Speaker = Annotated[int, msgspec.Meta(ge=0, le=12, description="One of your seats; 0: the one you see the table from.")]
Text = Annotated[str, msgspec.Meta(max_length=LONGEST_TEXT, description="One line of plain text.")]


class ChooseRequest(msgspec.Struct):
    """A choice, by its number or in words."""

    version: Version
    choice: Choice


class SeenVersion(msgspec.Struct):
    """The version of the table that the client has seen."""

    version: Version


class ScreenRequest(msgspec.Struct):
    """The seat whose hand a shared screen shows; 0 hides all."""

    seat: Annotated[int, msgspec.Meta(ge=0, lt=10, description="One of your seats, or 0.")]


class ForfeitRequest(msgspec.Struct, forbid_unknown_fields=True):
    """Whether you forfeit."""

    forfeit: Annotated[bool, msgspec.Meta(description="True: forfeit; false: cancel that.")] = True


class ProposeRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A proposal to the other players."""

    what: Annotated[What, msgspec.Meta(description="A draw, which ends the match; a pause; or a take-back.")]


class AnswerRequest(msgspec.Struct, forbid_unknown_fields=True):
    """An answer to a proposal."""

    agree: Annotated[bool, msgspec.Meta(description="False declines the proposal, or withdraws your own.")]
    proposal: Annotated[
        str, msgspec.Meta(max_length=32, description="The id of the proposal, as the table's `time` has it.")
    ]


class SitRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A seat to take."""

    seat: Seat
    name: Annotated[Field, msgspec.Meta(description="Your name at this table, if not the usual one.")] = ""
    program: Annotated[Field, msgspec.Meta(description="The name of your bot, to seat it instead of you.")] = ""
    local_player: Annotated[
        Field, msgspec.Meta(description="The name of a friend who shares your screen, to seat them instead of you.")
    ] = ""


class GiveSeatRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A bot for a seat of a table you created."""

    seat: Seat
    bot: Annotated[
        Field,
        msgspec.Meta(description="A bot from the game's list, or `mine:NAME` for your bot; empty: open the seat."),
    ] = ""


class AskPlayerRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A request to a player at the table."""

    seat: Annotated[int, msgspec.Meta(ge=1, le=64, description="The player's seat, from 1.")]


class SayRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A preset phrase or free text, not both."""

    word: Annotated[str, msgspec.Meta(max_length=20, description="The key of a preset phrase or reaction.")] = ""
    text: Text = ""
    seat: Speaker = 0


class CaptionRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A description of your move: free text if the table allows it, or parts."""

    text: Text = ""
    parts: Annotated[
        list[Annotated[str, msgspec.Meta(max_length=LONGEST_TEXT)]],
        msgspec.Meta(max_length=MOST_PARTS, description="Some of the move's words, in this order."),
    ] = []
    seat: Speaker = 0


class ChatLineRequest(msgspec.Struct, forbid_unknown_fields=True):
    """The number of a chat message."""

    line: Annotated[int, msgspec.Meta(ge=1, le=1 << 30, description="The message's number.")]


class UnmuteRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A mute to remove."""

    mute: Annotated[str, msgspec.Meta(max_length=20, description="The mute's id.")]
