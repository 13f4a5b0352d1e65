"""The account page: its topics, and links to them."""

import re

from web.accounts.account_helpers import guest, new_account
from web.app_server import AppServer, Client, StartServer
from web.notifications.mail_catcher import catch_mail

HEADING = re.compile(r"<h([123])[^>]*>([^<]+)</h\1>")


def topics(client: Client) -> dict[str, list[str]]:
    """Return the headings of the boxes of each topic; the first heading is the page's own."""
    found: dict[str, list[str]] = {}
    for level, words in HEADING.findall(client.get("/me").text)[1:]:
        if level == "2":
            found[words] = []
        else:
            found[list(found)[-1]].append(words)
    return found


def test_boxes_are_in_topics(start_server: StartServer) -> None:
    with catch_mail() as catcher:
        found = topics(new_account(start_server(mail=catcher.settings), "anna"))
    assert list(found) == ["Profile", "Sign-in and security", "Notifications and text mode", "Data and programs"]
    assert {"Passkeys", "Recovery codes", "E-mail address", "Sign out"} <= set(found["Sign-in and security"])
    assert "Notifications" in found["Notifications and text mode"]
    assert "Your data" in found["Data and programs"]


def test_a_guest_has_no_topic_about_signing_in(server: AppServer) -> None:
    found = topics(guest(server, "Ben"))
    assert "Sign-in and security" not in found
    assert found["Profile"][0] == "Your name"
    assert all(found.values()), "no topic is empty"


def test_every_topic_has_a_link(server: AppServer) -> None:
    page = new_account(server, "anna").get("/me").text
    linked = re.findall(r'<li><a href="#(\w+)">', page)
    assert linked == re.findall(r'<h2 id="(\w+)"', page)
