"""Render the parts of a seat's page from its redacted state: play area, log, controls and list of players."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, cast

from markupsafe import Markup

from sparring.bots import STAND_IN, title
from sparring.engine.game import Box
from sparring.engine.views import View
from sparring.scene import Prompt, replace
from sparring.scene.html import Exchange, render
from sparring.scene.markup import NOTHING, el, join
from sparring.scene.sentences import ResultLine, listed, merge_asides

from . import hint_panel
from .clocks.clock_panel import clock_views, forms, instead_of_prompt, notices
from .clocks.clock_panel import status_lines as told_of_time
from .invitations import open_seats, seat_forms
from .player_feed import FeedVersion, PlayerFeed, beginning, headlines, last_exchange, sentences
from .players import Player
from .presence import Presence
from .rating_changes import change_sentences
from .shared_screens import Viewer
from .table import Table


def at_rest(table: Table, sight: PlayerFeed, looker: Viewer) -> Markup:
    """Return the play area at rest, rendered once for all viewers who see the same."""
    kept = "at rest", looker.seats, hand_over_targets(table, looker)
    if kept not in sight.drawn:
        sight.drawn[kept] = scene(table, sight, looker, sight.latest, 0)
    return cast(Markup, sight.drawn[kept])


def scene(table: Table, sight: PlayerFeed, looker: Viewer, news: FeedVersion, number: int) -> Markup:
    """Return the play area at beat `number` of a version; the last beat is the table at rest."""
    beat, resting = news.beats[number], number == len(news.beats) - 1
    latest = resting and news.version == sight.version
    drawn = render(
        scene_at(table, sight, beat.view, latest=latest), action_url=f"/table/{table.id}/choose",
        version=news.version, names=table.seat_names, animated=beat_lines(sight, news, number),
        events=headlines(sight.log[: news.log[1]]) if resting else (),
        exchange=exchange(news, number),
        tools=tools(table, sight, looker) if latest else NOTHING, glossary=table.match.game.glossary,
        clocks=clock_views(table),
    )  # fmt: skip
    return table.gallery.hung(drawn, f"/table/{table.id}/pictures")


def exchange(news: FeedVersion, number: int) -> Exchange | None:
    """Return the last exchange before beat `number` of a version."""
    last = last_exchange(news.decided[number])
    earlier = last in news.decided[0]
    return Exchange(last.area, last.lines, last.number, earlier) if last else None


def scene_at(table: Table, sight: PlayerFeed, view: View, *, latest: bool = True) -> Any:
    """Return the scene of a view. A superseded version has no prompt and is shown like a beat."""
    instead = instead_of_prompt(table, sight.viewer) if latest and not view.beat else ""
    scene = sight.scene_of(view if latest and not instead else view.passed)
    return replace(scene, over=table.shown.over, prompt=Prompt(instead)) if instead else scene


def beat_lines(sight: PlayerFeed, news: FeedVersion, number: int) -> list[str]:
    """Return the lines of a beat; consecutive asides, as about discards, merge into one sentence."""
    lines = merge_asides(news.beats[number].lines)
    first, upto = news.log
    row = [line for entry, line in sentences(sight.log[:upto], beginning(sight.log, first)) if entry < first][-1:]
    return row + lines[1:] if row and lines and number == 0 else lines


def log_lines(table: Table, sight: PlayerFeed, keep: int = 0, upto: int | None = None) -> Markup:
    """Return a viewer's log from entry `keep` on."""
    names = table.seat_names
    return join(
        el("li", names.marked(line), data_entry=entry, class_="result" if isinstance(line, ResultLine) else None)
        for entry, line in sentences(sight.log[:upto], keep)
    )


def tools(table: Table, sight: PlayerFeed, looker: Viewer, *, in_words: bool = False) -> Markup:
    """Return the buttons besides the choices: take back, rematch, hand over the screen."""
    shown, viewer = table.shown, sight.viewer
    beside = notices(table, viewer, table.seat_names)
    if to := hand_over_targets(table, looker):
        return beside + hand_over(table, to)
    if shown.over:
        record = el("a", "Download match", href=f"/table/{table.id}/record", class_="button", download=True)
        how = "/text" if in_words else ""
        replay = el("a", "Replay", href=f"/table/{table.id}/replay{how}", class_="button")
        return rating_lines(table, viewer) + rematch(table, looker) + replay + record
    if viewer and viewer == table.chooser and shown.may_take_back:
        back = el("button", "Take back", type="submit", formaction=f"/table/{table.id}/take-back", class_="take-back",
                  data_post="take-back", aria_description="Undo your last choice; no one has seen it yet")  # fmt: skip
        return beside + back + hint_panel.controls(table, viewer)
    if table.auto_choices.will_forfeit(viewer) and sight.scene.forfeit:
        stay = el("button", "Cancel forfeit", type="submit", formaction=f"/table/{table.id}/forfeit",
                  name="forfeit", value="no", aria_description=f"You will forfeit {sight.scene.forfeit}")  # fmt: skip
        return beside + stay
    return beside + hint_panel.controls(table, viewer)


def rating_lines(table: Table, viewer: int) -> Markup:
    """Return the rating changes of a rated match."""
    names = table.seat_names
    return join(el("p", names.marked(line), class_="moved") for line in change_sentences(table, viewer))


def hand_over_targets(table: Table, looker: Viewer) -> tuple[int, ...]:
    """Return the seats a shared screen can be handed to while all hands are hidden."""
    asked = table.shown.asked
    return () if looker.seat or (table.bot and asked in looker.seats) else looker.can_hand_to(asked)


def hand_over(table: Table, to: Sequence[int]) -> Markup:
    """Return the prompt to hand over a shared screen; tapping a name shows that player's hand."""
    names = [table.players[seat - 1].name for seat in to]
    asks = f"Give the screen to {names[0]}." if len(to) == 1 else "Who is at the screen now?"
    buttons = join(
        el("button", f"I am {name}", type="submit", formaction=f"/table/{table.id}/screen", name="seat", value=seat,
           class_="main" if len(to) == 1 else None, data_post="screen", aria_description="Shows this player's hand")
        for seat, name in zip(to, names, strict=True)
    )  # fmt: skip
    return el("p", asks, class_="give") + buttons


def rematch(table: Table, looker: Viewer) -> Markup:
    """Return the link or button for the rematch."""
    if table.next:
        return el("a", "Go to the rematch", href=f"/table/{table.next}", class_="button main")
    if looker.seats:
        return el("button", "Play again", type="submit", formaction=f"/table/{table.id}/again", class_="main",
                  data_post="again",
                  aria_description="Same players and options, with everyone one seat further on")  # fmt: skip
    return NOTHING


def event(table: Table, sight: PlayerFeed, looker: Viewer, news: FeedVersion, *, anew: bool = False) -> Markup:
    """Return an event: the play area at each beat and at rest, the changed part of the log, and the players.

    `anew`: send the whole log, because the viewer's seat has changed.
    """
    scenes = [scene(table, sight, looker, news, number) for number in range(len(news.beats))]
    keep = 0 if anew else beginning(sight.log, news.log[0])
    lines = el("ol", log_lines(table, sight, keep, news.log[1]), class_="lines", data_keep=keep)
    return join([*scenes, lines, player_list(table, sight, looker), open_seats(table, sight.viewer, looker)])


def player_list(table: Table, sight: PlayerFeed, looker: Viewer) -> Markup:
    """Return the list of players with the controls that belong to it."""
    over, viewer = table.shown.over, sight.viewer
    shared = share(table, looker) if looker.shares and not over else NOTHING
    seated = _seated(table.id, table.players, looker, table.match.box, over)
    time = forms(
        table, viewer, table.seat_names, forfeit(table, sight), is_said=table.auto_choices.will_forfeit(viewer)
    )
    return el("div", seated, shared, time, id="sitting", data_seat=looker.seat)


@lru_cache(maxsize=1024)
def _seated(table: str, sitters: Sequence[Player], looker: Viewer, box: Box, over: bool) -> Markup:
    """Return the list alone, cached since it only changes when a player does."""

    def line(seat: int, sitter: Player) -> Markup:
        name = el("span", "open", class_="soft") if sitter.open else el("b", sitter.name)
        if seat in looker.seats:
            what = " (you)" if seat == looker.seat else " (on this device)"
        else:
            what = _bot(sitter, box, len(sitters))
        return el("li", name, what, NOTHING if over else seat_forms(table, seat, sitter, looker, box.game))

    return el("ol", join(line(seat, sitter) for seat, sitter in enumerate(sitters, 1)), class_="sitting")


def _bot(sitter: Player, box: Box, seats: int) -> str:
    """Return which bot it is, or whose program."""
    if sitter.bot_of:
        return f", bot of {sitter.bot_of}"
    return f", {title(sitter.bot, box, seats)}" if sitter.bot else ""


def share(table: Table, looker: Viewer) -> Markup:
    """Return the form to hide the hand on a shared screen."""
    told = "Several of you share this screen. Each hand stays hidden until its owner taps their name."
    cover = el("button", "Hide hand", name="seat", value=0) if looker.seat else NOTHING
    return el("form", el("p", told), cover, method="post", action=f"/table/{table.id}/screen", class_="forfeit")


def status_line(table: Table, looker: Viewer, company: Presence) -> Markup:
    """Return the status line: who is away or back, and how many spectators there are."""
    here, seated = company.people(), dict[str, list[str]]()
    for sitter in table.players:
        if sitter.person:
            seated.setdefault(sitter.person, []).append(sitter.name)
    me = table.players[looker.seats[0] - 1].person if looker.seats else ""
    away = [name for person, names in seated.items() if person not in here | {me} for name in names]
    watching = len(here - set(seated)) - (not looker.seats)
    back = listed(seated.get(company.back, [])) if company.back != me else ""
    said = [f"{listed(away)} {'is' if len(away) == 1 else 'are'} away."] if away else []
    if watching > 0:
        said.append("1 spectator." if watching == 1 else f"{watching} spectators.")
    said += [
        f"{sitter.name} ran out of time and now chooses at random."
        for sitter in table.players
        if sitter.bot.startswith(STAND_IN)
    ]
    said += map(table.seat_names.text, [*told_of_time(table), *hint_panel.status_lines(table)])
    news = [f"{back} {'is' if len(seated[company.back]) == 1 else 'are'} back."] if back else []
    news += [company.told] if company.told else []
    passing = el("span", f"{' '.join(news)} ", class_="passing") if news else NOTHING
    return el("p", passing, " ".join(said), id="people", class_="people", role="status", title=" ".join(said) or None)


def forfeit(table: Table, sight: PlayerFeed) -> Markup:
    """Return the form to set or cancel a standing forfeit, in games that have one."""
    when = sight.scene.forfeit if sight.viewer else ""
    if not when:
        return NOTHING
    said = table.auto_choices.will_forfeit(sight.viewer)
    words = "Cancel forfeit" if said else f"Forfeit {when}"
    button = el("button", words, name="forfeit", value="no" if said else "yes")
    told = el("p", f"You will forfeit {when}.") if said else NOTHING
    return el("form", told, button, method="post", action=f"/table/{table.id}/forfeit", class_="forfeit")
