"""The TOML reader finds the ends of strings, also with Python before 3.11.5, which mismatches possessive groups."""

import re
import tomllib

import pytest

from sparring.engine.errors import BadContent
from sparring.engine.formats import toml
from sparring.engine.formats.toml import read_toml


@pytest.mark.parametrize(
    "value",
    [r'"a\"b\\"', "'a'", '"""\na\n"b" ""c"" \\""" d\n"""', '"""a"""""', "'''\n'a' ''b\n'''", "'''a'''''"],
)
def test_strings(value: str) -> None:
    text = f"key = {value}\nother = [1]\n"
    assert read_toml(text, "a.toml") == tomllib.loads(text)


@pytest.mark.parametrize("value", ['"a\\"', "'a", '"""a""', "'''a''"])
def test_unclosed_strings(value: str) -> None:
    with pytest.raises(BadContent, match="line 2 has no closing quotation mark"):
        read_toml(f"a = 1\nkey = {value}", "a.toml")


def test_no_possessive_groups() -> None:
    patterns = [toml._TOKEN, *toml._STRING_REST.values()]
    assert not [each.pattern for each in patterns if re.search(r"\)([*+?]|\{[\d,]+\})\+", each.pattern)]
