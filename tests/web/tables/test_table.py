"""Playing over HTTP: choices, undo, refusals, and that a refusal changes nothing."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from web.app_server import AppServer, Client


def hand(server: AppServer, table: str, who: str) -> list[str]:
    """Return the cards that a person can play, in words."""
    words = [choice["words"] for choice in server.person(who).look(table)["choices"]]
    return [word for word in words if word.startswith("lay")]


def test_a_choice_is_accepted_by_number_and_by_words(server: AppServer, table: str, anna: Client) -> None:
    first = anna.look(table)["choices"][0]
    response = anna.choose(table, first["choice"])
    assert response.status_code == 200
    assert response.json() == {"accepted": True, "version": 2}
    assert anna.choose(table, hand(server, table, "Anna")[0]).json()["version"] == 3
    assert f"You {first['words']}." in anna.look(table)["log"]


def test_hidden_choices_are_not_announced(server: AppServer, table: str, anna: Client, ben: Client) -> None:
    before = ben.look(table), ben.page(table)
    anna.choose(table, hand(server, table, "Anna")[0])
    assert (ben.look(table), ben.page(table)) == before
    assert anna.version(table) == 2
    anna.choose(table, "done")
    assert ben.version(table) == 2


def test_undo_within_the_moment(server: AppServer, table: str, anna: Client) -> None:
    before = hand(server, table, "Anna")
    anna.choose(table, before[0])
    assert "Take back" in anna.page(table)
    assert anna.take_back(table).json() == {"accepted": True, "version": 3}
    assert hand(server, table, "Anna") == before
    assert anna.look(table)["log"] == []


# Refusals


def refused(server: AppServer, table: str, who: str, choice: int | str, version: int = 1) -> tuple[int, str]:
    """Return the refusal of a choice; assert that it changes nothing for anyone."""
    people = [server.person("Anna"), server.person("Ben"), server.stranger()]
    before = [(person.look(table), person.page(table)) for person in people]
    response = server.person(who).choose(table, choice, version)
    assert [(person.look(table), person.page(table)) for person in people] == before
    assert response.json()["accepted"] is False
    return response.status_code, response.json()["reason"]


def test_an_illegal_choice(server: AppServer, table: str) -> None:
    held = [int(word.removeprefix("lay ")) for word in hand(server, table, "Anna")]
    missing = next(card for card in range(1, 10) if card not in held)
    for choice in (f"lay {missing}", missing - 1):
        assert refused(server, table, "Anna", choice) == (422, "You do not hold that card.")
    assert refused(server, table, "Anna", 999)[0] == 422
    code, reason = refused(server, table, "Anna", "dance")
    assert (code, "dance" in reason, "done" in reason) == (422, True, True)


def test_a_choice_for_another_players_seat(server: AppServer, table: str) -> None:
    assert refused(server, table, "Ben", "done")[0] == 403
    assert refused(server, table, "Carla", "done") == (403, "You are watching. Only players can choose.")


def test_a_choice_sent_twice_or_for_an_older_version(server: AppServer, table: str) -> None:
    assert refused(server, table, "Anna", "done", version=0)[0] == 409
    choice = hand(server, table, "Anna")[0]
    assert server.person("Anna").choose(table, choice, 1).status_code == 200
    assert refused(server, table, "Anna", choice)[0] == 409


MALFORMED = [
    b"", b"{", b"[]", b"\xff\xfe", b"[" * 4000, b'{"version": 1}', b'{"version": "x", "choice": 1}',
    b'{"version": -1, "choice": 1}', b'{"version": 1, "choice": null}', b'{"version": 1, "choice": 1.5}',
    b'{"version": 1e99, "choice": 1}', b'{"version": 1, "choice": ""}', b'{"version": 1, "choice": -1}',
    b'{"version": 1, "choice": "' + b"x" * 201 + b'"}',
]  # fmt: skip


@pytest.mark.parametrize("body", MALFORMED)
def test_a_malformed_body(table: str, anna: Client, body: bytes) -> None:
    response = anna.post(f"/api/table/{table}/choose", content=body, headers={"Content-Type": "application/json"})
    assert response.status_code == 400
    assert response.json()["accepted"] is False
    assert anna.version(table) == 1


def test_an_overlong_body(table: str, anna: Client) -> None:
    body = b'{"version": 1, "choice": "' + b"x" * 10_000 + b'"}'
    response = anna.post(f"/api/table/{table}/choose", content=body, headers={"Content-Type": "application/json"})
    assert (response.status_code, response.json()["accepted"]) == (413, False)
    assert anna.version(table) == 1


def test_an_unknown_table(server: AppServer) -> None:
    response = server.person("Anna").choose("nowhere", "done", 1)
    assert (response.status_code, response.json()["accepted"]) == (404, False)
    assert [server.stranger().get(f"/table/nowhere{page}").status_code for page in ("", "/events")] == [404, 404]


@pytest.mark.parametrize("cookie", ["nonsense", "WyJBbm5hIiwiQW5uYSJd.forged", "." * 3000])
def test_a_forged_cookie(server: AppServer, table: str, cookie: str) -> None:
    client = server.stranger()
    client.set_cookie(cookie)
    response = client.choose(table, "done", 1)
    assert response.status_code == 403
    assert "cookie" in response.json()["reason"]
    assert client.look(table)["seat"] == 0
    assert server.person("Anna").version(table) == 1


@pytest.mark.parametrize(
    "headers", [{"Origin": "http://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"},
                {"Sec-Fetch-Site": "same-site"}],
)  # fmt: skip
def test_a_post_from_another_site(table: str, anna: Client, headers: dict[str, str]) -> None:
    for path in (f"/table/{table}/choose", f"/table/{table}/sit", f"/table/{table}/again", "/games/hush", "/theme"):
        response = anna.post(path, data={"version": "1", "choice": "9", "seat": "1", "name": "A"}, headers=headers)
        assert response.status_code == 403
        assert "set-cookie" not in response.headers
    assert anna.version(table) == 1


def test_concurrent_choices_count_once(server: AppServer, table: str, anna: Client) -> None:
    body = {"version": 1, "choice": hand(server, table, "Anna")[0]}
    with ThreadPoolExecutor(4) as pool:
        posts = [pool.submit(anna.post, f"/api/table/{table}/choose", json=body) for _ in range(4)]
        codes = sorted(post.result().status_code for post in posts)
    assert codes == [200, 409, 409, 409]


# Without JavaScript


def test_forms_work_without_javascript(table: str, anna: Client) -> None:
    number = anna.look(table)["choices"][0]["choice"]
    response = anna.post(f"/table/{table}/choose", data={"version": "1", "choice": str(number)})
    assert (response.status_code, response.headers["location"]) == (303, f"/table/{table}")
    response = anna.post(f"/table/{table}/take-back", data={"version": "2"})
    assert (response.status_code, anna.version(table)) == (303, 3)


def test_a_refused_form_gives_a_reason_and_a_link_back(server: AppServer, table: str) -> None:
    response = server.person("Anna").post(f"/table/{table}/choose", data={"version": "7", "choice": "9"})
    assert response.status_code == 409
    assert "The table has changed" in response.text
    assert f'href="/table/{table}"' in response.text


def test_evicting_a_table_again_keeps_the_one_that_replaced_it(server: AppServer) -> None:
    table, registry = server.table("Anna", "Ben"), server.tables.registry

    async def replacement_is_kept() -> bool:
        old = await registry.get(table)
        registry.evict(old)
        new = await registry.get(table)
        registry.evict(old)
        return registry.find(table) is new

    assert server.run(replacement_is_kept())
