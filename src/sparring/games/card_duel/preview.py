"""Card Duel: the studio preview of a set: the card being edited, its effects in words, and the decks by cost."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from sparring.engine.options import Value
from sparring.engine.schema import validate
from sparring.scene.preview import PreviewBar, PreviewBars, PreviewText, StatSheet

from .card_effects import effect_of, fault
from .kit import DECKS, FORM, DuelCard
from .scene import face

#: The highest bar of costs; it stands for all higher ones too.
COSTS = 8


def preview(data: Mapping[str, Any], options: Mapping[str, Value], at: tuple[str | int, ...]) -> Iterator[Any]:
    """Yield the card being edited (`at`) with notes, and the decks by cost and kind."""
    rows = validate(FORM, data)[0]["cards"]
    number = at[1] if len(at) > 1 and isinstance(at[1], int) else 0
    edited = _card(rows[number]) if number < len(rows) else None
    if edited:
        yield face(edited)
        yield from (PreviewText(note, "calm") for note in notes(edited, options))
    yield from _decks([card for card in map(_card, rows) if card])


def notes(card: DuelCard, options: Mapping[str, Value]) -> Iterator[str]:
    """Yield what a designer should know about a card under these options."""
    if card.cost > int(options["energy"]):
        yield f"It costs more than the highest energy, {options['energy']}."
    if "Guard" in card.traits and options["combat"] == "lanes":
        yield "Guard does nothing where attackers strike straight ahead."
    deeds = {effect.does for effect in card.effects}
    if options["win"] == "points" and any(
        each.does == "heal" and each.to in ("you", "opponent") for each in card.effects
    ):
        yield "Players have no life to heal in a match for points."
    if options["win"] == "life" and "points" in deeds:
        yield f"{options['points']} points win, even where hits take life."


def _card(row: object) -> DuelCard | None:
    """Return a valid row as a card; None if something essential is missing."""
    if not isinstance(row, dict) or any(row.get(key) is None for key in ("name", "kind", "cost", "attack", "health")):
        return None
    effects = [effect_of(each) for each in row.get("effects") or () if _is_complete(each)]
    return DuelCard(
        row["name"], row["kind"], row["cost"], row["attack"], row["health"], tuple(filter(None, row["traits"] or ())),
        tuple(effect for effect in effects if not fault(effect, row["kind"])[0]), row["copies"] or 1,
        row["deck"] or DECKS[0], row["picture"] or "",
    )  # fmt: skip


def _is_complete(effect: object) -> bool:
    return isinstance(effect, dict) and all(effect.get(key) is not None for key in ("when", "does", "to", "number"))


def _decks(cards: list[DuelCard]) -> Iterator[Any]:
    sizes = [sum(card.copies_of(seat) for card in cards) for seat in range(2)]
    same = all(card.deck == DECKS[0] for card in cards)
    named = [(0, "Each deck")] if same else [(0, "The deck of Seat 1"), (1, "The deck of Seat 2")]
    for seat, title in named:
        costs = Counter[int]()
        for card in cards:
            costs[min(card.cost, COSTS)] += card.copies_of(seat)
        bars = tuple(PreviewBar(f"{cost}{'+' if cost == COSTS else ''} energy", costs[cost], str(costs[cost]))
                     for cost in range(COSTS + 1))  # fmt: skip
        yield PreviewBars(f"{title}: {sizes[seat]} cards by cost", bars)
    kinds = Counter[str]()
    for card in cards:
        kinds[card.kind] += card.copies
    does = Counter(effect.does for card in cards for effect in card.effects)
    yield StatSheet("The set", ("Part", "Number"), (
        *((f"{kind.capitalize()}s, with copies", str(count)) for kind, count in kinds.items()),
        *((f"Cards with {word}", str(count)) for word, count in does.most_common()),
    ))  # fmt: skip
