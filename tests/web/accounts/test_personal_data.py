"""Personal data: exported as a file, and deleted."""

from sqlalchemy import Connection

from sparring.engine.game import game
from sparring.engine.match import Match
from sparring.store.moderation import Ban, key
from sparring.store.personal_data import PERSONAL
from sparring.store.rating_model import Entrant
from sparring.store.ratings import insert_variant
from sparring.store.ratings import rate as moved
from sparring.store.schema import Base, HalfInvitationRow, OutboxRow, PushDeviceRow, RecordRow, SetRow, VersionRow
from sparring.tables.play.match_results import variant_of
from sparring.tables.play.moderation import sentence
from web.accounts.account_helpers import (
    add_passkey,
    create_account,
    create_table,
    export_data,
    finish,
    guest,
    id_of,
    identity_of,
    new_account,
    sign_in,
    via_host,
)
from web.accounts.stored_fields import stored
from web.accounts.token_helpers import TOKEN, program, token_on
from web.app_server import AppServer, Client, StartServer

#: The columns that refer to a person.
WHOSE = {(column.table.name, column.name) for column in PERSONAL}
PICTURE = f"drawing [{','.join(['1'] * 200)}]"
TOML = f'name = "Deck"\npicture = "{PICTURE}"\n'


def give_data(client: Client, name: str) -> None:
    """Give a person a set with a picture in two versions, a record, and a rating."""
    server, person = client.server, id_of(client)
    personal_data = server.app.state.personal_data
    row = SetRow(id=f"set {name}", share=f"share {name}", person=person, game="hush", name=name, version=1, newest=1)
    row.row_version = 0
    version = VersionRow(set_id=row.id, number=1, toml=TOML, options="{}", description="Begun", mark="")
    server.run(personal_data.sets.add(row, version))
    later = VersionRow(set_id=row.id, toml=TOML + "size = 2\n", options="{}", description="Size set", mark="")
    server.run(personal_data.sets.change(row, later))
    record = Match.new("hush", seats=2, seed=5).record()
    brought = RecordRow(id=f"record {name}", person=person, name="old.json", record=record, game="hush", seats=2,
                        choices=0, over=False)  # fmt: skip
    server.run(personal_data.records.add(brought))
    server.run(server.app.state.streaks.record(person, "hush", 3))
    waiting = HalfInvitationRow(id=f"half {name}", game="hush", person=person, name=name, options="{}", settings="{}")
    waiting.toml = TOML
    server.run(server.tables.halves.store.add(waiting))

    def rate(connection: Connection) -> None:
        insert_variant(connection, variant := variant_of(game("hush").setup()))
        moved(connection, variant.id, [Entrant(person), Entrant("bot:random")], [1, 2], ended=0)

    server.run(server.tables.store.transaction(rate))


def give_notifications(client: Client, address: str) -> None:
    """Give a person an address with a link to it, a browser with push notifications, and a message to send."""
    server, person = client.server, id_of(client)
    addresses, dispatcher = server.app.state.personal_data.addresses, server.app.state.personal_data.dispatcher
    device = PushDeviceRow(
        id=f"device {address}"[:32], person=person, label="Phone", endpoint=address, p256dh="", auth=""
    )
    server.run(addresses.store.set_pending(person, address))
    server.run(addresses.new_link(person, "confirm", address))
    server.run(dispatcher.choices.add_device(device, identity_of(client), 10, ["turn"]))
    message = OutboxRow(kind="turn", channel="push", person=person, table="none", text=address, due=1 << 60, failures=0)
    server.run(dispatcher.outbox.add(message))


def talk(table: str, anna: Client, bert: Client) -> None:
    """Let both write a message, mute and report each other; Anna applauds."""
    for number, (speaker, hearer) in enumerate([(anna, bert), (bert, anna)], 1):
        speaker.post(f"/api/table/{table}/chat", json={"text": f"Line {number}"}).raise_for_status()
        hearer.post(f"/api/table/{table}/report", json={"line": number}).raise_for_status()
        hearer.post(f"/api/table/{table}/mute", json={"line": number}).raise_for_status()
    anna.server.run(anna.server.tables.chat.store.applaud(table, 2, 3, id_of(anna)))


def befriend(one: Client, name: str, two: Client, other: str) -> None:
    """Make two people friends who challenge each other, and mark the first as online."""
    for client, friend in ((one, other), (two, name)):
        client.post("/friends", data={"name": friend})
    for client, other_game in ((one, "hush"), (two, "five-circles")):  # challenges on the same terms would meet
        number = client.get("/api/me/friends").json()["friends"][0]["id"]
        client.post(f"/friends/{number}/challenge", data={"game": other_game})
    one.get("/friends/news")


def test_the_export_contains_all_personal_data(server: AppServer) -> None:
    anna, bert = new_account(server, "taker"), guest(server, "Bert")
    add_passkey(via_host(anna))
    table = create_table(server, anna, bert)
    finish(server, table, anna, bert)
    give_data(anna, "Deck")
    talk(table, anna, bert)
    muted = key(id_of(anna), muted=True)
    server.run(server.tables.moderation.put_ban(None, muted, "taker", Ban(why="Loud")))
    response = anna.get("/me/data")
    assert response.headers["content-disposition"] == 'attachment; filename="sparring-taker.json"'
    told = response.json()
    assert (told["name"], told["signs in as"]) == ("taker", "taker")
    assert [(key["name"], key["for"]) for key in told["passkeys"]] == [("phone", "localhost")]
    [match] = told["tables"]
    assert match["seats"] == [
        {"name": "taker", "bot": None, "you": True}, {"name": "Bert", "bot": None, "you": False}
    ]  # fmt: skip
    assert match["record"] == anna.get(f"/table/{table}/record").json()
    [said], [report] = told["said"], told["reported"]
    assert (said["table"], said["as"], said["words"]) == (table, "taker", "Line 1")
    assert (told["muted"], report["who"], report["words"]) == (["Bert"], "Bert", "Line 2")
    [done] = told["moderation"]
    assert (done["what"], done["until"], done["why"]) == ("mute", None, "Loud")
    [deck] = told["sets"]
    [name] = told["pictures"]
    assert told["pictures"][name] == PICTURE
    assert deck["toml"] == TOML + "size = 2\n"
    assert [version["change"] for version in deck["versions"]] == ["Size set", "Begun"]
    assert deck["versions"][1]["toml"] == TOML.replace(PICTURE, f"picture {name}")
    assert told["records"][0]["record"]["game"] == "hush"
    assert told["tables as pages of words"] is False
    anna.post("/listening", data={"tables": "words"})
    assert anna.get("/me/data").json()["tables as pages of words"] is True
    assert told["longest streaks of puzzles"] == {"hush": 3}
    server.run(server.app.state.streaks.record(id_of(anna), "hush", 3))
    assert export_data(anna)["longest streaks of puzzles"] == {"hush": 3}


def test_an_unfinished_match_is_exported_as_spectators_see_it(server: AppServer) -> None:
    """Neither seed nor choices: the export of a table doesn't depend on its secret choices."""
    anna, bert = guest(server, "Anna"), guest(server, "Bert")
    table = create_table(server, anna, bert)
    before = [match for match in export_data(anna)["tables"] if len(match["seats"]) == 2]
    for player in (anna, bert):
        look = player.look(table)
        if look["is_turn"]:
            player.choose(table, look["choices"][0]["choice"], look["version"]).raise_for_status()
            break
    assert [match for match in export_data(anna)["tables"] if len(match["seats"]) == 2] == before
    assert all(match.keys() == {"game", "opened", "opened by you", "over", "options", "seats"} for match in before)


def test_the_export_contains_no_ids_and_no_hashes(server: AppServer) -> None:
    anna, bert = new_account(server, "quiet"), guest(server, "Bert")
    finish(server, table := create_table(server, anna, bert), anna, bert)
    text = anna.get("/me/data").text
    for secret in (id_of(anna), id_of(bert), "argon2", table):
        assert secret not in text


def test_a_stranger_has_nothing_to_export(server: AppServer) -> None:
    told = export_data(server.stranger())
    assert (told["name"], told["tables"], told["sets"], told["records"]) == ("", [], [], [])


def test_deletion_removes_a_person_everywhere_and_others_play_on(start_server: StartServer) -> None:
    server = start_server()
    anna, bert = guest(server, "Vanishing"), guest(server, "Bert")
    alone = anna.http.get("/").text.split("/table/")[1].split('"')[0]
    going_on, over = create_table(server, anna, bert), create_table(server, anna, bert)
    finish(server, over, anna, bert)
    create_account(anna, "vanishing")
    shown = anna.post("/me/tokens", data={**TOKEN, "kind": "bot", "name": "Robot"}).text
    robot = program(server, token_on(shown))
    with_robot = create_table(server, None, bert)
    robot.post(f"/api/table/{with_robot}/sit", json={"seat": 1}).raise_for_status()
    sign_in(phone := server.stranger(), "vanishing")
    phone.post("/me/sign-out")
    add_passkey(via_host(anna))
    give_data(anna, "Gone")
    give_notifications(anna, "vanishing@example.com")
    anna.post("/listening", data={"tables": "words"})
    talk(over, anna, bert)
    bert.post(f"/table/{over}/again")  # which keeps a seat for Anna
    befriend(anna, "vanishing", new_account(server, "carla"), "carla")
    moderation = server.tables.moderation
    server.run(moderation.put_ban(None, key(id_of(anna), muted=True), "Vanishing", Ban(why="Loud")))
    [known] = server.run(moderation.people.by_id([id_of(anna)]))
    server.run(moderation.set_role(known, moderator=True))
    server.run(moderation.put_ban(identity_of(anna), key(id_of(bert), muted=True), "Bert", Ban(why="Loud")))
    person, shared = id_of(anna), anna.get("/me/delete").text
    filled = {(table, column) for table, column, value in server.run(stored(server)) if value == person}
    assert filled == WHOSE
    assert "<b>2 tables</b> where you are the only person" in shared
    assert "<b>2 tables</b> with other people" in shared

    assert anna.post("/me/delete", data={"sure": "yes"}).headers["location"] == "/me?said=deleted"

    left = [(table, column) for table, column, value in server.run(stored(server))
            if person in str(value) or "anish" in str(value) or PICTURE in str(value)]  # fmt: skip
    assert left == []
    assert [sentence(row) for row in server.run(moderation.store.log())] == [
        "Deleted player muted Bert for good: Loud.", "The operator made Deleted player a moderator.",
        "The operator muted Deleted player for good: Loud.",
    ]  # fmt: skip
    assert bert.get(f"/table/{alone}").status_code == 404
    lines = bert.get(f"/api/table/{over}/chat").json()["lines"]
    assert [(line["kind"], line["name"], line["text"]) for line in lines] == [
        ("gone", "Deleted player", ""), ("text", "Bert", "Line 2")
    ]  # fmt: skip
    names = [player.name for player in server.run(server.tables.registry.get(over)).players]
    assert names == ["Deleted player", "Bert"]
    player = server.run(server.tables.registry.get(going_on)).players[0]
    assert (player.name, player.bot) == ("Deleted player", "")
    assert bert.look(going_on)["winners"] == [2]
    robots = server.run(server.tables.registry.get(with_robot)).players[0]
    assert (robots.name, robots.bot_of) == ("Deleted player", "")
    asked = robot.get("/api/games")
    assert (asked.status_code, "expired or was revoked" in asked.text) == (401, True)
    assert sign_in(server.stranger(), "vanishing").status_code == 403
    assert "playing as a guest" not in anna.get("/me").text


def test_every_column_that_refers_to_a_person_is_handled() -> None:
    """Say in a new column's `info` what becomes of its row, and fill it in the test above."""
    columns = {(table.name, column.name) for table in Base.metadata.sorted_tables for column in table.columns}
    names = ("person", "offered", "other", "host", "muted", "reporter", "player", "opponent", "moderator")
    whose = {(table, column) for table, column in columns if column in names}
    assert whose == WHOSE


def test_open_pages_show_the_deletion(server: AppServer) -> None:
    anna, bert = guest(server, "Leaving"), guest(server, "Bert")
    table = create_table(server, bert, anna)
    with bert.stream(table, bert.version(table)) as events:
        assert next(events).startswith(b": nothing new")
        anna.post("/me/delete", data={"sure": "yes"})
        assert b"Deleted player" in next(events)


def test_a_deleted_players_seat_in_a_finished_match_stays_closed(server: AppServer) -> None:
    anna, bert = guest(server, "Anna"), guest(server, "Bert")
    finish(server, table := create_table(server, anna, bert), anna, bert)
    anna.post("/me/delete", data={"sure": "yes"})
    refused = server.stranger().post(f"/table/{table}/sit", data={"name": "Cleo", "seat": "1"})
    assert (refused.status_code, "This match is over" in refused.text) == (403, True)


def test_a_deleted_players_seat_is_open_in_the_next_match(server: AppServer) -> None:
    anna, bert = guest(server, "Anna"), guest(server, "Bert")
    finish(server, table := create_table(server, anna, bert), anna, bert)
    anna.post("/me/delete", data={"sure": "yes"})
    following = bert.post(f"/table/{table}/again").headers["location"].removeprefix("/table/")
    seats = bert.look(following)["seats"]
    assert [(seat["kind"], seat["name"]) for seat in seats] == [("person", "Bert"), ("open", "")]
    assert bert.post(f"/api/table/{following}/seats", json={"seat": 2, "bot": "random"}).status_code == 200


def test_deletion_needs_confirmation_and_an_account(server: AppServer) -> None:
    anna = guest(server, "Anna")
    refused = anna.post("/me/delete", data={})
    assert (refused.status_code, "Tick the box to confirm" in refused.text) == (422, True)
    server.stranger().post("/me/delete", data={"sure": "yes"})
    assert len(export_data(anna)["tables"]) == 1


def test_moved_pictures_of_a_guest_are_stored_once(server: AppServer) -> None:
    anna, phone = new_account(server, "painter"), guest(server, "Phone")
    give_data(anna, "Mine")
    give_data(phone, "Guest")
    sign_in(phone, "painter", bring="yes")
    told = export_data(anna)
    assert sorted(deck["name"] for deck in told["sets"]) == ["Guest", "Mine"]
    assert [deck["toml"] for deck in told["sets"]] == [TOML + "size = 2\n"] * 2
    assert list(told["pictures"].values()) == [PICTURE]
    assert len(told["records"]) == 2


def test_a_guests_notifications_move_to_the_account_unless_it_has_chosen(server: AppServer) -> None:
    anna, phone, tablet = new_account(server, "notified"), guest(server, "Phone"), guest(server, "Tablet")
    for client in (phone, tablet):
        both = [("turn", "push"), ("invitation", "push")]
        server.run(server.app.state.personal_data.dispatcher.choices.choose(id_of(client), ["push"], both))
    sign_in(phone, "notified", bring="yes")
    wanted = [{"kind": "invitation", "channel": "push"}, {"kind": "turn", "channel": "push"}]
    assert export_data(anna)["notifications"] == wanted
    server.run(server.app.state.personal_data.dispatcher.choices.choose(id_of(anna), ["push"], [("turn", "push")]))
    sign_in(tablet, "notified", bring="yes")
    assert export_data(anna)["notifications"] == wanted[1:]


def test_a_picture_shared_with_another_person_stays(server: AppServer) -> None:
    anna, bert = guest(server, "Anna"), guest(server, "Bert")
    give_data(anna, "Same")
    give_data(bert, "Alike")
    anna.post("/me/delete", data={"sure": "yes"})
    assert list(export_data(bert)["pictures"].values()) == [PICTURE]
