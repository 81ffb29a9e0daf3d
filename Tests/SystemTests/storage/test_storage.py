"""Loads from storages on this machine, through rclone; see scripts/test-s3.

A real S3 server (moto) that checks signatures, a WebDAV server (rclone's own), and an S3 server that misbehaves. Each load
is measured: its seconds, the memory of the program and of rclone beside it, and the bytes in TMPDIR. The variable
TEST_OLD_PROGRAM names a program to measure with the same loads of s3://.
"""

from __future__ import annotations

import gzip
import hashlib
import http.server
import io
import json
import os
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
import urllib.parse
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import pytest

boto3 = pytest.importorskip("boto3", reason="scripts/test-s3 installs it")

MIB = 1 << 20
MEMORY_BOUND = 128 * MIB
DISK_BOUND = 128 * MIB
LARGE = 1 << 30
BUCKET = "traces"
SECRET = "secret-of-the-storage"


def receipts(first: int, count: int, price: str = "4.99") -> bytes:
    """Lines of 101 bytes."""
    lines = (b'{"userId":"u%d","paymentSeq":"p%07d","purchaseTime":1751328000000,"price":%s,"currency":"USD"}'
             % (number % 97, number, price.encode()) for number in range(first, first + count))
    return b"".join(line.ljust(100) + b"\n" for line in lines)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def wait_for(port: int) -> None:
    for _ in range(600):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            time.sleep(0.1)
    raise TimeoutError(port)


# Measured loads


@dataclass
class Result:
    code: int
    text: str
    report: dict[str, Any]
    seconds: float
    memory: int
    rclone: int
    disk: int

    @property
    def statuses(self) -> list[str]:
        return [file["error_code"] or file["status"] for file in self.report["files"]]


TABLE: list[tuple[str, Result, Result | None]] = []


@pytest.fixture(scope="module", autouse=True)
def table(request: pytest.FixtureRequest) -> Iterator[None]:
    """Prints the figures of all loads at the end."""
    yield
    with request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        print(f"\n\n{'load':44} {'exit':>4} {'seconds':>7} {'program':>8} {'rclone':>8} {'disk':>8}   former program")
        for name, result, old in TABLE:
            mib = [f"{value / MIB:.0f} MiB" for value in (result.memory, result.rclone, result.disk)]
            before = f"{old.code:4} {old.seconds:7.1f} {f'{old.memory / MIB:.0f} MiB':>8}" if old else ""
            print(f"{name:44} {result.code:4} {result.seconds:7.1f} {mib[0]:>8} {mib[1]:>8} {mib[2]:>8}   {before}")


def peak(process: int | str) -> int:
    try:
        text = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) << 10 for line in text.splitlines() if line.startswith("VmHWM:")), 0)


def children(process: int) -> list[str]:
    try:
        return [child for task in Path(f"/proc/{process}/task").iterdir()
                for child in (task / "children").read_text().split()]
    except OSError:
        return []


def size_on_disk(folder: Path) -> int:
    total = 0
    for base, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.stat(os.path.join(base, name)).st_blocks * 512
            except OSError:
                pass
    return total


@dataclass
class Loader:
    program: Path
    database: Any
    folder: Path
    variables: dict[str, str] = field(default_factory=dict)
    old: Loader | None = None

    @property
    def temporary(self) -> Path:
        return self.folder / "tmp"

    def start(self, *arguments: str, **variables: str) -> subprocess.Popen[str]:
        self.temporary.mkdir(parents=True, exist_ok=True)
        environment = {name: value for name, value in self.database.environment.items()
                       if not name.startswith(("AWS_", "RCLONE_"))}
        environment |= {"HOME": str(self.folder), "TMPDIR": str(self.temporary), "RCLONE_LOW_LEVEL_RETRIES": "2"}
        return subprocess.Popen(
            [self.program, *arguments], env=environment | self.variables | variables, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)

    def measure(self, *arguments: str, **variables: str) -> Result:
        report = self.folder / "report.json"
        begin = time.monotonic()
        process = self.start(*arguments, "--report", str(report), **variables)
        peaks = [0, 0, 0]
        output: list[str] = []
        reader = threading.Thread(target=lambda: output.append(process.stdout.read()))  # type: ignore[union-attr]
        reader.start()
        while process.poll() is None:
            now = (peak(process.pid), sum(map(peak, children(process.pid))), size_on_disk(self.temporary))
            peaks = [max(pair) for pair in zip(peaks, now)]
            time.sleep(0.02)
        reader.join()
        return Result(process.returncode, output[0], json.loads(report.read_text()), time.monotonic() - begin, *peaks)

    def load(self, *paths: str, name: str = "", **variables: str) -> Result:
        """Loads paths; with a name, the figures go into the table."""
        result = self.measure("load", *paths, "--no-refresh", **variables)
        for secret in (SECRET, self.variables.get("AWS_SECRET_ACCESS_KEY", SECRET)):
            assert secret not in result.text + repr(result.report)
        assert result.memory < MEMORY_BOUND
        assert result.disk < DISK_BOUND
        assert not os.listdir(self.temporary), "something is left in TMPDIR"
        if name:
            TABLE.append((name, result, self.with_old(*paths, **variables)))
        return result

    def with_old(self, *paths: str, **variables: str) -> Result | None:
        """The same load by an older program, into a database that it has migrated."""
        program = os.environ.get("TEST_OLD_PROGRAM")
        if not program or not all(path.startswith("s3:") for path in paths):
            return None
        if not self.old:
            database = type(self.database)(f"{self.database.name}_old")
            self.old = Loader(Path(program), database, self.folder / "old")
            self.old.start("migrate").communicate()
        self.old.variables = self.variables
        return self.old.measure("load", *paths, "--no-refresh", **variables)

    def rows(self) -> int:
        return int(self.database.ask("select count(*) from game.receipt")[0][0])

    def failures(self) -> list[str]:
        return [row[0] for row in self.database.ask("select path from report.open_failure order by 1")]


@pytest.fixture
def loader(program: Path, database: Any, tmp_path: Path) -> Iterator[Loader]:
    loader = Loader(program, database, tmp_path)
    yield loader
    if loader.old:
        loader.old.database.drop()


# A real S3 server


class Storage:
    """moto, with signatures checked from its fourth action on; the first three make a user."""

    def __init__(self, folder: Path) -> None:
        port = free_port()
        self.endpoint = f"http://127.0.0.1:{port}"
        with open(folder / "storage.log", "wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)],
                stdout=log, stderr=log, env=os.environ | {"INITIAL_NO_AUTH_ACTION_COUNT": "3"})
        wait_for(port)
        self.key = {"AccessKeyId": "first", "SecretAccessKey": "first"}
        iam = self.client("iam")
        iam.create_user(UserName="loader")
        key = iam.create_access_key(UserName="loader")["AccessKey"]
        everything = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}
        iam.put_user_policy(UserName="loader", PolicyName="all", PolicyDocument=json.dumps(everything))
        self.key = key
        self.s3 = self.client("s3")
        self.s3.create_bucket(Bucket=BUCKET)

    def client(self, service: str) -> Any:
        return boto3.client(
            service, endpoint_url=self.endpoint, region_name="us-east-1", aws_access_key_id=self.key["AccessKeyId"],
            aws_secret_access_key=self.key["SecretAccessKey"])

    def put(self, key: str, body: bytes) -> None:
        self.s3.put_object(Bucket=BUCKET, Key=key, Body=body)

    @property
    def variables(self) -> dict[str, str]:
        return {"AWS_ACCESS_KEY_ID": self.key["AccessKeyId"], "AWS_SECRET_ACCESS_KEY": self.key["SecretAccessKey"],
                "AWS_REGION": "us-east-1", "AWS_ENDPOINT_URL_S3": self.endpoint}


@pytest.fixture(scope="module")
def storage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Storage]:
    storage = Storage(tmp_path_factory.mktemp("storage"))
    yield storage
    storage.process.terminate()
    storage.process.wait()


@pytest.fixture
def s3(loader: Loader, storage: Storage) -> Loader:
    loader.variables = storage.variables
    return loader


def test_a_thousand_objects(s3: Loader, storage: Storage) -> None:
    for number in range(1000):
        storage.put(f"many/receipt-{number:04}.jsonl", receipts(number * 100, 100))
    result = s3.load(f"s3://{BUCKET}/many/", name="1,000 objects of 10 KB")
    assert (result.code, s3.rows()) == (0, 100_000), result.text
    again = s3.load(f"s3://{BUCKET}/many/", name="1,000 objects, loaded before")
    assert (again.code, set(again.statuses)) == (0, {"already_loaded"}), again.text
    # A window in the middle: the program is killed, and nothing is left after the next run.
    process = s3.start("validate", f"s3://{BUCKET}/many/")
    while not (beside := children(process.pid)) or not os.listdir(s3.temporary):
        assert process.poll() is None
    process.kill()
    process.wait()
    time.sleep(0.5)
    assert not [child for child in beside if peak(child)], "rclone runs on"
    assert s3.load(f"s3://{BUCKET}/many/receipt-0").code == 0


class Large(io.RawIOBase):
    """An object of 1 GiB: receipts with long blank lines between them."""

    block = 1 << 16

    def __init__(self) -> None:
        self.position = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        number, offset = divmod(self.position, self.block)
        if self.position == LARGE:
            return 0
        part = (receipts(number, 1) + b"\n").rjust(self.block)[offset:][:len(buffer)]
        buffer[:len(part)] = part
        self.position += len(part)
        return len(part)


def test_an_object_of_1_gib(s3: Loader, storage: Storage) -> None:
    storage.s3.upload_fileobj(Large(), BUCKET, "large/receipt.jsonl")
    result = s3.load(f"s3://{BUCKET}/large/", name="one object of 1 GiB")
    assert (result.code, s3.rows()) == (0, LARGE // Large.block), result.text
    again = s3.load(f"s3://{BUCKET}/large/", name="one object of 1 GiB, loaded before")
    assert (again.code, again.statuses) == (0, ["already_loaded"]), again.text
    process = s3.start("validate", f"s3://{BUCKET}/large/")
    while not (beside := children(process.pid)):
        assert process.poll() is None
    time.sleep(1)
    process.kill()
    process.wait()
    time.sleep(0.5)
    assert not [child for child in beside if peak(child)], "rclone runs on"
    storage.s3.delete_object(Bucket=BUCKET, Key="large/receipt.jsonl")


def test_wrong_credentials_and_a_missing_bucket(s3: Loader) -> None:
    result = s3.load(f"s3://{BUCKET}/x/", name="wrong credentials", AWS_SECRET_ACCESS_KEY="wrong-" + SECRET)
    assert (result.code, result.statuses) == (75, ["storage_unavailable"]), result.text
    assert "SignatureDoesNotMatch" in result.text
    result = s3.load(f"s3://{BUCKET}/x/", name="no credentials", AWS_ACCESS_KEY_ID="", AWS_SECRET_ACCESS_KEY="",
                     AWS_EC2_METADATA_DISABLED="true")
    assert result.code == 75 and "NoCredentialProviders" in result.text
    assert s3.failures() == [f"s3://{BUCKET}/x/"]
    result = s3.load("s3://nowhere/x/", name="missing bucket")
    assert (result.code, result.statuses) == (5, ["path_missing"]) and "bucket nowhere" in result.text


def test_a_storage_that_is_away(s3: Loader, storage: Storage) -> None:
    storage.put("away/receipt.jsonl", receipts(1, 5))
    local = s3.folder / "receipt.jsonl"
    local.write_bytes(receipts(10, 5))
    address = f"s3://{BUCKET}/away/"
    result = s3.load(address, str(local), name="a storage that is away, and a file",
                     AWS_ENDPOINT_URL_S3=f"http://127.0.0.1:{free_port()}")
    assert (result.code, result.statuses, s3.rows()) == (75, ["storage_unavailable", "loaded"], 5), result.text
    assert result.report["error_code"] == "storage_unavailable" and "connection refused" in result.text
    assert s3.failures() == [address]
    assert s3.load(address).code == 0
    assert s3.failures() == []


def test_a_prefix_is_no_folder(s3: Loader, storage: Storage) -> None:
    for number, key in enumerate(["receipt-a.jsonl", "receipt-b/1.jsonl", "receipts.jsonl", "item.jsonl", ".receipt.jsonl"]):
        storage.put(f"prefix/{key}", receipts(number, 1))
    result = s3.load(f"s3://{BUCKET}/prefix/receipt", name="a prefix that is no folder")
    assert (result.code, s3.rows()) == (0, 3), result.text
    assert len(s3.load(f"s3://{BUCKET}/prefix/receipt-[ab]*").statuses) == 2
    assert s3.load(f"s3://{BUCKET}/prefix/receipt-a.jsonl").statuses == ["already_loaded"]


def test_unusual_keys(s3: Loader, storage: Storage) -> None:
    good = ["a b/receipt+1.jsonl", "a%20b/receipt%2B.jsonl", "한글/receipt~.jsonl", "한글/receipt-\u1112\u1161\u11ab.jsonl",
            "한글/receipt-\ud55c.jsonl", "q/receipt&=;,:@$!'()[]{}.jsonl", "receipt<\">#?.jsonl", "#receipt.jsonl",
            " receipt.jsonl", "receipt\\.jsonl", "receipt/ /x.jsonl", "receipt.jsonl",
            "receipt.jsonl/1.jsonl", f"receipt-{'x' * 250}.jsonl"]
    for number, key in enumerate([*good, "/receipt.jsonl"]):
        storage.put(f"odd/{key}", receipts(number, 1))
    for key in ("receipt.txt", "", ".receipt.jsonl"):
        storage.put(f"odd/{key}", b"x\n")
    result = s3.load(f"s3://{BUCKET}/odd/", name="keys with blanks, #, +, %, Hangul, //")
    failed = [file["path"] for file in result.report["files"] if file["status"] == "failed"]
    assert (result.code, failed) == (5, [f"s3://{BUCKET}/odd//receipt.jsonl"]), result.text
    paths = {row[0] for row in s3.database.ask("select path from ingest.source_file")}
    assert paths == {f"s3://{BUCKET}/odd/{key}" for key in good}
    storage.put("end/receipt.jsonl ", receipts(900, 1))
    assert s3.load(f"s3://{BUCKET}/end/receipt.jsonl ", name="a key with a blank at its end").code == 0
    assert s3.load(f"s3://{BUCKET}/odd/*/receipt+1.jsonl").statuses == ["already_loaded"]


def test_a_night(s3: Loader, storage: Storage) -> None:
    storage.put("nights/2026-01-30/receipt.jsonl", receipts(1, 5))
    (s3.folder / "gamebase-ingest.toml").write_text(
        f'[targets.g]\napp-id = "g"\n[[targets.g.sources]]\npaths = "s3://{BUCKET}/nights/%Y-%m-%d/"\n')
    options = ("run", "--config", str(s3.folder / "gamebase-ingest.toml"), "--date")
    night = s3.measure(*options, "2026-01-30")
    # 7: a database without its first days is not healthy, which is another test's matter.
    assert (night.code, night.statuses) == (7, ["loaded"]), night.text
    late = s3.measure(*options, "2026-01-31")
    assert late.code == 7 and f"s3://{BUCKET}/nights/2026-01-31/" in late.text
    away = s3.measure(*options, "2026-01-31", AWS_ENDPOINT_URL_S3=f"http://127.0.0.1:{free_port()}")
    assert away.code == 75 and away.report["night"]["health"], away.text


# Another kind of storage


def test_a_remote_of_rclone(loader: Loader) -> None:
    (loader.folder / "dav" / "in").mkdir(parents=True)
    for number in range(20):
        (loader.folder / "dav" / "in" / f"receipt {number}.jsonl").write_bytes(receipts(number, 1))
    port = free_port()
    server = subprocess.Popen(["rclone", "serve", "webdav", "--addr", f"127.0.0.1:{port}", str(loader.folder / "dav")],
                              stderr=subprocess.DEVNULL)
    try:
        wait_for(port)
        loader.variables = {
            "RCLONE_CONFIG_DAV_TYPE": "webdav", "RCLONE_CONFIG_DAV_URL": f"http://127.0.0.1:{port}/",
            "RCLONE_CONFIG_DAV_VENDOR": "other"}
        result = loader.load("rclone:DAV:in/receipt", name="20 files by WebDAV")
        assert (result.code, loader.rows()) == (0, 20), result.text
        assert loader.load("rclone:DAV:in/").statuses == ["already_loaded"] * 20
        assert loader.load("rclone:DAV:in/receipt 1*.jsonl").statuses == ["already_loaded"] * 11
        assert loader.load("rclone:DAV:none/").statuses == ["path_missing"]
    finally:
        server.terminate()
        server.wait()


# A storage that misbehaves


class Misbehaving(http.server.ThreadingHTTPServer):
    """An S3 server without signatures, for objects of the bucket `traces` whose answers a test spoils."""

    def __init__(self, certificate: Path | None = None) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.objects: dict[str, bytes] = {}
        self.lists_zero = False
        self.has_digests = True
        # What comes in place of each object.
        self.page: bytes | None = None
        # The bytes after which an answer is cut, one answer after another, and what the objects are after the first cut.
        self.cuts: list[int] = []
        self.later: dict[str, bytes] = {}
        scheme = "http"
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self.socket = context.wrap_socket(self.socket, server_side=True)
            scheme = "https"
        self.endpoint = f"{scheme}://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def tag(self, body: bytes) -> str:
        digest = hashlib.md5(body).hexdigest() if self.has_digests else f"{hash(body):x}-2"
        return f'"{digest}"'

    def handle_error(self, request: Any, client_address: Any) -> None:
        pass


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Misbehaving

    def log_message(self, *_: object) -> None:
        pass

    def answer(self, status: int, body: bytes, headers: dict[str, str], length: int | None = None) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if length is None:
            self.send_header("Connection", "close")
            self.close_connection = True
        else:
            self.send_header("Content-Length", str(length))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        url = urllib.parse.urlsplit(self.path)
        bucket, _, key = urllib.parse.unquote(url.path).lstrip("/").partition("/")
        if not key:
            return self.list(urllib.parse.parse_qs(url.query).get("prefix", [""])[0])
        body = self.server.objects.get(key)
        if body is None:
            return self.answer(404, b"", {}, 0)
        headers = {"ETag": self.server.tag(body), "Last-Modified": "Fri, 02 Jan 2026 03:04:05 GMT"}
        if self.server.page is not None:
            headers["ETag"] = self.server.tag(self.server.page)
            return self.answer(200, self.server.page, headers, len(self.server.page))
        if body[:2] == b"\x1f\x8b":
            headers["Content-Encoding"] = "gzip"
            if "gzip" not in self.headers.get("Accept-Encoding", ""):
                return self.answer(200, gzip.decompress(body), headers)
        start, status = 0, 200
        if wanted := self.headers.get("Range"):
            start, status = int(wanted.removeprefix("bytes=").split("-")[0]), 206
            headers["Content-Range"] = f"bytes {start}-{len(body) - 1}/{len(body)}"
        rest = body[start:]
        if self.command == "GET" and self.server.cuts:
            cut = self.server.cuts.pop(0)
            self.server.objects |= self.server.later
            self.close_connection = True
            return self.answer(status, rest[:cut], headers, len(rest))
        self.answer(status, rest, headers, len(rest))

    def list(self, prefix: str) -> None:
        contents = "".join(
            f"<Contents><Key>{escape(key)}</Key><LastModified>2026-01-02T03:04:05.000Z</LastModified>"
            f"<ETag>{escape(self.server.tag(body))}</ETag><Size>{0 if self.server.lists_zero else len(body)}</Size>"
            "<StorageClass>STANDARD</StorageClass></Contents>"
            for key, body in sorted(self.server.objects.items()) if key.startswith(prefix))
        body = (f'<?xml version="1.0"?><ListBucketResult><Name>{BUCKET}</Name><IsTruncated>false</IsTruncated>{contents}'
                "</ListBucketResult>").encode()
        self.answer(200, body, {"Content-Type": "application/xml"}, len(body))


@pytest.fixture
def bad(loader: Loader) -> Iterator[Misbehaving]:
    server = Misbehaving()
    loader.variables = {"AWS_ACCESS_KEY_ID": "key-of-the-storage", "AWS_SECRET_ACCESS_KEY": SECRET,
                        "AWS_ENDPOINT_URL": server.endpoint}
    yield server
    server.shutdown()


SMALL = receipts(0, 1000)
ABOVE_A_WINDOW = receipts(0, 500_000)
ADDRESS = f"s3://{BUCKET}/in/"


def test_cuts_in_a_window(bad: Misbehaving, loader: Loader) -> None:
    bad.objects = {f"in/receipt-{number:02}.jsonl": receipts(number * 20_000, 20_000) for number in range(10)}
    bad.cuts = [0, 1_000_000, 17, 500_000]
    result = loader.load(ADDRESS, name="10 objects of 2 MB, cut four times")
    assert (result.code, loader.rows(), bad.cuts) == (0, 200_000, []), result.text


def test_cuts_that_do_not_end(bad: Misbehaving, loader: Loader) -> None:
    bad.objects = {"in/receipt-1.jsonl": SMALL}
    bad.cuts = [1000] * 1000
    result = loader.load(ADDRESS, name="an object that always breaks off")
    assert (result.code, result.statuses, loader.rows()) == (75, ["storage_unavailable"], 0), result.text
    assert loader.failures() == ["s3://traces/in/receipt-1.jsonl"]
    bad.cuts = []
    assert loader.load(ADDRESS).code == 0 and loader.failures() == []


def test_a_cut_in_an_object_above_a_window(bad: Misbehaving, loader: Loader) -> None:
    bad.objects = {"in/receipt-1.jsonl": ABOVE_A_WINDOW, "in/receipt-2.jsonl": receipts(900_000, 5)}
    bad.cuts = [30_000_000] * 3
    result = loader.load("s3://traces/in/receipt-1", name="an object of 50 MB, cut")
    assert (result.code, result.statuses, loader.rows()) == (75, ["storage_unavailable"], 0), result.text
    bad.cuts = []
    result = loader.load(ADDRESS, name="the same and a small one, whole")
    assert (result.code, loader.rows(), loader.failures()) == (0, 500_005, []), result.text


@pytest.mark.parametrize("lines", [80, 3000])
def test_an_object_that_the_storage_unpacks(bad: Misbehaving, loader: Loader, lines: int) -> None:
    bad.objects = {"in/receipt-1.jsonl": gzip.compress(receipts(0, lines))}
    result = loader.load(ADDRESS, name=f"an unpacked object of {lines} lines")
    assert (result.code, loader.rows()) in [(0, lines), (5, 0)], result.text


def test_a_listing_that_says_0(bad: Misbehaving, loader: Loader) -> None:
    bad.objects = {"in/receipt-1.jsonl": SMALL, "in/receipt-2.jsonl": gzip.compress(receipts(5000, 1000))}
    bad.lists_zero = True
    result = loader.load(ADDRESS, name="a listing that says 0 bytes")
    assert (result.code, loader.rows()) == (0, 2000), result.text


def test_a_page_in_place_of_an_object(bad: Misbehaving, loader: Loader) -> None:
    bad.objects = {"in/receipt-1.jsonl": SMALL, "in/receipt-2.jsonl": ABOVE_A_WINDOW}
    bad.page = b"<!DOCTYPE html><html><title>Sign in</title></html>"
    result = loader.load(ADDRESS, name="a login page in place of two objects")
    assert (result.code, set(result.statuses), loader.rows()) == (5, {"file_changed"}, 0), result.text
    # Larger than listed: it never fills the disk.
    bad.page = b"\n" * 200_000_000
    result = loader.load("s3://traces/in/receipt-1.jsonl", name="200 MB in place of 101 KB")
    assert result.code in (5, 75) and loader.rows() == 0, result.text


@pytest.mark.parametrize("has_digests", [True, False])
@pytest.mark.parametrize("kind", ["small", "above a window"])
def test_an_object_that_changes(bad: Misbehaving, loader: Loader, kind: str, has_digests: bool) -> None:
    lines = 1000 if kind == "small" else 500_000
    bad.has_digests = has_digests
    bad.objects = {"in/receipt-1.jsonl": receipts(0, lines)}
    bad.later = {"in/receipt-1.jsonl": receipts(0, lines, price="9.99")}
    bad.cuts = [lines * 60]
    result = loader.load(ADDRESS, name=f"{kind}, changes ({'with' if has_digests else 'without'} digest)")
    prices = loader.database.ask("select distinct amount_minor from game.receipt order by 1")
    assert result.code in (0, 5, 75), result.text
    assert prices in ([], [["499"]], [["999"]]), f"a splice of two versions: {prices}"
    assert loader.rows() in (0, lines)


def test_https(loader: Loader) -> None:
    certificate = loader.folder / "storage.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=storage",
         "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(certificate), "-out", str(certificate) + ".crt"],
        check=True, capture_output=True)
    authority = Path(str(certificate) + ".crt")
    with open(certificate, "ab") as file:
        file.write(authority.read_bytes())
    server = Misbehaving(certificate)
    server.objects = {"in/receipt-1.jsonl": SMALL}
    loader.variables = {"AWS_ACCESS_KEY_ID": "key-of-the-storage", "AWS_SECRET_ACCESS_KEY": SECRET,
                        "AWS_ENDPOINT_URL_S3": server.endpoint}
    result = loader.load(ADDRESS, name="https, an unknown certificate")
    assert result.code == 75 and "x509" in result.text, result.text
    result = loader.load(ADDRESS, name="https, AWS_CA_BUNDLE", AWS_CA_BUNDLE=str(authority))
    assert (result.code, loader.rows()) == (0, 1000), result.text
    server.shutdown()


def test_sigterm_ends_a_wait(bad: Misbehaving, loader: Loader) -> None:
    """rclone that hangs does not keep the program."""
    bad.objects = {"in/receipt-1.jsonl": SMALL}
    fake = loader.folder / "bin"
    fake.mkdir()
    real = shutil.which("rclone")
    started = loader.folder / "started"
    (fake / "rclone").write_text(
        f'#!/bin/sh\n[ "$1" != copy ] || {{ touch {started}; exec sleep 1000; }}\nexec {real} "$@"\n')
    (fake / "rclone").chmod(0o755)
    process = loader.start("load", ADDRESS, "--no-refresh", PATH=f"{fake}:{os.environ['PATH']}")
    while not started.exists():
        assert process.poll() is None
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=10) == 143
    assert not os.listdir(loader.temporary)
