"""Rating farming: accounts at one address that lose to each other, and matches that are given up at once."""

import re
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import insert, update

from sparring.engine.game import game
from sparring.settings import DAY, Limits
from sparring.store.networks import keyed
from sparring.store.rating_model import KEPT_DAYS, OPPONENTS, SkillRating, delete_old_networks
from sparring.store.ratings import insert_variant
from sparring.store.schema import RatingRow, ResultRow, SeatRow, TableRow
from sparring.tables.play import match_results
from sparring.tables.play.match_results import variant_of
from web.accounts.account_helpers import from_there, new_account
from web.accounts.stored_fields import stored
from web.app_server import HIGH_LIMITS, AppServer, Client, StartServer, settings
from web.rated_matches import rows

#: The number of matches in the attack.
ABANDONED = 28


@pytest.fixture
def server(tmp_path: Path) -> Iterator[AppServer]:
    """A server with default limits, behind a proxy that reports clients' addresses."""
    one = AppServer(settings(tmp_path, limits=Limits(), proxy="127.0.0.1"))
    yield one
    one.close()


def farmers(server: AppServer, *addresses: str) -> list[Client]:
    """Create people with accounts, each at an address; the first is to be promoted."""
    people = [new_account(server, f"Farmer {number}") for number in range(len(addresses))]
    return [from_there(one, address) for one, address in zip(people, addresses, strict=True)]


def lose_to(farmer: Client, puppet: Client) -> int:
    """Let a puppet give up a rated match after both have chosen once; return 303, or why it was refused."""
    table = rated_table(farmer)
    sat = puppet.post(f"/table/{table}/sit", data={"seat": "2", "name": "Puppet"})
    if sat.status_code != 303:
        assert "against players on one network" in sat.text
        return sat.status_code
    farmer.choose(table, "done").raise_for_status()
    puppet.choose(table, puppet.look(table)["choices"][0]["choice"]).raise_for_status()
    assert puppet.post(f"/api/table/{table}/give-up").status_code == 200
    return 303


def rated_table(client: Client) -> str:
    """Create a rated table with an open seat."""
    form = {"name": "Farmer 0", "seat1": "me", "seat2": "open", "counting": "rated"}
    return client.post("/games/hush", data=form).headers["location"].removeprefix("/table/")


def an_honest_player(server: AppServer) -> None:
    """Give a person an average rating from many matches."""
    store, variant, rating = server.tables.store, variant_of(game("hush").setup()), SkillRating(25.0, 2.0)
    server.run(store.transaction(insert_variant, variant))
    server.run(store.execute(insert(RatingRow).values(
        variant=variant.id, player="bot:random", mu=rating.mu, sigma=rating.sigma, sure=rating.lower_bound, matches=60,
        won=30, last=0, opponents=OPPONENTS, established=True,
    )))  # fmt: skip


def board(server: AppServer) -> list[dict[str, object]]:
    return server.stranger().get("/api/games/hush/leaderboard").raise_for_status().json()["players"]  # type: ignore[no-any-return]


def test_abandoned_matches_of_five_accounts_at_one_address_make_no_rating(server: AppServer) -> None:
    """The original attack, which reached first place in a minute: each match was given up after both had chosen."""
    an_honest_player(server)
    farmer, *puppets = farmers(server, *["203.0.113.9"] * 5)
    for number in range(ABANDONED):
        assert lose_to(farmer, puppets[number % 4]) == 303
    assert [(line["name"], line["matches"]) for line in board(server)] == [("Random bot", 60)]
    assert len(rows(server, ResultRow)) == 2 * ABANDONED


@pytest.mark.parametrize("network", ["203.0.113.{}", "2001:db8:7:{}::1"])
def test_patient_farmers_gain_little_and_are_listed_last(
    server: AppServer, network: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same with matches of sufficient length, from addresses of one network."""
    monkeypatch.setattr(match_results, "MIN_RATED_ACTIONS", 0)
    an_honest_player(server)
    farmer, *puppets = farmers(server, *[network.format(number) for number in range(1, 6)])
    responses = [lose_to(farmer, puppets[number % 4]) for number in range(14)]
    most = Limits().rated_network
    assert responses == [303] * most + [422] * (14 - most)
    first, second, *others = board(server)
    assert (first["name"], second["name"]) == ("Random bot", "Farmer 0")
    assert (second["matches"], second["opponents"], second["rating"]["provisional"]) == (most, 1, True)  # type: ignore[index]
    assert all(line["opponents"] == 1 for line in others)
    page = server.stranger().get("/games/hush/leaderboard").text
    assert re.search(rf"{most} matches, {most} won, 1 opponent<", page)


def test_a_rating_is_established_by_opponents_of_many_networks(start_server: StartServer) -> None:
    server = start_server(proxy="127.0.0.1", limits=replace(HIGH_LIMITS, rated_together=1000))
    farmer, *others = farmers(server, *[f"198.51.{number}.1" for number in range(OPPONENTS + 1)])
    variant = variant_of(game("hush").setup()).id
    certain = update(RatingRow).where(RatingRow.variant == variant).values(sigma=2.0)  # as after twenty matches
    for number, other in enumerate(others, 1):
        table = rated_table(farmer)
        other.post(f"/table/{table}/sit", data={"seat": "2", "name": "Other"})
        server.run(server.tables.store.execute(certain))
        for who in (farmer, other):
            who.choose(table, "done").raise_for_status()
        line = next(line for line in board(server) if line["name"] == "Farmer 0")
        assert (line["opponents"], line["rating"]["provisional"]) == (number, number < OPPONENTS)  # type: ignore[index]


def test_a_bot_of_a_puppet_counts_for_the_network_of_its_owner(server: AppServer) -> None:
    farmer, puppet = farmers(server, "203.0.113.9", "198.51.100.9")
    made = puppet.post("/me/tokens", data={"name": "Robot", "days": "0", "kind": "bot", "scope.play": "on"})
    assert made.status_code == 200
    opened = puppet.post("/games/hush", data={
        "name": "Farmer 1", "seat1": "mine:Robot", "seat2": "open", "counting": "rated",
    })  # fmt: skip
    table = opened.headers["location"].removeprefix("/table/")
    farmer.post(f"/table/{table}/sit", data={"seat": "2", "name": "Farmer 0"})
    seats = {row.seat: row.network for row in rows(server, SeatRow)}
    assert seats == {1: keyed("198.51.100.1", "known"), 2: keyed("203.0.113.1", "known")}


def test_bots_are_met_by_whole_networks(server: AppServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """A school class plays a bot as often as allowed."""
    monkeypatch.setattr(
        server.tables, "settings", replace(server.settings, limits=replace(HIGH_LIMITS, rated_network=1))
    )
    for pupil in farmers(server, "203.0.113.1", "203.0.113.2", "203.0.113.3"):
        form = {"name": "Pupil", "seat1": "me", "seat2": "random", "counting": "rated"}
        assert pupil.post("/games/hush", data=form).status_code == 303


def test_no_address_is_stored_and_networks_are_forgotten(server: AppServer) -> None:
    farmer, puppet = farmers(server, "203.0.113.9", "198.51.100.9")
    assert lose_to(farmer, puppet) == 303
    casual = farmer.post("/games/hush", data={"name": "Farmer 0", "seat1": "me", "seat2": "open"})
    assert casual.status_code == 303
    assert not [
        value for _, _, value in server.run(stored(server)) if re.search(r"203\.0\.113|198\.51\.100", str(value))
    ]
    networks = [row.network for row in rows(server, SeatRow)]
    assert networks == [keyed("203.0.113.77", "known"), keyed("198.51.100.1", "known"), None, None]
    assert keyed("203.0.113.9", "known") != keyed("203.0.113.9", "another secret")
    month_ago = int(time.time()) - KEPT_DAYS * DAY
    server.run(server.tables.store.execute(update(TableRow).values(changed=month_ago - DAY)))
    server.run(server.tables.store.transaction(delete_old_networks, month_ago))
    assert {row.network for row in rows(server, SeatRow)} == {None}
