"""The process in which sets are read, changed and checked: bounded like the one that reads uploads."""

import sys
from typing import Any

import msgspec

from sparring.engine.errors import BadContent, ContentFault, SparringError
from sparring.engine.formats.toml_reader import read_toml
from sparring.engine.formats.toml_writer import write_toml
from sparring.engine.game import Game
from sparring.engine.game import game as find_game
from sparring.engine.match import Match
from sparring.web.bots.bot_worker import answer_all
from sparring.web.security.upload_sandbox import bound_memory

from .drafts import DraftResult, EditSummary, SetDraft
from .edits import apply, words_for
from .preview_drawing import drawn

#: What an edit does, for the history.
DONE = {
    "add": "Something added to {}", "copy": "{} copied", "out": "{} taken out", "up": "{} moved", "down": "{} moved",
    "anew": "{} begun anew", "rename": "{} renamed", "set": "{}", "option": "Option {}",
}  # fmt: skip
#: As many faults as are told.
MOST = 60


def main() -> None:
    """Answer until the input ends."""
    bound_memory()
    answer_all(SetDraft, draft)


def draft(asked: SetDraft) -> DraftResult:
    """A set after its edits, with its faults and what is drawn beside it."""
    if not asked.game:
        return DraftResult()
    try:
        return _draft(find_game(asked.game), asked)
    except SparringError as problem:
        return DraftResult(problem=str(problem))
    except Exception as problem:  # noqa: BLE001 - whatever a game's reader does wrong, its server goes on
        sys.stderr.write(f"A set of {asked.game} could not be read: {type(problem).__name__}\n")
        return DraftResult(problem=f"{asked.where} cannot be read.")


def _draft(game: Game, asked: SetDraft) -> DraftResult:
    data, options = read_toml(asked.toml, asked.where), dict(asked.options)
    told = ""
    for edit in asked.edits:
        words = words_for(game.form, data, edit.at)
        apply(game.form, data, options, edit)
        told = DONE[edit.do].format(words if edit.do != "set" else words_for(game.form, data, edit.at))
    toml = asked.toml
    if asked.edits:
        toml = write_toml(data)
        data = read_toml(toml, asked.where)
    faults = [EditSummary(list(fault.at), fault.bare) for fault in _faults(game, data, options, asked.where)[:MOST]]
    beside, calm = drawn(game, data, options, asked.at)
    return DraftResult(toml=toml, options=options, data=msgspec.to_builtins(data), faults=faults, told=told,
        beside=beside,
                   calm=calm)  # fmt: skip


def _faults(game: Game, data: dict[str, Any], options: dict[str, Any], where: str) -> list[ContentFault]:
    """Everything for which nobody could play with it, in the sentences of the command line."""
    try:
        content = game.kit.read_content(data, where)
        Match.deal(game.box(options, content), game.seats[0], seed=0)
    except BadContent as problem:
        return [_fault(fault, where) for fault in problem.faults]
    except SparringError as problem:
        return [_fault(str(problem), where)]
    return []


def _fault(fault: str, where: str) -> ContentFault:
    return fault if isinstance(fault, ContentFault) else ContentFault(fault, (), fault.removeprefix(f"{where}: "))


if __name__ == "__main__":
    main()
