"""The examples of docs/research.md."""

import doctest
from pathlib import Path


def test_the_examples_in_the_docs_run() -> None:
    results = doctest.testfile(str(Path(__file__).parents[2] / "docs" / "research.md"), module_relative=False)
    assert results.failed == 0
    assert results.attempted > 10
