"""Invitations: an open seat shows the invite link in the middle of the table until it is taken."""

import re

import pytest
import segno

from sparring.server.requests.middleware import is_loopback
from sparring.site.table_parts.seat_panel import BORDER, qr_code
from web.app_server import AppServer, StartServer


def waiting(page: str) -> str:
    """Return the invitation on a page."""
    found = re.search(r'id="open-seats" data-waiting="(\w+)"', page)
    assert found
    return found[1]


def test_an_open_seat_shows_the_invite_link(server: AppServer) -> None:
    table = server.table("", "Anna", name="mace")
    page = server.person("Anna").page(table)
    assert waiting(page) == "here"
    assert "Seat 1 is open. Send this link to a friend." in page
    assert f'id="link-to-send" readonly value="{server.url}/table/{table}"' in page
    assert 'aria-label="The link as a QR code"' in page


def test_a_local_link_explains_how_to_share_it(start_server: StartServer) -> None:
    hint = "This link only works on this computer. To let friends on your network join, start Sparring with"
    server = start_server()
    assert hint in server.person("Anna").page(server.table("", "Anna", name="mace"))
    server.restart(friends="http://192.0.2.7:8000")
    page = server.person("Anna").page(server.table("", "Anna", name="mace"))
    assert 'value="http://192.0.2.7:8000/table/' in page
    assert hint not in page


@pytest.mark.parametrize(
    ("host", "here"),
    [("127.0.0.1", True), ("127.8.9.1", True), ("::1", True), ("localhost", True), ("a.localhost", True),
     ("192.0.2.7", False), ("table.example", False), ("2001:db8::1", False), ("", False)],
)  # fmt: skip
def test_loopback_addresses(host: str, here: bool) -> None:
    assert is_loopback(host) == here


def test_the_invitation_is_not_shown_over_the_choices_of_others(server: AppServer) -> None:
    page = server.person("Anna").page(server.table("Anna", "", "", name="mace"))
    assert (waiting(page), "Seat 2 and seat 3 are open." in page) == ("elsewhere", True)


def test_spectators_are_invited_to_join(server: AppServer) -> None:
    table = server.table("", "Anna", name="mace")
    page = server.stranger().get(f"/table/{table}?watch=true").text
    assert waiting(page) == "here"
    assert f'href="/table/{table}">Take a seat</a>' in page
    assert "link-to-send" not in page


def test_the_invitation_disappears_when_the_seat_is_taken(server: AppServer) -> None:
    table, anna = server.table("", "Anna", name="mace"), server.person("Anna")
    with anna.stream(table) as events:
        assert waiting(next(events).decode()) == "here"
        server.stranger().sit(table, 1, "Ben")
        assert waiting(next(events).decode()) == "none"
    assert "QR code" not in anna.page(table)


def test_an_invited_guest_needs_no_name(server: AppServer) -> None:
    table, guest = server.table("Anna", "", name="mace"), server.stranger()
    assert " required" not in guest.get(f"/table/{table}").text
    assert guest.sit(table, 2, " ").status_code == 303
    assert guest.look(table)["seat"] == 2
    assert "Guest" in guest.get(f"/table/{table}").text


def test_the_qr_code_has_the_link_and_a_quiet_zone() -> None:
    link = "http://example.org/table/abc"
    picture = qr_code(link)
    dark = {(int(x) - BORDER, int(y) - BORDER) for x, y in re.findall(r"M(\d+),(\d+)h1v1h-1z", picture)}
    code = segno.make(link, error="m", micro=False)
    assert dark == {(x, y) for y, row in enumerate(code.matrix) for x, module in enumerate(row) if module}
    assert f'viewBox="0 0 {len(code.matrix) + 2 * BORDER} ' in picture
    assert "style" not in picture
