"""Every value of every option, next to the default; and the small print."""

from typing import Any

import pytest

from games.five_circles.table import NEXT, fight, table
from sparring.engine.errors import BadContent
from sparring.engine.match import Match
from sparring.games.five_circles import GAME
from sparring.games.five_circles.designs import Design, faults


def test_decks_own() -> None:
    match = Match.new(GAME, seed=1, options={"decks": "own"})
    for seat in (0, 1):
        assert match.state.deck[0 if seat == 0 else 35] + match.state.cards[seat] == 30
        held = match.state.hand[seat]
        assert all(match.setup.params.card_owner[card] == seat for card in held[1 : held[0] + 1])
    p = "1 Ash 1/2 {Green} [Restore]; 2 Bea 1/2 [Self Destruct]"
    t = table(p, "1 Dot 1/2; 2 Eve 1/2", "Restore, Self Destruct", decks="own").play("use Bea: Self Destruct")
    assert t.position["discard_pile"] == [["Bea"], ["Eve"]]
    t.play("use Ash: Restore")
    assert t.choices == "Bea"  # only P's own pile


@pytest.mark.parametrize("life", [1, 2, 50])
def test_life(life: int) -> None:
    assert Match.new(GAME, seed=1, options={"life": life}).state.life.tolist() == [life, life]


@pytest.mark.parametrize(("opening", "combats"), [("strike", [1, 1, 1]), ("hold", [0, 1, 1]), ("both", [0, 0, 1])])
def test_opening(opening: str, combats: list[int]) -> None:
    for turn, combat in enumerate(combats, 1):
        active = 1 if turn % 2 else 2
        rows = ("1 Ash 1/2 [Target]", "1 Dot 1/1")
        t = table(*(rows if active == 1 else rows[::-1]), opening=opening, turn=turn, active=active,
                  ready="Target" if active == 1 else "", q_ready="Target" if active == 2 else "")  # fmt: skip
        assert ("use Ash: Target" in t.choices) == bool(combat)
        t.play("done")
        assert ("damage" in t.p + t.q) == bool(combat)


def test_lethal_meet_needs_damage() -> None:
    t = fight("1 Ash 1/2", "1 Dot 1/1 [Armor 1]", lethal="meet")
    assert t.shows("1 Ash (damage 1)", "1 Dot")
    assert fight("1 Ash 1/2", "1 Dot 1/1", lethal="meet").shows("1 Ash (damage 1)", "", discard="Dot")


@pytest.mark.parametrize(("recover", "left"), [("own-turn", "1 Dot (damage 2)"), ("every-turn", "1 Dot")])
def test_recover(recover: str, left: str) -> None:
    t = table(
        "1 Ash 1/5 (damage 2)",
        "1 Dot 1/5 (damage 2)",
        hand="Red",
        phase="resources",
        turn=1,
        opening="hold",
        recover=recover,
    )
    t.play("done")
    assert (t.p, t.q) == ("1 Ash", left)


@pytest.mark.parametrize(("refill", "held"), [("start", 3), ("extra", 4), ("at-once", 1)])
def test_refill(refill: str, held: int) -> None:
    t = table(phase="draw", refill=refill)
    assert t.s.cards[0] == held


def test_refill_at_once_in_resources_and_before_an_extra_card() -> None:
    t = table(hand="Red", phase="resources", refill="at-once").play("resource red")
    assert t.s.cards[0] == 3
    deck = ["Green", "Bea", "Red", "Green"]
    t = table("", "", "1 Red, 3 Green", hand="Ash 1/2 [Extra Card]", also="Bea 1/2", refill="at-once", draw_pile=deck)
    t.play("bring Ash")
    assert (t.asked, t.choices) == ("P extra", "Bea; none")


@pytest.mark.parametrize(("breach", "life"), [("points", 6), ("one", 8)])
def test_breach(breach: str, life: int) -> None:
    assert fight("1 Ash 3/2", "", breach=breach).life == (9, life)
    t = fight("1 Ash 3/1 [Long Range]", "", "use Ash: Long Range", "Long Range", breach=breach)
    assert t.life == (9, 6)  # Long Range takes its attack in life with either value


def test_attack_may() -> None:
    t = table("1 Ash 1/2; 2 Bea 1/2; 3 Cid 1/2 [Long Range]", "1 Dot 4/5", "Long Range", attack="may").play(
        "use Cid: Long Range"
    )
    assert (t.asked, t.choices) == ("P lane", "attack; hold")
    t.play("hold; attack; hold")
    assert t.shows("1 Ash; 2 Bea; 3 Cid", "1 Dot", (9, 8))
    assert t.ready(0) == ""


def test_summons_wait() -> None:
    hand = "Ash 2/1; Bea 1/1 [Target]"
    t = table("1 Old 1/2", "1 Dot 1/5", "Target, 4 Red", hand=hand, summons="wait").play("bring Bea")
    assert "use Bea: Target" not in t.choices
    assert t.play("bring Ash").shows("1 Old (damage 1); 2 Bea; 3 Ash", "1 Dot (damage 1)")


def test_brace_blue() -> None:
    q = "1 Dot 1/5 [Heal 1, Fireball, Sleep]; 2 Eve 1/2 [Serenity]; 3 Flo 1/2 [Heal 2, Reorder] (damage 1)"
    t = table("1 Ash 1/2", q, q_ready="Heal 1, Fireball, Sleep, Serenity, Heal 2, Reorder, 1 Red", brace="blue").play(
        "done"
    )
    assert t.choices == "use Dot: Heal 1; use Eve: Serenity; use Flo: Heal 2; done"
    t = table("1 Ash 1/2", q, q_ready="Heal 1, Fireball, Sleep, Serenity, Heal 2, Reorder, 1 Red").play("done")
    assert "use Dot: Fireball" in t.choices
    assert "use Dot: Sleep" in t.choices
    assert "use Flo: Reorder" in t.choices


def test_sleep_still() -> None:
    p = "1 Ash 3/2 [Sleep]; 2 Bea 1/2 [Self Destruct]"
    q = "1 Dot 2/4 [Armor 1, Reflect]"
    t = fight(p, q, "use Ash: Sleep; Dot", "Sleep", sleep="still")
    assert t.shows("1 Ash (damage 1); 2 Bea", "1 Dot (damage 2)", (9, 8))
    t = fight(p, q, "use Ash: Sleep; Dot", "Sleep", sleep="still", sleeper="silent")
    assert t.shows("1 Ash; 2 Bea", "1 Dot (damage 3)", (9, 8))
    t = table("1 Ash 1/1 [Sleep, Self Destruct]", "1 Dot 5/4", "Sleep, Self Destruct", sleep="still")
    assert t.play("use Ash: Sleep; Dot; use Ash: Self Destruct").shows("", "", discard="Ash Dot")


def test_heal_rescue() -> None:
    q = "1 Dot 1/3; 2 Eve 1/2 [Heal 2]"
    t = table("1 Ash 5/3", q, q_ready="Heal 2", heal="rescue").play("done")
    assert (t.asked, t.choices) == ("Q answer", "heal Eve: Heal 2; take")
    t.play("heal:Eve:Heal 2")
    assert t.shows("1 Ash (damage 1)", "1 Dot (damage 3); 2 Eve")
    assert t.ready(1) == ""
    t = table("1 Ash 5/3", "1 Dot 1/3 [Reflect]; 2 Eve 1/2 [Heal 1]", q_ready="Heal 1", heal="rescue")
    t.play("done; heal Eve: Heal 1")
    assert t.shows("1 Ash (damage 3)", "2 Eve".replace("2", "1"), discard="Dot")


def test_heal_rescue_may_take_all() -> None:
    t = table("1 Ash 1/1", "1 Dot 1/1 [Heal 2]", q_ready="Heal 2", heal="rescue").play("done; heal Dot: Heal 2")
    assert t.shows("1 Ash (damage 1)", "1 Dot")


def test_reflect_both() -> None:
    t = fight("1 Ash 1/6 [Reflect]", "1 Dot 5/3", reflect="both")
    assert t.shows("1 Ash (damage 5)", "", discard="Dot")  # 1 and 3
    t = fight("1 Ash 1/1 [Reflect]", "1 Dot 5/3 [Fast]", reflect="both")
    assert t.shows("", "1 Dot", discard="Ash")  # a Fast enemy destroyed it first
    t = fight("1 Ash 3/2 [Reflect]", "1 Dot 4/2", reflect="both")
    assert t.shows("", "", discard="Ash Dot")


def test_reflect_both_counts_the_strike_before_reflected_points() -> None:
    p = "1 Ash 4/5 [Disperse, Reflect]; 2 Bea 1/5"
    t = table(p, "1 Dot 2/5 [Reflect]", "Disperse", reflect="both").play("done; P answer> disperse; Bea; keep")
    # Ash takes 2 from the strike and 2 reflected, and moves 1 to Bea; of the 3 left, 2 count as the strike's.
    assert t.shows("1 Ash (damage 3); 2 Bea (damage 1)", "1 Dot (damage 5)", (9, 8))


def test_target_duel() -> None:
    p, q = "1 Ash 3/2 [Target]", "1 Dot 4/5; 2 Eve 1/5"
    assert fight(p, q, "use Ash: Target; Eve", "Target", target="duel").shows(
        "1 Ash (damage 1)", "1 Dot; 2 Eve (damage 3)"
    )
    q = "1 Dot 4/5; 2 Eve 1/5 (asleep)"
    assert fight(p, q, "use Ash: Target; Eve", "Target", target="duel").shows("1 Ash", "1 Dot; 2 Eve (damage 3)")


def test_longrange_struck() -> None:
    p = "1 Ash 3/2 [Long Range]"
    play = {"choices": "use Ash: Long Range", "ready": "Long Range", "longrange": "struck"}
    assert fight(p, "1 Dot 2/1", **play).shows("1 Ash (damage 2)", "1 Dot", (9, 6))
    assert fight(p, "1 Dot 4/1", **play).shows("", "1 Dot", (9, 6), "Ash")
    assert fight(p, "1 Dot 4/1 [Fast]", **play).shows("", "1 Dot", (9, 9), "Ash")
    assert fight("1 Ash 2/1 [Long Range, Fast]", "1 Dot 4/1 [Fast]", **play).shows("", "1 Dot", (9, 7), "Ash")
    assert fight(p, "1 Dot 2/1 (asleep)", **play).shows("1 Ash", "1 Dot", (9, 6))


def test_longrange_struck_comes_before_the_life_loss() -> None:
    t = table(
        "1 Ash 2/1 {Red} [Long Range]; 2 Bea 1/1 [Disperse]", "1 Dot 3/1", "Long Range, Disperse", longrange="struck"
    )
    assert t.play("use Ash: Long Range").life == (
        9,
        6,
    )  # Ash can't respond: it shoots and is destroyed; Bea is unopposed
    p = "1 Ash 1/2 [Long Range, Armor Piercing 1]"
    t = table(p + "; 2 Bea 1/2 [Heal 1]", "1 Dot 3/1", "Long Range, Heal 1", longrange="struck", heal="rescue")
    t.play("use Ash: Long Range")
    assert (t.asked, t.life) == ("P answer", (9, 9))
    assert t.play("heal Bea: Heal 1; done").life == (9, 7)


def test_fireball_at_players() -> None:
    t = table("1 Ash 1/2 [Fireball]", "", "Fireball", life=(9, 1), fireball="players").play("use Ash: Fireball")
    assert t.choices == "opponent"
    assert t.play("player").match.payoffs == {1: 1.0, 2: -1.0}
    t = table("1 Ash 1/2", "1 Dot 1/2 [Fireball]", q_ready="Fireball", life=(1, 9), fireball="players")
    assert t.play("done; use Dot: Fireball; opponent").match.payoffs == {1: -1.0, 2: 1.0}


def test_sleeper_silent() -> None:
    p = "1 Ash 3/2 [Sleep]; 2 Bea 2/2"
    q = "1 Dot 1/2; 2 Eve 1/2 [Defender, Heal 1, Sleep]; 3 Flo 1/2 (damage 3)"
    t = table(p, q, "Sleep", "Sleep, Heal 1", sleeper="silent").play("use Ash: Sleep; Eve")
    assert t.discard == "Dot Flo"  # Flo and Dot lost Defender, Dot took 3; Q could use nothing
    assert t.life == (9, 7)


def test_sleeper_silent_ends_activated_abilities() -> None:
    q = "1 Dot 1/3 (damage 1); 2 Eve 1/2 [Attack Boost 2] (boosting 1, asleep)"
    assert fight("1 Ash 1/3", q, sleeper="silent").p == "1 Ash (damage 1)"
    assert fight("1 Ash 1/3", q).p == "1 Ash (damage 3)"
    q = "1 Dot 1/3 [Avoid Damage] (avoiding, asleep)"
    assert fight("1 Ash 1/3 [Target]", q, "use Ash: Target; Dot", "Target", sleeper="silent").q == "1 Dot (damage 1)"
    assert fight("1 Ash 1/3 [Target]", q, "use Ash: Target; Dot", "Target").q == "1 Dot"


def test_avoid_packet() -> None:
    p = "1 Ash 2/3 [Fireball]"
    t = table(p, "1 Dot 1/1 [Avoid Damage]", "Fireball", "Avoid Damage, 2 Blue", avoid="packet").play(
        "use Ash: Fireball; Dot; avoid"
    )
    assert t.shows("1 Ash (damage 1)", "", discard="Dot")  # it could avoid only once this turn


def test_serenity_own() -> None:
    t = table(
        "1 Ash 1/2; 2 Bea 2/2", "1 Dot 3/2; 2 Eve 1/2 [Serenity]", q_ready="Serenity", phase="brace", serenity="own"
    ).play("use Eve: Serenity")
    assert t.shows("1 Bea", "1 Dot", discard="Ash Eve")


def test_extra_each_turn() -> None:
    hand = "Bea 1/2 [Extra Card]; Cid 1/2; Dan 1/2"
    t = table("1 Ash 1/2 [Extra Card]", "", hand=hand, extra="each-turn")
    assert t.choices == "use Ash: Extra Card; done"
    t.play("use Ash: Extra Card; Bea; use Bea: Extra Card; none")
    assert t.s.turn == 6  # both used, and nothing left to pay
    t = table("", "", "1 Red, 3 Green", hand=hand, extra="each-turn").play("bring Bea")
    assert t.choices == "use Bea: Extra Card; done"


@pytest.mark.parametrize(("uses", "again"), [("once", False), ("repeat", True)])
def test_uses(uses: str, again: bool) -> None:
    p = "1 Ash 1/5 [Fireball, Attack Boost 2]"
    t = table(p, "1 Dot 1/5", "Fireball, Fireball, Attack Boost 2", uses=uses).play("use Ash: Fireball; Dot")
    assert ("use Ash: Fireball" in t.choices) == again
    t.play("use Ash: Attack Boost 2")
    assert "Attack Boost 2" not in t.choices


def test_points_exact() -> None:
    assert faults(Design("Card", ("Red", "Red"), 3, 2), exact=True)
    with pytest.raises(BadContent, match="Attack \\+ Health is 5"):
        table("1 Ash 3/2", "", points="exact")
    assert GAME.setup({"points": "exact"}).params.characters == 28


def test_repeats_yes() -> None:
    with pytest.raises(BadContent, match="twice"):
        table("1 Ash 1/2 [Fireball, Fireball]", "")
    p = "1 Ash 1/2 [Fireball, Fireball]; 2 Bea 1/1 [Attack Boost 1, Attack Boost 1]"
    t = table(p, "1 Dot 1/5", "Fireball, Fireball", repeats="yes").play(
        "use Ash: Fireball; Dot; use Ash: Fireball; Dot"
    )
    assert t.shows("1 Ash (damage 1); 2 Bea", "1 Dot (damage 5)", (9, 8))
    t = fight("1 Ash 3/5", "1 Dot 1/5 [Reflect, Reflect]", repeats="yes")
    assert t.shows("1 Ash (damage 5)", "1 Dot (damage 3)")
    t = fight("1 Ash 3/5", "1 Dot 1/2 [Armor 1, Armor 1]", repeats="yes")
    assert t.shows("1 Ash (damage 1)", "1 Dot (damage 1)")


def test_repeats_a_second_target_replaces_the_first() -> None:
    p = "1 Ash 3/2 [Target, Target]"
    t = fight(p, "1 Dot 1/2; 2 Eve 1/2", "use Ash: Target; Dot; use Ash: Target; Eve", "Target, Target", repeats="yes")
    assert t.shows("1 Ash (damage 1)", "1 Dot", discard="Eve")


def test_empty_reshuffle() -> None:
    piles: dict[str, Any] = {"draw_pile": [], "discard_pile": ["Extra", "Extra"]}
    t = table("1 Ash 1/5", "1 Dot 1/5", hand="Red", phase="draw", empty="reshuffle", **piles)
    assert (t.s.cards[0], t.s.deck[0], t.s.dry, t.discard) == (2, 1, 0, "")
    t = table("1 Ash 1/5", "1 Dot 1/5", hand="Red", phase="draw", draw_pile=["Green"], empty="reshuffle").play("done")
    assert (t.s.turn, t.s.dry) == (7, 2)  # neither Q nor P had anything to draw
    p = "1 Ash 1/2 [Future Vision]"
    t = table(p, "", "Future Vision", draw_pile=[], discard_pile=["Extra"], empty="reshuffle")
    assert t.refuses("use Ash: Future Vision")


@pytest.mark.parametrize("sunset", [2, 6, 20])
def test_sunset(sunset: int) -> None:
    t = table("1 Ash 1/5", "1 Dot 1/5", phase="draw", turn=1, draw_pile=[], sunset=sunset)
    assert (t.s.turn, t.match.ending) == (sunset, "the deck ran dry")


def test_limit() -> None:
    t = table("1 Ash 1/5", "1 Dot 1/5", turn=20, life=(3, 2), limit=20, draw_pile=NEXT).play("done")
    assert t.match.ending == "turn limit"
    assert t.match.payoffs == {1: 1.0, 2: -1.0}


def test_a_draw_ends_a_run_of_dry_turns() -> None:
    t = table("1 Ash 1/5", "1 Dot 1/5", phase="draw", dry=3, decks="own", draw_pile=[["Green"], []])
    assert t.s.dry == 0


def test_every_option_value_is_tested() -> None:
    from sparring.engine.laws import configurations, samples

    played = [options for _, options in configurations(GAME)]
    for option in GAME.options():
        assert {options[option.name] for options in played} >= set(samples(option))
