"""Hostile sets: input is refused with a sentence or stored with faults, and never runs."""

import random

import pytest

from sparring.engine.formats.toml import read_toml
from sparring.engine.game import game
from sparring.studio.edits import Edit
from sparring.studio.sandboxes import DraftResult, SetDraft
from sparring.studio.set_editor import editor_html
from sparring.studio.set_sandbox import draft
from web.app_server import AppServer, Client
from web.studio.hostile_text import DOES, EVIL, GAMES, LOOKED, WORDS, mutated, ways
from web.studio.sets import change, create_set, file, put, share_link, state

#: The number of mutated sets, and of mutated edits, per game; 10,000 in total with `make soak`.
TRIES = [25, pytest.param(850, marks=pytest.mark.soak)]


@pytest.mark.parametrize("tries", TRIES)
@pytest.mark.parametrize("name", GAMES)
def test_mutated_sets_are_read_drawn_or_refused(name: str, tries: int, capfd: pytest.CaptureFixture[str]) -> None:
    own, dice = game(name), random.Random(name)
    drafts = [draft(SetDraft(name, mutated(own.content_text, dice), at=dice.choice(LOOKED))) for _ in range(tries)]
    read = [made for made in drafts if not made.problem]
    assert 0 < len(read) < tries
    for made in read:
        assert read_toml(made.toml, "own") is not None
        assert "<script" not in str(editor_html(own.form, made.data)) + made.preview
    assert not capfd.readouterr().err, "a parser or the editor didn't expect this"


@pytest.mark.parametrize("tries", TRIES)
@pytest.mark.parametrize("name", GAMES)
def test_mutated_edits_leave_a_readable_file(name: str, tries: int, capfd: pytest.CaptureFixture[str]) -> None:
    own, dice = game(name), random.Random(name)
    made = DraftResult(toml=own.content_text)
    for _ in range(tries):
        way = list(dice.choice(ways(read_toml(made.toml, "own"))))
        if dice.random() < 0.2:
            way.append(dice.choice((0, 99, "name", EVIL)))
        edit = Edit(dice.choice(DOES), way[:8], dice.choice(WORDS))  # type: ignore[arg-type]
        after = draft(SetDraft(name, made.toml, edits=[edit], at=way))
        if not after.problem:
            assert read_toml(after.toml, "own") is not None
            assert "<script" not in str(editor_html(own.form, after.data)) + after.preview
            made = after if dice.random() < 0.9 else made
    assert not capfd.readouterr().err, "a parser or the editor didn't expect this"


def test_a_hostile_name_is_shown_as_text_everywhere(server: AppServer) -> None:
    anna, bert = server.person("Anna"), server.person("Bert")
    address = create_set(anna, game="make-your-moves")
    change(anna, address, put(EVIL, "cards", 0, "name"), name=EVIL[:40])
    change(anna, address, put(EVIL, "cards", 0, "name"), at=["cards", 0])
    for page in (anna.get(address), anna.get("/studio"), bert.get(share_link(anna, address))):
        assert "<script>alert" not in page.text
        assert "<img src=x" not in page.text
    assert "script-src 'self'" in anna.get(address).headers["content-security-policy"]
    assert EVIL.replace('"', '\\"') in file(anna, address)


@pytest.mark.parametrize(("version", "status"), [("-1", 404), ("99", 404), ("x", 400), ("9" * 30, 404)])
def test_an_unknown_version(version: str, status: int, anna: Client) -> None:
    address = create_set(anna)
    assert anna.get(f"{address}/file?version={version}").status_code == status
    response = anna.post(f"/api{address}/history", json={"row_version": 0, "direction": "version", "number": 99})
    assert response.status_code == 404


#: Edits that can be read but don't fit the set.
UNFIT = [
    b'{"row_version": 0, "edits": [{"do": "set", "at": [], "value": "x"}]}',
    b'{"row_version": 0, "edits": [{"do": "set", "at": ["values", 999], "value": "x"}]}',
    b'{"row_version": 0, "edits": [{"do": "remove", "at": ["nothing", "here", 3]}]}',
]


@pytest.mark.parametrize(
    "body",
    [b"", b"{}", b"[]", b'{"row_version": 0, "edits": 3}', b'{"row_version": -1}',
     b'{"row_version": 0, "edits": [{"do": "eval"}]}',
     b'{"row_version": 0, "at": [[[[1]]]]}', b"[" * 5000, b"\xff\xff",
     b'{"row_version": 0, "name": "' + b"x" * 300 + b'"}',
     *UNFIT],
)  # fmt: skip
def test_malformed_bodies_are_refused_and_change_nothing(body: bytes, anna: Client) -> None:
    address = create_set(anna)
    headers = {"Content-Type": "application/json"}
    for what in ("change", "history"):
        response = anna.post(f"/api{address}/{what}", content=body, headers=headers)
        assert response.status_code == (422 if what == "change" and body in UNFIT else 400)
        assert response.json()["reason"]
    assert file(anna, address) == game("high-card").content_text
    assert state(anna, address)["faults"] == []
