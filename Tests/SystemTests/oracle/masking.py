"""Masking of purchase tokens in kept texts and refused lines.

The quoted value of a quoted name becomes its digest, within any number of strings. A text that names a token in another
form is not kept, and a refused line is cut before the name.
"""

from __future__ import annotations

import hashlib
import json
import re


class OracleError(Exception):
    """The oracle has no rule for a shape, which the message names."""


NAME = rb"(?:purchaseToken|accessToken|paymentToken)"
# A backslash within any number of strings, before the number of a character.
ESCAPE = rb"\\(?:\\|u005c)*u00"
WORD = rb"(?:[0-9A-Za-z_]|" + ESCAPE + rb"(?:3[0-9]|[46][1-9a-f]|[57][0-9a]|5f))"
# Any letter may be an escape. UTF-16 has zeros between the letters.
SPELLED = re.sub(
    rb"[A-Za-z]",
    lambda found: rb"(?:%b|%b(?:%x|%x))\0*" % (found[0], ESCAPE, *found[0].lower(), *found[0].upper()), NAME)
NAMED = re.compile(b"(" + SPELLED + b")(?!" + WORD + b")", re.IGNORECASE)
WORD_BEFORE = re.compile(WORD + rb"*\Z", re.IGNORECASE)
QUOTE = re.compile(rb'(\\*)"')
QUOTE_BEFORE = re.compile(rb'(?<!\\)(\\*)"\Z')
NOT_STORABLE = re.compile("[\0\ud800-\udfff]")
DIGEST = re.compile(r"sha256:[0-9A-Fa-f]{64}\Z")
# The stored length limit of a refused line of a loaded file, and the longest token.
KEPT_BYTES = 64 * 1024
MAX_TOKEN = 1024 * 1024


def kept_bytes(line: bytes) -> bytes:
    """The stored bytes of a refused line."""
    kept, end = _masked(line, is_line=True)
    if end < len(line) and len(kept) < KEPT_BYTES:
        kept = kept.rstrip(b"} \t\r\n")
    return kept[:KEPT_BYTES]


def digest(token: str) -> str:
    """The digest of a token; a digest in the token's place stays."""
    return token if DIGEST.match(token) else digest_of(token.encode())


def digest_of(text: bytes) -> str:
    return f"sha256:{hashlib.sha256(text).hexdigest()}"


def mask_text(text: str) -> str:
    """The text of a column."""
    masked = masked_or_none(text)
    return digest_of(_encoded(text)) if masked is None else masked


def masked_or_none(text: str) -> str | None:
    """The text with digests; None when it names a token in another form."""
    given = _encoded(text)
    masked, end = _masked(given, is_line=False)
    return masked.decode("utf-8", "surrogatepass") if end == len(given) else None


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _masked(text: bytes, is_line: bool) -> tuple[bytes, int]:
    """The masked text, and the end of what is kept of it."""
    if b"token" not in text.lower() and b"\\u" not in text and b"\0" not in text:
        return text, len(text)
    masked = b""
    at = 0
    while found := NAMED.search(text, at):
        before = WORD_BEFORE.search(text[at:found.start()])
        assert before
        value = _value(text, at + before.start(), found.end())
        token = value and _token(text[value[0]:value[1]], value[2], is_line)
        if value is None or token is None:
            return masked + text[at:at + before.start()], at + before.start()
        masked += text[at:value[0]] + token
        at = value[1]
    return masked + text[at:], len(text)


def _value(text: bytes, name: int, at: int) -> tuple[int, int, int] | None:
    """The start, the end and the strings around the quoted value after a name; null and "" have no bytes."""
    quote, opening = QUOTE.match(text, at), QUOTE_BEFORE.search(text[:name])
    if not quote or len(quote[1]) & len(quote[1]) + 1 or not opening or opening[1] != quote[1]:
        return None
    count = len(quote[1])
    space = rb"(?:[ \t\r\n]" + (rb"|\\{%d}[nrt]" % ((count + 1) // 2) if count else b"") + b")*"
    shorter = b"".join(rb'|\\{%d}"' % (2**level - 1) for level in range(count.bit_length()))
    end_of_value = re.compile(space + rb"(?:[],}]|\Z" + shorter + b")")
    begin = re.compile(space + b":" + space + rb'(?:(null)|\\{%d}")' % count).match(text, quote.end())
    if not begin:
        return None
    start = end = after = begin.end()
    if not begin[1]:
        for closing in QUOTE.finditer(text, start):
            if len(closing[1]) % (2 * count + 2) == count:
                end, after = closing.end() - 1 - count, closing.end()
                break
            if len(closing[1]) % (2 * count + 2) != 2 * count + 1:
                return None
        else:
            return None
    return (start, end, count.bit_length()) if end_of_value.match(text, after) else None


def _token(written: bytes, strings: int, is_line: bool) -> bytes | None:
    """What stands in place of a token; None for one that is no JSON string, or that a line is refused for."""
    if not written:
        return written
    try:
        token = written.decode("utf-8", "strict" if is_line else "surrogatepass")
        for _ in range(strings + 1):
            token = json.loads(f'"{token}"')
            if is_line and NOT_STORABLE.search(token):
                return None
            token = NOT_STORABLE.sub("\ufffd", token)
    except ValueError:
        return None
    if DIGEST.match(token):
        return written
    return None if is_line and len(token.encode()) > MAX_TOKEN else digest_of(token.encode()).encode()
