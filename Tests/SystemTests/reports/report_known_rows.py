"""The rows that the reports know of a player: rollup.history as bytes, in the form of HistoryEncoder.swift."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def known_rows(history: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One row for each row of a player, in place of one for each part: the order in which rows came plays no part."""
    return [{"app_id": part["app_id"], "user_id": part["user_id"], "row": row}
            for part in history for row in _Part(part["rows"]).rows()]


class _Part:
    def __init__(self, content: bytes) -> None:
        self.bytes = iter(content)
        self.texts: list[str] = []
        assert next(self.bytes) == 1, "an unknown version"

    def rows(self) -> Iterator[tuple[Any, ...]]:
        time = level = file = 0
        character: tuple[str | None, ...] = (None, None, None)
        for head in self.bytes:
            time += self.signed() * (1000 if head & 4 else 1)
            kind, part = head & 3, head >> 3 & 3
            if kind == 0:
                level += self.signed()
                file += self.signed()
                line = self.signed()
                if not head & 64:
                    character = self.text(), self.text(), self.text()
                yield ("level", time, part, bool(head & 32), level, file, line, *character)
            elif kind == 1:
                flags = next(self.bytes)
                texts = [self.text() for _ in range(6)]
                amount = self.signed() if flags & 64 else None
                expires = time + self.signed() if flags & 128 else None
                yield ("receipt", time, flags & 63, amount, expires, *texts)
            else:
                yield ("kept", time, part)

    def unsigned(self) -> int:
        number = shift = 0
        for byte in self.bytes:
            number |= (byte & 127) << shift
            if byte < 128:
                break
            shift += 7
        return number

    def signed(self) -> int:
        number = self.unsigned()
        return number >> 1 ^ -(number & 1)

    def text(self) -> str | None:
        number = self.unsigned()
        if number == 1:
            self.texts.append(bytes(next(self.bytes) for _ in range(self.unsigned())).decode())
            return self.texts[-1]
        return self.texts[number - 2] if number else None
