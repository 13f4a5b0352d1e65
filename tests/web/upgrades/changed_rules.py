"""Rules that change while the process runs, as an upgrade to a later release changes them."""

import contextlib
import runpy
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from sparring.engine.game import Game, game
from sparring.store.migrations import HERE

#: What databases meant before they named all options, by game.
DEFAULTS: dict[str, dict[str, Any]] = runpy.run_path(str(next((HERE / "versions").glob("*_all_options.py"))))[
    "DEFAULTS"
]


@contextlib.contextmanager
def changed_option(name: str, option: str, **values: Any) -> Iterator[Game]:
    """Change the declaration of a game's option during the block."""
    found = game(name)
    options = tuple(replace(each, **values) if each.name == option else each for each in found.options())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(found.params.Params, "options", options)
        _forget(found)
        yield found
    _forget(found)


def _forget(found: Game) -> None:
    """Forget what a game has computed from its options."""
    for cached in ("_default_setup", "variants"):
        vars(found).pop(cached, None)
