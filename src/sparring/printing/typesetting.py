"""Typeset sheets with Typst and bundled fonts."""

from collections.abc import Sequence
from importlib.resources import as_file, files
from importlib.util import find_spec
from typing import Literal

from sparring.engine.errors import CannotPrint
from sparring.engine.plugins import missing_extra

from .sheets import CutLine, PaperSheet, PaperSize, PrintedPiece, SheetText
from .styles import SANS

#: The modules that printing needs.
PACKAGES = ("typst", "pypdf", "tinycss2", "cssselect2", "font_roboto")

#: The output formats.
OutputFormat = Literal["pdf", "svg", "png"]

#: Width of cutting and folding lines, in mm.
LINE_WIDTH = 0.12


def check_installed() -> None:
    """Check that the packages for printing are installed.

    :raises CannotPrint: Some are missing.
    """
    if any(find_spec(name) is None for name in PACKAGES):
        raise CannotPrint(missing_extra("Printing needs more packages", "print"))


def literal(text: str) -> str:
    """Return text as a Typst string literal."""
    plain = "".join(character for character in text if character >= " " or character == "\n")
    return '"' + plain.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


class DrawnSheet:
    """The drawings of a document, each defined once and used any number of times."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}

    def name(self, svg: str) -> str:
        """Return a drawing's variable name in the document."""
        return self.names.setdefault(svg, f"d{len(self.names)}")

    @property
    def source(self) -> str:
        """The definitions of all drawings, which must precede their use."""
        return "\n".join(f"#let {name} = bytes({literal(svg)})" for svg, name in self.names.items())


def document(sheets: Sequence[PaperSheet]) -> str:
    """Return sheets as a Typst document."""
    drawn = DrawnSheet()
    pages = [_page(sheet, drawn) for sheet in sheets]
    head = f'#set page(margin: 0pt)\n#set text(font: "{SANS}")\n'
    return "\n".join([head, drawn.source, *pages])


def _page(sheet: PaperSheet, drawn: DrawnSheet) -> str:
    items = "\n".join(_item(item, drawn) for item in sheet.contents)
    fill = ", fill: none" if sheet.clear else ""
    return f"#page(width: {_mm(sheet.size.width)}, height: {_mm(sheet.size.height)}{fill})[\n{items}\n]"


def _item(item: PrintedPiece | CutLine | SheetText, drawn: DrawnSheet) -> str:
    match item:
        case CutLine():
            begin, end = (f"({_mm(x)}, {_mm(y)})" for x, y in (item.ends[:2], item.ends[2:]))
            dash = ', dash: "dashed"' if item.dashed else ""
            stroke = f"stroke: (paint: luma(90), thickness: {LINE_WIDTH}mm{dash})"
            return f"#place(line(start: {begin}, end: {end}, {stroke}))"
        case SheetText():
            return f"#place(dx: {_mm(item.x)}, dy: {_mm(item.y)}, text(size: {item.size}pt)[#{literal(item.text)}])"
    x, y, width, height = item.spot
    if not item.svg:
        inside = f'rect(width: {_mm(width)}, height: {_mm(height)}, fill: rgb("{item.colour}"))'
        return f"#place(dx: {_mm(x)}, dy: {_mm(y)}, {inside})"
    inside = image(drawn.name(item.svg), PaperSize(width, height))
    if item.turned:
        inside = f"rotate(180deg, {inside})"
    if item.within is None:
        return f"#place(dx: {_mm(x)}, dy: {_mm(y)}, {inside})"
    left, top, across, down = item.within
    shifted = f"place(dx: {_mm(x - left)}, dy: {_mm(y - top)}, {inside})"
    window = f"box(width: {_mm(across)}, height: {_mm(down)}, clip: true, {shifted})"
    return f"#place(dx: {_mm(left)}, dy: {_mm(top)}, {window})"


def image(name: str, size: PaperSize) -> str:
    """Return the Typst call that shows a drawing at a size."""
    return (
        f'image({name}, format: "svg", width: {_mm(size.width)}, height: {_mm(size.height)}, fit: "stretch")'
    )  # fmt: skip


def _mm(length: float) -> str:
    return f"{length:.4f}mm"


def compile_document(
    source: str, form: OutputFormat = "pdf", ppi: float = 144, *, archival: bool = False
) -> list[bytes]:
    """Compile a document to one PDF, or to one SVG or PNG per page; the same input gives the same bytes.

    :param archival: Write PDF/A-2b: every font is embedded, and an ICC profile (sRGB) as the output intent says what
        the colours mean.
    :raises CannotPrint: Typst rejects the document.
    """
    import typst

    with as_file(files("font_roboto") / "files") as fonts:
        try:
            compiler = typst.Compiler(font_paths=[str(fonts)], ignore_system_fonts=True)
            standards: list[Literal["a-2b"]] = ["a-2b"] if archival else []
            output = compiler.compile(
                source.encode(), format=form, ppi=ppi, timestamp=0, pdf_tags=False, pdf_standards=[*standards]
            )
        except typst.TypstError as problem:
            raise CannotPrint(f"The document can't be typeset: {problem.message}.") from None
    return output if isinstance(output, list) else [output or b""]
