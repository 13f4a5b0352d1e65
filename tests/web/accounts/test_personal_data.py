"""All that is somebody's: taken along as a file, and deleted."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, MetaData, select

from sparring.bots import DEFAULT_LEVEL
from sparring.engine.game import game
from sparring.engine.match import Match
from sparring.web.api_tokens import TokenRequest
from sparring.web.identity import COOKIE, Person
from sparring.web.security.rate_limits import Requester
from sparring.web.storage.personal_data_store import OWNED
from sparring.web.storage.rating_limits import Entrant
from sparring.web.storage.rating_store import insert_variant
from sparring.web.storage.rating_store import rate as moved
from sparring.web.storage.schema import Base, RecordRow, SetRow, VersionRow
from sparring.web.tables.match_results import variant_of
from sparring.web.tables.players import Player
from web.accounts.account_helpers import at_a_name, guest, keep, keeper, make, mine, sign_in
from web.accounts.test_accounts import table_of
from web.app_server import House, Opener, Visitor

#: The columns that say whose something is, and that are taken care of.
WHOSE = {(kind.__tablename__, "person") for kind in OWNED} | {
    ("seats", "person"), ("tables", "host"), ("lines", "person"), ("applause", "person"), ("mutes", "person"),
    ("mutes", "muted"), ("reports", "person"), ("reports", "reporter"),
    ("results", "player"), ("ratings", "player"), ("opponents", "player"), ("opponents", "opponent"),
}  # fmt: skip
PICTURE = f"drawing [{','.join(['1'] * 200)}]"
TOML = f'name = "Deck"\npicture = "{PICTURE}"\n'


def id_of(visitor: Visitor) -> str:
    return house_person(visitor).id


def program(visitor: Visitor) -> tuple[str, Person]:
    """A token for a bot of somebody's, and the bot as it sits down."""
    house, person = visitor.house, house_person(visitor)
    tokens = house.app.state.tokens
    token = house.run(tokens.make(person, TokenRequest("Robot", ["look", "play"], bot=True), Requester(person.id)))
    return token, house.run(tokens.read(token))


def house_person(visitor: Visitor) -> Person:
    return visitor.house.app.state.passport.read(visitor.http.cookies[COOKIE])  # type: ignore[no-any-return]


def finish(house: House, table: str, *players: Visitor) -> None:
    """Play a match to its end: everybody whatever comes first."""
    while True:
        for player in players:
            look = player.look(table)
            if look["over"]:
                return
            if look["asked"]:
                player.choose(table, look["choices"][0]["choice"], look["version"]).raise_for_status()


def give(visitor: Visitor, name: str) -> None:
    """Somebody has a set with a picture in two versions, a record, and a rating."""
    house, person = visitor.house, id_of(visitor)
    holdings = house.app.state.holdings
    row = SetRow(id=f"set {name}", share=f"share {name}", person=person, game="hush", name=name, version=1, newest=1)
    row.edition = 0
    version = VersionRow(set_id=row.id, number=1, toml=TOML, options="{}", told="Begun", mark="")
    house.run(holdings.sets.add(row, version))
    later = VersionRow(set_id=row.id, toml=TOML + "size = 2\n", options="{}", told="Size set", mark="")
    house.run(holdings.sets.change(row, later))
    record = Match.new("hush", seats=2, seed=5).record()
    brought = RecordRow(id=f"record {name}", person=person, name="old.json", record=record, game="hush", seats=2,
                        choices=0, over=False)  # fmt: skip
    house.run(holdings.records.add(brought))

    def rate(connection: Connection) -> None:
        insert_variant(connection, variant := variant_of(game("hush").box()))
        moved(connection, variant.id, [Entrant(person), Entrant("bot:random")], [1, 2], ended=0)

    house.run(house.tables.store.writer.write(rate))


def talk(table: str, anna: Visitor, bert: Visitor) -> None:
    """Both say something; then they mute and report each other, and Anna applauds."""
    for number, (speaker, hearer) in enumerate([(anna, bert), (bert, anna)], 1):
        speaker.post(f"/api/table/{table}/talk", json={"text": f"Line {number}"}).raise_for_status()
        hearer.post(f"/api/table/{table}/report", json={"line": number}).raise_for_status()
        hearer.post(f"/api/table/{table}/mute", json={"line": number}).raise_for_status()
    anna.house.run(anna.house.tables.chat_store.applaud(table, 2, 3, id_of(anna)))


def test_everything_is_taken_along_as_a_file(house: House) -> None:
    anna, bert = keeper(house, "taker"), guest(house, "Bert")
    make(at_a_name(anna))
    table = table_of(house, anna, bert)
    finish(house, table, anna, bert)
    give(anna, "Deck")
    talk(table, anna, bert)
    answer = anna.get("/me/data")
    assert answer.headers["content-disposition"] == 'attachment; filename="sparring-taker.json"'
    told = answer.json()
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


def test_a_match_that_goes_on_tells_in_the_file_what_everybody_sees(house: House) -> None:
    """Neither seed nor choices: the file of one and the same table is the same whatever was chosen there in secret."""
    anna, bert = guest(house, "Anna"), guest(house, "Bert")
    table = table_of(house, anna, bert)
    before = [match for match in mine(anna)["tables"] if len(match["seats"]) == 2]
    for player in (anna, bert):
        look = player.look(table)
        if look["asked"]:
            player.choose(table, look["choices"][0]["choice"], look["version"]).raise_for_status()
            break
    assert [match for match in mine(anna)["tables"] if len(match["seats"]) == 2] == before
    assert all(match.keys() == {"game", "opened", "opened by you", "over", "options", "seats"} for match in before)


def test_the_file_holds_no_id_of_anybody_and_no_hash(house: House) -> None:
    anna, bert = keeper(house, "quiet"), guest(house, "Bert")
    finish(house, table := table_of(house, anna, bert), anna, bert)
    text = anna.get("/me/data").text
    for secret in (id_of(anna), id_of(bert), "argon2", table):
        assert secret not in text


def test_a_stranger_has_nothing_to_take_along(house: House) -> None:
    told = mine(house.stranger())
    assert (told["name"], told["tables"], told["sets"], told["records"]) == ("", [], [], [])


def everything(connection: Connection) -> Iterator[tuple[str, str, Any]]:
    """Every field that is stored, by its table and column."""
    metadata = MetaData()
    metadata.reflect(connection)
    for table in metadata.sorted_tables:
        for row in connection.execute(select(table)).mappings():
            yield from ((table.name, column, value) for column, value in row.items())


async def stored(house: House) -> list[tuple[str, str, Any]]:
    async with house.tables.store.engine.connect() as connection:
        return await connection.run_sync(lambda sync: list(everything(sync)))


def test_whoever_is_deleted_is_nowhere_any_more_and_the_others_play_on(open_house: Opener) -> None:
    house = open_house()
    anna, bert = guest(house, "Vanishing"), guest(house, "Bert")
    alone = anna.http.get("/").text.split("/table/")[1].split('"')[0]
    going_on, over = table_of(house, anna, bert), table_of(house, anna, bert)
    finish(house, over, anna, bert)
    token, robot = program(anna)
    with_robot = house.run(house.tables.create(game("hush"), [Player.of(robot), Player.of(house_person(bert))])).id
    keep(anna, "vanishing")
    sign_in(phone := house.stranger(), "vanishing")
    phone.post("/me/sign-out")
    make(at_a_name(anna))
    give(anna, "Gone")
    anna.post("/listening", data={"tables": "words"})
    talk(over, anna, bert)
    person, shared = id_of(anna), anna.get("/me/delete").text
    filled = {(table, column) for table, column, value in house.run(stored(house)) if value == person}
    assert filled == WHOSE
    assert "<b>1 table</b> where you are the only person" in shared
    assert "<b>2 tables</b> with other people" in shared

    assert anna.post("/me/delete", data={"sure": "yes"}).headers["location"] == "/me?said=deleted"

    left = [(table, column) for table, column, value in house.run(stored(house))
            if person in str(value) or "anish" in str(value) or PICTURE in str(value)]  # fmt: skip
    assert left == []
    assert bert.get(f"/table/{alone}").status_code == 404
    lines = bert.get(f"/api/table/{over}/talk").json()["lines"]
    assert [(line["kind"], line["name"], line["text"]) for line in lines] == [
        ("gone", "Deleted player", ""), ("text", "Bert", "Line 2")
    ]  # fmt: skip
    names = [sitter.name for sitter in house.run(house.tables.get(over)).players]
    assert names == ["Deleted player", "Bert"]
    sitter = house.run(house.tables.get(going_on)).players[0]
    assert (sitter.person, sitter.name, sitter.bot) == ("", "Deleted player", f"search:level={DEFAULT_LEVEL}")
    robots = house.run(house.tables.get(with_robot)).players[0]
    assert (robots.person, robots.name, robots.bot_of) == ("", "Deleted player", "")
    finish(house, going_on, bert)
    asked = house.stranger().http.get("/api/games", headers={"Authorization": f"Bearer {token}"})
    assert (asked.status_code, "expired or was revoked" in asked.text) == (401, True)
    assert sign_in(house.stranger(), "vanishing").status_code == 403
    assert "playing as a guest" not in anna.get("/me").text


def test_every_column_that_says_whose_something_is_is_taken_care_of() -> None:
    """A new one belongs into `belongings.py`, and into the test above."""
    columns = {(table.name, column.name) for table in Base.metadata.sorted_tables for column in table.columns}
    names = ("person", "host", "muted", "reporter", "player", "opponent")
    whose = {(table, column) for table, column in columns if column in names}
    assert whose == WHOSE


def test_a_page_that_is_open_sees_that_somebody_is_gone(house: House) -> None:
    anna, bert = guest(house, "Leaving"), guest(house, "Bert")
    table = table_of(house, bert, anna)
    with bert.stream(table, bert.version(table)) as events:
        assert next(events).startswith(b": nothing new")
        anna.post("/me/delete", data={"sure": "yes"})
        assert b"Deleted player" in next(events)


def test_nobody_takes_the_seat_of_somebody_who_is_gone_in_a_match_that_is_over(house: House) -> None:
    anna, bert = guest(house, "Anna"), guest(house, "Bert")
    finish(house, table := table_of(house, anna, bert), anna, bert)
    anna.post("/me/delete", data={"sure": "yes"})
    refused = house.stranger().post(f"/table/{table}/sit", data={"name": "Cleo", "seat": "1"})
    assert (refused.status_code, "This match is over" in refused.text) == (403, True)


def test_in_the_next_match_the_seat_of_somebody_who_is_gone_is_open_for_anybody(house: House) -> None:
    anna, bert = guest(house, "Anna"), guest(house, "Bert")
    finish(house, table := table_of(house, anna, bert), anna, bert)
    anna.post("/me/delete", data={"sure": "yes"})
    following = bert.post(f"/table/{table}/again").headers["location"].removeprefix("/table/")
    seats = bert.look(following)["seats"]
    assert [(seat["kind"], seat["name"]) for seat in seats] == [("person", "Bert"), ("open", "")]
    assert bert.post(f"/api/table/{following}/seats", json={"seat": 2, "bot": "random"}).status_code == 200


def test_deleting_has_to_be_said_twice_and_a_stranger_deletes_nothing(house: House) -> None:
    anna = guest(house, "Anna")
    refused = anna.post("/me/delete", data={})
    assert (refused.status_code, "Tick the box to confirm" in refused.text) == (422, True)
    house.stranger().post("/me/delete", data={"sure": "yes"})
    assert len(mine(anna)["tables"]) == 1


def test_pictures_of_a_guest_are_kept_once_when_they_are_brought_along(house: House) -> None:
    anna, phone = keeper(house, "painter"), guest(house, "Phone")
    give(anna, "Mine")
    give(phone, "Guest")
    sign_in(phone, "painter", bring="yes")
    told = mine(anna)
    assert sorted(deck["name"] for deck in told["sets"]) == ["Guest", "Mine"]
    assert [deck["toml"] for deck in told["sets"]] == [TOML + "size = 2\n"] * 2
    assert list(told["pictures"].values()) == [PICTURE]
    assert len(told["records"]) == 2


def test_programs_of_a_guest_go_on_when_they_are_brought_along(house: House) -> None:
    anna, phone = keeper(house, "employer"), guest(house, "Phone")
    token, robot = program(phone)
    table = house.run(house.tables.create(game("hush"), [Player.of(robot), Player()])).id
    sign_in(phone, "employer", bring="yes")
    told = house.stranger().http.get(f"/api/table/{table}", headers={"Authorization": f"Bearer {token}"})
    assert told.raise_for_status().json()["seat"] == 1
    assert house.run(house.app.state.tokens.read(token)).token.owner == id_of(anna)
    assert [each["name"] for each in mine(anna)["tokens"]] == ["Robot"]


def test_a_picture_that_another_has_too_stays_theirs(house: House) -> None:
    anna, bert = guest(house, "Anna"), guest(house, "Bert")
    give(anna, "Same")
    give(bert, "Alike")
    anna.post("/me/delete", data={"sure": "yes"})
    assert list(mine(bert)["pictures"].values()) == [PICTURE]
