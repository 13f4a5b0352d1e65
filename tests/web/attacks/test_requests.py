"""Requests that nobody's browser makes: refused with a sentence, and never an error of ours."""

from pathlib import Path

import pytest

from sparring.web.settings import Settings
from web.house import House, Opener


@pytest.mark.parametrize(
    "host", ["127.0.0.1:8000", "localhost", "LOCALHOST.:9", "[::1]:80", "192.168.0.7", "table.example"]
)
def test_a_host_that_is_ours(open_house: Opener, host: str) -> None:
    house = open_house(names=("table.example",))
    assert house.stranger().http.get("/", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "table.example", "", "[", "a b", "@127.0.0.1@x"]
)
def test_a_host_that_is_not_ours(house: House, host: str) -> None:
    answer = house.stranger().http.get("/", headers={"Host": host})
    assert answer.status_code in (400, 421)
    assert "What shall we play?" not in answer.text


def test_names_of_ones_own_by_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARRING_NAMES", "table.example,www.table.example")
    monkeypatch.setenv("SPARRING_PROXY", "10.0.0.1")
    usual = Settings.usual(tmp_path)
    assert (usual.names, usual.proxy) == (("table.example", "www.table.example"), "10.0.0.1")


@pytest.mark.parametrize("path", ["/static/x/%00", "/static/%00.css", "/%00", "/table/%00/events"])
def test_a_path_that_no_file_can_have(house: House, path: str) -> None:
    static = house.stranger().get("/").text.partition('href="/static/')[2].partition("/")[0]
    for tried in (path, path.replace("/static/", f"/static/{static}/")):
        answer = house.stranger().get(tried)
        assert (answer.status_code, answer.text) == (404, "There is nothing at this address.")


def test_a_long_number_of_the_last_event(house: House) -> None:
    table = house.table("Anna", "Ben")
    with house.person("Anna").stream(table, 0, last="9" * 5000) as events:
        assert b"id: 1" in next(events)


def test_the_folder_with_the_seeds_is_its_owners_alone(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o755)
    Settings.usual(folder)
    assert folder.stat().st_mode & 0o777 == 0o700
