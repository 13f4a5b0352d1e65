"""Sparring as an installed app: its manifest, and its offline pages."""

import re
import struct

from playwright.sync_api import Browser, Page, expect

from web.app_server import AppServer, StartServer
from web.browser_helpers import new_context

CONTROLLED = "navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null)"


def test_the_manifest_lists_existing_icons_with_their_sizes(server: AppServer) -> None:
    page = server.stranger().get("/").text
    told = server.stranger().get(re.findall(r'rel="manifest" href="(\S+)"', page)[0])
    assert told.headers["content-type"] == "application/manifest+json"
    manifest = told.json()
    assert (manifest["start_url"], manifest["display"], manifest["scope"]) == ("/", "standalone", "/")
    for icon in manifest["icons"]:
        file = server.stranger().get(icon["src"])
        assert file.headers["content-type"].startswith(icon["type"])
        if icon["type"] == "image/png":
            assert struct.unpack(">II", file.content[16:24]) == tuple(map(int, icon["sizes"].split("x")))
    assert {"any", "maskable"} == {icon.get("purpose", "any") for icon in manifest["icons"]}


def test_the_offline_page_names_no_one(server: AppServer) -> None:
    page = server.person("Anna").get("/offline")
    assert "Anna" not in page.text
    assert "set-cookie" not in page.headers
    assert server.person("Anna").get("/worker.js").headers["cache-control"] == "no-cache"


def open_table(browser: Browser, server: AppServer, name: str) -> Page:
    """Open a table in a browser whose service worker is ready."""
    context = new_context(browser, server.url, service_workers="allow")
    context.add_cookies(
        [{"name": "sparring", "value": server.person(name).http.cookies["sparring"], "url": server.url}]
    )
    page = context.new_page()
    page.goto("/")
    page.wait_for_function(CONTROLLED)
    page.goto(f"/table/{server.table(name, 'Ben', name='mace')}")
    expect(page.locator("#table .scene")).to_be_visible()
    return page


def test_offline_the_last_table_is_shown(browser: Browser, start_server: StartServer) -> None:
    server = start_server()
    page = open_table(browser, server, "Anna")
    table, asked = page.url, page.locator("#table .sentence").inner_text()
    server.close()
    page.goto("/studio")
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    page.get_by_role("link", name="Show the last table you opened").click()
    assert page.url == table
    assert page.locator("#table .sentence").inner_text() == asked
    expect(page.get_by_role("status").first).to_have_text(re.compile("Connection lost"))
    page.context.close()


def test_signing_in_or_out_deletes_the_offline_table(browser: Browser, start_server: StartServer) -> None:
    server = start_server()
    page = open_table(browser, server, "Anna")
    page.goto("/sign-in")
    page.locator("input[name=login]").fill("Ben")
    page.locator("input[name=password]").fill("no such password")
    page.locator("input[name=password]").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Wrong name or password")
    server.close()
    page.goto("/studio")
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    expect(page.get_by_role("link", name="Show the last table you opened")).to_have_count(0)
    page.context.close()
