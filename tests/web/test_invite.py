"""An open seat says what to do, in the middle of the table, until somebody sits there."""

import re

import segno

from sparring.web.tables.invite import BORDER, qr_code
from web.house import House


def waiting(page: str) -> str:
    """How the table waits for somebody to sit down."""
    found = re.search(r'id="open-seats" data-waiting="(\w+)"', page)
    assert found
    return found[1]


def test_an_open_seat_says_which_link_to_send(house: House) -> None:
    table = house.table("", "Anna", name="mace")
    page = house.person("Anna").page(table)
    assert waiting(page) == "here"
    assert "Seat 1 is open. Send this link to a friend." in page
    assert f'id="link-to-send" readonly value="{house.url}/table/{table}"' in page
    assert 'aria-label="The link as a QR code"' in page


def test_while_others_are_asked_it_does_not_lie_in_the_way(house: House) -> None:
    assert waiting(house.person("Anna").page(house.table("Anna", "", "", name="mace"))) == "elsewhere"
    assert "Seat 2 and seat 3 are open." in house.person("Anna").page(house.table("Anna", "", "", name="mace"))


def test_who_watches_is_asked_to_sit_down(house: House) -> None:
    table = house.table("", "Anna", name="mace")
    page = house.stranger().get(f"/table/{table}?watch=true").text
    assert waiting(page) == "here"
    assert f'href="/table/{table}">Sit down</a>' in page
    assert "link-to-send" not in page


def test_it_goes_when_somebody_sits_down(house: House) -> None:
    table = house.table("", "Anna", name="mace")
    anna = house.person("Anna")
    with anna.stream(table) as events:
        assert waiting(next(events).decode()) == "here"
        house.stranger().post(f"/table/{table}/sit", data={"seat": "1", "name": "Ben"})
        assert waiting(next(events).decode()) == "none"
    assert "QR code" not in anna.page(table)


def test_the_picture_is_the_code_of_the_link_with_the_border_that_cameras_need() -> None:
    link = "http://example.org/table/abc"
    picture = qr_code(link)
    dark = {(int(x) - BORDER, int(y) - BORDER) for x, y in re.findall(r"M(\d+),(\d+)h1v1h-1z", picture)}
    code = segno.make(link, error="m", micro=False)
    assert dark == {(x, y) for y, row in enumerate(code.matrix) for x, module in enumerate(row) if module}
    assert f'viewBox="0 0 {len(code.matrix) + 2 * BORDER} ' in picture
    assert "style" not in picture
