"""The files of a run by digest, and the oracle's reading of each."""

from __future__ import annotations

import hashlib

from events import Version
from months import DAY
from parsed_file import ParsedFile, Settings
from parsing import parse_bytes
from universe import File


class FileVersions:
    def __init__(self, months: tuple[int, ...], now: int, observed_at: int) -> None:
        self.months = months
        self.now = now
        self.observed_at = observed_at
        self.by_sha: dict[str, File] = {}
        self._parsed: dict[Version, ParsedFile] = {}

    def add(self, file: File) -> str:
        """Registers the file under the digest of its bytes, and returns the digest."""
        sha256 = hashlib.sha256(file.content).hexdigest()
        self.by_sha[sha256] = file
        return sha256

    def version(self, file: File, as_of: int | None) -> Version:
        # No time is in the present month, so all later starts give the same result.
        start = self.now if as_of is None or as_of > self.months[-1] + 40 * DAY else as_of
        return Version(self.add(file), file.stream, min(start, self.now))

    def parsed(self, version: Version) -> ParsedFile:
        if version not in self._parsed:
            file = self.by_sha[version.sha256]
            self._parsed[version] = parse_bytes(
                file.content, file.name,
                Settings(self.observed_at, version.as_of, file.app_id, file.unwrap), file.stream)
        return self._parsed[version]
