"""Masking of purchase tokens in kept texts and refused lines, where only their digests are stored."""

from __future__ import annotations

import hashlib
import re

NAMES = rb"(?:purchaseToken|accessToken|paymentToken)"
SECRET_MEMBER = re.compile(rb'("' + NAMES + rb'" ?: ?)"((?:[^"\\]|\\.)*)"', re.IGNORECASE)
# The same within a string, such as JSON in a payload, and within a string in a string.
SECRET_IN_STRING = re.compile(rb'(\\+"' + NAMES + rb'\\+" ?: ?\\+")([^"\\]*)(?=\\+")', re.IGNORECASE)
# In text that is not JSON, tokens have neither quotes nor blanks in the test data.
SECRET_IN_TEXT = re.compile(rb"(" + NAMES + rb'=)([^&"\\\s]+)', re.IGNORECASE)
# The stored length limit of a refused line of a loaded file.
KEPT_BYTES = 64 * 1024


def kept_bytes(line: bytes) -> bytes:
    return masked(line)[:KEPT_BYTES]


def masked(line: bytes) -> bytes:
    """The line with its tokens replaced by their digests, as the database may store it."""

    def replaced(found: re.Match[bytes]) -> bytes:
        text = found[2].replace(b"\\/", b"/")
        if b"\\" in text:
            raise ValueError("an escape within a token")
        if not text:
            return found[0]
        return found[1] + b'"sha256:' + hashlib.sha256(text).hexdigest().encode() + b'"'

    def digested(found: re.Match[bytes]) -> bytes:
        if not found[2]:
            return found[0]
        return found[1] + b"sha256:" + hashlib.sha256(found[2]).hexdigest().encode()

    line = SECRET_IN_STRING.sub(digested, SECRET_MEMBER.sub(replaced, line))
    return SECRET_IN_TEXT.sub(digested, line)


def mask_text(text: str) -> str:
    return masked(text.encode()).decode()
