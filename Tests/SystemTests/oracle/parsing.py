"""Splits files into lines, and parses each line into a row or a refusal."""

from __future__ import annotations

import gzip
import hashlib
import subprocess
from pathlib import Path

from line_rules import row_of_line
from masking import kept_bytes
from parsed_file import ParsedFile, Reject, Settings
from streams import stream_of
from values import Refusal


def decoded_bytes(path: Path) -> bytes:
    """The bytes of a file, decompressed according to its magic bytes."""
    content = path.read_bytes()
    if content[:2] == b"\x1f\x8b":
        return gzip.decompress(content)
    if content[:4] == b"\x28\xb5\x2f\xfd":
        return subprocess.run(
            ["zstd", "-dcq", str(path)], check=True, capture_output=True).stdout
    return content


def parse_bytes(
    content: bytes, name: str, settings: Settings, stream: str | None = None
) -> ParsedFile:
    """Parses the bytes of a whole file by the rules for lines."""
    parsed = ParsedFile(
        name, stream or stream_of(name), hashlib.sha256(content).hexdigest(), len(content),
        settings.app_id, settings.unwrap)
    offset = 0
    lines = content.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    for number, whole_line in enumerate(lines, 1):
        parsed.line_count += 1
        start, line = offset, whole_line
        offset += len(whole_line) + 1
        if number == 1 and line.startswith(b"\xef\xbb\xbf"):
            line = line[3:]
            start = 3
        if line.endswith(b"\r"):
            line = line[:-1]
        if not line.strip(b" \t\r\n"):
            parsed.blank_count += 1
            continue
        try:
            parsed.rows.append((number, row_of_line(line, number, parsed, settings)))
        except Refusal as refusal:
            is_cut = offset > len(content) and refusal.code in ("invalid_utf8", "malformed_json")
            parsed.rejects.append(Reject(
                number, start, "truncated_line" if is_cut else refusal.code, refusal.field,
                kept_bytes(line), line))
    return parsed
