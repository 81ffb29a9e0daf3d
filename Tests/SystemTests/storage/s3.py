"""Loads from an S3-speaking server; see scripts/test-s3."""

from __future__ import annotations

import argparse
import hashlib
import io
import shutil
import ssl
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from botocore.exceptions import ClientError
from loader import MEMORY_BOUND_KIB, Loader, Result
from server import Server
from storage import CuttingProxy, MetadataService, Storage

BUCKET = "traces"
OBJECTS = 1100  # a page has 1,000
LARGE = 1 << 30


class S3Failed(Exception):
    """The program did not do or print the expected result."""


def need(condition: bool, message: str) -> None:
    if not condition:
        raise S3Failed(message)


def receipt(number: int) -> bytes:
    return (
        b'{"userId":"u%d","paymentSeq":"p%d","purchaseTime":1751328000000,"price":4.99,"currency":"USD"}\n'
        % (number % 97, number))


class Large(io.RawIOBase):
    """An object of 1 GiB: receipts with long blank lines between them."""

    count = LARGE // (1 << 16)

    def __init__(self) -> None:
        self.position = 0

    @staticmethod
    def block(number: int) -> bytes:
        line = receipt(10_000_000 + number)
        return line + b" " * ((1 << 16) - len(line) - 1) + b"\n"

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        if self.position == LARGE:
            return 0
        block, offset = divmod(self.position, 1 << 16)
        part = self.block(block)[offset:][:len(buffer)]
        buffer[:len(part)] = part
        self.position += len(part)
        return len(part)


class Tests:
    def __init__(self, binary: Path, folder: Path) -> None:
        self.storage = Storage(folder)
        self.loader = Loader(binary, folder, "2026-01-01T00:00:00Z")
        self.server = Server(folder / "server")
        self.server.make()
        self.server.start()
        self.database = self.server.conninfo("s3")
        self.server.create("s3", template="template1")
        result = self.loader.command(["migrate", "--database", self.database]).wait()
        need(result.code == 0, result.text)
        self.storage.s3.create_bucket(Bucket=BUCKET)
        self.secrets: list[bytes] = [self.storage.secret.encode(), self.storage.key_id.encode()]

    def stop(self) -> None:
        self.server.destroy()
        self.storage.stop()

    def load(
        self, *paths: str, port: int | None = None, bound: float = 120, options: tuple[str, ...] = (), **variables: str,
    ) -> Result:
        result = self.loader.command(
            ["load", *paths, "--database", self.database, "--no-refresh", *options], report="report.json", bound=bound,
            variables=self.storage.variables(port) | {"HOME": "/nonexistent"} | variables).wait()
        for secret in self.secrets:
            shown = result.out + result.err + repr(result.report).encode()
            need(secret not in shown, f"a credential is shown: {result.text}")
        return result

    def count(self) -> int:
        return int(self.server.value("s3", "select count(*) from game.receipt"))

    def fails(self, result: Result, code: int, error_code: str, *words: str) -> None:
        """The load must end with a code, name the cause in its report, and say these words."""
        need(result.code == code, f"exit {result.code}, not {code}: {result.text}")
        need(f"'{error_code}'" in repr(result.report), f"no {error_code}: {result.report}")
        for word in words:
            need(word in result.text, f"the message lacks {word}: {result.text}")

    # The tests, in their order

    def wrong_signatures_are_refused(self) -> None:
        """The server itself: a test that it accepts everything would show nothing."""
        try:
            self.storage.client("s3", secret="wrong").list_objects_v2(Bucket=BUCKET)
        except ClientError as error:
            need(error.response["Error"]["Code"] == "SignatureDoesNotMatch", str(error))
        else:
            raise S3Failed("the storage accepts a wrong signature")

    def wrong_credentials(self) -> None:
        result = self.load(f"s3://{BUCKET}/x/", AWS_SECRET_ACCESS_KEY="wrong")
        self.fails(result, 5, "folder_not_readable", "403 SignatureDoesNotMatch", "AWS_SECRET_ACCESS_KEY")
        result = self.load(
            f"s3://{BUCKET}/x/", AWS_ACCESS_KEY_ID="", AWS_SECRET_ACCESS_KEY="", AWS_EC2_METADATA_DISABLED="true")
        self.fails(result, 5, "folder_not_readable", "no credentials were found")

    def unreachable_and_plain(self) -> None:
        result = self.load(f"s3://{BUCKET}/x/", AWS_ENDPOINT_URL_S3="http://127.0.0.1:1")
        self.fails(result, 75, "storage_unavailable", "5 tries", "check the network")
        result = self.load(f"s3://{BUCKET}/x/", AWS_ENDPOINT_URL_S3="https://storage.invalid")
        self.fails(result, 75, "storage_unavailable", "resolve host")
        result = self.load(f"s3://{BUCKET}/x/", AWS_ENDPOINT_URL_S3="http://storage.example")
        self.fails(result, 5, "folder_not_readable", "without https")
        self.fails(self.load(f"gs://{BUCKET}/x/"), 64, "path_not_local", "load - --stream")

    def missing(self) -> None:
        self.fails(self.load("s3://none/x/"), 5, "folder_not_readable", "NoSuchBucket")
        self.fails(self.load(f"s3://{BUCKET}/none/"), 7, "too_few_files")
        need(self.load(f"s3://{BUCKET}/none/", options=("--min-files", "0")).code == 0, "--min-files 0")
        self.fails(self.load(f"s3://{BUCKET}/none/receipt*"), 5, "path_missing", "a pattern")
        late = f"s3://{BUCKET}/late/receipt.jsonl"
        self.fails(self.load(late), 5, "path_missing", "does not exist")
        open_failures = "select count(*) from ingest.failed_file"
        need(self.server.value("s3", open_failures) == "2", "the failures are not recorded")
        self.storage.put(BUCKET, "late/receipt.jsonl", receipt(1))
        self.storage.put(BUCKET, "none/receipt.jsonl", receipt(2))
        need(self.load(late, f"s3://{BUCKET}/none/receipt*").code == 0, "the late object")
        need(self.server.value("s3", open_failures) == "0", "a failure stays")

    def unusual_keys(self) -> None:
        before = self.count()
        keys = [
            "odd/a b/receipt+1.jsonl", "odd/a%20b/receipt%2B.jsonl", "odd/한글/receipt~.jsonl",
            "odd/q/receipt&=;,:@$!'()[].jsonl", "odd//receipt.jsonl", "odd/../receipt.jsonl",
            "odd/receipt<\">#?.jsonl", "odd/한글/receipt-\u1112\u1161\u11ab.jsonl",
        ]
        for number, key in enumerate(keys):
            self.storage.put(BUCKET, key, receipt(100 + number))
        # Not loaded: no data file, a marker of a folder, an object that is still written.
        for key in ("odd/receipt.txt", "odd/", "odd/.receipt.jsonl"):
            self.storage.put(BUCKET, key, b"x\n")
        # A part of one key begins with a dot, so only an address with that part finds it.
        result = self.load(f"s3://{BUCKET}/odd/", f"s3://{BUCKET}/odd/../")
        need(result.code == 0, result.text)
        need(self.count() == before + len(keys), f"{self.count() - before} rows of {len(keys)} keys")
        rows = self.server.ask("s3", "select path from ingest.source_file where path like '%/odd/%'")
        need({row[0] for row in rows} == {f"s3://{BUCKET}/{key}" for key in keys}, f"paths: {rows}")
        result = self.load(f"s3://{BUCKET}/odd/*/receipt+1.jsonl")
        need(result.code == 0 and list(result.statuses().values()) == ["already_loaded"], result.text)

    def many_pages(self) -> None:
        before = self.count()
        for number in range(OBJECTS):
            self.storage.put(BUCKET, f"many/receipt-{number:04}.jsonl", receipt(1000 + number))
        result = self.load(f"s3://{BUCKET}/many/")
        need(result.code == 0, result.text)
        need(self.count() == before + OBJECTS, f"{self.count() - before} rows of {OBJECTS} objects")
        self.bounded(result, f"{OBJECTS} objects")
        again = self.load(f"s3://{BUCKET}/many/")
        need(again.code == 0 and set(again.statuses().values()) == {"already_loaded"}, again.text)
        need(self.count() == before + OBJECTS, "the second load added rows")

    def role_of_an_instance(self) -> None:
        credentials = self.storage.role()
        names = ("AccessKeyId", "SecretAccessKey", "SessionToken")
        self.secrets += [credentials[name].encode() for name in names]
        service = MetadataService(credentials)
        self.storage.put(BUCKET, "role/receipt.jsonl", receipt(300))
        result = self.load(
            f"s3://{BUCKET}/role/", AWS_ACCESS_KEY_ID="", AWS_SECRET_ACCESS_KEY="", AWS_REGION="",
            AWS_EC2_METADATA_SERVICE_ENDPOINT=service.endpoint)
        service.stop()
        need(result.code == 0, result.text)

    def https(self) -> None:
        certificate, key = self.loader.folder / "storage.crt", self.loader.folder / "storage.key"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=storage",
             "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(certificate)],
            check=True, capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        body = b"".join(receipt(40_000 + number) for number in range(20_000))
        self.storage.put(BUCKET, "https/receipt.jsonl", body)
        proxy = CuttingProxy(self.storage.port, [1_000_000], tls=context)
        address, endpoint = f"s3://{BUCKET}/https/", f"https://127.0.0.1:{proxy.port}"
        result = self.load(address, AWS_ENDPOINT_URL_S3=endpoint)
        self.fails(result, 5, "input_output", "SSL", "AWS_CA_BUNDLE")
        need("tries" not in result.text, f"a certificate is tried again: {result.text}")
        result = self.load(address, AWS_ENDPOINT_URL_S3=endpoint, AWS_CA_BUNDLE=str(certificate))
        proxy.stop()
        need(result.code == 0 and proxy.cuts == 1, result.text)

    def source_of_a_night(self) -> None:
        self.storage.put(BUCKET, "nights/2026-01-30/receipt.jsonl", receipt(400))
        configuration = self.loader.folder / "night.toml"
        configuration.write_text(
            f'[targets.g1]\ndatabase = "{self.database}"\napp-id = "g1"\n'
            f'[[targets.g1.sources]]\npaths = "s3://{BUCKET}/nights/%Y-%m-%d/"\n')
        options = ["--config", str(configuration), "--target", "g1", "--date", "2026-01-30"]
        result = self.loader.command(["run", *options], report="report.json", variables=self.storage.variables()).wait()
        # 7: a database without its first days is not healthy, which is another test's matter.
        need(result.code == 7 and list(result.statuses().values()) == ["loaded"], result.text)
        late = self.loader.command(
            ["run", *options[:-1], "2026-01-31"], report="report.json", variables=self.storage.variables()).wait()
        need(late.code == 7 and "0 files in s3://" in late.text, late.text)

    def changed_while_read(self) -> None:
        before = self.count()
        key = "changed/receipt.jsonl"
        body = b"".join(receipt(5000 + number) for number in range(20_000))
        self.storage.put(BUCKET, key, body)
        proxy = CuttingProxy(self.storage.port, [100_000], lambda: self.storage.put(BUCKET, key, body[::-1]))
        result = self.load(f"s3://{BUCKET}/{key}", port=proxy.port)
        proxy.stop()
        self.fails(result, 5, "file_changed", "changed since it was listed")
        need(self.count() == before, "a part of a changed object is loaded")

    def never_whole(self) -> None:
        before = self.count()
        key = "cut/receipt.jsonl"
        self.storage.put(BUCKET, key, b"".join(receipt(6000 + number) for number in range(20_000)))
        proxy = CuttingProxy(self.storage.port, [100_000] + [0] * 50)
        result = self.load(f"s3://{BUCKET}/{key}", port=proxy.port)
        proxy.stop()
        self.fails(result, 75, "storage_unavailable", "5 tries")
        need(self.count() == before, "a part of a truncated object is loaded")

    def overloaded(self) -> None:
        """503 for a listing and for an object. A missing file beside it does not make the trouble permanent."""
        key = f"s3://{BUCKET}/busy/receipt.jsonl"
        self.storage.put(BUCKET, "busy/receipt.jsonl", receipt(500))
        for refused in ("?list-type", "/busy/receipt"):
            proxy = CuttingProxy(self.storage.port, [], refused=refused.encode())
            result = self.load(key, "/nonexistent/receipt.jsonl", port=proxy.port)
            self.fails(result, 75, "storage_unavailable", "503 SlowDown", "5 tries")
            checked = self.loader.command(["validate", key], variables=self.storage.variables(proxy.port)).wait()
            proxy.stop()
            need(checked.code == 75, f"validate: exit {checked.code}: {checked.text}")
        need(self.load(key).code == 0, "the object is not loaded once the storage is back")

    def one_large_object_cut_in_the_middle(self) -> None:
        before = self.count()
        self.storage.s3.upload_fileobj(io.BufferedReader(Large(), 1 << 20), BUCKET, "large/receipt.jsonl")
        digest = hashlib.sha256()
        for number in range(Large.count):
            digest.update(Large.block(number))
        proxy = CuttingProxy(self.storage.port, [300_000_000, 1_000_000, 17, 200_000_000, 0, 400_000_000])
        result = self.load(f"s3://{BUCKET}/large/", port=proxy.port, bound=500)
        proxy.stop()
        need(result.code == 0, result.text)
        need(proxy.cuts == 6, f"{proxy.cuts} connections were cut")
        need(self.count() == before + Large.count, f"{self.count() - before} rows")
        stored = self.server.value(
            "s3", "select encode(sha256, 'hex') from ingest.source_file where path like '%/large/%'")
        need(stored == digest.hexdigest(), "the ledger has another digest")
        self.bounded(result, "1 GiB, cut six times")
        # The same bytes under another key: exactly once by content.
        self.storage.s3.copy_object(
            Bucket=BUCKET, Key="again/receipt.jsonl", CopySource=f"{BUCKET}/large/receipt.jsonl")
        again = self.load(f"s3://{BUCKET}/again/", bound=500)
        need(again.code == 0 and list(again.statuses().values()) == ["already_loaded"], again.text)
        need(self.count() == before + Large.count, "the second load added rows")

    def bounded(self, result: Result, what: str) -> None:
        need(0 < result.peak_kib < MEMORY_BOUND_KIB, f"{what}: {result.peak_kib} KiB of memory")
        print(f"   {what}: {result.seconds:.1f} s, {result.peak_kib // 1024} MiB of memory", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", type=Path, required=True)
    parser.add_argument("--only", default="", help="the beginning of a test's name")
    options = parser.parse_args()
    binary = options.binary.resolve()
    folder = Path(tempfile.mkdtemp(prefix="gamebase-ingest-s3."))
    folder.chmod(0o755)
    tests = None
    passed = 0
    try:
        tests = Tests(binary, folder)
        steps: list[Callable[[], None]] = [
            tests.wrong_signatures_are_refused, tests.wrong_credentials, tests.unreachable_and_plain,
            tests.missing, tests.unusual_keys, tests.many_pages,
            tests.role_of_an_instance, tests.https, tests.source_of_a_night, tests.changed_while_read, tests.never_whole,
            tests.overloaded, tests.one_large_object_cut_in_the_middle]
        for step in [step for step in steps if step.__name__.startswith(options.only)]:
            begin = time.monotonic()
            step()
            passed += 1
            print(f"ok {step.__name__} ({time.monotonic() - begin:.1f} s)", flush=True)
    finally:
        if tests:
            tests.stop()
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{passed} passed, 0 failed")


if __name__ == "__main__":
    main()
