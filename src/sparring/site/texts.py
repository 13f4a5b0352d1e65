"""Sentences of pages in the reader's language: for templates, for parts of a page, and for the browser's scripts.

A sentence with elements in it is one template of the catalogue too, such as `<b>{name}</b> invites you.`: translations
are part of the program, as templates are. Values are escaped.
"""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape

from sparring.engine.messages import LANGUAGE, Text, cached_by_language

#: The folders with scripts of pages where people play, and a call of `say` in them: its template and the plural one.
SCRIPTS = [Path(__file__).parent / "static" / folder for folder in ("table", "text", "replay")]
_SAID = re.compile(r'\bsay\(\s*("(?:[^"\\]|\\.)*")(?:,\s*("(?:[^"\\]|\\.)*"))?')
#: For how many numbers a script knows the form: twice as many as have the same last two digits, by which languages
#: choose it, besides some small numbers.
FORMS = 200


def html(template: str, plural: str = "", /, **values: Any) -> Markup:
    """Return a sentence with elements. Templates of pages call this `html`."""
    translated = Markup(Text(template, plural, **values).translated)
    return translated.format(**values) if values else translated


def text(template: str, plural: str = "", /, **values: Any) -> Markup:
    """Return a sentence without elements, for content and for attributes in double quotes. Templates call this `_`."""
    translated = Markup(str(escape(Text(template, plural, **values).translated)).replace("&#39;", "'"))
    return translated.format(**values) if values else translated


def html_part(template: str, plural: str = "", /, **values: Any) -> Markup:
    """Return a sentence with elements in ASCII, as `scene.markup` writes the parts of a page."""
    return Markup(html(template, plural, **values).encode("ascii", "xmlcharrefreplace").decode())


def language_code() -> str:
    """Return the code of the reader's language, for `lang` attributes."""
    language = LANGUAGE.get()
    return language.info().get("language", "en") if language else "en"


@cached_by_language(64)
def script_texts() -> dict[str, str | dict[str, str | list[str]]]:
    """Return what scripts say in the reader's language, by template; empty if that is English.

    A template with a plural has its `forms`, and a digit for each number from 0 on that says `which` of them it takes.
    """
    if LANGUAGE.get() is None:
        return {}
    return {
        template: _forms(template, plural) if plural else Text(template).translated
        for template, plural in said_in_scripts().items()
    }


def _forms(template: str, plural: str) -> dict[str, str | list[str]]:
    of_numbers = [Text(template, plural, n=n).translated for n in range(FORMS)]
    forms = [*dict.fromkeys(of_numbers)]
    return {"forms": forms, "which": "".join(str(forms.index(form)) for form in of_numbers)}


@cache
def said_in_scripts() -> dict[str, str]:
    """Return the templates that the scripts of tables say, each with the one for other numbers than 1, if any."""
    return {
        json.loads(template): json.loads(plural) if plural else ""
        for folder in SCRIPTS
        for path in sorted(folder.glob("*.js"))
        for template, plural in _SAID.findall(path.read_text(encoding="utf-8"))
    }
