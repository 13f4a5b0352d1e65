"""Draws and pauses: proposed, answered, and limited."""

import re

from sparring.web.tables.table_settings import TableSettings
from web.app_server import House, Opener, Visitor
from web.clocks.fake_clock import Watch, at, do, done, lay, sweep, timer


def test_a_draw_is_agreed_by_all(timed: House) -> None:
    table = lay(timed, "Anna", "Ben", "Carla", terms=TableSettings())
    do(timed, "Anna", table, "propose", what="draw")
    assert "Anna offers a draw." in timed.person("Ben").page(table)
    assert "Waiting for Ben and Carla to accept the draw." in timed.person("Anna").page(table)
    do(timed, "Ben", table, "answer", agree=True)
    assert not at(timed, table).shown.over
    timed.person("Carla").post(f"/table/{table}/answer", data={"agree": "yes"})
    assert "All players agreed to a draw." in timed.person("Anna").page(table)
    held = at(timed, table)
    assert held.ended.winners(held.match) == ()


def test_an_offer_lapses_after_another_turn(timed: House) -> None:
    table = lay(timed, "Anna", "Ben", "Carla", terms=TableSettings())
    do(timed, "Carla", table, "propose", what="draw")
    done(timed, "Anna", table)
    assert at(timed, table).clocks.proposal is None
    assert do(timed, "Ben", table, "answer", agree=True).json()["reason"] == "This proposal is no longer open."


def test_failed_proposals_are_limited(timed: House) -> None:
    table = lay(timed, "Anna", "Ben", terms=TableSettings())
    for _ in range(3):
        assert do(timed, "Anna", table, "propose", what="draw").status_code == 200
        assert do(timed, "Anna", table, "propose", what="pause").status_code == 403
        do(timed, "Ben", table, "answer", agree=False)
    assert "three" not in do(timed, "Anna", table, "propose", what="draw").json()["reason"]
    assert do(timed, "Anna", table, "propose", what="draw").status_code == 403
    assert "Offer draw" not in timed.person("Anna").page(table)
    assert "Offer draw" in timed.person("Ben").page(table)
    assert do(timed, "Anna", table, "propose", what="pause").status_code == 200


def test_a_bot_that_is_not_ahead_agrees_to_a_draw(timed: House) -> None:
    table = lay(timed, "Anna", "bot", terms=TableSettings(), name="make-your-moves")
    early = do(timed, "Anna", table, "propose", what="draw")
    assert early.json()["reason"].startswith("Bolt declined: a bot accepts")
    held = at(timed, table)
    for _ in range(400):
        if len(held.match.history) >= 20 or held.shown.over:
            break
        look = timed.person("Anna").look(table)
        if look["choices"]:
            timed.person("Anna").choose(table, look["choices"][-1]["choice"])
    points = [int(held.match.state.points[seat]) for seat in (0, 1)]
    agreed = do(timed, "Anna", table, "propose", what="draw").status_code == 200
    assert agreed == (points[1] <= points[0])


def test_a_pause_stops_clocks_and_choices(timed: House, watch: Watch) -> None:
    table = lay(timed, "Anna", "Ben")
    watch.at += 62
    do(timed, "Ben", table, "propose", what="pause")
    do(timed, "Anna", table, "answer", agree=True)
    watch.at += 3600
    sweep(timed)
    assert timer(timed.person("Anna").page(table)) == ["4:00", "5:00"]
    assert timed.person("Anna").choose(table, "done").json()["reason"].startswith("The match is paused")
    assert timed.person("Anna").look(table)["choices"] == []
    assert "The match is paused." in timed.person("Ben").page(table)
    assert do(timed, "Ben", table, "go-on").status_code == 200
    watch.at += 61
    assert timer(timed.person("Anna").page(table)) == ["4:00", "5:00"]
    watch.at += 11
    assert timer(timed.person("Anna").page(table)) == ["3:50", "5:00"]
    done(timed, "Anna", table)


def test_lists_show_a_paused_table(timed: House) -> None:
    table = lay(timed, "Ada", "Ben")
    ada = timed.person("Ada")
    assert tags(ada) == ["Your turn"]
    do(timed, "Ben", table, "propose", what="pause")
    do(timed, "Ada", table, "answer", agree=True)
    assert tags(ada) == ["paused"]
    assert 'data-turns="0"' in ada.get("/").text
    do(timed, "Ben", table, "go-on")
    assert tags(ada) == ["Your turn"]


def tags(visitor: Visitor) -> list[str]:
    """Return what a person's list says about each table."""
    return re.findall(r'<span class="tag[^>]*>([^<]*)', visitor.get("/tables").text)


def test_a_pause_is_stored(open_house: Opener) -> None:
    watch = Watch()
    house = open_house(now=watch, grace=0.0)
    table = lay(house, "Anna", "bot")
    do(house, "Anna", table, "propose", what="pause")
    house.close()
    house = open_house(now=watch, grace=0.0)
    assert "The match is paused." in house.person("Anna").page(table)
    assert do(house, "Anna", table, "go-on").status_code == 200
    done(house, "Anna", table)
