"""Errors about missing packages say how to install them, also while Sparring is on no package index."""

from importlib.metadata import PackageNotFoundError
from typing import Any

import pytest

from sparring.engine import plugins


def test_the_command_names_the_packages_of_the_extra() -> None:
    assert plugins.install_command("data") == 'pip install "pyarrow>=15"'
    assert plugins.install_command("sheets") == 'pip install "openpyxl>=3.1"'
    assert "sparring" not in plugins.install_command("print")


def test_the_command_names_the_extra_where_nothing_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(plugins, "requires", missing)
    assert plugins.install_command("data") == 'pip install "sparring[data]"'
