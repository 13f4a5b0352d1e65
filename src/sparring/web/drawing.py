"""What a seat's page is made of: its scene and its log, drawn from the redacted state alone."""

from collections.abc import Sequence

from markupsafe import Markup

from sparring.scene.html import render
from sparring.scene.markup import NOTHING, Names, el, join

from .table import Log, Table


def names_at(table: Table) -> list[str]:
    """What each seat is called: a person's or bot's name, or its number while nobody sits there."""
    return [sitter.name or f"Seat {seat}" for seat, sitter in enumerate(table.sitters, 1)]


def scene(table: Table, viewer: int) -> Markup:
    """The play area of a viewer; drawn once for all who look at the same."""
    if viewer not in table.drawn:
        shown = table.shown
        table.drawn[viewer] = render(
            shown.views[viewer].scene, action_url=f"/table/{table.id}/choose", version=shown.versions[viewer],
            names=names_at(table), news=latest(shown.logs[viewer]), tools=tools(table, viewer),
            glossary=table.match.game.glossary,
        )  # fmt: skip
    return table.drawn[viewer]


def latest(log: Log) -> Sequence[str]:
    """The sentences that were said last, as many as the table shows."""
    return [line for lines in log[-6:] for line in lines][-6:]


def log_lines(table: Table, viewer: int, keep: int = 0) -> Markup:
    """The log of a viewer from entry `keep` on."""
    names = Names(names_at(table))
    log = table.shown.logs[viewer]
    return join(
        el("li", names.marked(line), data_entry=entry) for entry in range(keep, len(log)) for line in log[entry]
    )


def tools(table: Table, viewer: int) -> Markup:
    """What a seat may do besides choosing: take back, play again."""
    shown = table.shown
    if shown.over:
        record = el("a", "Record", href=f"/table/{table.id}/record", class_="button", download=True)
        return again(table, viewer) + record
    if viewer and viewer == shown.asked and shown.may_take_back:
        return el("button", "Take back", type="submit", formaction=f"/table/{table.id}/take-back", class_="take-back",
                  data_post="take-back", title="Undo your last choice; nobody has seen it yet")  # fmt: skip
    if table.wishes.forfeits(viewer) and shown.views[viewer].scene.forfeit:
        return el("button", "Do not forfeit", type="submit", formaction=f"/table/{table.id}/forfeit", name="forfeit",
                  value="no", title=f"You forfeit {shown.views[viewer].scene.forfeit}")  # fmt: skip
    asked = int(shown.views[viewer].state.player) + 1  # as this viewer knows it
    if table.sitters[asked - 1].open:
        return el("button", "Invite somebody", type="button", popovertarget="table-panel",
                  title=f"Seat {asked} is open")  # fmt: skip
    return NOTHING


def again(table: Table, viewer: int) -> Markup:
    """The way to the next match."""
    if table.next:
        return el("a", "Go to the next match", href=f"/table/{table.next}", class_="button main")
    if viewer:
        return el("button", "Play again", type="submit", formaction=f"/table/{table.id}/again", class_="main",
                  data_post="again", title="The same people and options, everybody one seat further")  # fmt: skip
    return NOTHING


def news(table: Table, viewer: int, known: Log | None) -> str:
    """An event: the play area, the log from where it differs from what is known, who sits where."""
    shown = table.shown
    keep = common(known, shown.logs[viewer]) if known is not None else 0
    lines = el("ol", log_lines(table, viewer, keep), data_keep=keep)
    return scene(table, viewer) + lines + sitting(table, viewer)


def sitting(table: Table, viewer: int) -> Markup:
    """Who sits where."""
    seats = join(
        el(
            "li",
            el("span", "open", class_="soft") if sitter.open else el("b", sitter.name),
            " (you)" if seat == viewer else "",
        )
        for seat, sitter in enumerate(table.sitters, 1)
    )
    return el("div", el("ol", seats, class_="sitting"), forfeit(table, viewer), id="sitting")


def forfeit(table: Table, viewer: int) -> Markup:
    """Where the game allows it: saying now that one forfeits later, or that one stays after all."""
    when = table.shown.views[viewer].scene.forfeit if viewer else ""
    if not when:
        return NOTHING
    said = table.wishes.forfeits(viewer)
    words = "Stay after all" if said else f"Forfeit {when}"
    button = el("button", words, name="forfeit", value="no" if said else "yes")
    told = el("p", f"You forfeit {when}.") if said else NOTHING
    return el("form", told, button, method="post", action=f"/table/{table.id}/forfeit", class_="forfeit")


def common(one: Log, other: Log) -> int:
    """How many entries two logs have in common from the beginning."""
    for entry, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b:
            return entry
    return min(len(one), len(other))
