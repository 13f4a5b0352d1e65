"""Every ruling says in a few words how a rules document is read, and why."""

import re

import pytest

from generated.documents import FROM_DOCUMENTS
from sparring import games

#: A row of the table of rulings: number, reading, why.
RULING = re.compile(r"^\| (R\d+) \| (.*) \| (.*) \|$", re.MULTILINE)
#: The rulings in a row of the table of options.
OPTION = re.compile(r"^\| `.* \| (R[R\d, ]+) \|$", re.MULTILINE)


def rulings(name: str) -> tuple[list[tuple[str, str, str]], set[str]]:
    """Return the rulings of a game, and the numbers of those that are options."""
    text = (games()[name].folder / "rules.md").read_text(encoding="utf-8")
    return RULING.findall(text), {number for row in OPTION.findall(text) for number in row.split(", ")}


@pytest.mark.parametrize("name", FROM_DOCUMENTS)
def test_every_ruling_has_a_reading_and_a_reason(name: str) -> None:
    found, options = rulings(name)
    assert [number for number, _, _ in found] == [f"R{number}" for number in range(1, len(found) + 1)]
    assert options < {number for number, _, _ in found}
    assert [number for number, reading, why in found if not reading or not 0 < len(why.split()) <= 15] == []
    quotes = [quote for _, _, why in found for quote in re.findall('"(.*?)"', why)]
    assert all(len(quote.split()) <= 5 for quote in quotes)
