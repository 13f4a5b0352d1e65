"""Push notifications: encrypted for each browser, signed, and never sent to an unknown place."""

import json
import time
from collections.abc import Iterator

import pytest
from py_vapid import Vapid02
from sqlalchemy import func, select, update

from sparring.people.push import BadDevice, check_endpoint
from sparring.settings import PushSettings
from sparring.site.account_pages.notification_pages import DEVICES
from sparring.store.notifications import NotificationStore, delete_notifications_of_guests
from sparring.store.schema import PushDeviceRow, PushKeyRow
from web.accounts.account_helpers import guest, identity_of, new_account, unbase64
from web.app_server import AppServer, Client, StartServer, delete_all_tables
from web.notifications.mail_catcher import send_due
from web.notifications.push_service import CONTACT, PushBrowser, PushService, push_service
from web.notifications.turns import days_table, end_turn, outbox


@pytest.fixture
def service() -> Iterator[PushService]:
    with push_service() as running:
        yield running


@pytest.fixture
def pushing(start_server: StartServer, service: PushService) -> AppServer:
    """Return a server that sends push notifications."""
    return start_server(push=service.settings, notify_after=0.0)


def subscribe(client: Client, service: PushService, path: str = "/phone") -> PushBrowser:
    browser = PushBrowser(service.url + path)
    response = client.post("/me/push", json=browser.subscription)
    assert response.raise_for_status().json() == {"to": "/me?said=push"}
    return browser


def begin_turn(server: AppServer, service: PushService, *paths: str) -> Client:
    """Let Ben's turn begin, and send that to his browsers; return him."""
    anna, ben = guest(server, "Anna"), guest(server, "Ben")
    for path in paths or ["/phone"]:
        subscribe(ben, service, path)
    end_turn(days_table(server, anna, ben), anna)
    send_due(server)
    return ben


def devices(client: Client) -> list[str]:
    """Return the endpoints in a person's export."""
    browsers = client.get("/me/data").raise_for_status().json()["browsers with push notifications"]
    return [browser["endpoint"] for browser in browsers]


def test_a_turn_reaches_a_players_browser(pushing: AppServer, service: PushService) -> None:
    anna, ben = guest(pushing, "Anna"), guest(pushing, "Ben")
    phone = subscribe(ben, service)
    table = days_table(pushing, anna, ben)
    end_turn(table, anna)
    send_due(pushing)
    request = service.take()
    assert phone.read(request) == {
        "title": "Your turn: Hush", "text": "It's your turn in Hush with Anna.", "path": f"/table/{table}"
    }  # fmt: skip
    assert request.path == "/phone"
    assert request.headers["Content-Encoding"] == "aes128gcm"
    assert int(request.headers["TTL"]) > 0
    assert table not in request.headers["Topic"]
    assert send_due(pushing) == 0


def test_a_message_is_signed_for_its_push_service(pushing: AppServer, service: PushService) -> None:
    begin_turn(pushing, service)
    signature = service.take().headers["Authorization"]
    assert Vapid02.verify(signature)
    claims = json.loads(unbase64(signature.split(".")[1]))
    assert (claims["sub"], claims["aud"]) == (CONTACT, service.url)
    assert 0 < claims["exp"] - time.time() < 24 * 3600


def test_pages_and_signatures_use_one_key_in_all_processes(start_server: StartServer, service: PushService) -> None:
    servers = [start_server(push=service.settings, notify_after=0.0) for _ in range(2)]
    keys = {server.run(server.app.state.personal_data.dispatcher.push.public_key()) for server in servers}
    [key] = keys
    anna, ben = guest(servers[0], "Anna"), guest(servers[0], "Ben")
    subscribe(ben, service)
    assert f'data-push="{key}"' in ben.get("/me").text
    assert "data-push" not in servers[0].stranger().get("/me").text, "who has no identity yet can't subscribe"
    end_turn(days_table(servers[0], anna, ben), anna)
    send_due(servers[1])
    assert f"k={key}" in service.take().headers["Authorization"]


def test_an_invitation_reaches_all_browsers_of_a_person(pushing: AppServer, service: PushService) -> None:
    ben = guest(pushing, "Ben")
    browsers = [subscribe(ben, service, path) for path in ("/phone", "/laptop")]
    table = pushing.table("Anna", "")
    pushing.run(pushing.tables.registry.outgoing.invite([identity_of(ben).id], "Anna", table))
    send_due(pushing)
    told = {request.path: request for request in service.got}
    texts = [browser.read(told[path])["text"] for browser, path in zip(browsers, ("/phone", "/laptop"), strict=True)]
    assert texts == ["Anna invites you to a match of Hush."] * 2


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_forgotten(pushing: AppServer, service: PushService, status: int) -> None:
    service.statuses["/old"] = status
    ben = begin_turn(pushing, service, "/old", "/new")
    assert sorted(request.path for request in service.got) == ["/new", "/old"]
    assert devices(ben) == [f"{service.url}/new"]
    assert outbox(pushing) == 0


def test_a_failing_push_service_is_tried_again(pushing: AppServer, service: PushService) -> None:
    service.statuses["/phone"] = 503
    ben = begin_turn(pushing, service)
    assert outbox(pushing) == 1
    assert devices(ben) == [f"{service.url}/phone"]


def test_a_redirect_is_not_followed(pushing: AppServer, service: PushService) -> None:
    service.statuses["/phone"] = 307
    begin_turn(pushing, service)
    assert service.take().path == "/phone"


@pytest.mark.parametrize(
    ("endpoint", "known"),
    [
        ("https://fcm.googleapis.com/fcm/send/abc", True), ("https://web.push.apple.com/abc", True),
        ("https://wns2-am3p.notify.windows.com:443/w/?token=abc", True),
        ("http://fcm.googleapis.com/fcm/send/abc", False), ("https://fcm.googleapis.com:8443/", False),
        ("https://127.0.0.1/", False), ("https://[::1]/", False), ("http://169.254.169.254/latest", False),
        ("https://notfcm.googleapis.com.evil.example/", False), ("https://xpush.apple.com/", False),
        ("https://push.apple.com@evil.example/", False), ("https://evil.example/#push.apple.com", False),
        ("file:///etc/passwd", False), ("https://[", False), ("", False),
        (f"https://push.apple.com/{'a' * 2000}", False),
    ],
)  # fmt: skip
def test_the_server_posts_to_known_push_services_only(endpoint: str, known: bool) -> None:
    if known:
        check_endpoint(endpoint, PushSettings().services)
    else:
        with pytest.raises(BadDevice, match="a push service that the server doesn't know"):
            check_endpoint(endpoint, PushSettings().services)


def test_a_malformed_subscription_is_refused(pushing: AppServer, service: PushService) -> None:
    ben = guest(pushing, "Ben")
    good = PushBrowser(f"{service.url}/phone").subscription
    for wrong in ({"p256dh": "AAAA"}, {"auth": "AAAA"}, {"p256dh": "!" * 87}):
        refused = ben.post("/me/push", json={**good, "keys": {**good["keys"], **wrong}})
        assert (refused.status_code, "keys for push notifications" in refused.text) == (422, True)
    assert ben.post("/me/push", json={**good, "endpoint": "https://127.0.0.1/"}).status_code == 422
    assert devices(ben) == []


def test_a_person_has_a_few_browsers_and_a_browser_one_person(pushing: AppServer, service: PushService) -> None:
    anna, ben = guest(pushing, "Anna"), guest(pushing, "Ben")
    for number in range(DEVICES + 2):
        subscribe(ben, service, f"/{number}")
    assert len(devices(ben)) == DEVICES
    shared = PushBrowser(f"{service.url}/shared")
    for owner in (ben, anna):
        owner.post("/me/push", json=shared.subscription).raise_for_status()
    assert devices(anna) == [shared.endpoint]
    assert shared.endpoint not in devices(ben)


def test_a_browser_can_be_removed_by_its_owner_only(pushing: AppServer, service: PushService) -> None:
    anna, ben = guest(pushing, "Anna"), guest(pushing, "Ben")
    subscribe(ben, service)
    page = ben.get("/me").text
    path = page.partition('action="/me/push/')[2].partition('"')[0]
    anna.post(f"/me/push/{path}")
    assert len(devices(ben)) == 1
    assert ben.post(f"/me/push/{path}").headers["location"] == "/me?said=unpush"
    assert devices(ben) == []


def test_signing_out_everywhere_ends_push_notifications(pushing: AppServer, service: PushService) -> None:
    """A thief's browser gets none after a password change either."""
    ben = new_account(pushing, "ben")
    subscribe(ben, service)
    ben.post("/me/password", data={"login": "ben", "password": "another green teapot"})
    assert devices(ben) == []


def test_a_server_without_push_offers_none(start_server: StartServer) -> None:
    server = start_server()
    ben = guest(server, "Ben")
    assert "push" not in ben.get("/me").text.lower()
    assert ben.post("/me/push", json=PushBrowser("https://push.apple.com/a").subscription).status_code == 404

    async def keys() -> int:
        async with server.tables.store.reading() as session:
            return (await session.scalars(select(func.count()).select_from(PushKeyRow))).one()

    assert server.run(keys()) == 0  # a key is made on first use


def test_browsers_of_guests_without_a_table_are_forgotten_after_a_week(
    pushing: AppServer, service: PushService
) -> None:
    store, week = pushing.tables.store, 7 * 24 * 3600
    seated, gone, owner = guest(pushing, "Ben"), pushing.stranger(), new_account(pushing, "owner")
    table = days_table(pushing, seated, owner)
    for number, client in enumerate((seated, gone, owner)):
        subscribe(client, service, f"/{number}")
    before = int(time.time()) - week
    pushing.run(store.transaction(delete_notifications_of_guests, before))
    assert [len(devices(client)) for client in (seated, gone, owner)] == [1, 1, 1]
    pushing.run(store.execute(update(PushDeviceRow).values(created=PushDeviceRow.created - week - 1)))
    pushing.run(store.transaction(delete_notifications_of_guests, before))
    assert [len(devices(client)) for client in (seated, gone, owner)] == [1, 0, 1]
    wanted = [pushing.run(NotificationStore(store).choices(identity_of(client).id)) for client in (seated, gone, owner)]
    assert [len(choices) for choices in wanted] == [2, 0, 2]
    pushing.tables.registry.evict(pushing.run(pushing.tables.registry.get(table)))
    delete_all_tables(pushing)
    pushing.run(store.transaction(delete_notifications_of_guests, before))
    assert [len(devices(client)) for client in (seated, gone, owner)] == [0, 0, 1]
