"""Small input files with few users, payments, levels and times, so that keys and values often collide.

The same seed and month give the same bytes. Times are in the four months before the present one, so that retention
has months to drop.
"""

from __future__ import annotations

import gzip
import subprocess
from dataclasses import dataclass, field, replace
from pathlib import Path

from data import STREAMS, TIME_NAMES, Facts, Members, Writer, joined, packed, text
from months import DAY

USERS = ("annalee77", "bob.smith", "유저일이삼사", 'o"hara\\x', "x9 y8 zulu", "90218731465")
WRAPPER = "log"
# The number of payments in use at a time.
PAYMENTS = 12
# Lengths of refused lines above the stored limit of failed files, and above that of all files.
LONG = (5_000, 66_000)


@dataclass(eq=False)
class File:
    """Bytes to load, with the options that affect their parsing."""

    name: str
    stream: str
    content: bytes
    app_id: str = ""
    unwrap: str | None = None
    # The users that the refused lines name.
    refused_users: frozenset[str] = frozenset()
    # All paths of the bytes, in any compression.
    paths: list[Path] = field(default_factory=list)

    @property
    def options(self) -> tuple[str, ...]:
        """The options on the command line, which are common to all files of a load."""
        app = ("--app-id", self.app_id) if self.app_id else ()
        return (*app, *(("--unwrap", self.unwrap) if self.unwrap else ()))


class UniverseWriter(Writer):
    """Writes the lines of one run."""

    def __init__(self, seed: str, months: tuple[int, ...]) -> None:
        super().__init__(f"universe {seed}")
        self.months = months
        self.moments = [
            start + DAY * self.random.randrange(1, 27) + self.random.randrange(DAY)
            for start in months for _ in range(2)]
        self.payments = [self.facts(number, 20) for number in range(4 * PAYMENTS)]
        self.file_count = 0

    def user(self) -> str:
        return self.random.choice(USERS)

    def time(self) -> int:
        return self.random.choice(self.moments)

    def other(self, facts: Facts) -> Facts:
        """The same payment with other values; its user is always one of the few."""
        changed = super().other(facts)
        return changed if changed.user in USERS else replace(facts, user=self.user())

    def purchase(self) -> Facts:
        # Later files use newer payments. Otherwise all lines would soon be known.
        first = min(self.file_count // 4, len(self.payments) - PAYMENTS)
        facts = self.random.choice(self.payments[first:first + PAYMENTS])
        facts = replace(facts, app=self.app())
        for _ in range(self.random.randrange(3)):
            facts = self.less(facts)
        if self.random.random() < self.contradicting:
            facts = self.other(facts)
        return facts

    # Refused lines. Their times are early, so that the time is never a second reason.

    def bad_line(self, stream: str) -> bytes:
        kinds = [self.wrong_value, self.wrong_value, self.broken, lambda _: self.no_record()]
        if self.random.random() < 0.15:
            kinds = [self.long]
        return self.random.choice(kinds)(stream)

    def wrong_value(self, stream: str) -> bytes:
        moments, self.moments = self.moments, self.moments[:1]
        line = super().wrong_value(stream)
        self.moments = moments
        return line

    def broken(self, stream: str) -> bytes:
        """A line that is not JSON but belongs to a user."""
        user = text(self.user()).encode()
        return self.random.choice([
            b'{"userId":%s,"price":' % user, b'{"userId":%s,}' % user, b'{"id":1 "user":%s}' % user, b'[1,%s' % user])

    def long(self, stream: str) -> bytes:
        """A long line with its user near the end and a wrong level or price."""
        padding = "p" * self.random.choice(LONG)
        members: Members = [("padding", text(padding)), ("userId", text(self.user()))]
        if stream == "receipt":
            members += [("paymentSeq", '"long"'), ("purchaseTime", str(self.moments[0])),
                        ("currency", '"USD"'), ("price", "-2")]
        elif stream == "item":
            members += [("gamebaseProductId", '"long"'), ("currency", '"USD"'), ("price", "-2")]
        elif stream == "event":
            members += [("category", '"observerNetwork"'), ("eventTime", str(self.moments[0])),
                        ("data", '{"code":"1"}')]
        else:
            members += [("userLevel", "-1"), (TIME_NAMES[stream], str(self.moments[0]))]
        return self.ordered(members)

    # Files

    def file(self, contradicting: float = 0.15) -> File:
        stream = self.random.choice(STREAMS)
        self.file_count += 1
        self.contradicting = contradicting
        count = self.random.choice([1, 2, 3, 5, 8, 8, 12, 20, 30])
        lines = [self.good_line(stream) for _ in range(count)]
        bad: list[bytes] = []
        if self.random.random() < 0.3:
            lines += self.random.sample(lines, self.random.randrange(1, len(lines) + 1))
        if self.random.random() < 0.5:
            bad = [self.bad_line(stream) for _ in range(self.random.randrange(1, 5))]
            lines += bad
        if self.random.random() < 0.3:
            lines += [self.blank() for _ in range(2)]
        self.random.shuffle(lines)
        unwrap = WRAPPER if self.random.random() < 0.07 else None
        if unwrap:
            # A line that is not an object is not wrapped.
            lines = [b'{"log":%s}' % line if line.startswith(b"{") else line for line in lines]
        content = joined(lines, end=self.random.choice([b"\n", b"\n", b"\n", b"\r\n"]))
        if self.random.random() < 0.1:
            content = b"\xef\xbb\xbf" + content
        if self.random.random() < 0.2:
            content = content.rstrip(b"\r\n") or content
        name = f"{stream.replace('_', '')}-{self.file_count:03}.jsonl"
        return File(
            name, stream, content, self.random.choice(["", "", "", "game-b"]), unwrap,
            refused_users=frozenset(
                user for user in USERS if any(text(user).encode() in line for line in bad)))

    def pack(self, content: bytes) -> tuple[str, bytes]:
        """The suffix of a random compression, and the compressed bytes."""
        way = self.random.randrange(6)
        if way <= 2 or not content:
            return "", content
        if way == 3:
            return ".gz", gzip.compress(content, mtime=0)
        if way == 4:
            return ".gz", packed(content, members=self.random.randrange(2, 4))
        return ".zst", subprocess.run(["zstd", "-qc"], input=content, check=True, capture_output=True).stdout
