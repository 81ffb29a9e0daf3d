"""Parts of a document that a program writes, between two comments that say so."""

from __future__ import annotations

from pathlib import Path

END = "<!-- end -->"


def begin(maker: str) -> str:
    """The comment before what `maker` writes."""
    return f"<!-- begin: made by {maker} -->"


def replace(path: Path, maker: str, content: str) -> None:
    """Puts `content` in the place of what the same maker wrote before."""
    text = path.read_text()
    before, mark, rest = text.partition(begin(maker))
    _, end, after = rest.partition(END)
    if not mark or not end:
        raise SystemExit(f"{maker}: {path} lacks the marks between which its part belongs")
    path.write_text(f"{before}{mark}\n{content.strip()}\n{end}{after}")
