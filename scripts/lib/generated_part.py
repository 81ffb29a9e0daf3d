"""Generated parts of a document, between two comments that name the generator."""

from __future__ import annotations

from pathlib import Path

END = "<!-- end -->"


def begin(maker: str) -> str:
    """The comment before the part of `maker`."""
    return f"<!-- begin: made by {maker} -->"


def replace(path: Path, maker: str, content: str) -> None:
    """Replaces the part of `maker` by `content`."""
    text = path.read_text()
    before, mark, rest = text.partition(begin(maker))
    _, end, after = rest.partition(END)
    if not mark or not end:
        raise SystemExit(f"{maker}: {path} does not have the comments that enclose the generated part")
    path.write_text(f"{before}{mark}\n{content.strip()}\n{end}{after}")
