"""What the model says of histories that random commands seldom bring about."""

from __future__ import annotations

import json

from events import Accept, Choice, Erase, Event, Load, Undo, Version
from line_rules import Settings
from model import Model
from parsing import parse_bytes

NOW = 1_795_219_200_000  # 2026-11-21T00:00:00Z
BOUGHT = NOW - 86_400_000


def receipt(price: int) -> bytes:
    return json.dumps({
        "paymentSeq": "p1", "userId": "u1", "purchaseTime": BOUGHT, "currency": "USD", "price": price}).encode() + b"\n"


def test_an_undo_leaves_what_the_ledger_says_of_other_files() -> None:
    """Without the acceptance the third file would have a conflict, but it was loaded as a known line.

    The erasure took the accepted value, so no file depends on the acceptance any more.
    """
    contents = [receipt(1), receipt(2), receipt(2)]
    versions = {
        Version(str(place), "receipt", NOW): parse_bytes(content, "receipt.jsonl", Settings(None, NOW))
        for place, content in enumerate(contents)}
    first, second, third = versions
    model = Model(versions.__getitem__)
    accept = model.after(Load(1, first)).after(Load(2, second)).with_lines(Accept(3, Choice(), frozenset({2})))
    erase = model.after(accept).after(Load(4, third)).with_rows(Erase("u1", None))
    counts, times = model.files[4].counts, model.files[4].times
    assert (counts["duplicates"], times) == (1, {"": (BOUGHT,)})
    others: list[Event] = [Load(1, first), Load(2, second), Load(4, third), erase]
    after = model.after(erase).without(Undo(frozenset(), frozenset({3})), others)
    assert (after.files[4].counts, after.files[4].times) == (counts, times)


def test_from_the_first_erasure_on_lines_without_a_known_user_have_no_bytes() -> None:
    """A line of another user, one without a user, and one of both."""
    content = b'{"userId":"u2"}\n{"x":"u1"}\n{"userId":"u1","userId":"u2"}\n'
    item = b'{"gamebaseProductId":"g","eventTime":%d,"x":"u1"}\n' % BOUGHT
    parsed = [parse_bytes(text, name, Settings(None, NOW)) for text, name in (
        (content, "receipt.jsonl"), (item, "item.jsonl"))]
    model = Model()
    for number, one in enumerate(parsed):
        model.load(number, one)
    model.after(model.with_rows(Erase("u1", None)))
    model.load(2, parsed[0])
    for number in (0, 2):
        assert [reject.raw for reject in model.files[number].rejects.values()] == [b'{"userId":"u2"}', b"", b""]
    assert [row["extra"] for row in model.rows["item"].values()] == [None]
