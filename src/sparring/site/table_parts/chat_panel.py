"""Chat panel: the chat beside the table, its reactions, and descriptions of moves beside an exchange."""

from collections.abc import Iterable
from functools import cache

from markupsafe import Markup

from sparring.engine.messages import say
from sparring.people.identity import LONGEST_NAME
from sparring.scene import NamedMove
from sparring.scene.html import description_slot
from sparring.scene.markup import NOTHING, el, join, void
from sparring.settings import Limits
from sparring.site.texts import html_part
from sparring.store.person import Person
from sparring.tables.play.chat_actions import may_chat
from sparring.tables.state.chat_log import (
    MOST_PARTS,
    QUICK,
    REACTIONS,
    ChatFilter,
    ChatLine,
    fill_placeholders,
    in_quotes,
    quoted,
    text_of,
    who,
)
from sparring.tables.state.table import Table

_HEAD = '<circle cx="12" cy="12" r="10" class="head"/>'
_EYES = '<circle cx="8.5" cy="10" r="1.4" class="ink"/><circle cx="15.5" cy="10" r="1.4" class="ink"/>'

_DRAWN = {
    "smile": f'{_HEAD}{_EYES}<path class="line" d="M7.5 14.5q4.5 4.5 9 0"/>',
    "laugh": f'{_HEAD}<path class="line" d="M6.8 10.4l1.7-1.6 1.7 1.6M13.8 10.4l1.7-1.6 1.7 1.6"/>'
    '<path class="ink" d="M7 13.5h10a5 5 0 0 1-10 0z"/>',
    "wow": f'{_HEAD}{_EYES}<ellipse cx="12" cy="16" rx="2.2" ry="2.8" class="ink"/>',
    "ouch": f'{_HEAD}<path class="line" d="M7 8.5l3 1.5-3 1.5M17 8.5l-3 1.5 3 1.5M8 16.5q1-1.6 2 0t2 0 2 0 2 0"/>',
    "heart": '<path class="heart" d="M12 20.5C5 15.5 2.5 12 2.5 8.8A4.8 4.8 0 0 1 12 7.3a4.8 4.8 0 0 1 9.5 1.5'
    'c0 3.2-2.5 6.7-9.5 11.7z"/>',
}

#: How many of the latest lines to show at first.
SHOWN = 100
#: The text in place of a removed line.
GONE = "Message removed."


@cache
def reaction_icon(key: str) -> Markup:
    """Return the icon of a reaction."""
    return el("svg", Markup(_DRAWN[key]), viewBox="0 0 24 24", width=24, height=24, aria_hidden="true", class_="smiley")


def panel(
    table: Table, person: Person, chat_filter: ChatFilter, *, faces: bool = True, describes: bool = True
) -> Markup:
    """Return the whole panel for a page, with or without reaction icons and the forms to describe a move.

    `changes_since` sends what changes later.
    """
    lines = _listed(table, person, table.chat.visible(chat_filter)[-SHOWN:], chat_filter, class_="chat", id="chat",
                    tabindex=0, aria_live="polite", aria_label=say("Chat"),
                    data_empty=say("No messages yet."))  # fmt: skip
    forms = describe(table, chat_filter) if describes else NOTHING
    return join([lines, muted(table, chat_filter), forms, _chat_form(table, person, faces=faces)])


def changes_since(table: Table, person: Person, chat_filter: ChatFilter, since: int, *, full: bool) -> Markup:
    """Return what has changed since a version: lines, the form to describe a move, and descriptions of exchanges."""
    lines = table.chat.visible(chat_filter, since)
    changed = {line.exchange for line in lines} | {chat_filter.to_describe.exchange}
    return join([
        _listed(table, person, lines[-SHOWN:], chat_filter, class_="said", data_whole=full),
        muted(table, chat_filter), describe(table, chat_filter),
        *(described(table, person, chat_filter, exchange) for exchange in sorted(changed - {0})),
    ])  # fmt: skip


def filled(markup: Markup, table: Table, person: Person, chat_filter: ChatFilter) -> Markup:
    """Insert the descriptions of its exchange into a rendered table."""
    return fill_placeholders(markup, lambda exchange: described(table, person, chat_filter, exchange))


def described(table: Table, person: Person, chat_filter: ChatFilter, exchange: int) -> Markup:
    """Return the descriptions of an exchange, and the button to describe a move of one's own."""
    lines = table.chat.descriptions(chat_filter, exchange)
    quotes = quoted((line.seat, line.name, line.about, line.words, _applause(table, person, line)) for line in lines)
    mine = chat_filter.to_describe.exchange == exchange and chat_filter.to_describe.named_moves
    button = el("button", say("Describe your move"), type="button", popovertarget="describe-panel", class_="tell")
    return description_slot(exchange, join([quotes, button if mine else NOTHING]))


def _listed(
    table: Table, person: Person, lines: Iterable[ChatLine], chat_filter: ChatFilter, **attributes: object
) -> Markup:
    items = join(_line(table, person, line) for line in lines)
    return el("ol", items, data_chat_version=chat_filter.chat_version, **attributes)


def _line(table: Table, person: Person, line: ChatLine) -> Markup:
    """Return one line: author, text and controls."""
    mine = bool(person.id) and line.person == person.id
    classes = f"{line.kind}{' mine' if mine else ''}"
    if line.kind == "gone":
        return el("li", el("small", say(GONE)), class_=classes, data_line=line.number)
    spectator = NOTHING if line.seat else el("small", f" {say('(spectator)')}", class_="soft")
    about = el("b", line.about, class_="move-name") + ": " if line.about else NOTHING
    icon = line.kind == "word" and line.words in REACTIONS
    text = reaction_icon(line.words) + el("span", line.text, class_="unseen") if icon else in_quotes(line.text)
    applause = _applause(table, person, line) if line.kind == "move" else NOTHING
    controls = NOTHING if mine or not line.person else _about(table, person, line)
    return el("li", el("p", who(line.seat, line.name), spectator, ": ", about, text, applause), controls,
              class_=classes, data_line=line.number)  # fmt: skip


def _applause(table: Table, person: Person, line: ChatLine) -> Markup:
    """Return the count of applause and the button for it, which belongs to the table's form or to its own."""
    number = len(line.applause)
    count = el("small", say("{n} applauded", "{n} applauded", n=number), class_="applause") if number else NOTHING
    may_applaud = person.id and line.person != person.id and person.id not in line.applause and may_chat(table, person)
    if not may_applaud:
        return count
    button = el("button", say("Applaud"), type="submit", formaction=f"/table/{table.id}/applaud", formmethod="post",
                form="applaud", name="line", value=line.number, data_chat=True,
                aria_label=say("Applaud {name}: {move}", name=line.name, move=line.about))  # fmt: skip
    return count + button


def _about(table: Table, person: Person, line: ChatLine) -> Markup:
    """Return the controls of another person's line."""

    def button(action: str, words: str) -> Markup:
        return el("button", words, formaction=f"/table/{table.id}/{action}", name="line", value=line.number)

    label = say("Actions for {name}'s message", name=line.name)
    summary = el("summary", "…", aria_label=label, title=label)
    form = el("form", button("mute", say("Mute {name}", name=line.name)), button("report", say("Report message")),
              method="post", action=f"/table/{table.id}/report", data_chat=bool(person.id))  # fmt: skip
    return el("details", summary, form)


def muted(table: Table, chat_filter: ChatFilter) -> Markup:
    """Return the muted people among those who play or spoke here, with buttons to unmute them."""
    names = {line.person: line.name for line in table.chat.lines if line.person}
    names |= {player.person: player.name for player in table.players if player.person}
    muted_here = [(mute, names[person]) for person, mute in chat_filter.muted.items() if mute and person in names]
    lines = join(
        el("li", say("You muted {name}.", name=name), " ",
           el("button", say("Unmute"), name="mute", value=mute, aria_label=say("Unmute {name}", name=name)))
        for mute, name in muted_here
    )  # fmt: skip
    form = el("form", el("ul", lines, role="list"), method="post", action=f"/table/{table.id}/unmute", data_chat=True)
    return el("div", form if muted_here else NOTHING, id="muted")


def describe(table: Table, chat_filter: ChatFilter) -> Markup:
    """Return the forms to describe one's moves in the current exchange: free text, or words to compose it from."""
    exchange, named_moves, _ = chat_filter.to_describe

    def form(move: NamedMove) -> Markup:
        field = f"described-{move.seat}"
        if table.settings.free_chat:
            fields = _field(id=field, required=True)
        else:
            options = join(el("option", word) for word in ("", *move.words))
            fields = join(
                el("select", options, name="part", id=f"{field}-{part}" if part else field, required=not part,
                   aria_label=say("Part {number}", number=part + 1) if part else None)
                for part in range(MOST_PARTS)
            )  # fmt: skip
        return el(
            "form", el("label", html_part("Describe your move: <b>{move}</b>", move=move.name), for_=field),
            el("span", fields, el("button", say("Post")), class_="typing"),
            void("input", type="hidden", name="seat", value=move.seat),
            method="post", action=f"/table/{table.id}/caption", data_chat=True,
        )  # fmt: skip

    return el("div", join(map(form, named_moves)), id="describe", data_exchange=exchange or None,
              data_empty=say("No move to describe now."))  # fmt: skip


def _field(**more: object) -> Markup:
    """Return the text field of a chat form."""
    return void("input", name="text", maxlength=Limits.longest_line, autocomplete="off", **more)


def _chat_form(table: Table, person: Person, *, faces: bool) -> Markup:
    """Return the chat form. The text field comes first, so that Enter sends it and no preset phrase."""
    if not may_chat(table, person):
        off = table.settings.chat == "nothing"
        why = say("Chat is off at this table.") if off else say("Only players can chat at this table.")
        return el("p", why, class_="small")
    settings = table.settings
    message = el("span", el("label", say("Message"), for_="own-words", class_="unseen"),
                 _field(id="own-words", placeholder=say("Message")), el("button", say("Send")),
                 class_="typing")  # fmt: skip
    phrases = join(el("button", text_of(key), name="word", value=key) for key in QUICK)
    reactions = join(
        el("button", reaction_icon(key), name="word", value=key, aria_label=words, title=words, class_="smiley")
        if faces
        else el("button", words, name="word", value=key)
        for key, words in ((key, text_of(key)) for key in REACTIONS)
    )
    return el(
        "form", _speaker_field(table, person), message if settings.free_chat else NOTHING,
        el("div", phrases, class_="sayings", role="group", aria_label=say("Preset phrases")),
        el("div", reactions, class_="sayings", role="group", aria_label=say("Reactions")),
        NOTHING if settings.free_chat else el("p", say("This table allows preset phrases only."), class_="small"),
        method="post", action=f"/table/{table.id}/chat", class_="speak", data_chat=bool(person.name),
    )  # fmt: skip


def _speaker_field(table: Table, person: Person) -> Markup:
    """Return the choice of a speaker on a shared screen, or the name field of a person without a name."""
    viewer = table.viewer_of(person)
    if viewer.shares:
        options = join(
            el("option", table.players[seat - 1].name, value=seat, selected=seat == viewer.seat)
            for seat in viewer.seats
        )
        return el("p", el("label", say("Post as"), for_="speaker"), el("select", options, id="speaker", name="seat"),
                  class_="field")  # fmt: skip
    if viewer.seats or person.name:
        return NOTHING
    return el("p", el("label", say("Your name"), for_="speaker"),
              void("input", id="speaker", name="name", required=True, maxlength=LONGEST_NAME, autocomplete="nickname"),
              class_="field")  # fmt: skip
