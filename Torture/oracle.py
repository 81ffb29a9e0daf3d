"""What the database must hold after files were loaded in an order, computed from the files alone.

Written from docs/data-contract.md. Nothing here calls the loader or looks at how it works.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable, Container

import values
from values import Number, OracleError, Refusal

Row = dict[str, object]

# By stream: table, key columns, compared columns; all in the order in which the state prints them.
TABLES = {
    "receipt": "receipt", "level_up": "level_up", "game_user": "game_user_snapshot",
}
COLUMNS = {
    "receipt": (
        "payment_seq", "app_id", "user_id", "gamebase_product_id", "market_item_id", "item_seq",
        "product_type", "product_type_raw", "store_code", "currency", "amount_minor", "price_raw",
        "price_repaired", "price_imprecise", "purchased_at", "expires_at", "payment_id",
        "original_payment_id", "payload", "purchase_token_sha256", "is_sandbox", "is_promotion",
        "text_repaired", "extra"),
    "level_up": (
        "app_id", "user_id", "user_level", "leveled_up_at", "channel_id", "character_id",
        "class_id", "text_repaired", "extra"),
    "game_user": (
        "app_id", "user_id", "user_level", "channel_id", "character_id", "class_id", "observed_at",
        "observed_at_source", "text_repaired", "extra"),
}
KEYS = {
    "receipt": ("payment_seq",),
    "level_up": ("app_id", "user_id", "character_id", "user_level", "leveled_up_at"),
    "game_user": ("app_id", "user_id", "channel_id", "character_id", "observed_at"),
}
COMPARED = {
    "receipt": (
        "app_id", "user_id", "gamebase_product_id", "market_item_id", "item_seq", "product_type",
        "store_code", "currency", "amount_minor", "purchased_at", "expires_at", "payment_id",
        "original_payment_id", "payload", "purchase_token_sha256", "is_sandbox", "is_promotion"),
    "level_up": ("channel_id", "class_id"),
    "game_user": ("user_level", "class_id"),
}
FOLLOWERS = {
    "amount_minor": ("price_raw", "price_repaired", "price_imprecise"),
    "product_type": ("product_type_raw",),
}
TIMES = {"purchased_at", "expires_at", "leveled_up_at", "observed_at"}

# Spellings of one field, the first is what a missing one is called.
SPELLINGS: dict[str, dict[str, tuple[str, ...]]] = {
    "receipt": {
        "payment_seq": ("paymentSeq",), "user_id": ("userId",), "app_id": ("appId",),
        "event_time": ("eventTime",), "gamebase_product_id": ("gamebaseProductId",),
        "market_item_id": ("marketItemId", "productId"), "item_seq": ("itemSeq", "productSeq"),
        "product_type": ("productType",), "store_code": ("storeCode", "marketId"),
        "currency": ("currency",), "price": ("price",),
        "purchased_at": ("purchaseTime", "purchaseTimeMillis"),
        "expires_at": ("expiryTime", "expiryTimeMillis"), "payment_id": ("paymentId",),
        "original_payment_id": ("originalPaymentId",), "payload": ("payload",),
        "token": ("purchaseToken", "accessToken"),
        "is_sandbox": ("sandboxPayment", "isTestPurchase", "bIsTestPurchase"),
        "is_promotion": ("promotionPayment", "isPromotion", "bIsPromotion"),
        "purchase_type": ("purchaseType",),
    },
    "level_up": {
        "user_id": ("userId",), "app_id": ("appId",), "event_time": ("eventTime",),
        "user_level": ("userLevel",), "leveled_up_at": ("levelUpTime",),
        "channel_id": ("channelId",), "character_id": ("characterId",),
        "class_id": ("classId", "characterClassId"),
    },
    "game_user": {
        "user_id": ("userId",), "app_id": ("appId",), "event_time": ("eventTime",),
        "user_level": ("userLevel",), "channel_id": ("channelId",),
        "character_id": ("characterId",), "class_id": ("classId", "characterClassId"),
    },
}
SECRETS = ("purchaseToken", "accessToken", "paymentToken")
SECRET_MEMBER = re.compile(
    rb'("(?:purchaseToken|accessToken|paymentToken)" ?: ?)"((?:[^"\\]|\\.)*)"')


@dataclass(frozen=True)
class Reject:
    """A line that is refused."""

    line: int
    offset: int
    code: str
    field: str | None
    raw: bytes
    # The line as it was read, by which it is told whose it is.
    line_bytes: bytes = b""


@dataclass(eq=False)
class ParsedFile:
    """A file, line by line; what becomes of its rows depends on what is stored before."""

    name: str
    stream: str
    sha256: str
    byte_count: int
    # Of lines that name no application; and the field that holds the records.
    app_id: str = ""
    unwrap: str | None = None
    line_count: int = 0
    blank_count: int = 0
    rows: list[tuple[int, Row]] = field(default_factory=list)
    rejects: list[Reject] = field(default_factory=list)
    # By line: the names of fields that its stream does not know.
    unknown_names: dict[int, frozenset[str]] = field(default_factory=dict)

    def unknown_fields(self, left_out: Container[int] = ()) -> dict[str, tuple[int, int]]:
        """By name: how many lines have it, and the first of them; suppressed lines are left out."""
        found: dict[str, tuple[int, int]] = {}
        for number, names in self.unknown_names.items():
            for name in names if number not in left_out else ():
                count, first = found.get(name, (0, number))
                found[name] = (count + 1, first)
        return found


@dataclass(frozen=True)
class Settings:
    """What the loader is told beside the files; times in epoch milliseconds."""

    observed_at: int
    now: int
    # Of lines that name no application.
    app_id: str = ""
    # The field that holds the record.
    unwrap: str | None = None


def decoded_bytes(path: Path) -> bytes:
    """The bytes that a file holds once it is unpacked, told by its magic bytes."""
    content = path.read_bytes()
    if content[:2] == b"\x1f\x8b":
        return gzip.decompress(content)
    if content[:4] == b"\x28\xb5\x2f\xfd":
        return subprocess.run(
            ["zstd", "-dcq", str(path)], check=True, capture_output=True).stdout
    return content


def stream_of(name: str) -> str:
    """The stream that a file's name selects."""
    for prefix, stream in (
        ("receipt", "receipt"), ("levelup", "level_up"), ("gameuser", "game_user"),
    ):
        if name.startswith(prefix):
            return stream
    raise OracleError(f"no stream for {name}")


class Pairs(list[tuple[str, object]]):
    """The members of an object in line order."""


def parse_file(path: Path, settings: Settings, stream: str | None = None) -> ParsedFile:
    """Reads a file once, by the rules for lines."""
    return parse_bytes(decoded_bytes(path), path.name, settings, stream)


def parse_bytes(
    content: bytes, name: str, settings: Settings, stream: str | None = None
) -> ParsedFile:
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
            parsed.rows.append((number, _row_of_line(line, number, parsed, settings)))
        except Refusal as refusal:
            parsed.rejects.append(
                Reject(number, start, refusal.code, refusal.field, kept_bytes(line), line))
    return parsed


# So much of a refused line is kept.
KEPT_BYTES = 64 * 1024


def kept_bytes(line: bytes) -> bytes:
    return masked(line)[:KEPT_BYTES]


def masked(line: bytes) -> bytes:
    """A line as it may be kept: tokens replaced by their digests."""

    def replaced(found: re.Match[bytes]) -> bytes:
        text = found[2].replace(b"\\/", b"/")
        if b"\\" in text:
            raise OracleError("an escape within a token")
        if not text:
            return found[0]
        return found[1] + b'"sha256:' + hashlib.sha256(text).hexdigest().encode() + b'"'

    return SECRET_MEMBER.sub(replaced, line)


def _no_constant(text: str) -> object:
    raise ValueError(f"{text} is no JSON")


def record_members(line: bytes, unwrap: str | None) -> Pairs:
    """The members of the line's record: of the line itself, or of the object in one of its fields."""
    members = _members(line)
    if unwrap is None:
        return members
    if [name for name, _ in members] != [unwrap] or not isinstance(members[0][1], Pairs):
        raise OracleError("a line that is not wrapped as data.py does it")
    return members[0][1]


def _members(line: bytes) -> Pairs:
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        raise Refusal("invalid_utf8", None) from None
    try:
        value = json.loads(
            text, parse_float=Number, parse_int=Number, parse_constant=_no_constant,
            object_pairs_hook=Pairs)
    except ValueError:
        raise Refusal("malformed_json", None) from None
    if not isinstance(value, Pairs):
        raise Refusal("not_an_object", None)
    return value


class _Line:
    """The known fields of a line, each under the name by which the line spells it."""

    def __init__(self, stream: str, members: Pairs) -> None:
        self.given: dict[str, list[tuple[str, object]]] = {}
        self.unknown = Pairs()
        names = {
            name: field for field, spellings in SPELLINGS[stream].items() for name in spellings}
        self.first_names = {field: spellings[0] for field, spellings in SPELLINGS[stream].items()}
        for name, value in members:
            if name in names:
                self.given.setdefault(names[name], []).append((name, value))
            else:
                self.unknown.append((name, value))

    def value(self, field: str, rule: Callable[[object, str], object]) -> object:
        """The field's value; two spellings that disagree refuse the line."""
        found = self.given.get(field) or [(self.first_names[field], None)]
        if len(found) == 1:
            return rule(found[0][1], found[0][0])
        results = [(name, rule(value, name)) for name, value in found]
        first = next((result for _, result in results if result is not None), None)
        for name, result in results:
            if result is not None and result != first:
                raise Refusal("ambiguous_field", name)
        return first


def _row_of_line(line: bytes, number: int, parsed: ParsedFile, settings: Settings) -> Row:
    members = record_members(line, settings.unwrap)
    fields = _Line(parsed.stream, members)
    if fields.unknown:
        parsed.unknown_names[number] = frozenset(name for name, _ in fields.unknown)
    row = _ENCODERS[parsed.stream](fields, settings)
    extra, repaired = _extra(parsed.stream, members)
    row["extra"] = extra
    row["text_repaired"] = bool(row.get("text_repaired")) or repaired
    return row


def _extra(stream: str, members: Pairs) -> tuple[str | None, bool]:
    """What has no column, in line order with tokens masked, in one canonical text."""
    known = {name for spellings in SPELLINGS[stream].values() for name in spellings}
    if stream != "game_user":
        known.discard("eventTime")
    kept = Pairs(
        (name, value) for name, value in members
        if name not in known and not (name == "eventTime" and values.is_absent(value)))
    if not kept:
        return None, False
    text = canonical_json(kept)
    mended = values.repaired_text(text)
    return mask_extra(mended), mended != text


def mask_extra(text: str) -> str:
    return masked(text.encode()).decode()


def canonical_json(value: object) -> str:
    """One text for a parsed value: member order and the digits of numbers count."""
    if isinstance(value, Pairs):
        members = (f"{_json_text(name)}:{canonical_json(member)}" for name, member in value)
        return "{" + ",".join(members) + "}"
    if isinstance(value, list):
        return "[" + ",".join(canonical_json(member) for member in value) + "]"
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, str):
        return _json_text(value)
    return {None: "null", True: "true", False: "false"}[value]  # type: ignore[index]


def _json_text(text: str) -> str:
    """Unlike json.dumps, leaves a NUL and half a surrogate pair as they are."""
    mended = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + mended.replace("\n", "\\n").replace("\t", "\\t") + '"'


def parse_extra(text: str) -> str:
    """The same canonical text for what the database holds."""
    return canonical_json(json.loads(
        text, parse_float=Number, parse_int=Number, object_pairs_hook=Pairs))


# Lines that break two rules are not made, so the order of these calls does not matter.


def _receipt(line: _Line, settings: Settings) -> Row:
    row: Row = {
        "payment_seq": line.value("payment_seq", values.mandatory_identifier),
        "user_id": line.value("user_id", values.user_id),
        "app_id": line.value("app_id", values.identifier) or settings.app_id,
        "item_seq": line.value("item_seq", values.item_number),
    }
    for name in (
        "gamebase_product_id", "market_item_id", "store_code", "payment_id", "original_payment_id",
    ):
        row[name] = line.value(name, values.identifier)
    kind = line.value("product_type", values.product_type)
    assert isinstance(kind, tuple)
    row["product_type"], row["product_type_raw"] = kind
    purchased_at = line.value(
        "purchased_at", lambda value, name: values.mandatory_time(value, name, settings.now))
    assert isinstance(purchased_at, int)
    code = line.value("currency", lambda value, name: values.currency(value, name, purchased_at))
    assert isinstance(code, str)
    price = line.value("price", lambda value, name: values.price(value, name, code))
    assert isinstance(price, values.Price)
    row |= {
        "purchased_at": purchased_at, "currency": code, "amount_minor": price.amount,
        "price_raw": price.raw, "price_repaired": price.repaired,
        "price_imprecise": price.imprecise,
        "expires_at": line.value("expires_at", values.expiry_time),
        "purchase_token_sha256": line.value("token", values.token_digest),
    }
    payload = line.value("payload", values.free_text)
    assert isinstance(payload, tuple)
    row["payload"], row["text_repaired"] = payload
    said = line.value("purchase_type", values.purchase_type)
    for name, word in (("is_sandbox", "test"), ("is_promotion", "promotion")):
        value = line.value(name, values.flag)
        if said == word:
            if value is False:
                raise OracleError("a flag against purchaseType")
            value = True
        row[name] = value
    line.value("event_time", lambda value, name: values.event_time(value, name, settings.now))
    return row


def _level_up(line: _Line, settings: Settings) -> Row:
    line.value("event_time", lambda value, name: values.event_time(value, name, settings.now))
    return _player(line, settings) | {
        "leveled_up_at": line.value(
            "leveled_up_at",
            lambda value, name: values.mandatory_time(value, name, settings.now)),
    }


def _game_user(line: _Line, settings: Settings) -> Row:
    time = line.value(
        "event_time", lambda value, name: values.event_time(value, name, settings.now))
    return _player(line, settings) | {
        "observed_at": settings.observed_at if time is None else time,
        "observed_at_source": "option" if time is None else "line",
    }


def _player(line: _Line, settings: Settings) -> Row:
    row: Row = {
        "user_id": line.value("user_id", values.user_id),
        "app_id": line.value("app_id", values.identifier) or settings.app_id,
        "user_level": line.value("user_level", values.level),
    }
    for name in ("channel_id", "character_id", "class_id"):
        row[name] = line.value(name, values.identifier)
    return row


_ENCODERS: dict[str, Callable[[_Line, Settings], Row]] = {
    "receipt": _receipt, "level_up": _level_up, "game_user": _game_user,
}


# What files become together.


@dataclass
class Counts:
    """The outcomes of a file's lines."""

    inserted: int = 0
    filled: int = 0
    duplicates: int = 0
    conflicts: int = 0
    rejected: int = 0
    suppressed: int = 0

    def note(self, outcome: str, count: int = 1) -> None:
        setattr(self, outcome, getattr(self, outcome) + count)

    def in_order(self, parsed: ParsedFile) -> tuple[int, ...]:
        """As the ledger has them; they add up to the file's lines."""
        outcomes = (
            self.inserted, self.filled, self.duplicates, self.conflicts, self.rejected,
            self.suppressed, parsed.blank_count)
        if sum(outcomes) != parsed.line_count:
            raise OracleError(f"the outcomes of {parsed.name} do not add up")
        return outcomes


@dataclass
class State:
    """All that the database must hold, as sets of printed rows by table."""

    tables: dict[str, list[str]]


@dataclass(frozen=True)
class Taken:
    """What became of a line's row."""

    outcome: str
    # By field that differs: what is stored, and what the line says.
    conflicts: tuple[tuple[str, object, object], ...] = ()
    # Fields that were absent until then.
    fills: tuple[str, ...] = ()


Key = tuple[object, ...]


def expected_state(files: list[ParsedFile]) -> State:
    """Loads files one after another, line by line: the first value wins, absences are filled."""
    stored: dict[str, dict[Key, Row]] = {stream: {} for stream in TABLES}
    tables: dict[str, list[str]] = {
        name: [] for name in (*TABLES, "file", "reject", "conflict", "fill", "unknown_field")}
    for parsed in files:
        counts = Counts(rejected=len(parsed.rejects))
        for number, row in parsed.rows:
            place: Row = {"sha256": parsed.sha256, "line_number": number}
            taken = take(parsed.stream, row, place, stored[parsed.stream])
            counts.note(taken.outcome)
            key = natural_key(parsed.stream, row)
            for name, kept, refused in taken.conflicts:
                tables["conflict"].append(printed_conflict(
                    parsed.stream, key, name, kept, refused, parsed.sha256, number))
            for name in taken.fills:
                tables["fill"].append(printed(parsed.stream, key, name, parsed.sha256, number))
        tables["file"].append(printed_file(parsed, counts))
        for reject in parsed.rejects:
            tables["reject"].append(printed_reject(parsed, reject, is_resolved=False))
        for name, (count, first) in parsed.unknown_fields().items():
            tables["unknown_field"].append(printed(parsed.sha256, name, count, first))
    for stream, rows in stored.items():
        tables[stream] += [printed_row(stream, row) for row in rows.values()]
    for name, lines in tables.items():
        if len(set(lines)) != len(lines) and name != "conflict":
            raise OracleError(f"the oracle expects two equal rows in {name}")
        lines.sort()
    return State(tables)


def key_of(stream: str, row: Row) -> Key:
    return tuple(row[name] for name in KEYS[stream])


def take(stream: str, row: Row, place: Row, stored: dict[Key, Row]) -> Taken:
    """Merges a row into what is stored; `place` says where it comes from."""
    key = key_of(stream, row)
    old = stored.get(key)
    if old is None:
        stored[key] = row | place
        return Taken("inserted")

    def value(of: Row, name: str) -> object:
        return None if name == "app_id" and of[name] == "" else of[name]

    pairs = [(name, value(old, name), value(row, name)) for name in COMPARED[stream]]
    different = tuple(pair for pair in pairs if None not in pair and pair[1] != pair[2])
    if different:
        return Taken("conflicts", conflicts=different)
    new = [(name, incoming) for name, kept, incoming in pairs
           if kept is None and incoming is not None]
    for name, incoming in new:
        old[name] = incoming
        for follower in FOLLOWERS.get(name, ()):
            old[follower] = row[follower]
    return Taken("filled", fills=tuple(name for name, _ in new)) if new else Taken("duplicates")


def natural_key(stream: str, row: Row) -> str:
    return json.dumps([_in_key(name, row[name]) for name in KEYS[stream]])


# What a table's rows are printed as.


def printed_row(stream: str, row: Row) -> str:
    return printed(
        *(_shown(name, row[name]) for name in COLUMNS[stream]), row["sha256"], row["line_number"])


def printed_file(parsed: ParsedFile, counts: Counts) -> str:
    return printed(
        parsed.stream, parsed.sha256, parsed.byte_count, parsed.line_count,
        *counts.in_order(parsed))


def printed_reject(parsed: ParsedFile, reject: Reject, is_resolved: bool) -> str:
    return printed(
        parsed.sha256, parsed.stream, reject.line, reject.offset, reject.code, reject.field,
        hashlib.sha256(reject.raw).digest(), is_resolved)


def printed_conflict(
    stream: str, key: str, name: str, kept: object, refused: object, sha256: str, line: int
) -> str:
    return printed(stream, key, name, as_text(name, kept), as_text(name, refused), sha256, line)


# How values are printed, the same way for the oracle and for the queries of `state.py`.

SEPARATOR = "\x1f"


def printed(*parts: object) -> str:
    return SEPARATOR.join(_printed(part) for part in parts)


def _printed(part: object) -> str:
    if part is None:
        return "\\N"
    if isinstance(part, bool):
        return "t" if part else "f"
    if isinstance(part, bytes):
        return part.hex()
    return str(part)


def _shown(name: str, value: object) -> object:
    """A payload may be long and hold line breaks, so its digest stands for it."""
    if name == "payload" and isinstance(value, str):
        return hashlib.sha256(value.encode()).digest()
    return value


def as_text(name: str, value: object) -> str:
    """A value as PostgreSQL prints it in a conflict."""
    if name in TIMES:
        assert isinstance(value, int)
        return timestamp(value, "{} {}+00")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, bytes):
        return "\\x" + value.hex()
    text = str(value)
    if "\n" in text:
        raise OracleError("a conflict in a text of several lines")
    return text


def _in_key(name: str, value: object) -> object:
    if name in TIMES:
        assert isinstance(value, int)
        return timestamp(value, "{}T{}+00:00")
    return value


def timestamp(milliseconds: int, form: str) -> str:
    """A time as PostgreSQL prints it: without the zeros behind the last digit of its fraction."""
    from datetime import datetime, timezone

    seconds, fraction = divmod(milliseconds, 1000)
    time = datetime.fromtimestamp(seconds, timezone.utc)
    clock = time.strftime("%H:%M:%S")
    if fraction:
        clock += f".{fraction:03}".rstrip("0")
    return form.format(time.strftime("%Y-%m-%d"), clock)
