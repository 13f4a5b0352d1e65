"""Glossaries: entries are found by any form of their term."""

from pathlib import Path

import pytest

from sparring.engine.errors import BadContent
from sparring.engine.glossary import Glossary, read_glossary

WORDS = """
[Block]
text = "Takes 2 off."

[Lost]
text = "So much was lost."
shown = ["-*", "* damage"]

["Super Block"]
text = "Takes 6 off."
shown = ["block", "call *"]
"""


def glossary(folder: Path, text: str = WORDS) -> Glossary:
    file = folder / "glossary.toml"
    file.write_text(text, encoding="utf-8")
    return read_glossary(file)


@pytest.mark.parametrize(
    ("shown", "word"),
    [
        ("Block", "Block"), ("BLOCK", "Block"), ("-3", "Lost"), ("2 damage", "Lost"),
        ("Call Stone Wall", "Super Block"), ("super block", "Super Block"),
    ],
)  # fmt: skip
def test_an_entry_is_found_by_the_displayed_term(tmp_path: Path, shown: str, word: str) -> None:
    entry = glossary(tmp_path).find(shown)
    assert entry
    assert entry.word == word


def test_terms_without_an_entry_are_left_out(tmp_path: Path) -> None:
    words = glossary(tmp_path)
    assert words.find("Kick") is None
    assert [entry.word for entry in words.explain(["Kick", "-1", "", "-2", "Block"])] == ["Lost", "Block"]


def test_a_game_without_a_glossary_has_no_terms(tmp_path: Path) -> None:
    assert read_glossary(tmp_path / "glossary.toml").entries == ()


def test_each_entry_has_its_own_anchor(tmp_path: Path) -> None:
    assert [entry.id for entry in glossary(tmp_path).entries] == ["word-block", "word-lost", "word-super-block"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[Block]\nshown = ['b']", 'glossary.toml: Block: an entry must have the field "text"'),
        ("[Block]\ntext = 'x'\nsee = 'y'", 'glossary.toml: Block: an entry must have the field "text"'),
        ("Block = 'x'", 'glossary.toml: Block: an entry must have the field "text"'),
        ("[Block]\ntext = 'x'\nshown = 'b'", "glossary.toml: Block: shown must be a list of words"),
        ("[Block", "glossary.toml is not TOML"),
    ],
)
def test_an_invalid_glossary_is_refused(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(BadContent, match=said):
        glossary(tmp_path, text)
