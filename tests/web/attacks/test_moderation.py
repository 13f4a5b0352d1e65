"""Moderators act on what people report, see no hidden cards, and have no power over each other and themselves."""

import re

import pytest

from sparring.engine.match import Match
from sparring.settings import Limits
from sparring.store.moderation import Ban
from sparring.tables.state.players import Player
from web.accounts.account_helpers import create_table, guest, id_of, identity_of, new_account
from web.accounts.token_helpers import program
from web.app_server import AppServer, Client, StartServer
from web.chat.chat_helpers import act, say, texts
from web.look_alikes import redetermined, set_match

#: Everything that shows a table.
PAGES = (
    "/table/{}", "/table/{}/text", "/table/{}/chat", "/table/{}/replay", "/api/table/{}", "/api/table/{}/scene",
    "/api/table/{}/view", "/api/table/{}/people",
)  # fmt: skip


def set_role(server: AppServer, client: Client, *, moderator: bool = True) -> None:
    """Give or take the role as the command line does."""

    async def done() -> None:
        moderation = server.tables.moderation
        [known] = await moderation.people.by_id([id_of(client)])
        await moderation.set_role(known, moderator=moderator)

    server.run(done())


def new_moderator(server: AppServer, name: str = "mara") -> Client:
    client = new_account(server, name)
    set_role(server, client)
    return client


def report_line(table: str, speaker: Client, text: str, reporter: Client) -> None:
    say(speaker, table, text).raise_for_status()
    line = speaker.get(f"/api/table/{table}/chat").json()["lines"][-1]["line"]
    act(reporter, table, "report", line=line).raise_for_status()


def moderate(client: Client, action: str, **fields: str) -> str:
    """Send a form of the page; return the page that follows, or that refuses."""
    answer = client.post("/moderation", data={"action": action, **fields})
    return (client.get(answer.headers["location"]) if answer.status_code == 303 else answer).text


def card_of(client: Client, table: str) -> str:
    """Return the report from a table on the page; empty if there is none."""
    cards = client.get("/moderation").text.split("<article")[1:]
    return next((card for card in cards if f'"/table/{table}"' in card), "")


def log_of(client: Client) -> list[str]:
    """Return the entries of the log on the page, newest first."""
    page = client.get("/moderation").raise_for_status().text
    return re.findall(r"</span> <span>(.*)</span></li>", page.partition('id="log"')[2])


@pytest.mark.parametrize("who", ["stranger", "guest", "account"])
def test_for_others_there_is_nothing_at_the_address(server: AppServer, who: str) -> None:
    client = server.stranger() if who == "stranger" else (guest if who == "guest" else new_account)(server, "ann")
    for send in (client.get, client.post):
        unknown, page = send("/no-such-page"), send("/moderation")
        assert (page.status_code, page.text) == (404, unknown.text)
        assert [name for name, _ in page.headers.items()] == [name for name, _ in unknown.headers.items()]
    assert client.post("/moderation", data={"action": "close", "table": "x", "why": "y"}).status_code == 404
    assert "/moderation" not in client.get("/").text


def test_a_report_shows_the_lines_around_it_until_it_is_settled(server: AppServer) -> None:
    mara, rude, ben = new_moderator(server, "reader"), guest(server, "Rude"), guest(server, "Ben")
    table = create_table(server, rude, ben)
    say(ben, table, "Well <i>played").raise_for_status()
    report_line(table, rude, "You <b>fool", ben)
    act(guest(server, "Cleo"), table, "report", line=2).raise_for_status()
    assert 'href="/moderation"' in mara.get("/").text
    card = card_of(mara, table)
    assert re.search(r"Reported by <b><bdi>Ben</bdi></b>, .*; <b><bdi>Cleo</bdi></b>", card)
    excerpt = card.partition('class="excerpt"')[2].partition("</ol>")[0]
    assert re.findall("<bdi>(.*?)</bdi>", excerpt) == ["Ben", "Well &lt;i&gt;played", "Rude", "You &lt;b&gt;fool"]
    [number] = re.findall('name="report" value="(.*?)"', card)

    assert "report settled" in moderate(mara, "remove", report=number)
    assert texts(ben, table) == ["Well <i>played", ""]
    assert card_of(mara, table) == ""
    assert "There is no open report" in moderate(mara, "settle", report=number)
    assert log_of(mara)[0] == "reader removed a message by Rude."

    report_line(table, rude, "Hm", ben)
    say(ben, table, "Said after the report").raise_for_status()
    card = card_of(mara, table)
    assert re.findall("<i>Removed</i>|Hm|Said after", card) == ["<i>Removed</i>", "Hm"]
    [number] = re.findall('name="report" value="(.*?)"', card)
    assert "Report settled" in moderate(mara, "settle", report=number)
    assert texts(ben, table)[2] == "Hm"


def test_a_muted_person_cannot_chat_and_a_banned_one_not_enter_until_it_is_lifted(server: AppServer) -> None:
    mara, rude, ben = new_moderator(server, "stern"), guest(server, "Loud"), guest(server, "Ben")
    table, person = create_table(server, rude, ben), id_of(rude)
    assert "Muted." in moderate(mara, "mute", person=person, lasting="3600", why="Too <loud.")
    for answer in (say(rude, table, "Hey"), say(rude, table, word="hello")):
        assert answer.status_code == 403
        assert re.fullmatch(r"You can't chat on this server until .* UTC: Too <loud\.", answer.json()["reason"])
    assert rude.get(f"/table/{table}").status_code == 200
    page = moderate(mara, "ban", person=person, lasting="", why="Again", q="Loud")
    assert re.search(r"<b>Banned</b>: Again\..*<b>Muted</b> until .* UTC: Too &lt;loud\.", page, re.DOTALL)
    refused = rude.get("/")
    assert (refused.status_code, "You are banned from this server: Again." in refused.text) == (403, True)
    assert "Ban lifted" in moderate(mara, "pardon", person=person, lasting="")
    assert "Mute lifted" in moderate(mara, "unmute", person=person, lasting="")
    assert "Not muted: Loud." in moderate(mara, "unmute", person=person, lasting="")
    assert say(rude, table, "Sorry").status_code == 200
    assert [re.sub(" until .* UTC", "", line) for line in log_of(mara)[:4]] == [
        "stern lifted the mute of Loud.", "stern lifted the ban of Loud.", "stern banned Loud for good: Again.",
        "stern muted Loud: Too &lt;loud.",
    ]  # fmt: skip


def test_a_muted_persons_program_cannot_chat(server: AppServer) -> None:
    mara, ann = new_moderator(server, "quiet"), new_account(server, "botter")
    token = server.token(id_of(ann), bot="Robot")
    robot = program(server, token)
    table = server.table(Player.of(server.run(server.app.state.tokens.read(token))), "Ben")
    say(robot, table, "Hey").raise_for_status()
    moderate(mara, "mute", person=id_of(ann), lasting="", why="Spam")
    assert say(robot, table, "Hey").json()["reason"] == "You can't chat on this server: Spam."


def test_a_closed_table_says_why(server: AppServer) -> None:
    mara, anna, ben = new_moderator(server, "closer"), guest(server, "Anna"), guest(server, "Ben")
    table = create_table(server, anna, ben)
    refused = moderate(mara, "close", table=f"{server.url}/table/{table}", why=" ")
    assert "Give a reason" in refused
    assert "Table closed" in moderate(mara, "close", table=f"{server.url}/table/{table}/chat?said=x", why="Cheating")
    assert "A moderator closed this table: Cheating." in anna.page(table)
    assert "already over" in moderate(mara, "close", table=table, why="Cheating")
    assert log_of(mara)[0] == f"closer closed the table {table}: Cheating."


def test_moderators_cannot_act_on_moderators_or_themselves(server: AppServer) -> None:
    mara, other, ben = new_moderator(server, "one"), new_moderator(server, "two"), guest(server, "Ben")
    tables = [create_table(server, each, ben) for each in (mara, other)]
    robot = server.run(server.app.state.tokens.read(server.token(id_of(other), bot="Robot")))
    tables.append(server.table(Player.of(robot), Player.of(identity_of(ben))))
    for speaker, table in zip((mara, other), tables, strict=False):
        report_line(table, speaker, "Ha", ben)
    reports = [str(row.number) for row in server.run(server.tables.chat.store.reports())[-2:]]
    before = log_of(mara)
    for whom, report, table, why in (
        (id_of(mara), reports[0], tables[0], "This is about yourself"),
        (id_of(other), reports[1], tables[1], "This is about a moderator"),
        (robot.id, reports[1], tables[2], "This is about a moderator"),
    ):
        assert why in moderate(mara, "settle", report=report)
        assert why in moderate(mara, "close", table=table, why="Mine")
        for action in ("ban", "mute", "pardon", "unmute"):
            assert why in moderate(mara, action, person=whom, lasting="", why="Mine")
    assert log_of(mara) == before
    assert not any(f'name="report" value="{each}"' in other.get("/moderation").text for each in reports)
    assert "Mute or ban" not in other.get("/moderation?q=one").text.partition('id="people"')[2]


def test_a_moderator_cannot_win_by_a_ban(server: AppServer) -> None:
    mara, ben = new_moderator(server, "player"), guest(server, "Ben")
    table = create_table(server, mara, ben)
    assert "You are playing with this person" in moderate(mara, "ban", person=id_of(ben), lasting="", why="Mine")
    assert not mara.look(table)["over"]
    assert "Muted" in moderate(mara, "mute", person=id_of(ben), lasting="3600", why="Loud")


def test_a_moderator_sees_of_a_match_what_a_spectator_or_the_seat_sees(server: AppServer) -> None:
    """Spectating or seated: the role changes nothing; and the page of reports is the same for any hidden cards."""
    anna, ben, mara = guest(server, "Anna"), guest(server, "Ben"), new_account(server, "seer")
    seated = create_table(server, mara, ben)
    watched = server.table(*(Player.of(identity_of(each)) for each in (anna, ben)), name="make-your-moves", seed=5)
    report_line(watched, anna, "Nice cards", ben)
    addresses = [page.format(table) for page in PAGES for table in (seated, watched)]
    before = [mara.get(address).text for address in addresses]
    set_role(server, mara)
    server.learn()
    assert "/moderation" in mara.get("/").text
    menu = '    <a href="/moderation">Moderation</a>\n'  # on the page of the chat
    assert [mara.get(address).text.replace(menu, "") for address in addresses] == before

    page = mara.get("/moderation").text
    match = Match.new("make-your-moves", seats=2, seed=5)
    other = next(found for action in match.legal() if (found := redetermined(match, action)))[0]
    set_match(server, watched, other)
    assert mara.get("/moderation").text == page


def test_losing_the_role_counts_at_once_in_every_process_and_on_open_pages(start_server: StartServer) -> None:
    here, there = start_server(), start_server()
    mara = new_moderator(here, "former")
    elsewhere = there.stranger()
    elsewhere.set_cookie(mara.cookie())
    assert elsewhere.get("/moderation").status_code == 200  # an open page
    set_role(here, mara, moderator=False)
    answers = [elsewhere.post("/moderation", data={"action": "close"}), elsewhere.get("/moderation")]
    assert [answer.status_code for answer in answers] == [404, 404]
    there.learn()
    assert "/moderation" not in elsewhere.get("/").text


def test_people_are_found_by_the_names_that_others_see(server: AppServer) -> None:
    mara, anna = new_moderator(server, "finder"), new_account(server, "secretlogin")
    anna.post("/me/name", data={"name": "Zoë <b>"})
    page = mara.get("/moderation?q=zoë").text
    assert "Zoë &lt;b&gt;" in page
    assert "secretlogin" not in page
    assert "No one has this" in mara.get("/moderation?q=secretlogin").text


def test_the_log_has_every_entry(server: AppServer) -> None:
    mara, ben = new_moderator(server, "writer"), guest(server, "Ben")
    assert log_of(mara)[0] == "The operator made writer a moderator."
    for number in range(51):
        server.run(server.tables.moderation.put_ban(None, f"muted {id_of(ben)}", "Ben", Ban(why=f"Number {number}")))
    first = log_of(mara)
    assert first[0] == "The operator muted Ben for good: Number 50."
    older = re.search("/moderation[?]before=[0-9]+", mara.get("/moderation").text)
    assert older is not None
    assert "Number 0." in mara.get(older[0]).text


def test_actions_and_searches_are_limited(start_server: StartServer) -> None:
    server = start_server(limits=Limits(moderation_at_once=2, moderation_each_hour=1))
    mara = new_moderator(server)
    assert mara.get("/moderation?q=x").status_code == 200
    assert "There is no open report 1" in moderate(mara, "settle", report="1")
    assert "done or searched too much" in moderate(mara, "settle", report="1")
    assert mara.get("/moderation?q=x").status_code == 429
    assert mara.get("/moderation").status_code == 200
