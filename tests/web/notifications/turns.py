"""Turns at tables with a day per turn, and the notifications about them."""

import asyncio
from typing import Any

from sparring.engine.game import game
from sparring.tables.state.players import Player
from sparring.tables.state.table_settings import TableSettings
from web.accounts.account_helpers import identity_of, new_account
from web.accounts.stored_fields import stored
from web.app_server import AppServer, Client, StartServer
from web.notifications.mail_catcher import MailCatcher, confirm


def days_table(server: AppServer, *clients: Client, seed: int = 1, **settings: Any) -> str:
    """Create a table with a day per turn, where all have arrived once."""
    players, agreed = [Player.of(identity_of(client)) for client in clients], {"days": 1, **settings}
    made = server.tables.creation.create(game("hush"), players, seed=seed, settings=TableSettings(**agreed))
    table = server.run(made).id
    for client in clients:
        client.page(table)
    return table


def end_turn(table: str, player: Client, *choices: str) -> None:
    """Let a player make choices, the last of which passes the turn on."""
    for choice in (*choices, "done"):
        player.choose(table, choice).raise_for_status()


def outbox(server: AppServer) -> int:
    return sum((table, column) == ("outbox", "number") for table, column, _ in server.run(stored(server)))


EVERYTHING = {"turn-mail": "yes", "invitation-mail": "yes"}


def players(server: AppServer, catcher: MailCatcher, **wanted: str) -> tuple[Client, Client]:
    """Return Anna, who is next, and Ben, who gets e-mails."""
    anna, ben = new_account(server, "anna"), new_account(server, "ben")
    confirm(ben, catcher, "ben@example.com")
    assert ben.post("/me/notifications", data=wanted or EVERYTHING).headers["location"] == "/me?said=notifications"
    return anna, ben


def check_each_turn_is_one_e_mail(start_server: StartServer, catcher: MailCatcher) -> None:
    first, second = (start_server(mail=catcher.settings, notify_after=0.0) for _ in range(2))
    anna, ben = players(first, catcher)
    for seed in range(6):
        end_turn(days_table(first, anna, ben, seed=seed), anna)

    async def both() -> list[int]:
        senders = [server.app.state.personal_data.dispatcher for server in (first, second)]
        other = asyncio.wrap_future(asyncio.run_coroutine_threadsafe(senders[1].send_due(), second.loop))
        return list(await asyncio.gather(senders[0].send_due(), other))

    assert sum(first.run(both())) == 6
    assert len({mail["Message-ID"] for mail in catcher.mails}) == len(catcher.mails) == 6
