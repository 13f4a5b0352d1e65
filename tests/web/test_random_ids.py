"""Random ids of people and tables."""

import secrets

import pytest

from sparring.people.identity import with_id, with_name
from sparring.settings.secrets import random_id
from sparring.store.person import STRANGER, Person
from web.app_server import AppServer


@pytest.fixture
def leading_dashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let random values start with a dash."""
    said = iter(["-Xoc0velzP-1", "--c0velzP-12", "c0velzP-12-X"])
    monkeypatch.setattr(secrets, "token_urlsafe", lambda octets: next(said))


@pytest.mark.usefixtures("leading_dashes")
def test_ids_never_start_with_a_dash() -> None:
    assert random_id(9) == "c0velzP-12-X"


@pytest.mark.usefixtures("leading_dashes")
def test_a_strangers_id_works_as_a_command_argument() -> None:
    assert with_name(STRANGER, "Anna") == Person("c0velzP-12-X", "Anna")


def test_an_identity_is_stable() -> None:
    anna = Person("-older", "Anna")
    assert with_id(anna) == anna


def test_table_ids_never_start_with_a_dash(server: AppServer, leading_dashes: None) -> None:
    assert server.table("Anna", "Ben") == "c0velzP-12-X"
