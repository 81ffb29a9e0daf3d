"""Masking of purchase tokens in kept texts and refused lines, where only their digests are stored.

The rules cover the plain forms: the quoted value of a quoted name, also within strings, and a word behind a name in a
text. A name in any other form is an `OracleError`.
"""

from __future__ import annotations

import hashlib
import json
import re


class OracleError(Exception):
    """The oracle has no rule for a shape, which the message names."""


NAME = rb"(?:purchaseToken|accessToken|paymentToken)"
SECRET_MEMBER = re.compile(rb'("' + NAME + rb'"\s*:\s*")((?:[^"\\]|\\.)*)(?=")', re.IGNORECASE)
# The same within a string, such as JSON in a payload, and within a string in a string.
SECRET_IN_STRING = re.compile(rb'(\\+"' + NAME + rb'\\+"\s*:\s*\\+")([^"\\]*)(?=\\+")', re.IGNORECASE)
# In a text that is not JSON. A shorter word may be only the beginning of the token.
SECRET_IN_TEXT = re.compile(b"(" + NAME + rb'(?:=|: ?))([\w.+/-]{8,})(?=[&"\\\s]|\Z)', re.IGNORECASE)
# A name whose letters may be escapes.
ANY_NAME = re.compile(re.sub(
    rb"[A-Za-z]", lambda found: rb"(?:%b|\\+u00(?:%x|%x))" % (found[0], *found[0].lower(), *found[0].upper()), NAME),
    re.IGNORECASE)
# What follows a name that brings no token: a digest, null, an empty string, or nothing that looks like a value.
NO_SECRET = re.compile(
    rb"""(?:=|: ?)sha256:[0-9a-f]{64}|\\*"\s*:\s*(?:null|\\*"(?:sha256:[0-9a-f]{64})?\\*")|(?!\\*["']?\s*[:=])""")
DIGEST = re.compile(r"sha256:[0-9a-f]{64}\Z")
# The stored length limit of a refused line of a loaded file.
KEPT_BYTES = 64 * 1024


def kept_bytes(line: bytes) -> bytes:
    return masked(line)[:KEPT_BYTES]


def digest(token: str) -> str:
    """The digest of a token; a digest in the token's place stays."""
    return token if DIGEST.match(token) else f"sha256:{hashlib.sha256(token.encode()).hexdigest()}"


def masked(line: bytes) -> bytes:
    """The line with its tokens replaced by their digests, as the database may store it."""
    if b"token" not in line.lower() and b"\\u00" not in line and b"\0" not in line:
        return line
    for form in (SECRET_MEMBER, SECRET_IN_STRING, SECRET_IN_TEXT):
        line = form.sub(_digested, line)
    # A name in UTF-16 has zeros between its letters.
    plain = line.replace(b"\0", b"")
    for found in ANY_NAME.finditer(plain):
        if not NO_SECRET.match(plain, found.end()):
            raise OracleError("a token in an odd form")
    return line


def _digested(found: re.Match[bytes]) -> bytes:
    if not found[2]:
        return found[0]
    try:
        # Only the form of a member may have escapes.
        token = json.loads(b'"' + found[2] + b'"')
        if "\0" not in token:
            return found[1] + digest(token).encode()
    except ValueError:
        pass
    raise OracleError("a token that cannot be one, or is no text")


def mask_text(text: str) -> str:
    try:
        return masked(text.encode()).decode()
    except UnicodeEncodeError:
        raise OracleError("half of a surrogate pair in a text with a digest") from None
