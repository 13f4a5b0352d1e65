"""Read from saved matches how long people take for an action."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from sparring.engine.errors import BadOption

#: Shorter times are those of bots and of actions that were chosen at once (in tenths of a second).
SHORTEST = 3


class _TablePart(msgspec.Struct):
    #: Thinking time of each choice since its seat's turn began, in tenths of a second.
    spent: list[int] = []


class _Record(msgspec.Struct):
    table: _TablePart = msgspec.field(default_factory=_TablePart)


def action_seconds(files: Sequence[Path]) -> float:
    """Return the mean time per action of people, in seconds, over all records; raise BadOption.

    Raises BadOption if a file is no record, or if the records have no times: only matches at a server's tables do.
    """
    times: list[int] = []
    for file in files:
        try:
            spent = msgspec.json.decode(file.read_bytes(), type=_Record).table.spent
        except OSError as problem:
            raise BadOption(f"Can't read {file}: {problem.strerror or problem}.") from None
        except msgspec.DecodeError:
            raise BadOption(f"{file} is not a saved match.") from None
        # Within a turn the times add up; a smaller time than before starts a new turn.
        times += [
            later - before if later >= before else later for before, later in zip([0, *spent], spent, strict=False)
        ]
    people = [time for time in times if time >= SHORTEST]
    if not people:
        raise BadOption("The saved matches have no thinking times; download them from tables where people played.")
    return sum(people) / len(people) / 10
