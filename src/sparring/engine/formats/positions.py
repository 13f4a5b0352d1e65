"""Read and write positions from the declared fields of a state (`engine.state`).

Every position has phase, player, turn, moment, ending and payoff. `Positions` reads turn, moment and player as declared
fields.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sparring.engine.cards import in_order, insert, put
from sparring.engine.errors import BadPosition
from sparring.engine.game import GameSetup
from sparring.engine.state import (
    EVERYONE,
    UNKNOWN_SEAT,
    Components,
    FlagField,
    Header,
    IntegerField,
    Limit,
    PileField,
    SeatField,
    SlotField,
)
from sparring.engine.types import AnyState, Generator
from sparring.engine.views import legal_in

from .position_reader import REST, CardSupply, PileEntry, PositionReader

#: The ending of a position that is not over.
NO_ENDING = "none"

#: By the name of the field, what a position says about a pile: an entry for each seat, or one.
Entries = dict[str, list[PileEntry]]

#: The cards that have no place yet, for each seat; the same supply for all seats, unless each has its own cards.
Supplies = Mapping[Components, Sequence[CardSupply]]


def write_header(setup: GameSetup, s: AnyState, *, turn: str = "turn") -> dict[str, Any]:
    """Return the fields that every position has; `turn` is the field's name in this game."""
    rules = setup.game.rules
    return {
        "phase": rules.PHASES[s.phase], "player": int(s.player) + 1, turn: int(s.turn), "moment": int(s.moment),
        "ending": rules.ENDINGS[s.ending] if s.over else NO_ENDING, "payoff": s.payoff[: s.seats].tolist(),
    }  # fmt: skip


def read_phase(
    setup: GameSetup, s: AnyState, fields: PositionReader, default: str = "", more: Mapping[str, int] | None = None
) -> str:
    """Read the phase into `s` and return the name that was given; the default is the first phase.

    `more` adds names for points between two decisions, from which the game continues, each with the phase of its state.
    """
    phases = setup.game.rules.PHASES
    indices = {**{name: index for index, name in enumerate(phases)}, **(more or {})}
    name = tuple(indices)[fields.one_of("phase", tuple(indices), default or phases[0])]
    s.phase = indices[name]
    return name


def read_end(setup: GameSetup, s: AnyState, fields: PositionReader) -> None:
    """Read the ending, if there is one, and each seat's payoff into `s`."""
    rules, payoffs = setup.game.rules, setup.game.payoffs
    index = fields.one_of("ending", ("", NO_ENDING, *rules.ENDINGS), NO_ENDING) - 2
    s.over, s.ending = int(index >= 0), max(0, index)
    low, high = (payoffs.low, payoffs.high) if payoffs else (-1, int(s.seats) - 1)
    for seat, value in enumerate(fields.per_seat("payoff", 0.0)):
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            raise BadPosition(f"payoff must be a number from {low:g} to {high:g} for each seat, not {value}.")
        s.payoff[seat] = value


class Positions:
    """How a game reads and writes positions: the `position` module of a `Game`."""

    def __init__(
        self,
        state: type[Header],
        check: Callable[[GameSetup, Any, str], None] | None = None,
        *,
        seat_names: Callable[[GameSetup, Any], Mapping[str, int]] | None = None,
        take_cards: Callable[[GameSetup, Any, PositionReader, Supplies], None] | None = None,
        deal: Callable[[GameSetup, Any, PositionReader, Entries, Supplies], None] | None = None,
        read_more: Callable[[GameSetup, Any, PositionReader, str], None] | None = None,
        write_more: Callable[[GameSetup, Any], dict[str, Any]] | None = None,
        complete: bool = True,
        phase: str = "",
        more_phases: Mapping[str, int] | None = None,
    ) -> None:
        """Make the positions of a declared state.

        Args:
            state: The declared state.
            check: Called last with the setup, the state and the name of the phase: raises BadPosition for a position
                that can't be played on, and computes what positions don't have. Whether the player has a legal choice
                is checked after it.
            seat_names: Returns other names of seats, each with its number from 1.
            take_cards: Called before piles are read; reads fields with cards that are elsewhere, and takes these from
                the supplies.
            deal: Called before cards are dealt, with the entries of all piles and the shuffled cards without a place:
                replaces entries that are left open by cards that the game deals in its own way.
            read_more: Called when every card has its place; reads the game's other fields.
            write_more: Returns the game's other fields.
            complete: Whether every card needs a place.
            phase: The phase of a position that names none (default: the first).
            more_phases: More names of phases, for points between two decisions, each with the phase of its state.
        """
        fields = list(state.declared.values())
        self.numbers = [field for field in fields if isinstance(field, IntegerField | FlagField | SeatField)]
        piles = [field for field in fields if isinstance(field, PileField) and not field.custom]
        self.piles = sorted(piles, key=_reading_order)
        self.check, self.seat_names, self.take_cards, self.deal = check, seat_names, take_cards, deal
        self.read_more, self.write_more = read_more, write_more
        self.complete, self.phase, self.more_phases = complete, phase, more_phases

    def read(self, setup: GameSetup, state: AnyState, position: Mapping[str, Any], g: Generator, /) -> None:
        """Set up the state from a position, dealing what it leaves open with generator `g`. Raises BadPosition."""
        fields = PositionReader(position, int(state.seats), self.seat_names(setup, state) if self.seat_names else None)
        phase = read_phase(setup, state, fields, self.phase, self.more_phases)
        read_end(setup, state, fields)
        for field in self.numbers:
            _read_number(setup, state, fields, field)
        self._read_piles(setup, state, fields, g)
        if self.read_more is not None:
            self.read_more(setup, state, fields, phase)
        fields.done()
        if self.check is not None:
            self.check(setup, state, phase)
        if not state.over and not legal_in(setup, state):
            raise BadPosition(f"Seat {state.player + 1} has no legal choice in this position.")

    def write(self, setup: GameSetup, state: AnyState, /) -> dict[str, Any]:
        """Return the full state as a position."""
        (turn,) = (field.key for field in self.numbers if field.name == "turn")
        written = write_header(setup, state, turn=turn)
        for field in self.numbers:
            if field.key not in written and (value := _write_number(state, field)) is not None:
                written[field.key] = value
        for pile in self.piles:
            known = pile.of.names_in(setup)
            rows = [_write_pile(cards, pile, known) for cards in _cards(state, pile)]
            written[pile.key] = rows if pile.is_per_seat else rows[0]
        return written | (self.write_more(setup, state) if self.write_more else {})

    def components(self, setup: GameSetup, state: AnyState, /) -> list[str]:
        """Return the name of every card, wherever it is; equal cards are numbered."""
        found, copies = list[str](), Counter[str]()
        for pile in self.piles:
            known = pile.of.names_in(setup)
            for cards in _cards(state, pile):
                for card in cards:
                    name = f"card {card}" if pile.of.numbered else known[card][0]
                    found.append(f"{name} {copies[name]}" if pile.of.copies else name)
                    copies[name] += 1
        return found

    def _read_piles(self, setup: GameSetup, state: AnyState, fields: PositionReader, g: Generator) -> None:
        """Read all piles, and deal the cards that the position leaves open."""
        piles, seats = self.piles, range(int(state.seats))
        supplies = {of: _supplies(of, setup, len(seats)) for of in dict.fromkeys(pile.of for pile in piles)}
        if self.take_cards is not None:
            self.take_cards(setup, state, fields, supplies)
        entries = {pile.name: _read_pile(fields, pile, supplies[pile.of]) for pile in piles}
        places = _places(piles, entries, supplies)
        for supply, found in places.items():
            if self.deal or any(_is_open(pile, entries[pile.name][seat]) for pile, seat in found):
                supply.shuffle(g)
        if self.deal is not None:
            self.deal(setup, state, fields, entries, supplies)
        for seat in seats:
            for pile in piles:
                if not pile.fills and seat < len(entries[pile.name]):
                    entry = entries[pile.name][seat]
                    if entry is None:
                        entry = pile.default(setup.params, state, seat) if pile.default else 0
                    cards = supplies[pile.of][seat].deal(entry, pile.key) if isinstance(entry, int) else entry
                    _put_all(state, pile, seat, cards)
        for supply, found in places.items():
            filling = [(pile, seat) for pile, seat in found if pile.fills]
            filled = supply.fill({pile.key: entries[pile.name][seat] for pile, seat in filling}, complete=self.complete)
            for (pile, seat), cards in zip(filling, filled, strict=True):
                _put_all(state, pile, seat, cards)


def _supplies(of: Components, setup: GameSetup, seats: int) -> list[CardSupply]:
    """Return the cards without a place for each seat: those of its own, or the same for all."""
    names = of.names_in(setup)
    if of.own:
        return [CardSupply(of.cards_in(setup, seat), names) for seat in range(seats)]
    return [CardSupply(of.cards_in(setup), names)] * seats


def _reading_order(pile: PileField) -> tuple[bool, bool, bool]:
    """Return the place of a pile in the order in which cards by kind are found.

    First hands, then face-up piles, then face-down ones, then those that take what is left, in the order declared.
    """
    return pile.fills, not pile.fills and not pile.ordered, not pile.fills and pile.seen_by is not EVERYONE


def _cards(state: Any, pile: PileField) -> list[list[int]]:
    """Return the cards of a pile or slot, the bottom one first: a list for each seat, or one."""
    rows = state[pile.name][: state.seats] if pile.is_per_seat else (state[pile.name],)
    if isinstance(pile, SlotField):
        return [[] if card == pile.none else [int(card)] for card in rows]
    return [in_order(row) for row in rows]


def _places(
    piles: Sequence[PileField], entries: Mapping[str, Sequence[PileEntry]], supplies: Supplies
) -> dict[CardSupply, list[tuple[PileField, int]]]:
    """Return the piles that get the cards of each supply, with the seat whose pile it is (0 for a single pile)."""
    places: dict[CardSupply, list[tuple[PileField, int]]] = {}
    for pile in piles:
        for seat in range(len(entries[pile.name])):
            places.setdefault(supplies[pile.of][seat], []).append((pile, seat))
    return places


def _read_pile(fields: PositionReader, pile: PileField, supplies: Sequence[CardSupply]) -> list[PileEntry]:
    """Read what a position says about a pile: an entry for each seat, or one."""
    entries = fields.per_seat(pile.key, None) if pile.is_per_seat else [fields.take(pile.key)]
    if pile.of.numbered:
        entries = [_as_words(entry) for entry in entries]
    read = list(zip(entries, supplies, strict=False))  # a single pile has one entry
    if pile.fills:
        return [supply.read_pile(entry, pile.key, from_top=pile.from_top) for entry, supply in read]
    given = (int, type(None)) if pile.counted else type(None)
    return [entry if isinstance(entry, given) else supply.take(entry, pile.key, pile.room) for entry, supply in read]


def _as_words(entry: object) -> Any:
    """Return the cards of an entry as words, where they are numbers."""
    if not isinstance(entry, list):
        return entry
    return [str(card) if isinstance(card, int) and card >= 0 and card is not True else card for card in entry]


def _is_open(pile: PileField, entry: PileEntry) -> bool:
    """Return whether cards are dealt to a pile."""
    if entry is None:
        return pile.fills or pile.default is not None
    return isinstance(entry, int) or REST in entry


def _put_all(state: Any, pile: PileField, seat: int, cards: Sequence[int]) -> None:
    """Put cards into a pile or slot of a seat, or into the only one. Raises BadPosition if they are too many."""
    if len(cards) > pile.room:
        raise BadPosition(f"{pile.key} must have at most {pile.room} cards, not {len(cards)}.")
    if isinstance(pile, SlotField):
        row, place = (state[pile.name], seat) if pile.is_per_seat else (state, pile.name)
        row[place] = cards[0] if cards else pile.none
        return
    target = state[pile.name][seat] if pile.is_per_seat else state[pile.name]
    for card in cards:
        (insert if pile.ordered else put)(target, card)


def _write_pile(cards: list[int], pile: PileField, known: Mapping[int, Sequence[str]]) -> Any:
    """Return the cards of a pile as a position lists them, or that of a slot."""
    written = [card if pile.of.numbered else known[card][0] for card in cards[:: -1 if pile.from_top else 1]]
    return written if not isinstance(pile, SlotField) else written[0] if written else ""


def _read_number(
    setup: GameSetup, state: Any, fields: PositionReader, field: IntegerField | FlagField | SeatField
) -> None:
    """Read a field that is no pile."""

    def found(limit: Limit) -> int:
        if isinstance(limit, str):
            return int(setup.params[limit])
        return int(limit(setup.params, state)) if callable(limit) else limit

    seats = int(state.seats)
    if isinstance(field, SeatField):
        state[field.name] = fields.seat(field.key, found(field.default))
    elif isinstance(field, IntegerField):
        limits = found(field.low), found(field.high)
        default = limits[0] if field.default is None else found(field.default)
        if field.is_per_seat:
            state[field.name][:seats] = fields.integer_per_seat(field.key, default, *limits)
        elif field.size is not None:
            state[field.name][:] = fields.integers(field.key, field.size, default, *limits)
        else:
            state[field.name] = fields.integer(field.key, default, *limits)
    elif field.listed:
        for seat in fields.seats_in(field.key):
            state[field.name][seat] = True
    elif field.is_per_seat:
        state[field.name][:seats] = fields.flag_per_seat(field.key)
    else:
        state[field.name] = fields.flag(field.key, bool(found(field.default)))


def _write_number(state: Any, field: IntegerField | FlagField | SeatField) -> Any:
    """Return a field that is no pile as a position shows it; None for no seat."""
    if field.size is not None:
        return state[field.name].tolist()
    values = state[field.name][: state.seats].tolist() if field.is_per_seat else [int(state[field.name])]
    if isinstance(field, SeatField):
        values = [value + 1 if value != UNKNOWN_SEAT else None for value in values]
    elif isinstance(field, FlagField):
        if field.listed:
            return [seat + 1 for seat, value in enumerate(values) if value]
        values = [bool(value) for value in values]
    return values if field.is_per_seat else values[0]
