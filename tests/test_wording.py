"""Keep words out of texts that plain English has better words for."""

import io
import re
import subprocess
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
#: Words to avoid, and what to write instead. Identifiers and quotations are not checked.
BETTER = {
    "somebody": "someone, or who it is: a player, a spectator, an operator",
    "nobody": "no one, or who doesn't: no player",
    "whoever": "the player who, anyone who",
    "anew": "again, from scratch",
    "so many": "the number: 30 matches",
    "goes before": "overrides, takes precedence over",
    "it is told": "say who tells whom: the log shows",
    "comes in by": "signs in with, joins with",
    "stands there": "is there, is shown",
    "may be had": "can be downloaded, is available",
    "what is asked": "the prompt, the question",
    "by itself": "automatically",
    "takes along": "exports, downloads",
    "lays a card": "plays a card",
}
TEXTS = ["*.py", "*.html", "*.js", "*.css", "*.md", "*.toml", "*.cjs", "Makefile", ".ci/run", "deploy/*"]
#: A quotation, code in backticks, or an address.
QUOTED = re.compile(r"“[^”]*”|`[^`]*`|https?://\S+")


def texts() -> Iterator[Path]:
    """Yield the tracked files that people read."""
    listed = subprocess.run(["git", "ls-files", "-z", *TEXTS], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in listed.stdout.split("\0"):
        if name and not name.startswith("tests/"):
            yield ROOT / name


def prose(path: Path) -> str:
    """Return a file's text; of Python only comments and strings, at their lines."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        return text
    lines = [""] * (text.count("\n") + 2)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        is_word = token.type == tokenize.STRING and " " not in token.string  # a value, not a sentence
        if token.type != tokenize.NAME and not is_word:
            for number, line in enumerate(token.string.split("\n"), token.start[0]):
                lines[number - 1] += line
    return "\n".join(lines)


def found(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the word of each hit in a text."""
    pattern = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, BETTER))})(?![\w-])", re.IGNORECASE)
    for number, line in enumerate(text.splitlines(), 1):
        yield from ((number, match[1].lower()) for match in pattern.finditer(QUOTED.sub("", line)))


def test_texts_use_plain_words() -> None:
    hits = [
        f"{path.relative_to(ROOT)}:{number}: {word!r}: better {BETTER[word]}"
        for path in texts()
        for number, word in found(prose(path))
    ]
    assert hits == []


def test_banned_words_are_found_outside_quotations_only() -> None:
    assert list(found("Whoever has it\nmay `somebody` say “nobody”, nobody_else anew")) == [(1, "whoever"), (2, "anew")]
