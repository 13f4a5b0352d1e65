"""The editor of a set: HTML fields for a game's declared form."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from sparring.engine.errors import Step
from sparring.engine.formats.toml_reader import ENTRIES, LONGEST_TEXT
from sparring.engine.formats.toml_writer import value_toml
from sparring.engine.schema import (
    Anything,
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
SIMPLE = (Text, Integer, Choice, Drawing)

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
                el("section", el("h2", field.title or _words(key), id=_id("part", (key,))),
                   _help(field), self.field(field, self.data.get(key), (key,), bare=True),
                   class_="part", aria_labelledby=_id("part", (key,)))
                for key, field in form.fields.items()
                if field.in_editor
            ),
            self.unknown(form, self.data, ()),
        ])  # fmt: skip

    def field(self, field: Field, value: Any, at: At, *, bare: bool = False) -> Markup:
        """Render a field with its label; `bare` leaves the label to a heading."""
        match field:
            case ListField():
                inside = self.many(field, value, at)
            case RecordField():
                inside = self.record(field, {} if value is None else value, at)
            case MapField():
                inside = self.entries(field, {} if value is None else value, at)
            case Tally():
                inside = self.tally(field, {} if value is None else value, at)
            case Pair():
                inside = self.pair(field, value, at)
            case _:
                return self.single(field, value, at)
        if bare:
            return el("div", _fault(at), inside, data_at=_path(at))
        label = field.title or _words(at[-1])
        return el("fieldset", el("legend", label), _help(field), _fault(at), inside, data_at=_path(at), class_="group")

    # Single values

    def single(self, field: Field, value: Any, at: At, *, shares: bool = False) -> Markup:
        """Render a single value: label, control, help and fault, plus a slider if it `shares` a budget."""
        field_id = _id("field", at)
        described = " ".join([_id("fault", at), *([_id("help", at)] if field.help else [])])
        shared = {"id": field_id, "data_do": "set", "aria_describedby": described, "disabled": self.fixed}
        label = field.title or _words(at[-1])
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
        return el("div", *parts, class_=f"slot {type(field).__name__.lower()}", data_at=_path(at))  # fmt: skip

    def control(self, field: Field, value: Any, shared: dict[str, Any]) -> Markup:
        """Render the input, select or button of a single value."""
        text = "" if value is None else value if isinstance(value, str) else str(value)
        if isinstance(field, Choice):
            default = "" if field.default is None else str(field.default)
            return self.select([str(one) for one in field.values], text or default, shared)
        if isinstance(field, Drawing):
            return self.picture(field, value, shared)
        if isinstance(field, Text) and field.names_of:
            names = [str(row.get("name")) for row in self.rows(field.names_of) if row.get("name")]
            return self.select(names, text, shared)
        if isinstance(field, Map):
            sizes = f"{field.low} {field.high}" if field.template and not self.fixed else ""
            return el("textarea", text.strip("\n") if isinstance(value, str) else "\n".join(map(str, value or ())),
                      rows=field.high, cols=field.high + 2, spellcheck="false", class_="drawn",
                      data_signs=json.dumps(dict(field.signs)),
                      data_sizes=sizes, **shared)  # fmt: skip
        if isinstance(field, Integer):
            return void("input", type="text", inputmode="numeric", value=text, data_low=field.low, data_high=field.high,
                autocomplete="off", **shared)  # fmt: skip
        if isinstance(field, Anything):
            text = value_toml(value) if value is not None else ""
        # A text that is too long is stored and reported, not cut in silence.
        return void(
            "input", type="text", value=text, maxlength=LONGEST_TEXT, autocomplete="off", spellcheck="false", **shared
        )

    def picture(self, field: Drawing, value: Any, shared: dict[str, Any]) -> Markup:
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
        if value is not None and not isinstance(value, list):
            return self.misfit(value, at)
        rows = value or []
        if field.toggles and isinstance(field.of, Choice) and len(set(map(str, rows))) == len(rows):
            return self.toggles(field.of, rows, at)
        things = join(self.thing(field, row, (*at, number)) for number, row in enumerate(rows))
        limits = f"; {with_article(field.whole)} has {field.count}" if field.high < ENTRIES else ""
        count = el("p", f"{len(rows)} {field.one}{'' if len(rows) == 1 else 's'}{limits}.", class_="how-many")
        more = self.button(f"Add {with_article(field.one)}", "add", at, "add")
        simple = isinstance(field.of, SIMPLE)
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
                "div", self.inner(field.of, row, at, called), self.acts(at, called, ("out",)), class_="thing chip"
            )
        if not isinstance(row, Mapping):
            return el("div", self.misfit(row, at), self.acts(at, called, ("out",)), class_="thing")
        name = row.get("name")
        inside = join([_fault(at), self.fields(field.of, row, at), self.unknown(field.of, row, at)])
        acts = self.acts(at, f"{called}{f' ({name})' if name else ''}", ("up", "down", "copy", "out"))
        if len(field.of.fields) <= FLAT and all(isinstance(one, SIMPLE) for one in field.of.fields.values()):
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
        numbers = value if isinstance(value, list) and len(value) == 2 else ["", ""]
        return el("div", join(
            self.inner(Integer(-99, 99), number, (*at, place), f"{field.what.capitalize()}, number {place + 1}")
            for place, number in enumerate(numbers)
        ), class_="pair")  # fmt: skip

    def record(self, field: RecordField, value: Any, at: At) -> Markup:
        """Render a record."""
        if not isinstance(value, Mapping):
            return self.misfit(value, at)
        return join([self.fields(field, value, at), self.unknown(field, value, at)])

    def fields(self, record: RecordField, row: Mapping[str, Any], at: At) -> Markup:
        """Render the fields of a record; those that share a budget get sliders."""
        return el(
            "div",
            join(
                self.single(field, row.get(key), (*at, key), shares=key in record.shared_budget)
                if isinstance(field, Text | Integer | Choice | Map | Anything)
                else self.field(field, row.get(key), (*at, key))
                for key, field in record.fields.items()
            ),
            class_="fields",
        )

    def entries(self, field: MapField, value: Any, at: At) -> Markup:
        """Render a table with free keys."""
        if not isinstance(value, Mapping):
            return self.misfit(value, at)
        rows = []
        for key, entry in value.items():
            path = (*at, key)
            called = f"{field.key.capitalize()} {key}"
            name = void("input", type="text", value=key, maxlength=24, autocomplete="off", aria_label=called,
                        data_do="rename", data_at=_path(path), disabled=self.fixed, class_="key")  # fmt: skip
            rows.append(el("div", name, self.inner(field.of, entry, path, f"Value of {field.key} {key}"),
                           self.acts(path, f"{field.key} {key}", ("out",)), class_="thing chip entry"))  # fmt: skip
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
        if isinstance(value, list):
            value = {kind: value.count(kind) for kind in dict.fromkeys(map(str, value))}
        if not isinstance(value, Mapping):
            return self.misfit(value, at)
        known = [*field.kinds, *(kind for kind in value if kind not in field.kinds)]
        counts = (self.single(Integer(0, field.high, title=kind), value.get(kind, 0), (*at, kind)) for kind in known)
        return el("div", join(counts), class_="fields")

    # Values that don't fit the form

    def unknown(self, field: RecordField, value: Mapping[str, Any], at: At) -> Markup:
        """Render the unknown keys of a record."""
        return join(
            el("div", el("code", f"{key} = {shortened(value_toml(value[key]), LONG)}"), _fault((*at, key)),
               self.acts((*at, key), key, ("out",)), class_="misfit", data_at=_path((*at, key)))
            for key in value if key not in field.fields
        )  # fmt: skip

    def misfit(self, value: Any, at: At) -> Markup:
        """Render a value of the wrong type with a button to reset it."""
        reset = self.button("Reset value", "anew", at) if at and isinstance(at[-1], str) else NOTHING
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


SIGNS = {"up": "↑", "down": "↓", "copy": "+", "out": "✕"}
WORDS = {"up": "Move {} up", "down": "Move {} down", "copy": "Copy {}", "out": "Remove {}"}


def _fault(at: At) -> Markup:
    return el("p", "", class_="fault", id=_id("fault", at), data_fault=_path(at))


def _help(field: Field) -> Markup:
    return el("p", field.help, class_="small") if field.help else NOTHING


def _path(at: At) -> str:
    """Return a path as compact JSON, the way browsers write it."""
    return json.dumps(list(at), ensure_ascii=False, separators=(",", ":"))


def _id(kind: str, at: At) -> str:
    return ".".join([kind, *(re.sub(r"[^\w-]", "_", str(step)) for step in at)])


def _words(key: Step) -> str:
    return str(key).replace("_", " ").capitalize()
