"""Seats: their notes and clocks, the list of players, proposals and pauses, and what to do with an open seat.

An open seat has its link, its QR code, and forms for bots and for friends on the same screen.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup

from sparring.bots import STRENGTHS, title
from sparring.engine.game import GameSetup
from sparring.engine.messages import cached_by_language
from sparring.people.identity import LONGEST_NAME
from sparring.scene.markup import NOTHING, SeatNames, el, join, seat_name, void
from sparring.scene.sentences import listed, mention, say
from sparring.site.texts import html_part
from sparring.store.personal_data import DEPARTED
from sparring.tables.play.proposals import RULE, may_ask
from sparring.tables.seating import bot_names, is_makers_seat
from sparring.tables.state.clock_events import clock_runs, shown_left, waiting_for
from sparring.tables.state.clock_state import FREE_TIME, EarlyEnding, What, Why, clock, reason_of
from sparring.tables.state.player_feed import PlayerFeed
from sparring.tables.state.players import Player, Viewer
from sparring.tables.state.presence import Presence
from sparring.tables.state.table import Table
from sparring.tables.state.table_settings import BRIEFLY, KNOWN_DEAL, span

#: What a seat shows after its player has left the match.
LEFT: dict[Why, str] = {
    "gave up": "gave up, bot playing", "time": "out of time, bot playing", "away": "away too long, bot playing",
}  # fmt: skip
#: The width of the light border that scanners need around a QR code, in modules.
BORDER = 4
#: The note on a public table that waits for players.
LISTED = "This table is listed on the start page."


def seat_notes(table: Table, viewer: Viewer) -> Mapping[int, Markup]:
    """Return what to show on each seat besides its scene, as `viewer` sees it.

    The note that a player is away is always there; `seat_notes.css` shows it while `away_seats` names the seat, since
    presence changes without a new version of the table.
    """
    clocks, hinted = clock_views(table), {taken.seat for taken in table.hints.taken}
    if table.shown.over:
        return clocks
    notes = {left.seat: _notes(el("em", say(LEFT[left.why]), class_="note")) for left in table.ended.left}
    for seat, player in enumerate(table.players_seen_by(viewer), 1):
        if not player.person or seat in table.ended.seats:
            continue
        absent = seat in table.clocks.absent
        lines = [
            el("em", say("away, bot playing"), class_="note") if absent else NOTHING,
            el("em", say("away"), class_="note away") if seat != viewer.seat and not absent else NOTHING,
            el("em", say("uses hints"), class_="note") if seat in hinted else NOTHING,
        ]
        notes[seat] = clocks.get(seat, NOTHING) + _notes(join(lines))
    return notes


def _notes(lines: Markup) -> Markup:
    return el("span", lines, class_="notes") if lines else NOTHING


def away_seats(table: Table, viewer: Viewer, presence: Presence) -> list[int]:
    """Return the seats of people who don't have the table open, except the viewer's own."""
    present = presence.people()
    return [
        seat for seat, player in enumerate(table.players_seen_by(viewer), 1)
        if player.person and player.person not in present and seat not in viewer.seats
    ]  # fmt: skip


def player_list(table: Table, feed: PlayerFeed, viewpoint: Viewer) -> Markup:
    """Return the list of players with the controls that belong to it."""
    over, viewer = table.shown.over, feed.viewer
    shared = share(table, viewpoint) if viewpoint.shares and not over else NOTHING
    players = _seated(table.id, table.players_seen_by(viewpoint), viewpoint, table.match.setup, over)
    time_forms = forms(table, viewer, table.seat_names, forfeit(table, feed), forfeits=table.will_forfeit(viewer))
    known = el("p", say(KNOWN_DEAL), class_="small") if table.known_deal and not over else NOTHING
    return el("div", players, known, shared, time_forms, id="sitting", data_seat=viewpoint.seat)


@cached_by_language(1024)
def _seated(table: str, players: Sequence[Player], viewer: Viewer, setup: GameSetup, over: bool) -> Markup:
    """Return the list alone, cached since it only changes when a player does."""

    def line(seat: int, player: Player) -> Markup:
        beside = [each.name for each in players if each is not player and player.person == each.person != ""]
        name = el("b", player.name)
        if player.open:
            kept = say("open for a player of the last match") if player.offered else say("open")
            name = el("span", kept, class_="soft")
        elif seat == viewer.seat:
            name = html_part("{name} (you)", name=name)
        elif seat in viewer.seats:
            name = html_part("{name} (on this device)", name=name)
        elif beside:
            name = html_part("{name} (on the same device as {others})", name=name, others=listed(beside))
        elif player.bot_of:
            name = html_part("{name}, bot of {owner}", name=name, owner=player.bot_of)
        elif player.bot:
            name = html_part("{name}, {bot}", name=name, bot=say(title(player.bot, setup, len(players))))
        forms = NOTHING if over else seat_forms(table, seat, player, viewer, setup)
        stays = player.person and not player.person.startswith(DEPARTED)
        asks = viewer.seats and seat not in viewer.seats and stays and not player.bot_of
        return el("li", name, _friend_form(table, seat, player) if asks else NOTHING, forms)

    return el("ol", join(line(seat, player) for seat, player in enumerate(players, 1)), class_="sitting")


def _friend_form(table: str, seat: int, player: Player) -> Markup:
    """Return the form that sends another player a friend request."""
    button = el("button", say("Add friend"), name="seat", value=seat,
                aria_label=say("Add {name} as a friend", name=player.name))  # fmt: skip
    return el("form", button, method="post", action=f"/table/{table}/friend", class_="seat-form")


def share(table: Table, viewer: Viewer) -> Markup:
    """Return the form to hide the hand on a shared screen."""
    explanation = say("Several of you share this screen. Each hand stays hidden until its owner taps their name.")
    hide = el("button", say("Hide hand"), name="seat", value=0) if viewer.seat else NOTHING
    return el("form", el("p", explanation), hide, method="post", action=f"/table/{table.id}/screen", class_="forfeit")


def forfeit(table: Table, feed: PlayerFeed) -> Markup:
    """Return the form to set or cancel a standing forfeit, in games that have one."""
    when = feed.scene.forfeit if feed.viewer else ""
    if not when:
        return NOTHING
    standing = table.will_forfeit(feed.viewer)
    words = say("Cancel forfeit") if standing else say("Forfeit {when}", when=when)
    button = el("button", words, name="forfeit", value="no" if standing else "yes")
    status = el("p", say("You will forfeit {when}.", when=when)) if standing else NOTHING
    return el("form", status, button, method="post", action=f"/table/{table.id}/forfeit", class_="forfeit")


def open_seats(table: Table, viewer: int, viewpoint: Viewer) -> Markup:
    """Return which seats are open, whether the match waits for one, and what the viewer can do; empty if none are."""
    seats = [seat for seat, player in enumerate(table.players_seen_by(viewpoint), 1) if player.open]
    if not seats or table.shown.over:
        return el("div", id="open-seats", data_waiting="none")
    next_index = int(table.feed(viewer).view.state.player)  # as this viewer knows it
    waiting = table.players[next_index].open
    open_ones = [seat_name(seats[0]), *(say("seat {seat}", seat=seat) for seat in seats[1:])]
    sentences = [say("{seats} is open.", "{seats} are open.", n=len(seats), seats=listed(open_ones))]
    if viewpoint.host and table.challenge and table.challenge.declined:
        sentences = [say("{name} declined your challenge.", name=table.challenge.name)]
        sentences += [say("You can send this link to another friend.")]
    elif viewpoint.host and table.challenge:
        sentences = [say("Waiting for {name}.", name=table.challenge.name)]
        sentences += [say("You can also send this link to another friend.")]
    elif viewpoint.seats and all(table.players[seat - 1].offered for seat in seats):
        sentences = [say("Waiting for the players of the last match.")]
    elif viewpoint.seats and table.settings.public:
        sentences += [say(LISTED), say("You can also send this link to a friend.")]
    elif viewpoint.seats:
        sentences += [say("Send this link to a friend.")]
    seat = next_index + 1 if waiting else seats[0]
    forms = seat_forms(table.id, seat, table.players[seat - 1], viewpoint, table.match.setup)
    return el(
        "div", el("p", " ".join(sentences)), forms, id="open-seats", data_waiting="here" if waiting else "elsewhere"
    )


def seat_forms(table: str, seat: int, player: Player, viewer: Viewer, setup: GameSetup) -> Markup:
    """Return what a viewer can do with a seat: give it to a bot, open it, or seat a friend on the same screen."""
    if is_makers_seat(player, setup):
        return NOTHING
    forms = []
    if viewer.host and player.open:
        bots = join(
            el("option", say(words), value=bot, selected=bot == STRENGTHS[1])
            for bot, words in bot_names(setup.game).items()
        )
        choice = el("select", bots, name="bot", aria_label=say("Bot for seat {seat}", seat=seat))
        forms.append((f"/table/{table}/seats", choice, el("button", say("Add bot"))))
    if viewer.host and player.bot:
        forms.append((f"/table/{table}/seats", NOTHING, el("button", say("Remove bot"))))
    if viewer.seats and player.open:
        label = say("Friend in seat {seat}, on this device", seat=seat)
        name = void("input", name="local_player", required=True, maxlength=LONGEST_NAME, autocomplete="off",
                    placeholder=say("Friend's name"), aria_label=label)  # fmt: skip
        forms.append((f"/table/{table}/sit", name, el("button", say("Add friend on this device"))))
    return join(
        el("form", void("input", type="hidden", name="seat", value=seat), field, button, method="post", action=address,
           class_="seat-form")
        for address, field, button in forms
    )  # fmt: skip


@cached_by_language(64)
def qr_code(link: str) -> Markup:
    """Return the link as a QR code, dark on light in every theme."""
    from segno import make  # loaded on demand: only tables with an open seat need it

    rows = [[bool(module) for module in row] for row in make(link, error="m", micro=False).matrix]
    size = len(rows) + 2 * BORDER
    path = "".join(
        f"M{x + BORDER},{y + BORDER}h1v1h-1z" for y, row in enumerate(rows) for x, dark in enumerate(row) if dark
    )
    return el(
        "svg", el("rect", width=size, height=size, fill="#fff"), el("path", d=path, fill="#000"),
        viewBox=f"0 0 {size} {size}", role="img", aria_label=say("The link as a QR code"), class_="qr",
    )  # fmt: skip


class ProposalTexts(NamedTuple):
    """The texts of a proposal: the proposer's button and sentence, the sentence and the button of the others."""

    propose: str
    waiting: str
    announcement: str
    accept: str


PROPOSAL_TEXTS: dict[What, ProposalTexts] = {
    "draw": ProposalTexts(
        "Offer draw", "Waiting for {others} to accept the draw.", "{who} offers a draw.", "Accept draw"
    ),
    "pause": ProposalTexts(
        "Propose pause", "Waiting for {others} to accept the pause.", "{who} proposes a pause.", "Accept pause"
    ),
    "take-back": ProposalTexts(
        "Ask to take back", "Waiting for {others} to accept the take-back.",
        "{who} asks to take back the last choice.", "Allow take-back",
    ),
}  # fmt: skip
_RUNNING = re.compile(r'(data-left="(\d+)" data-from="(\d+)">)[^<]*')


def clock_views(table: Table) -> dict[int, Markup]:
    """Return the clocks to show beside the seats."""
    return {seat: _clock_markup(table, seat, left) for seat, left in shown_left(table).items()}


def _clock_markup(table: Table, seat: int, left: int) -> Markup:
    """Return a clock. A running one also carries its value at the start of the turn, and when that was."""
    running = clock_runs(table, seat)
    return el("span", clock(left), class_="clock", role="timer",
              data_left=table.clocks.left[seat - 1] if running else left,
              data_from=table.clocks.since + FREE_TIME if running else None)  # fmt: skip


def with_current_time(page: Markup, now: int) -> Markup:
    """Return a page with its running clock set to the time `now`, since the page may have been rendered earlier."""
    return Markup(
        _RUNNING.sub(lambda match: match[1] + clock(max(0, int(match[2]) - max(0, now - int(match[3])))), page)
    )


def notices(table: Table, viewer: int, names: SeatNames) -> Markup:
    """Return notices and buttons beside the prompt: a pause, a proposal, or that a bot played for the viewer."""
    timing, parts = table.clocks, list[Markup]()
    may_deal = table.known_deal and len(table.people) > 1
    if not (may_deal or timing.played_for or timing.paused or timing.proposal) or viewer not in table.playing:
        return NOTHING
    if may_deal:
        parts += [
            el("p", say(BRIEFLY), class_="aside"),
            _button(table, "new-deal", say("New deal"), title=say(KNOWN_DEAL)),
        ]
    if long := timing.played_for.get(viewer, 0):
        time = span(max(1, long // 1000))
        parts.append(el("p", say("While you were away, a bot played for you for {time}.", time=time), class_="aside"))
    if table.shown.paused:
        parts.append(_button(table, "go-on", say("Resume match"), class_="main"))
    if proposal := timing.proposal:
        own, texts = proposal.by == viewer, PROPOSAL_TEXTS[proposal.what]
        parts.append(el("input", type="hidden", name="proposal", value=proposal.id))
        if own or viewer in proposal.agreed:
            waiting = sorted(waiting_for(table, proposal))
            others = names.text(listed([mention(seat - 1) for seat in waiting]))
            parts.append(el("p", say(texts.waiting, others=others), class_="aside"))
            parts += [_button(table, "answer", say("Withdraw"), name="agree", value="no")] if own else []
        else:
            announcement = say(texts.announcement, who=mention(proposal.by - 1))
            parts.append(el("p", names.text(announcement), class_="aside"))
            parts.append(_button(table, "answer", say(texts.accept), name="agree", value="yes"))
            parts.append(_button(table, "answer", say("Decline"), name="agree", value="no"))
    return join(parts)


def forms(table: Table, viewer: int, names: SeatNames, by_rules: Markup = NOTHING, *, forfeits: bool = False) -> Markup:
    """Return the forms for proposals and giving up.

    `by_rules` is the game's own way to give up, and `forfeits` whether the viewer has a standing forfeit.
    """
    if table.shown.over or viewer not in table.playing:
        return NOTHING
    free = not table.clocks.proposal and not table.clocks.paused
    asked_here: tuple[What, ...] = ("draw", "pause")
    possible = tuple([what for what in asked_here if table.clocks.may_propose(what, viewer)]) if free else ()
    what_then = _consequence(table.ended, viewer, tuple(table.seats_without_bots), names)
    rule = "" if table.settings.rated else say(RULE)
    return _forms(table.id, possible, what_then, by_rules, forfeits, rule)


@cached_by_language(1024)
def _forms(
    table: str, possible: tuple[What, ...], consequence: str, by_rules: Markup, forfeits: bool, rule: str
) -> Markup:
    """Return the forms, cached since they seldom change."""
    propose = [el("button", say(PROPOSAL_TEXTS[what].propose), name="what", value=what) for what in possible]
    proposing = el("form", join(propose), method="post", action=f"/table/{table}/propose", data_quiet=True)
    now = el("form", el("button", say("Give up now")), method="post", action=f"/table/{table}/give-up", data_quiet=True)
    giving_up = el("details", el("summary", say("Give up")), el("p", consequence, class_="small"), now, by_rules,
                   open=forfeits)  # fmt: skip
    taking_back = el("p", rule, class_="small") if rule else NOTHING
    return el("div", proposing if propose else NOTHING, giving_up, taking_back, class_="agreeing")


@cached_by_language(1024)
def _consequence(ended: EarlyEnding, viewer: int, without_bots: tuple[int, ...], names: SeatNames) -> str:
    """Return what giving up leads to at this table."""
    seats = len(names.names)
    after = ended.leaving(viewer, "gave up", seats, without_bots)
    staying = after.staying(seats)
    others, n = names.text(listed([mention(seat - 1) for seat in staying])), len(staying)
    if after.how:
        return say(
            "You lose immediately and the match ends: {others} wins.",
            "You lose immediately and the match ends: {others} win.",
            n=n, others=others,
        )  # fmt: skip
    return say("You lose immediately. {others} play on, and a bot takes over your seat.", others=others)


def status_lines(table: Table) -> list[str]:
    """Return which players have left, and for whom a bot plays."""
    if table.shown.over:
        return []
    left = [say("{reason}. A bot took over.", reason=reason_of(left, 0)) for left in table.ended.left]
    return [*left, *(say("A bot is playing for {who}.", who=mention(seat - 1)) for seat in table.clocks.absent)]


def take_back_button(table: Table, viewer: int) -> Markup:
    """Return the button that asks the others to agree to a take-back, where that is possible.

    While a bot is choosing there is none, because it would only flash up.
    """
    if viewer not in table.playing or table.bot or not may_ask(table, viewer):
        return NOTHING
    ask = say(PROPOSAL_TEXTS["take-back"].propose)
    return _button(table, "propose", ask, name="what", value="take-back", title=say(RULE))


def _button(table: Table, where: str, words: str, **more: str) -> Markup:
    return el("button", words, type="submit", formaction=f"/table/{table.id}/{where}", data_quiet=True, **more)
