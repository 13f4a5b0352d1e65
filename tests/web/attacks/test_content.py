"""Malicious content files: cheap to reject, with short answers, and without delay for others."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from sparring.engine.errors import BadContent
from sparring.engine.formats.toml import LONGEST_FILE, read_toml
from sparring.engine.game import game
from sparring.tables.workers import uploads
from web.app_server import AppServer

FORM = {"name": "Anna", "seat1": "me", "seat2": "random"}
MANY = 30_000


@pytest.fixture(scope="module", autouse=True)
def sandboxes() -> None:
    """Let processes read the files, within their limits."""


def rows(count: int, row: str, sign: str = "\n") -> str:
    return sign.join(row.replace("N", str(number)) for number in range(count))


BOMBS = {
    "a key of many parts": "a" + ".a" * MANY + "=1",
    "a header of many parts": "[a" + ".a" * MANY + "]",
    "a key of many quoted parts": '""' + '.""' * (MANY // 2) + "=1",
    "lists in lists": "a=" + "[" * MANY,
    "tables in tables": "a=" + "{a=" * (MANY // 2),
    "a text without an end": '"""\\' + '\\"""' * (MANY // 2),
    "many texts without an end": '"a\n' * (MANY // 2),
    "many digits": "a=" + "9" * MANY,
    "digits with lines between": "a=" + "9_" * (MANY // 2) + "9",
    "digits of a large base": "a=0x" + "f" * 60,
    "a name of spaces": f'[[cards]]\nname="{" " * 2 * MANY}"',
    "a word": "a" * 2 * MANY,
    "many abilities": "[[cards]]\nabilities=[" + rows(8000, "N", ",") + "]",
    "many cards": rows(5000, '[[cards]]\na="N"'),
    "cards full of faults": rows(480, '[[cards]]\nname="nN"\nstat=["P","Q"]\nattack=1\nabilities=["z","z"]'),
    "decks full of copies": rows(480, '[[decks]]\nname="dN"\ncharacters=["a x99","b x99","c x99"]'),
    "copies that are none": "[[decks]]\ncharacters=[" + rows(450, f"'aN x{' ' * 90}'", ",") + "]",
    "resources of many colours": "[[decks]]\n[decks.resources]\n" + rows(490, "cN=1000000"),
    "many boards": rows(490, '[[boards]]\nname="nN"\nmap="a"'),
    "a name that is a list":  f"[[cards]]\nname=[{'1,' * 499}]\nabilities=[" + rows(490, '"N"', ",") + "]",
    "too much of anything": "#" * (LONGEST_FILE + 1),
}  # fmt: skip
GAMES = ["five-circles", "mace", "make-your-moves", "untitled-movement", "world-of-fighters"]


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_file_with_countless_errors_gets_a_short_answer(server: AppServer, bomb: str) -> None:
    for name in GAMES:
        files = {"content": ("bomb.toml", BOMBS[bomb].encode(), "text/plain")}
        response = server.stranger().post(f"/games/{name}", data=FORM, files=files)
        assert response.status_code == 422
        assert len(response.content) < 60_000
        with pytest.raises(BadContent) as told:
            game(name).content_from(read_toml(BOMBS[bomb], "bomb.toml"), "bomb.toml")
        assert len(str(told.value).split("\n")) <= BadContent.MAX_FAULTS + 1
        assert len(str(told.value)) < (BadContent.MAX_FAULTS + 1) * (BadContent.MAX_LENGTH + 10)


def test_a_file_that_takes_too_long_is_refused_and_the_next_one_is_read(
    server: AppServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = {"content": ("mine.toml", b"values = [1, 2, 3, 4, 5, 6, 7, 8, 99]", "text/plain")}
    with monkeypatch.context() as hurried:
        hurried.setattr(uploads.ContentUploads, "patience", 0.0)
        response = server.stranger().post("/games/hush", data=FORM, files=own)
    assert response.status_code == 422
    assert "mine.toml takes too long or too much memory to read" in response.text
    assert server.stranger().post("/games/hush", data=FORM, files=own).status_code == 303


def _fill(server: AppServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no further file be read."""
    turns = server.tables.registry.loader.contents.turns
    monkeypatch.setattr(turns, "_most", 0)
    monkeypatch.setattr(turns, "_free", 0)


def test_uploads_beyond_the_queue_are_refused(server: AppServer, monkeypatch: pytest.MonkeyPatch) -> None:
    _fill(server, monkeypatch)
    own = {"content": ("mine.toml", b"values = [1, 2, 3, 4, 5, 6, 7, 8, 98]", "text/plain")}
    response = server.stranger().post("/games/hush", data=FORM, files=own)
    assert (response.status_code, "Please try again soon" in response.text) == (503, True)


def test_a_file_is_parsed_once(server: AppServer, monkeypatch: pytest.MonkeyPatch) -> None:
    own = {"content": ("mine.toml", b"values = [1, 2, 3, 4, 5, 6, 7, 8, 97]", "text/plain")}
    assert server.stranger().post("/games/hush", data=FORM, files=own).status_code == 303
    _fill(server, monkeypatch)
    with ThreadPoolExecutor(4) as people:
        responses = people.map(lambda _: server.stranger().post("/games/hush", data=FORM, files=own), range(4))
        assert {response.status_code for response in responses} == {303}
