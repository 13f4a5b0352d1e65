"""Clock panel: the clocks beside the seats, pauses and proposals, and the forms for them."""

import re
from functools import lru_cache

from markupsafe import Markup

from sparring.scene.markup import NOTHING, SeatNames, el, join
from sparring.scene.sentences import listed
from sparring.tables.play.proposals import RULE, may_ask
from sparring.tables.state.clock_events import clock_runs, shown_left, waiting_for
from sparring.tables.state.clock_state import FREE_TIME, EarlyEnding, What, clock, reason_of
from sparring.tables.state.table import Table
from sparring.tables.state.table_settings import BRIEFLY, KNOWN_DEAL, span

#: Words of each proposal: the proposer's button, the announcement, and the others' button.
WORDS: dict[What, tuple[str, str, str]] = {
    "draw": ("Offer draw", "offers a draw", "Accept draw"),
    "pause": ("Propose pause", "proposes a pause", "Accept pause"),
    "take-back": ("Ask to take back", "asks to take back the last choice", "Allow take-back"),
}

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
        parts += [el("p", BRIEFLY, class_="aside"), _button(table, "new-deal", "New deal", title=KNOWN_DEAL)]
    if long := timing.played_for.get(viewer, 0):
        parts.append(
            el("p", f"While you were away, a bot played for you for {span(max(1, long // 1000))}.", class_="aside")
        )
    if table.shown.paused:
        parts.append(_button(table, "go-on", "Resume match", class_="main"))
    if proposal := timing.proposal:
        own, (_, announcement, agree) = proposal.by == viewer, WORDS[proposal.what]
        parts.append(el("input", type="hidden", name="proposal", value=proposal.id))
        if own or viewer in proposal.agreed:
            waiting = sorted(waiting_for(table, proposal))
            others = names.text(listed([f"Seat {seat}" for seat in waiting]))
            parts.append(el("p", f"Waiting for {others} to accept the {proposal.what}.", class_="aside"))
            parts += [_button(table, "answer", "Withdraw", name="agree", value="no")] if own else []
        else:
            parts.append(el("p", names.text(f"Seat {proposal.by} {announcement}."), class_="aside"))
            parts.append(_button(table, "answer", agree, name="agree", value="yes"))
            parts.append(_button(table, "answer", "Decline", name="agree", value="no"))
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
    rule = "" if table.settings.rated else RULE
    return _forms(table.id, possible, what_then, by_rules, forfeits, rule)


@lru_cache(maxsize=1024)
def _forms(
    table: str, possible: tuple[What, ...], consequence: str, by_rules: Markup, forfeits: bool, rule: str
) -> Markup:
    """Return the forms, cached since they seldom change."""
    propose = [el("button", WORDS[what][0], name="what", value=what) for what in possible]
    proposing = el("form", join(propose), method="post", action=f"/table/{table}/propose", data_quiet=True)
    now = el("form", el("button", "Give up now"), method="post", action=f"/table/{table}/give-up", data_quiet=True)
    giving_up = el("details", el("summary", "Give up"), el("p", consequence, class_="small"), now, by_rules,
                   open=forfeits)  # fmt: skip
    taking_back = el("p", rule, class_="small") if rule else NOTHING
    return el("div", proposing if propose else NOTHING, giving_up, taking_back, class_="agreeing")


@lru_cache(maxsize=1024)
def _consequence(ended: EarlyEnding, viewer: int, without_bots: tuple[int, ...], names: SeatNames) -> str:
    """Return what giving up leads to at this table."""
    seats = len(names.names)
    after = ended.leaving(viewer, "gave up", seats, without_bots)
    staying = after.staying(seats)
    others = names.text(listed([f"Seat {seat}" for seat in staying]))
    if after.how:
        return f"You lose immediately and the match ends: {others} {'wins' if len(staying) == 1 else 'win'}."
    return f"You lose immediately. {others} play on, and a bot takes over your seat."


def status_lines(table: Table) -> list[str]:
    """Return which players have left, and for whom a bot plays."""
    if table.shown.over:
        return []
    left = [f"{reason_of(left, 0)}. A bot took over." for left in table.ended.left]
    return [*left, *(f"A bot is playing for Seat {seat}." for seat in table.clocks.absent)]


def take_back_button(table: Table, viewer: int) -> Markup:
    """Return the button that asks the others to agree to a take-back, where that is possible.

    While a bot is choosing there is none, because it would only flash up.
    """
    if viewer not in table.playing or table.bot or not may_ask(table, viewer):
        return NOTHING
    return _button(table, "propose", WORDS["take-back"][0], name="what", value="take-back", title=RULE)


def _button(table: Table, where: str, words: str, **more: str) -> Markup:
    return el("button", words, type="submit", formaction=f"/table/{table.id}/{where}", data_quiet=True, **more)
