"""Loads from storages on this machine, through rclone; see scripts/test storage.

A real S3 server (moto) that checks signatures, and an S3 server that misbehaves. Each load shows no secret, keeps the
bounds of memory and disk, and leaves nothing in TMPDIR; its figures are printed. What a name finds, a WebDAV server,
and what a night and an open failure are, is in Cases/storage.test.
"""

from __future__ import annotations

import gzip
import hashlib
import http.server
import json
import os
import ssl
import subprocess
import sys
import threading
import urllib.parse
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import pytest

from conftest import OF_THE_USER, Database
from loader import Loader as Program
from loader import ProgramRun
from server import free_port

boto3 = pytest.importorskip("boto3", reason="scripts/test storage installs it")
botocore = pytest.importorskip("botocore")

MIB = 1 << 20
BOUND = 128 * MIB
BUCKET = "traces"
SECRET = "secret-of-the-storage"
SECONDS_OF_A_LOAD = 600


def receipts(first: int, count: int, price: str = "4.99") -> bytes:
    """Lines of 101 bytes."""
    lines = (b'{"userId":"u%d","paymentSeq":"p%07d","purchaseTime":1751328000000,"price":%s,"currency":"USD"}'
             % (number % 97, number, price.encode()) for number in range(first, first + count))
    return b"".join(line.ljust(100) + b"\n" for line in lines)


# Measured loads


def size_on_disk(folder: Path) -> int:
    done = subprocess.run(["du", "-sk", folder], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return int(done.stdout.split()[0]) << 10


class Loader:
    def __init__(self, program: Path, database: Database, folder: Path) -> None:
        self.database, self.folder = database, folder
        self.program = Program(program, folder / "runs", (*OF_THE_USER, "AWS_", "RCLONE_"))
        self.temporary = folder / "tmp"
        self.temporary.mkdir()
        self.variables = database.variables | {
            "HOME": str(folder), "TMPDIR": str(self.temporary), "RCLONE_LOW_LEVEL_RETRIES": "2"}

    def start(self, *arguments: str, report: str | None = None, **variables: str) -> ProgramRun:
        return self.program.command(
            [*arguments], report=report, variables=self.variables | variables, bound=SECONDS_OF_A_LOAD)

    def load(self, *paths: str, **variables: str) -> tuple[int, list[str], str]:
        """The exit code, the errors or statuses of the files, and the output."""
        running = self.start("load", *paths, "--no-refresh", report="report.json", **variables)
        disk = 0
        while not running.run_for(0.02):
            disk = max(disk, size_on_disk(self.temporary))
        result = running.wait()
        memory, output = result.peak_kib << 10, (result.out + result.err).decode()
        print(f"\n{paths[0]}: {result.seconds:.1f} s, memory {memory / MIB:.0f} MiB, disk {disk / MIB:.0f} MiB", end=" ")
        for secret in (SECRET, self.variables.get("AWS_SECRET_ACCESS_KEY", SECRET)):
            assert secret not in output + repr(result.report), "a secret is shown"
        assert memory < BOUND, "too much memory"
        assert disk < BOUND, "too much disk"
        assert not os.listdir(self.temporary), "something is left in TMPDIR"
        return result.code, [file["error_code"] or file["status"] for file in result.files()], output

    def rows(self) -> int:
        return int(self.database.ask("select count(*) from game.receipt")[0][0])

    def failures(self) -> list[str]:
        return [row[0] for row in self.database.ask("select path from report.open_failure order by 1")]


@pytest.fixture
def loader(program: Path, database: Database, tmp_path: Path) -> Loader:
    return Loader(program, database, tmp_path)


# A real S3 server


class Storage:
    """moto, with signatures checked from its fourth action on; the first three make a user."""

    def __init__(self) -> None:
        port = free_port()
        self.endpoint = f"http://127.0.0.1:{port}"
        self.process = subprocess.Popen(
            [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env=os.environ | {"INITIAL_NO_AUTH_ACTION_COUNT": "3"})
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
        # The retries wait for the start of the server.
        return boto3.client(
            service, endpoint_url=self.endpoint, region_name="us-east-1", aws_access_key_id=self.key["AccessKeyId"],
            aws_secret_access_key=self.key["SecretAccessKey"],
            config=botocore.config.Config(retries={"mode": "standard", "total_max_attempts": 15}))

    def put(self, key: str, body: bytes) -> None:
        self.s3.put_object(Bucket=BUCKET, Key=key, Body=body)


@pytest.fixture(scope="module")
def storage() -> Iterator[Storage]:
    storage = Storage()
    yield storage
    storage.process.kill()


@pytest.fixture
def s3(loader: Loader, storage: Storage) -> Loader:
    loader.variables |= {
        "AWS_ACCESS_KEY_ID": storage.key["AccessKeyId"], "AWS_SECRET_ACCESS_KEY": storage.key["SecretAccessKey"],
        "AWS_REGION": "us-east-1", "AWS_ENDPOINT_URL_S3": storage.endpoint}
    return loader


def test_a_thousand_objects(s3: Loader, storage: Storage) -> None:
    for number in range(1000):
        storage.put(f"many/receipt-{number:04}.jsonl", receipts(number * 100, 100))
    assert (s3.load(f"s3://{BUCKET}/many/")[0], s3.rows()) == (0, 100_000)
    assert s3.load(f"s3://{BUCKET}/many/")[:2] == (0, ["already_loaded"] * 1000)


def test_an_object_of_1_gib(s3: Loader, storage: Storage) -> None:
    """Receipts with long blank lines between them."""
    count, large = 1 << 14, s3.folder / "large"
    with large.open("wb") as file:
        file.writelines((receipts(number, 1) + b"\n").rjust(1 << 16) for number in range(count))
    storage.s3.upload_file(str(large), BUCKET, "large/receipt.jsonl")
    assert (s3.load(f"s3://{BUCKET}/large/")[0], s3.rows()) == (0, count)
    assert s3.load(f"s3://{BUCKET}/large/")[:2] == (0, ["already_loaded"])
    storage.s3.delete_object(Bucket=BUCKET, Key="large/receipt.jsonl")
    large.unlink()


@pytest.mark.parametrize("variables, address, code, status, says", [
    ({"AWS_SECRET_ACCESS_KEY": "wrong-" + SECRET}, "traces/x/", 75, "storage_unavailable", "SignatureDoesNotMatch"),
    ({"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": "", "AWS_EC2_METADATA_DISABLED": "true"}, "traces/x/", 75,
     "storage_unavailable", "NoCredentialProviders"),
    ({"AWS_ENDPOINT_URL_S3": "http://127.0.0.1:1"}, "traces/x/", 75, "storage_unavailable", "connection refused"),
    ({}, "nowhere/x/", 5, "path_missing", "bucket nowhere")])
def test_a_storage_that_gives_nothing(
    s3: Loader, variables: dict[str, str], address: str, code: int, status: str, says: str
) -> None:
    found = s3.load(f"s3://{address}", **variables)
    assert (*found[:2], says in found[2], s3.failures()) == (code, [status], True, [f"s3://{address}"]), found[2]


def test_unusual_keys(s3: Loader, storage: Storage) -> None:
    good = ["a b/receipt+1.jsonl", "a%20b/receipt%2B.jsonl", "한글/receipt~.jsonl", "한글/receipt-\u1112\u1161\u11ab.jsonl",
            "한글/receipt-\ud55c.jsonl", "q/receipt&=;,:@$!'()[]{}.jsonl", "receipt<\">#?.jsonl", "#receipt.jsonl",
            " receipt.jsonl", "receipt\\.jsonl", "receipt/ /x.jsonl", "receipt.jsonl",
            "receipt.jsonl/1.jsonl", f"receipt-{'x' * 250}.jsonl"]
    for number, key in enumerate([*good, "/receipt.jsonl"]):
        storage.put(f"odd/{key}", receipts(number, 1))
    for key in ("receipt.txt", "", ".receipt.jsonl"):
        storage.put(f"odd/{key}", b"x\n")
    code, statuses, output = s3.load(f"s3://{BUCKET}/odd/")
    assert (code, sorted(set(statuses)), len(statuses)) == (5, ["file_not_readable", "loaded"], len(good) + 1), output
    assert s3.failures() == [f"s3://{BUCKET}/odd//receipt.jsonl"]
    paths = {row[0] for row in s3.database.ask("select path from ingest.source_file")}
    assert paths == {f"s3://{BUCKET}/odd/{key}" for key in good}
    storage.put("end/receipt.jsonl ", receipts(900, 1))
    assert s3.load(f"s3://{BUCKET}/end/receipt.jsonl ")[0] == 0
    for name in ("*/receipt+1.jsonl", "receipt-"):
        assert s3.load(f"s3://{BUCKET}/odd/{name}")[1] == ["already_loaded"]


# A storage that misbehaves


class Misbehaving(http.server.ThreadingHTTPServer):
    """An S3 server without signatures, for objects of the bucket `traces` whose answers a test spoils."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.objects: dict[str, bytes] = {}
        self.lists_zero = False
        self.has_digests = True
        # What comes in place of each object.
        self.page = b""
        # The bytes after which each answer is cut, and what the objects are after the first cut.
        self.cuts: list[int] = []
        self.later: dict[str, bytes] = {}
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
        end = {"Connection": "close"} if length is None else {"Content-Length": str(length)}
        for name, value in (headers | end).items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def do_GET(self) -> None:
        url = urllib.parse.urlsplit(self.path)
        bucket, _, key = urllib.parse.unquote(url.path).lstrip("/").partition("/")
        if not key:
            return self.list(urllib.parse.parse_qs(url.query).get("prefix", [""])[0])
        if key not in self.server.objects:
            return self.answer(404, b"", {}, 0)
        body = self.server.page or self.server.objects[key]
        headers = {"ETag": self.server.tag(body), "Last-Modified": "Fri, 02 Jan 2026 03:04:05 GMT"}
        if body[:2] == b"\x1f\x8b":
            headers["Content-Encoding"] = "gzip"
            if "gzip" not in self.headers.get("Accept-Encoding", ""):
                return self.answer(200, gzip.decompress(body), headers)
        start, status = 0, 200
        if not self.server.page and (wanted := self.headers.get("Range")):
            start, status = int(wanted.removeprefix("bytes=").split("-")[0]), 206
            headers["Content-Range"] = f"bytes {start}-{len(body) - 1}/{len(body)}"
        rest = body[start:]
        if self.command == "GET" and self.server.cuts:
            cut = self.server.cuts.pop(0)
            self.server.objects |= self.server.later
            self.close_connection = True
            return self.answer(status, rest[:cut], headers, len(rest))
        self.answer(status, rest, headers, len(rest))

    do_HEAD = do_GET

    def list(self, prefix: str) -> None:
        contents = "".join(
            f"<Contents><Key>{escape(key)}</Key><LastModified>2026-01-02T03:04:05.000Z</LastModified>"
            f"<ETag>{escape(self.server.tag(body))}</ETag><Size>{0 if self.server.lists_zero else len(body)}</Size>"
            "<StorageClass>STANDARD</StorageClass></Contents>"
            for key, body in sorted(self.server.objects.items()) if key.startswith(prefix))
        body = (f'<?xml version="1.0"?><ListBucketResult><Name>{BUCKET}</Name><IsTruncated>false</IsTruncated>'
                f"{contents}</ListBucketResult>").encode()
        self.answer(200, body, {"Content-Type": "application/xml"}, len(body))


@pytest.fixture
def bad(loader: Loader) -> Iterator[Misbehaving]:
    server = Misbehaving()
    loader.variables |= {"AWS_ACCESS_KEY_ID": "key-of-the-storage", "AWS_SECRET_ACCESS_KEY": SECRET,
                         "AWS_ENDPOINT_URL": f"http://127.0.0.1:{server.server_port}"}
    yield server
    server.shutdown()


# An object that fits into a window of copies, and one that is read by itself.
SIZES = {"small": 1000, "above a window": 500_000}
IN = f"s3://{BUCKET}/in/"
DAMAGES = {
    "a secret is shown": "print(os.environ['AWS_SECRET_ACCESS_KEY'], flush=True)",
    "too much memory": "x = b'1' * 200_000_000; time.sleep(0.3)",
    "too much disk": "os.posix_fallocate(os.open(path, os.O_CREAT | os.O_RDWR), 0, 200_000_000); time.sleep(0.3); "
                     "os.remove(path)",
    "something is left in TMPDIR": "open(path, 'w')",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_the_checks_of_each_load_see_a_planted_damage(bad: Misbehaving, loader: Loader, damage: str) -> None:
    real, loader.program.binary = loader.program.binary, loader.folder / "damaged"
    loader.program.binary.write_text(
        f"#!/usr/bin/python3\nimport os, subprocess, sys, time\npath = os.environ['TMPDIR'] + '/x'\n{DAMAGES[damage]}\n"
        f"sys.exit(subprocess.call(['{real}', *sys.argv[1:]]))\n")
    loader.program.binary.chmod(0o755)
    with pytest.raises(AssertionError, match=damage):
        loader.load(IN)


def test_cuts_in_a_window(bad: Misbehaving, loader: Loader) -> None:
    bad.objects = {f"in/receipt-{number:02}.jsonl": receipts(number * 20_000, 20_000) for number in range(10)}
    bad.cuts = [0, 1_000_000, 17, 500_000]
    assert (loader.load(IN)[0], loader.rows(), bad.cuts) == (0, 200_000, [])


@pytest.mark.parametrize("size, cuts", [("small", [1000] * 1000), ("above a window", [30_000_000] * 3)])
def test_an_object_that_always_breaks_off(bad: Misbehaving, loader: Loader, size: str, cuts: list[int]) -> None:
    bad.objects = {"in/receipt-1.jsonl": receipts(0, SIZES[size])}
    bad.cuts = cuts
    assert loader.load(IN)[:2] == (75, ["storage_unavailable"])
    assert (loader.rows(), loader.failures()) == (0, [f"{IN}receipt-1.jsonl"])
    bad.cuts = []
    bad.objects["in/receipt-2.jsonl"] = receipts(900_000, 5)
    assert (loader.load(IN)[0], loader.rows(), loader.failures()) == (0, SIZES[size] + 5, [])


@pytest.mark.parametrize("lines", [80, 3000])
def test_an_object_that_the_storage_unpacks(bad: Misbehaving, loader: Loader, lines: int) -> None:
    bad.objects = {"in/receipt-1.jsonl": gzip.compress(receipts(0, lines))}
    assert (loader.load(IN)[0], loader.rows()) in [(0, lines), (5, 0)]


def test_a_listing_that_says_0(bad: Misbehaving, loader: Loader) -> None:
    bad.objects = {"in/receipt-1.jsonl": receipts(0, 1000), "in/receipt-2.jsonl": gzip.compress(receipts(5000, 1000))}
    bad.lists_zero = True
    assert (loader.load(IN)[0], loader.rows()) == (0, 2000)


def test_a_page_in_place_of_an_object(bad: Misbehaving, loader: Loader) -> None:
    bad.objects = {f"in/receipt-{size}.jsonl": receipts(0, lines) for size, lines in SIZES.items()}
    bad.page = b"<!DOCTYPE html><html><title>Sign in</title></html>"
    assert loader.load(IN)[:2] == (5, ["file_changed"] * 2)
    # Larger than listed: it never fills the disk.
    bad.page = b"\n" * 200_000_000
    assert loader.load(f"{IN}receipt-small.jsonl")[0] in (5, 75) and loader.rows() == 0


@pytest.mark.parametrize("has_digests", [True, False])
@pytest.mark.parametrize("size", SIZES)
def test_an_object_that_changes(bad: Misbehaving, loader: Loader, size: str, has_digests: bool) -> None:
    bad.has_digests = has_digests
    bad.objects = {"in/receipt-1.jsonl": receipts(0, SIZES[size])}
    bad.later = {"in/receipt-1.jsonl": receipts(0, SIZES[size], price="9.99")}
    bad.cuts = [SIZES[size] * 60]
    assert loader.load(IN)[0] in (0, 5, 75)
    prices = loader.database.ask("select distinct amount_minor from game.receipt")
    assert prices in ([], [["499"]], [["999"]]), f"a splice of two versions: {prices}"
    assert loader.rows() in (0, SIZES[size])


def test_https(bad: Misbehaving, loader: Loader) -> None:
    key, authority = loader.folder / "key.pem", loader.folder / "authority.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=storage",
         "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(authority)],
        check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(authority, key)
    bad.socket = context.wrap_socket(bad.socket, server_side=True)
    bad.objects = {"in/receipt-1.jsonl": receipts(0, 1000)}
    loader.variables["AWS_ENDPOINT_URL"] = f"https://127.0.0.1:{bad.server_port}"
    code, _, output = loader.load(IN)
    assert code == 75 and "x509" in output, output
    assert (loader.load(IN, AWS_CA_BUNDLE=str(authority))[0], loader.rows()) == (0, 1000)
