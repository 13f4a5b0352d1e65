"""A changed default changes no table, record, rated variant or preset from before."""

import asyncio
import json
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from sparring.engine.game import game
from sparring.engine.match import Match
from sparring.engine.options import complete
from sparring.engine.records import with_checksum
from sparring.lab.benchmark import suite_named
from sparring.tables.play.match_results import variant_of
from web.accounts.account_helpers import finish
from web.app_server import AppServer, settings
from web.upgrades.changed_rules import DEFAULTS, changed_option
from web.upgrades.samples import HERE
from web.upgrades.test_upgrades import EarlierDatabase, Upgraded, upgrade

GAME, OPTION = "make-your-moves", "turn_limit"
BEFORE, NOW = 200, 7


@pytest.fixture
def upgraded(tmp_path: Path) -> Iterator[Upgraded]:
    """A database whose tables named differences from the defaults, opened by a server with another default."""
    database = EarlierDatabase("sqlite", "schema-0021", tmp_path, None)
    before = database.rows()
    with changed_option(GAME, OPTION, default=NOW, when_missing=BEFORE):
        asyncio.run(upgrade(database.url, tmp_path / "backup"))
        server = AppServer(settings(tmp_path, database=database.url, keep_unused=100_000, keep_days=100_000))
        seen = json.loads((HERE / "schema-0021" / "seen.json").read_text("utf-8"))["sqlite"]
        yield Upgraded(database, before, database.rows(), tmp_path / "backup", server, seen)
        server.close()


def test_a_rated_match_goes_on_by_its_rules_and_counts_for_its_variant(upgraded: Upgraded) -> None:
    table = upgraded.seen["rated middle"]["table"]
    (stored,) = (row for row in upgraded.before["tables"] if row["id"] == table)
    (variant,) = (row["id"] for row in upgraded.before["variants"] if (row["game"], row["content"]) == (GAME, None))
    assert stored["options"] == "{}"

    people = [upgraded.client(table, name) for name in ("Anna", "Ben")]
    finish(upgraded.server, table, *people)
    match = Match.from_record(people[0].get(f"/table/{table}/record").text)
    assert match.over
    assert len(match.history) > 4 * NOW
    assert match.setup.options[OPTION] == people[0].look(table)["options"][OPTION] == BEFORE

    before, after = (
        {(row["variant"], row["player"]): row["matches"] for row in rows["ratings"]}
        for rows in (upgraded.before, upgraded.database.rows())
    )
    players = {row["person"] for row in upgraded.after["seats"] if row["table"] == table}
    assert after == {key: matches + (key[1] in players) for key, matches in before.items()}
    assert {key[0] for key in after} == {variant}
    board = upgraded.server.stranger().get(f"/games/{GAME}/leaderboard?variant={variant}").text
    assert f"Turn limit: {BEFORE}" in board

    new = upgraded.server.table("Anna", "Ben", name=GAME)
    assert upgraded.server.person("Anna").look(new)["options"][OPTION] == NOW


def test_tables_and_variants_name_all_options_and_variants_keep_their_ids(upgraded: Upgraded) -> None:
    own = ("untitled-movement", "board")  # custom content says what its first board is
    for row in (*upgraded.after["tables"], *upgraded.after["variants"]):
        missing = DEFAULTS[row["game"]].keys() - json.loads(row["options"]).keys()
        assert missing == ({"board"} if row["content"] and row["game"] == own[0] else set()), row
    contents = {row["digest"]: tomllib.loads(row["toml"]) for row in upgraded.after["contents"]}
    assert len(upgraded.after["variants"]) == len(upgraded.before["variants"]) > 6
    for row in upgraded.after["variants"]:
        found = game(row["game"])
        content = found.content_from(contents[row["content"]], "the file") if row["content"] else None
        assert variant_of(found.stored_setup(json.loads(row["options"]), content), row["content"]).id == row["id"]


@pytest.mark.parametrize("start", ["dealt", "position"])
def test_a_record_from_before_an_option_existed_means_what_it_meant(start: str) -> None:
    match = Match.new(GAME, seed=1)
    if start == "position":
        match = Match.from_position(match.position())
    match.choose(match.legal()[0])
    body = json.loads(match.record())
    del body["check"], body["options"][OPTION]
    if start == "position":
        del body["position"]["options"][OPTION]
    with changed_option(GAME, OPTION, default=NOW, when_missing=BEFORE):
        again = Match.from_record(with_checksum(body))
        assert again.setup.options[OPTION] == BEFORE
        assert again.state_bytes() == match.state_bytes()
        assert Match.from_record(again.record()).setup.options[OPTION] == BEFORE


def test_a_table_from_before_an_option_existed_means_what_it_meant(server: AppServer) -> None:
    table = server.table("Anna", "Ben", name=GAME)
    options = server.person("Anna").look(table)["options"]
    del options[OPTION]
    server.run(server.tables.store.write(table, 0, options=json.dumps(options)))
    server.reload(table)
    with changed_option(GAME, OPTION, default=NOW, when_missing=BEFORE):
        assert server.person("Anna").look(table)["options"] == {**options, OPTION: BEFORE}


def test_a_preset_and_a_benchmark_keep_the_rules_that_they_had() -> None:
    with changed_option("five-circles", "sunset", default=8, when_missing=6) as found:
        assert found.setup(found.preset("longer")).options["sunset"] == 6
        assert suite_named("v1").event("five-circles").options["sunset"] == 6
        assert found.setup().options["sunset"] == 8
        assert found.describe_options(found.setup(found.preset("longer")).options) == "“longer”"


def test_a_stored_match_means_what_it_meant_when_databases_named_all_options() -> None:
    """A changed default and a new option both need `when_missing`, or else stored matches change their meaning."""
    for name, defaults in DEFAULTS.items():
        options = game(name).options()
        assert complete(options, {}).items() >= defaults.items(), name
        new = [option for option in options if option.name not in defaults]
        assert all(option.when_missing is not None for option in new), name
