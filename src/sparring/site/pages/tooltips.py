"""Native browser tooltips for scenes, so that explanations work without scripts.

Only whole pages have them. Where scripts run, `peek.js` removes them because its own popovers show the same text.
"""

import re

from markupsafe import Markup, escape

from sparring.engine.glossary import Glossary

#: The start tag of an element with a description. Attribute values never contain a literal `>`.
_DESCRIBED = re.compile(r"<(\w+)[^>]* aria-descri(?:bedby|ption)=[^>]*")
_DESCRIPTION = re.compile(r' aria-description="([^"]*)"')
_DESCRIBED_BY = re.compile(r' aria-describedby="([^"]*)"')


def with_tooltips(scene: Markup, glossary: Glossary) -> Markup:
    """Add a `title` to every described element of a rendered scene: an attribute in HTML, a child element in SVG."""
    meanings = {entry.id: f"{escape(entry.word)}: {escape(entry.text)}" for entry in glossary.entries}

    def with_title(tag: re.Match[str]) -> str:
        ids = [number for said in _DESCRIBED_BY.findall(tag[0]) for number in said.split()]
        said = [*_DESCRIPTION.findall(tag[0]), *(meanings[each] for each in ids if each in meanings)]
        if not said:
            return tag[0]
        words = "&#10;".join(said)
        return f"{tag[0]}><title>{words}</title" if tag[1] == "g" else f'{tag[0]} title="{words}"'

    return Markup(_DESCRIBED.sub(with_title, str(scene)))
