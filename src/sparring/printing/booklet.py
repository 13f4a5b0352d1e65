"""Typeset the rules booklet: the chapters that players need on paper, with rulings for the chosen options."""

import io
import re
from collections.abc import Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token

from sparring.engine.game import GameSetup
from sparring.engine.options import Option
from sparring.engine.texts import RULING, examples, rules_text

from .drawings import Drawings
from .sheets import PaperSize, PrintOptions
from .styles import SANS
from .typesetting import DrawnSheet, compile_document, literal

#: Chapters that only matter on a screen, and chapters that the booklet replaces with its own.
EXCLUDED_CHAPTERS = {
    "Options", "Rulings", "At the keyboard", "At the table", "What to type", "Custom cards",
    "A custom board",
}  # fmt: skip
#: Pages per sheet of a saddle-stitched booklet.
PAGES_PER_SHEET = 4
#: The width of examples in drawing units, and their maximum width and height on paper in mm.
EXAMPLE = 460.0
MAX_WIDTH, MAX_HEIGHT = 82.0, 62.0
#: Table columns whose texts have at most this length get the width of their text; others share the remaining width.
NARROW_COLUMN = 9
#: Parts of examples that are left out on paper.
EXCLUDED_PARTS = ("prompt",)

_SIZE = re.compile(r'viewBox="0 0 (\S+) (\S+)"')
_READER = MarkdownIt("commonmark", {"html": False, "typographer": True}).enable(["table", "smartquotes"])


class Booklet:
    """The rules of a game with its options, on half-sheet pages."""

    def __init__(self, setup: GameSetup, drawings: Drawings, print_options: PrintOptions, notes: Sequence[str]) -> None:
        self.setup, self.game, self.drawings, self.notes = setup, setup.game, drawings, notes
        sheet = print_options.sheet
        self.page = PaperSize(sheet.height / 2, sheet.width)
        self.drawn = DrawnSheet()
        text = rules_text(setup) or f"# {setup.title}\n\n{self.game.summary}\n"
        self.tokens = _READER.parse(text)
        self.rulings = dict(_rulings(self.tokens))

    def pages(self) -> bytes:
        """Return the PDF in reading order."""
        return compile_document(self.source())[0]

    def source(self) -> str:
        """Return the Typst document."""
        body = [self._title(), *self._chapters(), self._options(), self._all_rulings(), self._credit()]
        return "\n\n".join([self._head(), self.drawn.source, *body])

    def _head(self) -> str:
        size = f"width: {self.page.width:.2f}mm, height: {self.page.height:.2f}mm"
        return "\n".join([
            f'#set document(title: {literal(f"{self.setup.title}: rules")}, date: none)',
            f'#set page({size}, margin: (x: 13mm, top: 13mm, bottom: 15mm), numbering: "1")',
            f'#set text(font: "{SANS}", size: 8.6pt, lang: "en", hyphenate: true)',
            "#set par(justify: true, leading: 0.55em, spacing: 0.8em)",
            "#show heading: set block(above: 1.2em, below: 0.6em, sticky: true)",
            "#show heading: set par(justify: false)",
            '#show raw: set text(font: "DejaVu Sans Mono", size: 1.1em)',
            "#set table(stroke: (x: none, y: 0.3pt + luma(160)), inset: (x: 3pt, y: 2.4pt))",
            "#show table: set text(size: 7.6pt, hyphenate: false)",
            "#set table.cell(breakable: false)",
            "#show table: set par(justify: false)",
            "#show figure: set block(above: 1em, below: 1em)",
            "#show figure.caption: set text(size: 7.4pt, style: \"italic\")",
        ])  # fmt: skip

    def _title(self) -> str:
        notes = "".join(f"\n- #{literal(note)}" for note in self.notes)
        return f"#heading(level: 1, [#{literal(self.setup.title)}])\n{notes}"

    def _credit(self) -> str:
        fonts = "Set in Roboto (Apache 2.0) and Libertinus Serif (SIL OFL)."
        return f"#v(1em)\n#text(size: 7pt, hyphenate: false)[#{literal(f'{self.setup.credit.text} {fonts}')}]"

    # Chapters

    def _chapters(self) -> Iterator[str]:
        """Yield the chapters to print as Typst."""
        numbers = iter(range(len(self.tokens)))
        keep, level = True, 0
        for token, end in _blocks(self.tokens):
            example = token.type == "fence" and token.info == "example"
            number = next(numbers) if example else 0
            if token.type == "heading_open":
                level = int(token.tag[1])
                if level <= 2:
                    keep = _plain(self.tokens[self.tokens.index(token) + 1]) not in EXCLUDED_CHAPTERS and level == 2
                    keep = keep or level == 1
                if level == 1:
                    continue
            if not keep:
                continue
            first = self.tokens.index(token)
            if example:
                yield from self._figure(number)
            elif not (token.type == "table_open" and _is_rulings(self.tokens[first : end + 1])):
                yield self._block(self.tokens[first : end + 1])

    def _block(self, tokens: Sequence[Token]) -> str:
        first = tokens[0]
        match first.type:
            case "heading_open":
                return f"#heading(level: {first.tag[1]}, [{_inline(tokens[1])}])"
            case "paragraph_open":
                return _inline(tokens[1])
            case "bullet_list_open" | "ordered_list_open":
                return self._list(tokens)
            case "table_open":
                return _table(tokens)
            case "fence" | "code_block":
                return f"#raw(block: true, {literal(first.content.rstrip())})"
        return "".join(self._block(tokens[begin : end + 1]) for begin, end in _spans(tokens[1:-1], 1))

    def _list(self, tokens: Sequence[Token]) -> str:
        kind = "list" if tokens[0].type == "bullet_list_open" else "enum"
        start = f"start: {tokens[0].attrGet('start')}, " if tokens[0].attrGet("start") else ""
        items = [
            "["
            + "\n\n".join(self._block(tokens[a : b + 1]) for a, b in _spans(tokens[begin + 1 : end], begin + 1))
            + "]"
            for begin, end in _spans(tokens[1:-1], 1)
        ]
        return f"#{kind}({start}{', '.join(items)})"

    def _figure(self, number: int) -> Iterator[str]:
        """Yield an example as a figure, if it fits."""
        example = examples(self.setup)[number]
        if example is None:
            return
        shown = tuple(part for part in example.parts if part not in EXCLUDED_PARTS)
        svg = self.drawings.scene(example.scene, shown, EXAMPLE)
        caption = _inline(_READER.parseInline(example.caption)[0])
        match = _SIZE.search(svg)
        shape = float(match[1]) / float(match[2]) if match else 1.0
        picture = f'image({self.drawn.name(svg)}, format: "svg", width: {min(MAX_WIDTH, MAX_HEIGHT * shape):.1f}mm)'
        yield f"#figure({picture}, caption: [{caption}], supplement: none, numbering: none, outlined: false)"

    # Options and rulings

    def _options(self) -> str:
        """Return the table of the chosen options with their rulings."""
        rows = [f"[#{literal(option.heading)}], [{self._value(option)}], [#{literal(', '.join(_numbers(option)))}]"
                for option in self.game.options(self.setup.content)]  # fmt: skip
        if not rows:
            return ""
        head = "table.header([*Option*], [*Setting*], [*Rulings*])"
        return (
            f"#heading(level: 2, [Rules and variants])\n#table(columns: (auto, 1fr, auto), {head}, {', '.join(rows)})"
        )

    def _value(self, option: Option) -> str:
        value = literal(option.in_words(self.setup.options[option.name]))
        changed = self.setup.options[option.name] != option.default
        return f"#strong[#{value}]" if changed else f"#{value}"

    def _all_rulings(self) -> str:
        """Return all rulings."""
        if not self.rulings:
            return ""
        rows = [f"[#{literal(number)}], [{text}]" for number, text in self.rulings.items()]
        intro = "These rulings apply where the rules are silent or ambiguous."
        return (
            f"#heading(level: 2, [Rulings])\n#{literal(intro)}\n#table(columns: (auto, 1fr), {', '.join(rows)})"
        )  # fmt: skip


def _numbers(option: Option) -> list[str]:
    return RULING.findall(option.ruling)


def _plain(token: Token) -> str:
    return "".join(child.content for child in token.children or ())


def _spans(tokens: Sequence[Token], start: int) -> list[tuple[int, int]]:
    """Return the first and last token of each outermost block, counted from `start`."""
    spans, depth, first = [], 0, 0
    for index, token in enumerate(tokens):
        if depth == 0:
            first = index
        depth += token.nesting
        if depth == 0:
            spans.append((first + start, index + start))
    return spans


def _blocks(tokens: Sequence[Token]) -> Iterator[tuple[Token, int]]:
    """Yield the first token of each outermost block and the index of its last."""
    yield from ((tokens[begin], end) for begin, end in _spans(tokens, 0))


def _cells(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """Yield the rows of a table as cells."""
    row: list[Token] = []
    for index, token in enumerate(tokens):
        if token.type in ("th_open", "td_open"):
            row.append(tokens[index + 1])
        elif token.type == "tr_close":
            yield row
            row = []


def _is_rulings(tokens: Sequence[Token]) -> bool:
    return any(RULING.fullmatch(_plain(row[0])) for row in _cells(tokens))


def _rulings(tokens: Sequence[Token]) -> Iterator[tuple[str, str]]:
    """Yield the rulings in the rules with their text, in order."""
    for token, end in _blocks(tokens):
        first = tokens.index(token)
        if token.type == "table_open" and _is_rulings(tokens[first : end + 1]):
            yield from ((_plain(row[0]), _inline(row[1])) for row in _cells(tokens[first : end + 1])
                        if RULING.fullmatch(_plain(row[0])))  # fmt: skip


def _table(tokens: Sequence[Token]) -> str:
    rows = list(_cells(tokens))
    cells = [[f"[{_inline(cell)}]" for cell in row] for row in rows]
    head = f"table.header({', '.join(f'strong{cell}' for cell in cells[0])})"
    lengths = [max(len(_plain(row[n])) for row in rows) for n in range(len(rows[0]))]
    columns = ", ".join("auto" if length <= NARROW_COLUMN else f"{length**0.5:.2f}fr" for length in lengths)
    return f"#table(columns: ({columns},), {head}, {', '.join(cell for row in cells[1:] for cell in row)})"


def _inline(token: Token) -> str:
    """Return inline text as Typst, quoted so that no character has a meaning there."""
    written = []
    for child in token.children or ():
        match child.type:
            case "text":
                written.append(f"#{literal(child.content)}")
            case "code_inline":
                written.append(f"#raw({literal(child.content)})")
            case "softbreak":
                written.append(" ")
            case "hardbreak":
                written.append("#linebreak()")
            case "strong_open":
                written.append("#strong[")
            case "em_open":
                written.append("#emph[")
            case "strong_close" | "em_close":
                written.append("]")
    return "".join(written)


def impose(pages: bytes) -> bytes:
    """Impose the pages of a booklet, for printing on both sides (short edge), folding and stapling."""
    from pypdf import PageObject, PdfReader, PdfWriter, Transformation

    reader, writer = PdfReader(io.BytesIO(pages)), PdfWriter()
    width, height = float(reader.pages[0].mediabox.width), float(reader.pages[0].mediabox.height)
    for pair in saddle(len(reader.pages)):
        sheet = PageObject.create_blank_page(width=2 * width, height=height)
        for position, number in enumerate(pair):
            if number is not None:
                sheet.merge_transformed_page(reader.pages[number], Transformation().translate(position * width, 0))
        writer.add_page(sheet)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def saddle(count: int) -> list[tuple[int | None, int | None]]:
    """Return the pairs of pages (from 0) on each side of a booklet's sheets; None is a blank page."""
    padded = -(-count // PAGES_PER_SHEET) * PAGES_PER_SHEET
    page = [number if number < count else None for number in range(padded)]
    sides: list[tuple[int | None, int | None]] = []
    for sheet in range(padded // PAGES_PER_SHEET):
        first, last = 2 * sheet, padded - 1 - 2 * sheet
        sides += [(page[last], page[first]), (page[first + 1], page[last - 1])]
    return sides
