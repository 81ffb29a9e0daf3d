"""Masking of purchase tokens in refused lines and unknown fields, where only their digests are stored."""

from __future__ import annotations

import hashlib
import re

from values import OracleError

SECRET_MEMBER = re.compile(
    rb'("(?:purchaseToken|accessToken|paymentToken)" ?: ?)"((?:[^"\\]|\\.)*)"')
# The same within a string: JSON in the data of an event.
SECRET_IN_STRING = re.compile(
    rb'(\\"(?:purchaseToken|accessToken|paymentToken)\\" ?: ?\\")([^"\\]*)(?=\\")')
# The stored length limit of a refused line of a loaded file.
KEPT_BYTES = 64 * 1024


def kept_bytes(line: bytes) -> bytes:
    return masked(line)[:KEPT_BYTES]


def masked(line: bytes) -> bytes:
    """The line with its tokens replaced by their digests, as the database may store it."""

    def replaced(found: re.Match[bytes]) -> bytes:
        text = found[2].replace(b"\\/", b"/")
        if b"\\" in text:
            raise OracleError("an escape within a token")
        if not text:
            return found[0]
        return found[1] + b'"sha256:' + hashlib.sha256(text).hexdigest().encode() + b'"'

    def digested(found: re.Match[bytes]) -> bytes:
        if not found[2]:
            return found[0]
        return found[1] + b"sha256:" + hashlib.sha256(found[2]).hexdigest().encode()

    return SECRET_IN_STRING.sub(digested, SECRET_MEMBER.sub(replaced, line))


def mask_extra(text: str) -> str:
    return masked(text.encode()).decode()
