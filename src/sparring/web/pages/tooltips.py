"""What explains itself, also without a script: the browser's own hints.

They stand in whole pages only. A page with a script takes them away (`peek.js`), since its closer look says the same.
"""

import re

from markupsafe import Markup, escape

from sparring.engine.glossary import Glossary

#: The beginning of an element of which something is said; no sign inside of attributes is written `>`.
_SAID = re.compile(r"<(\w+)[^>]* aria-descri(?:bedby|ption)=[^>]*")
_MORE = re.compile(r' aria-description="([^"]*)"')
_WORDS = re.compile(r' aria-describedby="([^"]*)"')


def titled(scene: Markup, glossary: Glossary) -> Markup:
    """A rendered scene in which everything that explains itself has its `title`: in a drawing that is an element."""
    meanings = {entry.id: f"{escape(entry.word)}: {escape(entry.text)}" for entry in glossary.entries}

    def with_title(tag: re.Match[str]) -> str:
        ids = [number for said in _WORDS.findall(tag[0]) for number in said.split()]
        said = [*_MORE.findall(tag[0]), *(meanings[each] for each in ids if each in meanings)]
        if not said:
            return tag[0]
        words = "&#10;".join(said)
        return f"{tag[0]}><title>{words}</title" if tag[1] == "g" else f'{tag[0]} title="{words}"'

    return Markup(_SAID.sub(with_title, str(scene)))
