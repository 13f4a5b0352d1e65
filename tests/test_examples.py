"""Examples in the docs work: every `>>>` in README.md, CONTRIBUTING.md and docs/ is run."""

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAPERS = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "src").rglob("*.md")]
#: Pages whose examples compile rules.
COMPILED = {"api.md", "lab.md", "research.md"}
BLOCK = re.compile(r"^```(?:python|pycon)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def examples_of(paper: Path) -> str:
    """Return all examples of a page as one session, each with its line number."""
    text = paper.read_text(encoding="utf-8")
    lines = [""] * text.count("\n")
    for block in BLOCK.finditer(text):
        first = text.count("\n", 0, block.start(1))
        code = block.group(1).splitlines()
        lines[first : first + len(code)] = code
    return "\n".join(lines)


@pytest.mark.parametrize(
    "paper",
    [
        pytest.param(paper, id=paper.name, marks=[pytest.mark.compiled] if paper.name in COMPILED else [])
        for paper in sorted(PAPERS)
        if ">>>" in examples_of(paper)
    ],
)
def test_doc_examples(paper: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    session = doctest.DocTestParser().get_doctest(examples_of(paper), {}, paper.name, str(paper), 0)
    report: list[str] = []
    failures, tried = doctest.DocTestRunner().run(session, out=report.append)
    assert tried
    assert not failures, "".join(report)
