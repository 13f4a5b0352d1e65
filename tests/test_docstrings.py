"""Run the examples in docstrings. Only modules that have some are imported, because importing all takes long."""

import doctest
import re
from importlib import import_module
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src"
WITH_EXAMPLES = [
    ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")
    for path in sorted(SOURCE.rglob("*.py"))
    if re.search(r"^ *>>> ", path.read_text(encoding="utf-8"), re.MULTILINE)
]


#: Packages whose examples compile rules.
COMPILED = ("sparring.bots", "sparring.engine.compilation", "sparring.lab", "sparring.puzzles", "sparring.research")


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.compiled if name.startswith(COMPILED) else ()) for name in WITH_EXAMPLES],
)
def test_examples_in_docstrings(name: str) -> None:
    assert not doctest.testmod(import_module(name)).failed
