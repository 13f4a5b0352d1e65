"""Draws and pauses: proposed, answered, and limited."""

import re

from sparring.tables.play.proposals import RULE
from sparring.tables.state.table_settings import TableSettings
from web.app_server import AppServer, Client
from web.clocks.fake_clock import (
    UNTIMED,
    FakeClock,
    clocks_on,
    create_table,
    end_turn,
    post_action,
    run_due_timers,
    wait_for_turn,
)


def test_a_draw_is_agreed_by_all(timed: AppServer) -> None:
    table = create_table(timed, "Anna", "Ben", "Carla", table_settings=UNTIMED)
    post_action(timed, "Anna", table, "propose", what="draw")
    assert "Anna offers a draw." in timed.person("Ben").page(table)
    assert "Waiting for Ben and Carla to accept the draw." in timed.person("Anna").page(table)
    timed.person("Ben").answer(table, agree=True)
    assert not timed.held(table).shown.over
    carla = timed.person("Carla")
    field = re.search(r'name="proposal" value="([^"]+)"', carla.page(table))
    assert field
    carla.post(f"/table/{table}/answer", data={"agree": "yes", "proposal": field[1]})
    assert "All players agreed to a draw." in timed.person("Anna").page(table)
    held = timed.held(table)
    assert held.ended.winners(held.match) == ()


def test_an_offer_lapses_after_another_turn(timed: AppServer) -> None:
    table = create_table(timed, "Anna", "Ben", "Carla", table_settings=UNTIMED)
    post_action(timed, "Carla", table, "propose", what="draw")
    end_turn(timed, "Anna", table)
    assert timed.held(table).clocks.proposal is None
    assert timed.person("Ben").answer(table, agree=True).json()["reason"] == "This proposal is no longer open."


def test_an_answer_accepts_only_the_proposal_that_it_names(timed: AppServer) -> None:
    """Ben reads a proposed pause; before he clicks, Anna replaces it by a draw."""
    table = create_table(timed, "Anna", "Ben", table_settings=UNTIMED)
    ben = timed.person("Ben")
    post_action(timed, "Anna", table, "propose", what="pause")
    read = ben.look(table)["time"]["proposal"]
    timed.person("Anna").answer(table, agree=False)
    post_action(timed, "Anna", table, "propose", what="draw")
    for agree in (True, False):
        late = ben.answer(table, agree=agree, proposal=read)
        assert (late.status_code, late.json()["reason"]) == (409, "This proposal is no longer open.")
        form = ben.post(f"/table/{table}/answer", data={"agree": "yes" if agree else "no", "proposal": read})
        assert "This proposal is no longer open." in form.text
    unnamed = ben.post(f"/api/table/{table}/answer", json={"agree": True})
    assert unnamed.status_code == 400
    assert "proposal" in unnamed.json()["reason"]
    assert ben.look(table)["time"]["proposed"] == "draw"
    assert not timed.held(table).shown.over
    assert ben.answer(table, agree=True).status_code == 200
    assert timed.held(table).shown.over


def test_failed_proposals_are_limited(timed: AppServer) -> None:
    table = create_table(timed, "Anna", "Ben", table_settings=UNTIMED)
    for _ in range(3):
        assert post_action(timed, "Anna", table, "propose", what="draw").status_code == 200
        assert post_action(timed, "Anna", table, "propose", what="pause").status_code == 403
        timed.person("Ben").answer(table, agree=False)
    assert "three" not in post_action(timed, "Anna", table, "propose", what="draw").json()["reason"]
    assert post_action(timed, "Anna", table, "propose", what="draw").status_code == 403
    assert "Offer draw" not in timed.person("Anna").page(table)
    assert "Offer draw" in timed.person("Ben").page(table)
    assert post_action(timed, "Anna", table, "propose", what="pause").status_code == 200


def test_a_bot_that_is_not_ahead_agrees_to_a_draw(timed: AppServer) -> None:
    table = create_table(timed, "Anna", "bot", table_settings=UNTIMED, name="make-your-moves")
    early = post_action(timed, "Anna", table, "propose", what="draw")
    assert early.json()["reason"].startswith("Bolt declined: a bot accepts")
    held = timed.held(table)
    for _ in range(400):
        if len(held.match.history) >= 20 or held.shown.over:
            break
        look = timed.person("Anna").look(table)
        if look["choices"]:
            timed.person("Anna").choose(table, look["choices"][-1]["choice"])
    points = [int(held.match.state.points[seat]) for seat in (0, 1)]
    agreed = post_action(timed, "Anna", table, "propose", what="draw").status_code == 200
    assert agreed == (points[1] <= points[0])


def test_a_pause_stops_clocks_and_choices(timed: AppServer, fake_clock: FakeClock) -> None:
    table = create_table(timed, "Anna", "Ben")
    fake_clock.now += 62
    post_action(timed, "Ben", table, "propose", what="pause")
    timed.person("Anna").answer(table, agree=True)
    fake_clock.pass_time(timed, 3600)
    assert clocks_on(timed.person("Anna").page(table)) == ["4:00", "5:00"]
    assert timed.person("Anna").choose(table, "done").json()["reason"].startswith("The match is paused")
    assert timed.person("Anna").look(table)["choices"] == []
    assert "The match is paused." in timed.person("Ben").page(table)
    assert post_action(timed, "Ben", table, "go-on").status_code == 200
    fake_clock.now += 61
    assert clocks_on(timed.person("Anna").page(table)) == ["4:00", "5:00"]
    fake_clock.now += 11
    assert clocks_on(timed.person("Anna").page(table)) == ["3:50", "5:00"]
    end_turn(timed, "Anna", table)


def test_lists_show_a_paused_table(timed: AppServer) -> None:
    table = create_table(timed, "Ada", "Ben")
    ada = timed.person("Ada")
    assert tags(ada) == ["your turn"]
    post_action(timed, "Ben", table, "propose", what="pause")
    timed.person("Ada").answer(table, agree=True)
    assert tags(ada) == ["paused"]
    assert 'data-turns="0"' in ada.get("/").text
    post_action(timed, "Ben", table, "go-on")
    assert tags(ada) == ["your turn"]


def tags(client: Client) -> list[str]:
    """Return what a person's list says about each table."""
    return re.findall(r'<span class="tag[^>]*>([^<]*)', client.get("/tables").text)


def test_a_pause_is_stored(restartable: tuple[AppServer, FakeClock]) -> None:
    server, _ = restartable
    table = create_table(server, "Anna", "bot")
    post_action(server, "Anna", table, "propose", what="pause")
    server.restart()
    assert "The match is paused." in server.person("Anna").page(table)
    assert post_action(server, "Anna", table, "go-on").status_code == 200
    end_turn(server, "Anna", table)


def test_a_player_who_does_not_answer_cannot_stop_the_bots(timed: AppServer, fake_clock: FakeClock) -> None:
    table = create_table(timed, "Anna", "bot", "Ben", table_settings=UNTIMED)
    with timed.waiting_bots():
        end_turn(timed, "Anna", table)
        assert post_action(timed, "Anna", table, "propose", what="take-back").status_code == 200
    fake_clock.pass_time(timed, 59)
    assert timed.person("Anna").look(table)["time"]["proposed"] == "take-back"
    assert len(timed.held(table).match.history) == 1
    fake_clock.pass_time(timed, 2)
    assert timed.person("Anna").look(table)["time"]["proposed"] is None
    wait_for_turn(timed, table, 3)
    assert post_action(timed, "Anna", table, "propose", what="take-back").json()["reason"] == RULE


def test_a_player_who_leaves_cannot_stop_the_match(timed: AppServer, fake_clock: FakeClock) -> None:
    """Ben, whose turn it is, goes away while a take-back is asked for, and Carla doesn't answer: his bot plays on."""
    table = create_table(timed, "Anna", "Ben", "Carla", table_settings=TableSettings(away=60))
    end_turn(timed, "Anna", table)
    assert post_action(timed, "Anna", table, "propose", what="take-back").status_code == 200
    fake_clock.pass_time(timed, 200)
    assert timed.held(table).clocks.absent
    run_due_timers(timed)
    wait_for_turn(timed, table, 3)
    assert timed.person("Anna").look(table)["time"]["proposed"] is None
