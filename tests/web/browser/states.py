"""Telling states of each game: what is measured at every size."""

import random
from collections.abc import Iterator

from games.five_circles.table import table as circles
from games.mace.table import table as combat
from games.make_your_moves.table import attacked
from sparring.engine.game import game
from sparring.engine.match import Match
from sparring.scene import Button, Card, Face, Fact, Facts, PrintableScene, Prompt, Row, Seat, Track, without_choices
from sparring.scene.html import Exchange
from sparring.scene.sentences import Text, result
from web.browser.scenes import HINT, LONG_NAMES, TOOLS, asked, at, beats, chosen, drawn

WORDS = "Everything that anyone has ever bid in this match, in order: " + "sevens" * 12
DICE = tuple(Card(f"die {face}", Face(str(face), value=str(face))) for face in (2, 5))
BIDS = tuple(Button(text=f"Bid {number}", action=number, words=f"bid {number}") for number in range(30))
FIGHTERS, HANDS = ["0,0", "1,0", "-3,3", "3,-2"], ["9S 2H 3H 4C 5D", "JC 7D 5C 3C 2S", None, None]


def states(name: str, seats: int) -> dict[str, str]:
    """Return scenes by what they show: of a random match, and of what it may lack."""
    match = beats(name, seats)
    most = max(match, key=lambda scene: scene.count('name="choice"'))
    told = max(match, key=lambda scene: ("telling" in scene, scene.count('class="exchange"'), len(scene)))
    question = drawn(asked(name, seats).view(1).scene, tools=TOOLS, hint=HINT) if name != "hush" else match[0]
    found = {
        "the beginning": match[0],
        "a hint": question,
        "most to choose": most,
        "a result": told,
        "the end": match[-1],
    }
    return found | dict(rare(name, seats))


def rare(name: str, seats: int) -> Iterator[tuple[str, str]]:
    """Yield what a random match rarely shows."""
    if name == "mace":
        everyone = {"game": name, "seats": seats, "fighters": FIGHTERS[:seats], "hands": HANDS[:seats]}
        yield "targets", at(everyone, tools=TOOLS)
        yield "several actions", at({**everyone, "phase": "turn", "player": 1}, names=LONG_NAMES, tools=TOOLS)
        t = combat("KS 2H 2D 4C 5D", "6D AD QH AH 8C", *["9C 9H", "8S 8H"][: seats - 2], fighters=FIGHTERS[:seats])
        t.play("strike KS; target 2; block 6D")
        shown = next(beat.view.scene.exchange for beat in t.match.beats(1) if beat.view.scene.exchange)
        decided = Exchange(
            without_choices(shown), [result(Text("Cleo and Search bot (strong) take 7 Damage (13 − 6)."))]
        )
        yield "an exchange", drawn(t.match.view(1).scene, exchange=decided, tools=TOOLS)
    if (name, seats) == ("mace", 2):
        hands = ["10S QS KH 10D 2H", "2D 3D"]
        yield "ten cards", at({"game": name, "seats": 2, "hands": hands, "charges": ["5C 6C 7C 8C 9C", ""]})
        hands = ["10S QS KH 10D 2H", "2C 3D"]
        match = Match.from_position({"game": name, "seats": 2, "active": 2, "hands": hands, "charges": ["", "JC QC"]})
        match.choose("blast QC")
        yield "a revealed charge", drawn(match.view(1).scene)
    if (name, seats) == ("make-your-moves", 6):
        moves = {"attack": "Spine, Kendo Stick, Adrenaline, Second Wind, Crowd Pop", "help_attacker": "Toe",
                 "defence": "Jaw, Momentum, Fury", "help_defender": "Nose, Elbow, Ladder"}  # fmt: skip
        yield (
            "long names",
            at({"game": name, "seats": 6, "phase": "assist_card", "player": 5, **moves}, names=LONG_NAMES),
        )
        yield "players to attack", at({"game": name, "seats": 6, "phase": "target", "player": 1})
    if (name, seats) == ("make-your-moves", 2):
        yield "a counter", countered()[1]
        end = beats(name, seats)[-1]
        button = '<button type="button" class="tell">Describe your move</button>'
        yield "a move to describe", end.replace('class="described">', f'class="described">{button}')
        yield from toys()
    if name == "five-circles":
        for label, rows in (
            ("marks", ("1 Ash 1/4 [Heal 1, Future Vision] (damage 2); 2 Bob 2/3 (damage 1)", "1 Dot 1/3 (damage 1)")),
            ("two abilities of a card", ("1 Ash 1/4 [Heal 1, Future Vision] (damage 2)", "1 Dot 1/3", "3 Blue")),
            ("abilities", ("1 Ash 1/2 [Fireball]; 2 Bob 2/2 [Fireball]", "1 Dot 1/2; 2 Eve 1/3", "1 Red")),
        ):
            match = circles(*rows).match
            yield label, drawn(match.view(match.seat or 1).scene)
    if name == "world-of-fighters":
        match, dice, shown = Match.deal(game(name).setup(), 2, 3), random.Random(3), None
        while not shown:
            chosen(match, dice)
            shown = next((beat.view.scene.exchange for beat in match.beats(1) if beat.view.scene.exchange), None)
        words = "You counter Ben's Grapple with a Punch at range 2: both of you lose three health."
        yield (
            "a long result",
            drawn(match.view(1).scene, exchange=Exchange(without_choices(shown), [result(Text(words))])),
        )


def countered() -> tuple[str, str]:
    """Return the scenes after a counter, and while the page shows what happened."""
    match = attacked("Red2 Yellow2", "", "Green1 Green1 Green1 Green1 Blue1", None).play("S2: counter").match
    beat = next(beat for beat in match.beats(1) if beat.view.beat == "countered")
    decided = Exchange(without_choices(beat.view.scene.exchange), [result(Text("Ben counters."))])
    return drawn(match.view(1).scene), drawn(beat.view.scene, animated=beat.lines, exchange=decided)


def toys() -> Iterator[tuple[str, str]]:
    """Yield a bidding game: thirty bids to choose from, long tracks, and facts without a space."""
    seats = tuple(Seat(number=number, you=number == 1, turn=number == 1) for number in (1, 2))
    facts = Facts((Fact("bid", "Last bid", "none"), Fact("dice", "Dice", "4")))
    scene = PrintableScene("dice", "Dice", "Bid 1", seats, Prompt("Bid more.", BIDS), middle=(facts,),
                           hand=(Row("dice", "Yours", DICE),))  # fmt: skip
    yield "many answers", drawn(scene)
    facts = Facts((Fact("bid", "Bids", WORDS), Fact("dice", "Dice", "4")))
    tracks = (Track("points 1", "Points", 17, 30), Track("luck 1", "Luck", 3, 30))
    seats = tuple(Seat(number=number, you=number == 1, turn=number == 1, tracks=tracks) for number in (1, 2))
    yield (
        "long tracks",
        drawn(PrintableScene("dice", "Dice", "Bid 1", seats, Prompt("Bid."), middle=(facts,), left=(facts,))),
    )
