"""Sheets become files: one typst document of everything in its place, set with fonts that come along."""

from collections.abc import Sequence
from importlib.resources import as_file, files
from importlib.util import find_spec
from typing import Literal

from sparring.engine.errors import CannotPrint

from .paper_sizes import PaperSize
from .sheets import CutLine, PrintedPiece, PaperSheet, SheetText
from .styles import SANS

#: What has to be installed, and how.
NEEDED = ("typst", "pypdf", "tinycss2", "cssselect2", "font_roboto")
HOW = "Printing needs extra packages; install them with: pip install 'sparring[print]'"

#: What can be made of a document.
Form = Literal["pdf", "svg", "png"]

#: How thick the lines are that one cuts and folds at.
THIN = 0.12


def check_installed() -> None:
    """CannotPrint if the extra is missing."""
    if any(find_spec(name) is None for name in NEEDED):
        raise CannotPrint(HOW)


def quoted(text: str) -> str:
    """A text as a string of typst."""
    plain = "".join(sign for sign in text if sign >= " " or sign == "\n")
    return '"' + plain.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


class DrawnSheet:
    """The drawings of a document, each written once, however often it is printed."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}

    def name(self, svg: str) -> str:
        """What a drawing is called in the document."""
        return self.names.setdefault(svg, f"d{len(self.names)}")

    @property
    def source(self) -> str:
        """The drawings, to stand before what refers to them."""
        return "\n".join(f"#let {name} = bytes({quoted(svg)})" for svg, name in self.names.items())


def document(sheets: Sequence[PaperSheet]) -> str:
    """The sheets as a typst document."""
    drawn = DrawnSheet()
    pages = [_page(sheet, drawn) for sheet in sheets]
    head = f'#set page(margin: 0pt)\n#set text(font: "{SANS}")\n'
    return "\n".join([head, drawn.source, *pages])


def _page(sheet: PaperSheet, drawn: DrawnSheet) -> str:
    things = "\n".join(_thing(thing, drawn) for thing in sheet.things)
    return f"#page(width: {_mm(sheet.size.width)}, height: {_mm(sheet.size.height)})[\n{things}\n]"


def _thing(thing: PrintedPiece | CutLine | SheetText, drawn: DrawnSheet) -> str:
    match thing:
        case CutLine():
            begin, end = (f"({_mm(x)}, {_mm(y)})" for x, y in (thing.ends[:2], thing.ends[2:]))
            dash = ', dash: "dashed"' if thing.dashed else ""
            stroke = f"stroke: (paint: luma(90), thickness: {THIN}mm{dash})"
            return f"#place(line(start: {begin}, end: {end}, {stroke}))"
        case SheetText():
            return f"#place(dx: {_mm(thing.x)}, dy: {_mm(thing.y)}, text(size: {thing.size}pt)[#{quoted(thing.text)}])"
    x, y, width, height = thing.spot
    if not thing.svg:
        inside = f'rect(width: {_mm(width)}, height: {_mm(height)}, fill: rgb("{thing.colour}"))'
        return f"#place(dx: {_mm(x)}, dy: {_mm(y)}, {inside})"
    inside = image(drawn.name(thing.svg), PaperSize(width, height))
    if thing.turned:
        inside = f"rotate(180deg, {inside})"
    if thing.within is None:
        return f"#place(dx: {_mm(x)}, dy: {_mm(y)}, {inside})"
    left, top, across, down = thing.within
    shifted = f"place(dx: {_mm(x - left)}, dy: {_mm(y - top)}, {inside})"
    window = f"box(width: {_mm(across)}, height: {_mm(down)}, clip: true, {shifted})"
    return f"#place(dx: {_mm(left)}, dy: {_mm(top)}, {window})"


def image(name: str, size: PaperSize) -> str:
    """A drawing of a document in its size."""
    return (
        f'image({name}, format: "svg", width: {_mm(size.width)}, height: {_mm(size.height)}, fit: "stretch")'
    )  # fmt: skip


def _mm(length: float) -> str:
    return f"{length:.4f}mm"


def pressed(source: str, form: Form = "pdf", ppi: float = 144) -> list[bytes]:
    """A document as a PDF (one), or its pages as SVG or PNG: the same bytes for the same document."""
    import typst

    with as_file(files("font_roboto") / "files") as fonts:
        try:
            compiler = typst.Compiler(font_paths=[str(fonts)], ignore_system_fonts=True)
            made = compiler.compile(source.encode(), format=form, ppi=ppi, timestamp=0, pdf_tags=False)
        except typst.TypstError as problem:
            raise CannotPrint(f"The document can't be typeset: {problem.message}.") from None
    return made if isinstance(made, list) else [made or b""]
