"""Choices that the table makes for people: forced choices and forfeits, both configurable."""

from web.app_server import AppServer, Client, StartServer

MYM, MACE = "make-your-moves", "mace"


def test_a_forced_choice_is_made_when_its_player_is_present(server: AppServer, anna: Client, ben: Client) -> None:
    """Two players, so there is one target, which is chosen once the table knows that Anna is present."""
    table = server.table("Anna", "Ben", name=MYM, first_control="seat1")
    assert [choice["words"] for choice in anna.look(table)["choices"]] == ["target 2"]
    ben.page(table)
    assert ben.look(table)["log"] == []
    anna.page(table)
    look = anna.look(table)
    assert "Only one target: you attack Seat 2." in look["log"]
    assert "target 2" not in [choice["words"] for choice in look["choices"]]
    assert "Seat 1 attacks you." in ben.look(table)["log"]
    assert anna.take_back(table).status_code == 422


def test_auto_choices_can_be_turned_off(server: AppServer, anna: Client) -> None:
    table = server.table("Anna", "Ben", name=MYM, first_control="seat1")
    assert anna.post("/choices", data={"choices": "every", "back": f"/table/{table}"}).status_code == 303
    assert 'class="words">Attack<' in anna.page(table)
    assert anna.look(table)["is_turn"]
    assert anna.look(table)["log"] == []
    anna.post("/choices", data={"choices": "", "back": "//elsewhere.example"})
    anna.page(table)
    assert "Only one target: you attack Seat 2." in anna.look(table)["log"]


def to_the_end_of_the_round(server: AppServer, table: str) -> None:
    """Let both commit a card and end their Turns; a Turn may come only once if Momentum is equal."""
    for _ in range(30):
        for name in ("Anna", "Ben"):
            look = server.person(name).look(table)
            words = [choice["words"] for choice in look["choices"]]
            if "forfeit" in words or look["over"] or any(line.startswith("You fight on") for line in look["log"]):
                return
            if words:
                server.person(name).choose(table, "end" if "end" in words else words[0])


def test_absent_players_are_asked(server: AppServer) -> None:
    table = server.table("Anna", "Ben", name=MACE)
    to_the_end_of_the_round(server, table)
    asked = [server.person(name).look(table)["choices"] for name in ("Anna", "Ben")]
    assert ["stay", "forfeit"] in [[choice["words"] for choice in choices] for choices in asked]


def test_a_forfeit_takes_effect_at_the_end_of_the_round(server: AppServer, anna: Client, ben: Client) -> None:
    table = server.table("Anna", "Ben", name=MACE)
    before = ben.look(table)
    assert "Forfeit at the end of the Round" in anna.page(table)
    assert anna.post(f"/table/{table}/forfeit", data={"forfeit": "yes"}).status_code == 303
    assert "You will forfeit at the end of the Round" in anna.page(table)
    assert ben.look(table) == before
    assert "You will forfeit" not in ben.page(table)
    to_the_end_of_the_round(server, table)
    assert ben.look(table)["over"]
    assert "You forfeit and are out." in anna.look(table)["log"]


def test_a_forfeit_can_be_cancelled_and_is_then_declined_automatically(server: AppServer, anna: Client) -> None:
    table = server.table("Anna", "Ben", name=MACE)
    server.person("Ben").page(table)
    anna.post(f"/table/{table}/forfeit", data={"forfeit": "yes"})
    anna.post(f"/table/{table}/forfeit", data={"forfeit": "no"})
    assert "You will forfeit" not in anna.page(table)
    to_the_end_of_the_round(server, table)
    assert any(line.startswith("You fight on") for line in anna.look(table)["log"])


def test_wishes_survive_a_restart_and_another_browser(start_server: StartServer) -> None:
    """Anna forfeits and Ben lets the table decline: both happen although neither opens the table again."""
    server = start_server()
    table = server.table("Anna", "Ben", name=MACE)
    server.person("Anna").post(f"/table/{table}/forfeit", data={"forfeit": "yes"})
    server.person("Ben").page(table)
    server.restart()
    assert "You will forfeit at the end of the Round" in server.person("Anna").page(table)
    to_the_end_of_the_round(server, table)
    assert "You forfeit and are out." in server.person("Anna").look(table)["log"]


def test_a_rematch_keeps_no_forfeit(server: AppServer, anna: Client) -> None:
    table = server.table("Anna", "Ben", name=MACE)
    anna.post(f"/table/{table}/forfeit", data={"forfeit": "yes"})
    to_the_end_of_the_round(server, table)
    rematch = anna.post(f"/table/{table}/again").headers["location"]
    assert "You will forfeit" not in anna.get(rematch).text


def test_only_players_forfeit_and_only_if_the_game_allows_it(server: AppServer) -> None:
    table = server.table("Anna", "Ben", name=MACE, forfeits="off")
    assert server.person("Anna").post(f"/table/{table}/forfeit", data={"forfeit": "yes"}).status_code == 403
    assert "Forfeit at the end" not in server.person("Anna").page(table)
    table = server.table("Anna", "Ben", name=MACE)
    assert server.person("Eve").post(f"/table/{table}/forfeit", data={"forfeit": "yes"}).status_code == 403
