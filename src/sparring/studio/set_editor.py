"""The editor of a set: HTML fields for a game's declared form."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from sparring.engine.errors import Step
from sparring.engine.formats.toml import ENTRIES, LONGEST_TEXT, value_toml
from sparring.engine.schema import (
    Choice,
    Drawing,
    Field,
    Integer,
    ListField,
    Map,
    MapField,
    Pair,
    RecordField,
    Tally,
    Text,
    shortened,
    with_article,
)
from sparring.scene.markup import NOTHING, el, join, void

from .edits import describe_value

At = tuple[Step, ...]

#: Records with at most this many fields, none of them a list, are laid out in one line.
FLAT = 4

#: The characters shown of a value that doesn't fit the form.
LONG = 120


def editor_html(form: RecordField, data: Mapping[str, Any], *, fixed: bool = False) -> Markup:
    """Render all fields of a set; `fixed` makes them read-only."""
    return _SetEditor(data, fixed).parts(form)


class _SetEditor:
    def __init__(self, data: Mapping[str, Any], fixed: bool) -> None:
        self.data, self.fixed = data, fixed

    def parts(self, form: RecordField) -> Markup:
        """Render a section for each field of the file."""
        return join([
            join(
                el("section", el("h2", field.heading(key), id=_id("part", (key,))),
                   _help(field), self.field(field, value, (key,), bare=True),
                   class_="part", aria_labelledby=_id("part", (key,)))
                for key, field, value in form.children(self.data)
                if field and field.in_editor
            ),
            self.unknown(form, self.data, ()),
        ])  # fmt: skip

    def field(self, field: Field, value: Any, at: At, *, bare: bool = False, shares: bool = False) -> Markup:
        """Render a field with its label; `bare` leaves the label to a heading. Numbers that share a budget slide."""
        if field.widget not in CONTAINERS:
            return self.single(field, value, at, shares=shares)
        render, types = CONTAINERS[field.widget]
        fits = value is None or isinstance(value, types)
        inside = render(self, field, value, at) if fits else self.misfit(value, at)
        if bare:
            return el("div", _fault(at), inside, data_at=_path(at))
        legend = el("legend", field.heading(at[-1]))
        return el("fieldset", legend, _help(field), _fault(at), inside, data_at=_path(at), class_="group")

    # Single values

    def single(self, field: Field, value: Any, at: At, *, shares: bool = False) -> Markup:
        """Render a single value: label, control, help and fault, plus a slider if it `shares` a budget."""
        field_id = _id("field", at)
        described = " ".join([_id("fault", at), *([_id("help", at)] if field.help else [])])
        shared = {"id": field_id, "data_do": "set", "aria_describedby": described, "disabled": self.fixed}
        label = field.heading(at[-1])
        help_ = el("small", field.help, id=_id("help", at)) if field.help else NOTHING
        slider = NOTHING
        if shares and isinstance(field, Integer):
            slider = void(
                "input",
                type="range",
                min=0,
                max=field.high,
                value=value if type(value) is int else 0,
                data_keeps=str(field.low),
                aria_label=f"{label} (keeps the total)",
                disabled=self.fixed,
            )
        head = el("span", label, class_="label") if isinstance(field, Drawing) else el("label", label, for_=field_id)
        parts = (head, self.control(field, value, shared), slider, help_, _fault(at))
        return el("div", *parts, class_=f"slot {field.widget}", data_at=_path(at))

    def control(self, field: Field, value: Any, shared: dict[str, Any]) -> Markup:
        """Render the input, select or button of a single value."""
        render = CONTROLS.get(field.widget)
        return render(self, field, value, shared) if render else self.line(field, value, shared)

    def line(self, _: Field, value: Any, shared: dict[str, Any]) -> Markup:
        """Render a line of text. One that is too long is stored and reported, not cut in silence."""
        return void("input", type="text", value=_typed(value), maxlength=LONGEST_TEXT, autocomplete="off",
                    spellcheck="false", **shared)  # fmt: skip

    def text(self, field: Text, value: Any, shared: dict[str, Any]) -> Markup:
        """Render a text, or a select of the names that it may have."""
        if not field.names_of:
            return self.line(field, value, shared)
        names = [str(row.get("name")) for row in self.rows(field.names_of) if row.get("name")]
        return self.select(names, _typed(value), shared)

    def choice(self, field: Choice, value: Any, shared: dict[str, Any]) -> Markup:
        """Render a select."""
        return self.select(field.offers, _typed(value) or _typed(field.default), shared)

    def map(self, field: Map, value: Any, shared: dict[str, Any]) -> Markup:
        """Render a map as text, from which the page draws a board."""
        sizes = f"{field.low} {field.high}" if field.template and not self.fixed else ""
        text = value.strip("\n") if isinstance(value, str) else "\n".join(map(str, value or ()))
        return el("textarea", text, rows=field.high, cols=field.high + 2, spellcheck="false", class_="drawn",
                  data_signs=json.dumps(dict(field.signs)), data_sizes=sizes, **shared)  # fmt: skip

    def integer(self, field: Integer, value: Any, shared: dict[str, Any]) -> Markup:
        """Render a number."""
        return void("input", type="text", inputmode="numeric", value=_typed(value), data_low=field.low,
                    data_high=field.high, autocomplete="off", **shared)  # fmt: skip

    def anything(self, field: Field, value: Any, shared: dict[str, Any]) -> Markup:
        """Render a value of any type in TOML."""
        return self.line(field, None if value is None else value_toml(value), shared)

    def drawing(self, field: Drawing, value: Any, shared: dict[str, Any]) -> Markup:
        """Render a picture's description and the button that opens the drawing pad."""
        description = el("small", describe_value(value) if value else "no picture", class_="has")
        if self.fixed:
            return description
        word = "Change" if value else "Draw"
        inks = " ".join(field.inks) or True
        about = {"aria_label": f"{word} the {(field.title or 'picture').lower()}", "data_pad": inks, "data_do": None}
        return join([el("button", word, type="button", **{**shared, **about}), description])

    def select(self, values: Sequence[str], value: str, shared: dict[str, Any]) -> Markup:
        """Render a select. A current value that isn't an option is added, so that it stays visible."""
        known = [*values] if value in values else [*values, value]
        options = join(
            el("option", one or "choose …", value=one, selected="selected" if one == value else None)
            if one else Markup("<option value=\"\" selected>choose …</option>") for one in known
        )  # fmt: skip
        return el("select", options, **shared)

    def rows(self, key: str) -> list[Mapping[str, Any]]:
        """Return the records of a list in the file."""
        rows = self.data.get(key, [])
        return [row for row in rows if isinstance(row, Mapping)] if isinstance(rows, list) else []

    # Lists and tables

    def many(self, field: ListField, value: Any, at: At) -> Markup:
        """Render a list: its items and a button to add one."""
        rows = value or []
        if field.toggles and isinstance(field.of, Choice) and len(set(map(str, rows))) == len(rows):
            return self.toggles(field.of, rows, at)
        things = join(self.thing(field, row, (*at, number)) for number, _, row in field.children(rows))
        limits = f"; {with_article(field.whole)} has {field.count}" if field.high < ENTRIES else ""
        count = el("p", f"{len(rows)} {field.one}{'' if len(rows) == 1 else 's'}{limits}.", class_="how-many")
        more = self.button(f"Add {with_article(field.one)}", "add", at, "add")
        simple = field.of.fits_line
        places = field.of.places if isinstance(field.of, Pair) else ()
        painted = {"data_places": json.dumps(places), "data_one": field.one} if places else {}
        return join([el("div", things, class_="things chips" if simple or painted else "things", **painted),
                     el("div", more, NOTHING if simple else count, class_="more")])  # fmt: skip

    def toggles(self, pick: Choice, rows: Sequence[Any], at: At) -> Markup:
        """Render a checkbox for each value. Unknown values in the list get one too, so that they can be removed."""
        known = [*pick.values, *(one for one in rows if one not in pick.values)]
        return el("div", join(
            el("label", void("input", type="checkbox", value=str(one), checked=one in rows, disabled=self.fixed,
                             data_do="toggle", aria_describedby=_id("about", (*at, str(one)))),
               el("span", el("b", str(one)), el("small", pick.about.get(one, "")), el("small", "", class_="why"),
                  id=_id("about", (*at, str(one)))),
               class_="toggle", data_value=str(one))
            for one in known
        ), class_="toggles")  # fmt: skip

    def thing(self, field: ListField, row: Any, at: At) -> Markup:
        """Render an item of a list with its buttons."""
        number = int(at[-1]) + 1
        called = f"{field.one.capitalize()} {number}"
        if not isinstance(field.of, RecordField):
            return el(
                "div", self.inner(field.of, row, at, called), self.acts(at, called, ("remove",)), class_="thing chip"
            )
        if not isinstance(row, Mapping):
            return el("div", self.misfit(row, at), self.acts(at, called, ("remove",)), class_="thing")
        name = row.get("name")
        inside = join([_fault(at), self.record(field.of, row, at)])
        acts = self.acts(at, f"{called}{f' ({name})' if name else ''}", ("up", "down", "copy", "remove"))
        if len(field.of.inner) <= FLAT and all(one.fits_line for one in field.of.inner):
            return el("div", el("span", str(number), class_="number", aria_hidden="true"), inside, acts, role="group",
                      aria_label=called, class_="thing flat", data_at=_path(at))  # fmt: skip
        title = join([el("span", f"{called} ", class_="number"), el("b", str(name or "unnamed"), class_="name"),
                      el("span", "", class_="wrong", hidden=True)])  # fmt: skip
        return el("details", el("summary", title), inside, acts, class_="thing", data_at=_path(at))

    def inner(self, field: Field, value: Any, at: At, called: str) -> Markup:
        """Render a single value in a list, labelled by its position."""
        if isinstance(field, Pair):
            return el("div", self.pair(field, value, at), _fault(at), data_at=_path(at))
        shared = {"id": _id("field", at), "data_do": "set", "aria_label": called,
                  "aria_describedby": _id("fault", at), "disabled": self.fixed}  # fmt: skip
        return el("div", self.control(field, value, shared), _fault(at), class_="slot", data_at=_path(at))

    def pair(self, field: Pair, value: Any, at: At) -> Markup:
        """Render a pair of numbers."""
        return el("div", join(
            self.inner(inner, number, (*at, place), f"{field.what.capitalize()}, number {int(place) + 1}")
            for place, inner, number in field.children(value) if inner
        ), class_="pair")  # fmt: skip

    def record(self, field: RecordField, value: Any, at: At) -> Markup:
        """Render a record, with what is undeclared in it; numbers that share a budget get sliders."""
        fields = join(
            self.field(inner, entry, (*at, key), shares=key in field.shared_budget)
            for key, inner, entry in field.children(value)
            if inner
        )
        return join([el("div", fields, class_="fields"), self.unknown(field, value, at)])

    def entries(self, field: MapField, value: Any, at: At) -> Markup:
        """Render a table with free keys."""
        rows = []
        for key, _, entry in field.children(value):
            path = (*at, key)
            called = f"{field.key.capitalize()} {key}"
            name = void("input", type="text", value=key, maxlength=24, autocomplete="off", aria_label=called,
                        data_do="rename", data_at=_path(path), disabled=self.fixed, class_="key")  # fmt: skip
            rows.append(el("div", name, self.inner(field.of, entry, path, f"Value of {field.key} {key}"),
                           self.acts(path, f"{field.key} {key}", ("remove",)), class_="thing chip entry"))  # fmt: skip
        new = NOTHING
        if not self.fixed:
            new_id = _id("new", at)
            new = join([el("label", f"New {field.key}", for_=new_id),
                        void("input", id=new_id, type="text", maxlength=24, class_="new",
                                                               autocomplete="off"),
                        self.button("Add", "add", at, "add")])  # fmt: skip
        return join([el("div", join(rows), class_="things chips"), el("div", new, class_="more")])

    def tally(self, field: Tally, value: Any, at: At) -> Markup:
        """Render a count for each kind."""
        counts = (self.field(count, number, (*at, kind)) for kind, count, number in field.children(value) if count)
        return el("div", join(counts), class_="fields")

    # Values that don't fit the form

    def unknown(self, field: RecordField, value: Any, at: At) -> Markup:
        """Render the unknown keys of a record."""
        return join(
            el("div", el("code", f"{key} = {shortened(value_toml(odd), LONG)}"), _fault((*at, key)),
               self.acts((*at, key), str(key), ("remove",)), class_="misfit", data_at=_path((*at, key)))
            for key, known, odd in field.children(value) if not known
        )  # fmt: skip

    def misfit(self, value: Any, at: At) -> Markup:
        """Render a value of the wrong type with a button to reset it."""
        reset = self.button("Reset value", "reset", at) if at and isinstance(at[-1], str) else NOTHING
        return el("div", el("code", shortened(value_toml(value), LONG)), reset, class_="misfit")

    def acts(self, at: At, called: str, which: Sequence[str]) -> Markup:
        """Render the buttons that move, copy or remove an item."""
        if self.fixed:
            return NOTHING
        return el("span", join(self.button(SIGNS[do], do, at, "sign", WORDS[do].format(called)) for do in which),
                  class_="acts")  # fmt: skip

    def button(self, text: str, do: str, at: At, kind: str = "", label: str = "") -> Markup:
        """Render a button for a structural edit."""
        if self.fixed:
            return NOTHING
        return el("button", text, type="button", data_do=do, data_at=_path(at), class_=kind, aria_label=label,
                  title=label)  # fmt: skip


#: The editor's part for each widget with values inside, and the types of value that it can show; others are misfits.
CONTAINERS: dict[str, tuple[Callable[[_SetEditor, Any, Any, At], Markup], Any]] = {
    "list": (_SetEditor.many, list),
    "record": (_SetEditor.record, Mapping),
    "table": (_SetEditor.entries, Mapping),
    "tally": (_SetEditor.tally, Mapping | list),
    "pair": (_SetEditor.pair, object),
}
#: The control for each widget with one value; others are a line of text.
CONTROLS: dict[str, Callable[[_SetEditor, Any, Any, dict[str, Any]], Markup]] = {
    "text": _SetEditor.text,
    "integer": _SetEditor.integer,
    "choice": _SetEditor.choice,
    "map": _SetEditor.map,
    "drawing": _SetEditor.drawing,
    "anything": _SetEditor.anything,
}
SIGNS = {"up": "↑", "down": "↓", "copy": "+", "remove": "✕"}
WORDS = {"up": "Move {} up", "down": "Move {} down", "copy": "Copy {}", "remove": "Remove {}"}


def _fault(at: At) -> Markup:
    return el("p", "", class_="fault", id=_id("fault", at), data_fault=_path(at))


def _help(field: Field) -> Markup:
    return el("p", field.help, class_="small") if field.help else NOTHING


def _path(at: At) -> str:
    """Return a path as compact JSON, the way browsers write it."""
    return json.dumps(list(at), ensure_ascii=False, separators=(",", ":"))


def _id(kind: str, at: At) -> str:
    return ".".join([kind, *(re.sub(r"[^\w-]", "_", str(step)) for step in at)])


def _typed(value: Any) -> str:
    return "" if value is None else str(value)
