"""The table answers for people: only choices, and that they forfeit; what they want they can change."""

from web.app_server import House, Opener

MYM, MACE = "make-your-moves", "mace"


def test_the_only_choice_is_made_when_its_owner_comes(house: House) -> None:
    """Two play, so there is one target; the table names it as soon as it knows that Anna is here."""
    table = house.table("Anna", "Ben", name=MYM, first_control="seat1")
    anna, ben = house.person("Anna"), house.person("Ben")
    assert [choice["words"] for choice in anna.look(table)["choices"]] == ["target 2"]
    ben.page(table)
    assert ben.look(table)["log"] == []
    anna.page(table)
    look = anna.look(table)
    assert "Only one target: you attack Seat 2." in look["log"]
    assert "target 2" not in [choice["words"] for choice in look["choices"]]
    assert "Seat 1 attacks you." in ben.look(table)["log"]


def test_who_wants_to_be_asked_is_asked(house: House) -> None:
    table = house.table("Anna", "Ben", name=MYM, first_control="seat1")
    anna = house.person("Anna")
    assert anna.post("/choices", data={"choices": "every", "back": f"/table/{table}"}).status_code == 303
    assert 'class="words">Attack<' in anna.page(table)
    assert anna.look(table)["asked"]
    assert anna.look(table)["log"] == []
    anna.post("/choices", data={"choices": "", "back": "//elsewhere.example"})
    anna.page(table)
    assert "Only one target: you attack Seat 2." in anna.look(table)["log"]


def test_an_only_choice_is_no_way_back(house: House) -> None:
    table = house.table("Anna", "Ben", name=MYM, first_control="seat1")
    anna = house.person("Anna")
    assert "Take back" not in anna.page(table)
    assert anna.take_back(table).status_code == 422


def to_the_end_of_the_round(house: House, table: str) -> None:
    """Both commit a card and end their Turns; a Turn may come only once where Momentum is equal."""
    for _ in range(30):
        for name in ("Anna", "Ben"):
            look = house.person(name).look(table)
            words = [choice["words"] for choice in look["choices"]]
            if "forfeit" in words or look["over"] or any(line.startswith("You fight on") for line in look["log"]):
                return
            if words:
                house.person(name).choose(table, "end" if "end" in words else words[0])


def test_nobody_is_asked_whether_they_stay(house: House) -> None:
    table = house.table("Anna", "Ben", name=MACE)
    for name in ("Anna", "Ben"):
        house.person(name).page(table)
    to_the_end_of_the_round(house, table)
    assert "You fight on." in house.person("Anna").look(table)["log"]


def test_who_has_not_come_is_asked(house: House) -> None:
    table = house.table("Anna", "Ben", name=MACE)
    to_the_end_of_the_round(house, table)
    asked = [house.person(name).look(table)["choices"] for name in ("Anna", "Ben")]
    assert ["stay", "forfeit"] in [[choice["words"] for choice in choices] for choices in asked]


def test_a_fighter_is_given_up_at_the_end_of_the_round(house: House) -> None:
    table = house.table("Anna", "Ben", name=MACE)
    anna, ben = house.person("Anna"), house.person("Ben")
    before = ben.look(table)
    assert "Forfeit at the end of the Round" in anna.page(table)
    assert anna.post(f"/table/{table}/forfeit", data={"forfeit": "yes"}).status_code == 303
    assert "You will forfeit at the end of the Round" in anna.page(table)
    assert ben.look(table) == before
    assert "You will forfeit" not in ben.page(table)
    to_the_end_of_the_round(house, table)
    assert ben.look(table)["over"]
    assert "You forfeit and are out." in anna.look(table)["log"]


def test_who_stays_after_all_stays(house: House) -> None:
    table = house.table("Anna", "Ben", name=MACE)
    anna = house.person("Anna")
    house.person("Ben").page(table)
    anna.post(f"/table/{table}/forfeit", data={"forfeit": "yes"})
    anna.post(f"/table/{table}/forfeit", data={"forfeit": "no"})
    assert "You will forfeit" not in anna.page(table)
    to_the_end_of_the_round(house, table)
    assert not anna.look(table)["over"]


def test_a_server_that_stops_loses_no_forfeit(open_house: Opener) -> None:
    house = open_house()
    table = house.table("Anna", "Ben", name=MACE)
    anna = house.person("Anna")
    anna.post(f"/table/{table}/forfeit", data={"forfeit": "yes"})
    cookie = anna.http.cookies["forfeits"]
    house.close()
    house = open_house()
    again = house.person("Anna")
    again.http.cookies.set("forfeits", cookie)
    assert "You will forfeit at the end of the Round" in again.page(table)


def test_only_who_plays_can_forfeit_and_only_where_the_game_allows_it(house: House) -> None:
    table = house.table("Anna", "Ben", name=MACE, forfeits="off")
    assert house.person("Anna").post(f"/table/{table}/forfeit", data={"forfeit": "yes"}).status_code == 403
    assert "Forfeit at the end" not in house.person("Anna").page(table)
    table = house.table("Anna", "Ben", name=MACE)
    assert house.person("Eve").post(f"/table/{table}/forfeit", data={"forfeit": "yes"}).status_code == 403
