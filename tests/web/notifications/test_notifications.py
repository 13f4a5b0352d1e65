"""Notifications of turns and invitations by e-mail: opt-in, once, and with nothing hidden."""

import contextlib
import re
from email.message import EmailMessage

import pytest

from sparring.settings import MailSettings, PushSettings
from web.accounts.account_helpers import finish, guest, id_of
from web.app_server import AppServer, Client, StartServer
from web.friends.pairs import challenge
from web.friends.pairs import do as change_friend
from web.notifications.mail_catcher import MailCatcher, send_due
from web.notifications.turns import check_each_turn_is_one_e_mail, days_table, end_turn, outbox, players


def test_a_player_gets_an_e_mail_when_their_turn_begins(mailing: AppServer, catcher: MailCatcher) -> None:
    anna, ben = players(mailing, catcher)
    table = days_table(mailing, anna, ben)
    end_turn(table, anna)
    send_due(mailing)
    mail = catcher.take()
    assert (mail["To"], mail["From"]) == ("ben@example.com", "Sparring <play@table.example>")
    assert mail["Subject"] == "Sparring: Your turn: Hush"
    assert mail["Auto-Submitted"] == "auto-generated"
    assert "It's your turn in Hush with anna." in mail.get_content()
    assert f"https://table.example/table/{table}" in mail.get_content()
    assert send_due(mailing) == 0


def text_of(mail: EmailMessage, table: str) -> str:
    """Return a whole e-mail without the id of its table, its time and its own id."""
    text = re.sub(r"^(Date|Message-ID|X-.*): .*$", "", mail.as_string(), flags=re.MULTILINE)
    return text.replace(table, "TABLE")


def test_an_e_mail_reveals_nothing_about_the_match(mailing: AppServer, catcher: MailCatcher) -> None:
    """It is the same whatever was dealt and chosen."""
    anna, ben = players(mailing, catcher)
    seen = set()
    for seed, choices in ((1, ()), (1, ("lay 6",)), (1, ("lay 9", "lay 7")), (2, ())):
        table = days_table(mailing, anna, ben, seed=seed)
        end_turn(table, anna, *choices)
        send_due(mailing)
        seen.add(text_of(catcher.take(), table))
    assert len(seen) == 1


@pytest.mark.parametrize("wanted", [{}, {"invitation-mail": "yes"}])
def test_without_the_choice_nothing_is_sent_or_stored(
    mailing: AppServer, catcher: MailCatcher, wanted: dict[str, str]
) -> None:
    anna, ben = players(mailing, catcher, **(wanted or {"none": "yes"}))
    end_turn(days_table(mailing, anna, ben), anna)
    assert outbox(mailing) == 0
    assert send_due(mailing) == 0


def test_no_e_mail_without_days_per_turn(mailing: AppServer, catcher: MailCatcher) -> None:
    anna, ben = players(mailing, catcher)
    end_turn(days_table(mailing, anna, ben, days=0), anna)
    assert outbox(mailing) == 0


@pytest.mark.parametrize("elsewhere", [False, True])
def test_no_e_mail_to_a_player_who_is_at_the_table(
    mailing: AppServer, catcher: MailCatcher, *, elsewhere: bool
) -> None:
    """Also in another process."""
    anna, ben = players(mailing, catcher)
    table = days_table(mailing, anna, ben)

    async def ben_is_elsewhere() -> None:
        mailing.tables.registry.presence(table).count_elsewhere({id_of(ben)}, {})

    with contextlib.nullcontext() if elsewhere else ben.presence_stream(table):
        if elsewhere:
            mailing.run(ben_is_elsewhere())
        end_turn(table, anna)
    assert outbox(mailing) == 0


def test_no_e_mail_when_the_turn_has_passed(mailing: AppServer, catcher: MailCatcher) -> None:
    anna, ben = players(mailing, catcher)
    table = days_table(mailing, anna, ben, guest(mailing, "Cleo"))
    end_turn(table, anna)
    end_turn(table, ben)
    assert send_due(mailing) == 1
    assert catcher.mails == []


def test_an_e_mail_goes_out_a_minute_later(start_server: StartServer, catcher: MailCatcher) -> None:
    """A player who answers at once needs none."""
    time = [1_000_000.0]
    server = start_server(mail=catcher.settings, now=lambda: time[0])
    anna, ben = players(server, catcher)
    end_turn(days_table(server, anna, ben), anna)
    assert send_due(server) == 0
    time[0] += 61
    assert send_due(server) == 1
    assert catcher.take()["To"] == "ben@example.com"


def test_a_broken_mail_server_breaks_no_table(start_server: StartServer, catcher: MailCatcher) -> None:
    server = start_server(mail=catcher.settings, notify_after=0.0)
    anna, ben = players(server, catcher)
    server.close()
    nowhere = MailSettings(server="smtp+plain://127.0.0.1:9", sender=catcher.settings.sender, site="https://a.example")
    server = start_server(mail=nowhere, notify_after=0.0)
    anna, ben = (Client(server, client.cookie()) for client in (anna, ben))
    table = days_table(server, anna, ben)
    end_turn(table, anna)
    assert send_due(server) == 1
    assert outbox(server) == 1  # to be tried again
    end_turn(table, ben)


def test_messages_are_dropped_once_the_operator_turns_mail_off(start_server: StartServer, catcher: MailCatcher) -> None:
    server = start_server(mail=catcher.settings, notify_after=0.0)
    anna, ben = players(server, catcher)
    end_turn(days_table(server, anna, ben), anna)
    server.close()
    server = start_server(push=PushSettings(contact="mailto:you@table.example"))
    send_due(server)
    assert outbox(server) == 0
    assert catcher.mails == []


@pytest.mark.parametrize("way", ["page", "one click"])
def test_the_link_in_an_e_mail_stops_its_kind(mailing: AppServer, catcher: MailCatcher, way: str) -> None:
    anna, ben = players(mailing, catcher)
    table = days_table(mailing, anna, ben)
    end_turn(table, anna)
    send_due(mailing)
    mail = catcher.take()
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    link = mail["List-Unsubscribe"].strip().removeprefix("<https://table.example").removesuffix(">")
    program = mailing.stranger()
    if way == "page":
        fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', program.get(link).text))
        assert program.post("/mail/stop", data=fields).status_code == 200
    else:
        del program.http.headers["Origin"]  # a mail program is no browser
        assert program.post(link, data={"List-Unsubscribe": "One-Click"}).status_code == 200
    wanted = ben.get("/me/data").json()["notifications"]
    assert wanted == [{"kind": "invitation", "channel": "mail"}]
    unknown = program.post("/mail/stop", data={"key": "unknown", "kind": "turn"})
    assert (unknown.status_code, "get these e-mails any more" in unknown.text) == (200, True)


def test_a_rematch_invites_the_players_who_are_away(mailing: AppServer, catcher: MailCatcher) -> None:
    anna, ben = players(mailing, catcher, **{"invitation-mail": "yes"})
    finish(mailing, table := days_table(mailing, anna, ben), anna, ben)
    following = anna.post(f"/table/{table}/again").headers["location"]
    send_due(mailing)
    mail = catcher.take()
    assert mail["Subject"] == "Sparring: Invitation: Hush"
    assert "anna invites you to a match of Hush." in mail.get_content()
    assert f"https://table.example{following}" in mail.get_content()
    assert anna.post(f"/table/{table}/again").headers["location"] == following
    assert send_due(mailing) == 0


def test_a_challenge_invites_the_friend(mailing: AppServer, catcher: MailCatcher) -> None:
    anna, ben = players(mailing, catcher, **{"invitation-mail": "yes"})
    names = [client.get("/api/me").json()["name"] for client in (anna, ben)]
    anna.post("/api/me/friends", json={"name": names[1]}).raise_for_status()
    change_friend(ben, names[0], "accept")
    table = challenge(anna, names[1])
    send_due(mailing)
    mail = catcher.take()
    assert "anna invites you to a match of Hush." in mail.get_content()
    assert f"https://table.example/table/{table}" in mail.get_content()
    challenge(anna, names[1])
    assert send_due(mailing) == 0, "it is the same challenge"


def test_removing_the_address_stops_e_mails(mailing: AppServer, catcher: MailCatcher) -> None:
    anna, ben = players(mailing, catcher)
    table = days_table(mailing, anna, ben)
    end_turn(table, anna)
    ben.post("/me/address/remove")
    send_due(mailing)
    assert catcher.take()["Subject"] == "Sparring: Change to your e-mail address"
    assert ben.get("/me/data").json()["notifications"] == []


def test_a_guest_sees_that_e_mails_need_an_account(mailing: AppServer) -> None:
    page = guest(mailing, "Guest").get("/me").text
    assert "To get e-mails, you need an account with a confirmed address." in page
    assert 'name="turn-mail"' in page
    assert 'name="turn-push"' not in page  # this server sends none


def test_each_turn_is_one_e_mail_whichever_process_sends_it(start_server: StartServer, catcher: MailCatcher) -> None:
    check_each_turn_is_one_e_mail(start_server, catcher)
