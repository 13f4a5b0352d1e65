"""Tables where a person has a shortcut."""

from web.app_server import AppServer

NAME, NAMES = "untitled-movement", ("Anna", "Ben")


def shortcut(server: AppServer, table: str, seat: int) -> str:
    """Return a shortcut that leaves moves over, so that it can be taken back."""
    match = server.held(table).match
    for each in match.view(seat).scene.shortcuts:
        after = match.clone()
        after.play(each.words)
        if after.phase == "card" and each.words.count(";") > 1 and after.steps_to_take_back:
            return str(each.words)
    return ""


def at_a_card(server: AppServer) -> tuple[str, int]:
    """Return a table at which a person has a shortcut with moves to spare, and that person's seat."""
    for seed in range(1, 60):
        table = server.table("Anna", "Ben", name=NAME, seed=seed)
        for _ in range(12):
            seat = next(number for number, who in enumerate(NAMES, 1) if server.person(who).look(table)["is_turn"])
            if shortcut(server, table, seat):
                return table, seat
            person = server.person(NAMES[seat - 1])
            choices = [choice["words"] for choice in person.look(table)["choices"]]
            person.choose(table, "roll" if "roll" in choices else choices[-1])
    raise AssertionError("no table has such a shortcut")
