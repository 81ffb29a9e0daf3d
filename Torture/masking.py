"""Purchase tokens in refused lines and in unknown fields: only their digests are kept."""

from __future__ import annotations

import hashlib
import re

from values import OracleError

SECRET_MEMBER = re.compile(
    rb'("(?:purchaseToken|accessToken|paymentToken)" ?: ?)"((?:[^"\\]|\\.)*)"')
# A loaded file keeps this much of a refused line.
KEPT_BYTES = 64 * 1024


def kept_bytes(line: bytes) -> bytes:
    return masked(line)[:KEPT_BYTES]


def masked(line: bytes) -> bytes:
    """The line with its tokens replaced by their digests, as the database may keep it."""

    def replaced(found: re.Match[bytes]) -> bytes:
        text = found[2].replace(b"\\/", b"/")
        if b"\\" in text:
            raise OracleError("an escape within a token")
        if not text:
            return found[0]
        return found[1] + b'"sha256:' + hashlib.sha256(text).hexdigest().encode() + b'"'

    return SECRET_MEMBER.sub(replaced, line)


def mask_extra(text: str) -> str:
    return masked(text.encode()).decode()
