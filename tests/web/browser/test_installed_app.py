"""Sparring as an installed app: its manifest, and its offline pages."""

import json
import re
import struct

from playwright.sync_api import Browser, Page, expect

from sparring.settings import PushSettings
from web.app_server import AppServer, StartServer
from web.browser_helpers import new_context
from web.notifications.push_service import PushBrowser

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
    context.add_cookies([{"name": "sparring", "value": server.person(name).cookie(), "url": server.url}])
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


FAKE_SUBSCRIPTION = """(({ endpoint, keys }) => {
  const subscription = { endpoint, toJSON: () => ({ endpoint, keys }), unsubscribe: async () => true };
  PushManager.prototype.getSubscription = async () => null;
  PushManager.prototype.subscribe = async ({ applicationServerKey, userVisibleOnly }) => {
    if (!userVisibleOnly || applicationServerKey.length !== 87) throw new Error("bad options");
    return subscription;
  };
  Notification.requestPermission = async () => "granted";
})(%s)"""


def test_a_button_turns_on_push_notifications(browser: Browser, start_server: StartServer) -> None:
    """The browser's own push service is replaced, since it is on the internet."""
    phone = PushBrowser("http://127.0.0.1:9/phone")
    server = start_server(push=PushSettings(contact="mailto:you@a.example", services=("http://127.0.0.1:9",)))
    page = open_table(browser, server, "Anna")
    page.add_init_script(FAKE_SUBSCRIPTION % json.dumps(phone.subscription))
    page.goto("/me")
    page.get_by_role("button", name="Turn on push in this browser").click()
    expect(page.get_by_role("status").first).to_have_text("Push notifications are on in this browser.")
    assert [box.is_checked() for box in page.get_by_role("checkbox", name="Push").all()] == [True, True]
    page.get_by_role("button", name=re.compile("^Remove ")).click()
    expect(page.get_by_role("status").first).to_contain_text("Push notifications are off")
    page.context.close()


RECORD_NOTIFICATIONS = """self.shown = new Promise((done) => {
  ServiceWorkerRegistration.prototype.showNotification = async (title, { body, tag, data }) =>
    done([title, body, tag, data.path]);
}), 0"""


def test_the_service_worker_shows_a_push_message(browser: Browser, start_server: StartServer) -> None:
    """What it shows is recorded, since headless browsers show no notifications."""
    server = start_server()
    page = open_table(browser, server, "Anna")
    [worker] = page.context.service_workers
    worker.evaluate(RECORD_NOTIFICATIONS)
    path = page.url.removeprefix(server.url)
    message = json.dumps({"title": "Your turn: MACE", "text": "It's your turn in MACE with Ben.", "path": path})
    session = page.context.new_cdp_session(page)
    registrations: list[str] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: registrations.extend(each["registrationId"] for each in told["registrations"]),
    )
    session.send("ServiceWorker.enable")
    while not registrations:
        page.evaluate("0")  # let the event arrive
    where = {"origin": server.url, "registrationId": registrations[-1]}
    session.send("ServiceWorker.deliverPushMessage", {**where, "data": message})
    assert worker.evaluate("self.shown") == ["Your turn: MACE", "It's your turn in MACE with Ben.", path, path]
    page.context.close()


CHANGE_SUBSCRIPTION = """async ({ endpoint, keys }) => {
  PushManager.prototype.subscribe = async () => ({ endpoint, toJSON: () => ({ endpoint, keys }) });
  const oldSubscription = { options: { userVisibleOnly: true } };
  const told = new ExtendableEvent("pushsubscriptionchange");
  Object.defineProperty(told, "oldSubscription", { value: oldSubscription });
  const waiting = new Promise((done) => { told.waitUntil = done; });
  self.dispatchEvent(told);
  await (await waiting);
}"""


def test_a_subscription_that_the_push_service_ended_is_renewed(browser: Browser, start_server: StartServer) -> None:
    server = start_server(push=PushSettings(contact="mailto:you@a.example", services=("http://127.0.0.1:9",)))
    page = open_table(browser, server, "Anna")
    [worker] = page.context.service_workers
    phone = PushBrowser("http://127.0.0.1:9/renewed")
    worker.evaluate(CHANGE_SUBSCRIPTION, phone.subscription)
    page.goto("/me")
    expect(page.get_by_role("button", name="Remove This browser")).to_have_count(1)
    page.context.close()
