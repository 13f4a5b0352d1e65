"""Run commands in this process."""

import pytest
from typer.testing import CliRunner

from sparring.cli import app, main


def run(*words: str, keys: str | None = None) -> str:
    result = CliRunner().invoke(app, list(words), input=keys, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Return the one sentence on stderr with which a command line is refused, with exit code 2."""
    with pytest.raises(SystemExit) as left:
        main(words)
    said = capsys.readouterr()
    assert left.value.code == 2
    assert said.out == ""
    assert said.err.count("\n") == 1
    return said.err
