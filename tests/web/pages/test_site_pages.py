"""The menu; and the operator's texts: linked on every page, rendered safely, refused at the start if unreadable."""

import re
from pathlib import Path

import pytest

from sparring.serve import prepare
from sparring.settings import InvalidSettings
from web.app_server import AppServer, StartServer, settings

TEXT = """# Imprint

Ada <script>alert(1)</script>, [mail](mailto:ada@example.com), [bad](javascript:alert(1))

## Address

| Street | Town |
|---|---|
| 1 Main Street | Exampletown |
"""


def test_nothing_is_linked_unless_set(server: AppServer) -> None:
    for page in ("/", "/nowhere", f"/table/{server.table('Anna', 'Ben')}"):
        text = server.person("Anna").get(page).text
        assert not [name for name in ("imprint", "privacy", "terms") if f'href="/{name}"' in text]
    assert server.stranger().get("/imprint").status_code == 404


def test_texts_are_linked_on_every_page_and_rendered_safely(start_server: StartServer, tmp_path: Path) -> None:
    (tmp_path / "imprint.md").write_text(TEXT, encoding="utf-8")
    (tmp_path / "terms.md").write_text("Play fair.", encoding="utf-8")
    server = start_server(imprint=str(tmp_path / "imprint.md"), terms=str(tmp_path / "terms.md"))
    anna, table = server.person("Anna"), server.table("Anna", "Ben")
    for page in (
        "/",
        "/me",
        "/nowhere",
        "/imprint",
        f"/table/{table}",
        f"/table/{table}/text",
        f"/table/{table}/replay",
    ):
        text = anna.get(page).text
        links = [f'<a href="/{name}">{title}</a>' in text for name, title in NAMES]
        assert links == [True, True, False], page
    text = anna.get("/imprint").text
    assert text.count("<h1>Imprint</h1>") == text.count("<h1") == 1
    assert "<h2>Address</h2>" in text
    assert "<td>1 Main Street</td>" in text
    assert '<a href="mailto:ada@example.com">mail</a>' in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert 'href="javascript' not in text
    assert "<p>Play fair.</p>" in server.stranger().get("/terms").text
    assert anna.get("/privacy").status_code == 404


NAMES = (("imprint", "Imprint"), ("terms", "Terms of use"), ("privacy", "Privacy policy"))


def test_the_menu_marks_the_page_and_lessons_have_none(server: AppServer) -> None:
    for path, name in (("/puzzles", "Puzzles"), ("/learn", "Learn"), ("/studio", "Studio"), ("/friends", "Friends")):
        menu = server.stranger().get(path).text.partition('aria-label="Main menu"')[2].partition("</nav>")[0]
        assert re.findall(r'aria-current="page"[^>]*>(\w+)<', menu) == [name]
    assert "Main menu" not in server.stranger().get("/games/mace/learn").text


@pytest.mark.parametrize(
    ("content", "why"), [(None, "No such file or directory"), (b"\xff", "it isn't UTF-8 text")], ids=["none", "binary"]
)
def test_a_file_that_cannot_be_read_is_refused_at_the_start(tmp_path: Path, content: bytes | None, why: str) -> None:
    file = tmp_path / "rules.md"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(InvalidSettings) as refused:
        prepare(settings(tmp_path, terms=str(file)), None, browser=True, say=print)
    assert str(refused.value) == f"Can't read the file {file} of the setting `terms`: {why}."


def test_what_is_kept_is_linked_on_every_page_and_beside_ones_own_data(server: AppServer) -> None:
    assert server.stranger().get("/").text.count('href="/retention"') == 1
    assert server.person("Anna").get("/me").text.count('href="/retention"') == 2
