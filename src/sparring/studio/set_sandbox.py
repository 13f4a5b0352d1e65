"""The sandboxed process that reads, edits and checks sets."""

import sys
from contextlib import suppress

import msgspec

from sparring.engine.content_faults import content_faults
from sparring.engine.errors import SparringError
from sparring.engine.formats.toml import read_toml, write_toml
from sparring.engine.game import Game
from sparring.engine.game import game as find_game
from sparring.engine.set_file import split_options
from sparring.scene.sentences import counted
from sparring.tables.bots.bot_worker import answer_all
from sparring.tables.content.upload_sandbox import bound_memory

from .drafts import DraftResult, FieldFault, SetDraft
from .edits import apply, describe_path, looked_at
from .preview_drawing import gallery, preview_html
from .sheets import imported

#: Descriptions of edits in the history.
DONE = {
    "add": "Item added to {}", "copy": "{} copied", "remove": "{} removed", "up": "{} moved", "down": "{} moved",
    "reset": "{} reset", "rename": "{} renamed", "set": "{} changed", "cell": "{} changed",
    "template": "{} started again",
    "option": "Option {} changed",
}  # fmt: skip
#: The largest number of faults reported.
MOST = 60


def main() -> None:
    """Answer until the input ends."""
    with suppress(ImportError):
        import openpyxl  # noqa: F401 - loading it must not count against the time of the first spreadsheet
    bound_memory()
    answer_all(SetDraft, draft)


def draft(request: SetDraft) -> DraftResult:
    """Apply edits to a set; return it with its faults and preview."""
    if not request.game:
        return DraftResult()
    try:
        return _draft(find_game(request.game), request)
    except SparringError as problem:
        return DraftResult(problem=str(problem))
    except Exception as problem:  # noqa: BLE001 - a bug in a game's reader mustn't stop the process
        sys.stderr.write(f"A set of {request.game} failed to read: {type(problem).__name__}\n")
        return DraftResult(problem=f"{request.where} can't be read.")


def _draft(game: Game, request: SetDraft) -> DraftResult:
    data, own = split_options(read_toml(request.toml, request.where), game.kit.OPTIONS, request.where)
    options = dict(request.options if own is None else own)
    description = ""
    for edit in request.edits:
        words = describe_path(game.form, data, edit.at)
        apply(game.form, data, options, edit)
        description = DONE[edit.do].format(
            words if edit.do not in ("set", "cell") else describe_path(game.form, data, edit.at)
        )
    if request.edits:
        options |= looked_at(game.kit.OPTIONS, data, request.at)
    toml, sheet = request.toml, None
    if request.sheet:
        changed, sheet = imported(game, data, options, request.sheet)
        if request.sheet.apply:
            data = changed
            description = f"{counted(len(sheet.changes), 'change')} from a spreadsheet"
    if request.edits or own is not None or (request.sheet and request.sheet.apply):
        toml = write_toml(data)
        data = read_toml(toml, request.where)
    faults = [
        FieldFault(list(fault.at), fault.sentence)
        for fault in content_faults(game, data, options, request.where)[:MOST]
    ]
    drawn, calm = preview_html(game, data, options, request.at)
    return DraftResult(
        toml=toml,
        options=options,
        data=msgspec.to_builtins(data),
        faults=faults,
        description=description,
        preview=drawn,
        calm=calm,
        gallery=gallery(game, data, options, request.gallery) if request.gallery else [],
        sheet=sheet,
    )


if __name__ == "__main__":
    main()
