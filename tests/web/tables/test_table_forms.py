"""Forms of actions at a table: read as their JSON would be, and refused as it would be."""

from typing import Any

import pytest
from litestar.exceptions import ValidationException

from sparring.site.pages.table_forms import decode_form
from sparring.tables.action_requests import (
    AnswerRequest,
    CaptionRequest,
    ChooseRequest,
    ForfeitRequest,
    SayRequest,
    SeenVersion,
)
from sparring.tables.actions import TABLE_ACTIONS
from web.app_server import AppServer, Client


@pytest.mark.parametrize(
    ("fields", "request_"),
    [
        ({"version": ["3"], "choice": ["12"]}, ChooseRequest(3, 12)),
        ({"version": ["3"], "choice": ["lay 6"]}, ChooseRequest(3, "lay 6")),
        ({"version": ["3"], "choice": ["٣"]}, ChooseRequest(3, "٣")),
        ({"version": ["3"], "choice": ["9" * 30]}, ChooseRequest(3, "9" * 30)),
        ({"version": ["3"], "choice": ["12"], "once": ["key"]}, SeenVersion(3)),
        ({"forfeit": ["yes"]}, ForfeitRequest(True)),
        ({"forfeit": ["no"]}, ForfeitRequest(False)),
        ({"text": ["12"]}, SayRequest(text="12")),
        ({"text": ["yes"], "seat": ["2"], "word": []}, SayRequest(text="yes", seat=2)),
        ({"parts": ["12", "yes"]}, CaptionRequest(parts=["12", "yes"])),
    ],
)
def test_a_form_is_read_as_its_json_would_be(fields: dict[str, list[str]], request_: Any) -> None:
    assert decode_form(fields, type(request_)) == request_


@pytest.mark.parametrize(
    ("fields", "kind", "field"),
    [
        ({}, SeenVersion, "`version`"), ({"version": ["x"]}, SeenVersion, "version"),
        ({"version": ["1", "2"]}, SeenVersion, "version"), ({"version": ["-1"]}, SeenVersion, "version"),
        ({"version": ["1"], "choice": ["40000"]}, ChooseRequest, "choice"),
        ({"agree": ["maybe"], "proposal": ["x"]}, AnswerRequest, "agree"),
        ({"text": ["x" * 10_000]}, SayRequest, "text"), ({"text": [object()]}, SayRequest, "text"),
        ({"parts": ["x", object()]}, CaptionRequest, "parts"),
    ],
)  # fmt: skip
def test_a_malformed_form_is_refused_by_field(fields: dict[str, list[Any]], kind: type, field: str) -> None:
    with pytest.raises(ValidationException) as refused:
        decode_form(fields, kind)
    assert field in str(refused.value.extra)


def test_every_form_refuses_malformed_fields_and_changes_nothing(table: str, anna: Client) -> None:
    before = anna.look(table)
    for action in TABLE_ACTIONS:
        if action.request:
            fields = {name: ["?", "?"] for name in action.request.__struct_fields__}
            assert anna.post(f"/table/{table}/{action.name}", data=fields).status_code == 400, action.name
    assert anna.look(table) == before


def test_a_form_forfeits_only_if_it_says_so(server: AppServer) -> None:
    """Programs may leave the field out."""
    table, anna = server.table("Anna", "Ben", name="mace"), server.person("Anna")
    assert anna.post(f"/table/{table}/forfeit", data={}).status_code == 400
    assert "You will forfeit" not in anna.page(table)
    assert anna.post(f"/api/table/{table}/forfeit", json={}).status_code == 200


def test_a_program_can_repeat_taking_a_seat(server: AppServer) -> None:
    table, ben = server.table("Anna", ""), server.program("Ben")
    key = {"Idempotency-Key": "key"}
    answers = [ben.post(f"/api/table/{table}/sit", json={"seat": 2}, headers=key).json() for _ in range(2)]
    assert answers[0] == answers[1]
    assert answers[0]["seat"] == 2
    assert ben.post(f"/api/table/{table}/sit", json={"seat": 2}).status_code == 403
