"""An S3-speaking server on this machine, a proxy that cuts its answers, and a metadata service."""

from __future__ import annotations

import json
import os
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import boto3
from botocore.config import Config
from server import free_port

REGION = "us-east-1"


def document(statement: dict[str, object]) -> str:
    return json.dumps({"Version": "2012-10-17", "Statement": [statement]})


class Storage:
    """moto with signatures checked from its fourth action on; the first three make a user."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.endpoint = f"http://127.0.0.1:{self.port}"
        self.log = folder / "storage.log"
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(self.port)],
                stdout=log, stderr=log, env=os.environ | {"INITIAL_NO_AUTH_ACTION_COUNT": "3"})
        deadline = time.monotonic() + 60
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                break
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)
        self.key_id, self.secret = "first", "first"
        iam = self.client("iam")
        iam.create_user(UserName="loader")
        key = iam.create_access_key(UserName="loader")["AccessKey"]
        iam.put_user_policy(
            UserName="loader", PolicyName="all",
            PolicyDocument=document({"Effect": "Allow", "Action": "*", "Resource": "*"}))
        self.key_id, self.secret = key["AccessKeyId"], key["SecretAccessKey"]
        self.s3 = self.client("s3")

    def role(self) -> dict[str, str]:
        """Temporary credentials of a role that may read all objects."""
        iam = self.client("iam")
        trust = {"Effect": "Allow", "Action": "sts:AssumeRole", "Principal": {"AWS": "*"}}
        arn = iam.create_role(RoleName="night", AssumeRolePolicyDocument=document(trust))["Role"]["Arn"]
        iam.put_role_policy(
            RoleName="night", PolicyName="read",
            PolicyDocument=document({"Effect": "Allow", "Action": "s3:*", "Resource": "*"}))
        answer = self.client("sts").assume_role(RoleArn=arn, RoleSessionName="night")
        credentials: dict[str, str] = answer["Credentials"]
        return credentials

    def client(self, service: str, secret: str | None = None) -> Any:
        return boto3.client(
            service, endpoint_url=self.endpoint, region_name=REGION, aws_access_key_id=self.key_id,
            aws_secret_access_key=secret or self.secret, config=Config(retries={"total_max_attempts": 1}))

    def put(self, bucket: str, key: str, body: bytes) -> None:
        self.s3.put_object(Bucket=bucket, Key=key, Body=body)

    def variables(self, port: int | None = None) -> dict[str, str]:
        """The environment of a load, by this port or that of a proxy."""
        return {
            "AWS_ACCESS_KEY_ID": self.key_id, "AWS_SECRET_ACCESS_KEY": self.secret,
            "AWS_REGION": REGION, "AWS_ENDPOINT_URL_S3": f"http://127.0.0.1:{port or self.port}"}

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()


class CuttingProxy:
    """Forwards to the storage, and cuts each connection after a number of its answer's bytes.

    `limits` are the bytes of one connection after another; after the last one none is cut. `at_cut` is called after the
    first cut. With `tls` the proxy speaks HTTPS to the client. Requests whose first bytes have `refused` get 503.
    """

    def __init__(
        self, port: int, limits: list[int], at_cut: Callable[[], None] = lambda: None,
        tls: ssl.SSLContext | None = None, refused: bytes | None = None,
    ) -> None:
        self.refused = refused
        self.target = port
        self.tls = tls
        self.limits = limits
        self.at_cut = at_cut
        self.cuts = 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        try:
            if self.tls:
                client = self.tls.wrap_socket(client, server_side=True)
        except OSError:
            return
        server = socket.create_connection(("127.0.0.1", self.target))
        threading.Thread(target=self._requests, args=(client, server, self.refused), daemon=True).start()
        count, limit = 0, None
        try:
            while data := server.recv(1 << 16):
                # A short answer is a listing or an error. The limits are for objects.
                if limit is None and self.limits and b"\r\nETag: " in data[:4096]:
                    limit = self.limits.pop(0)
                if limit is not None and count + len(data) > limit:
                    client.sendall(data[:max(0, limit - count)])
                    self.cuts += 1
                    if self.cuts == 1:
                        self.at_cut()
                    break
                client.sendall(data)
                count += len(data)
        except OSError:
            pass
        for one in (client, server):
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            one.close()

    @staticmethod
    def _requests(client: socket.socket, server: socket.socket, refused: bytes | None) -> None:
        body = b"<Error><Code>SlowDown</Code></Error>"
        try:
            while data := client.recv(1 << 16):
                if refused and refused in data.partition(b"\r\n")[0]:
                    client.sendall(b"HTTP/1.1 503 Slow Down\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
                else:
                    server.sendall(data)
        except OSError:
            pass

    def stop(self) -> None:
        self.listener.close()


class MetadataService:
    """The metadata service of an instance with a role."""

    def __init__(self, credentials: dict[str, str]) -> None:
        answers = {
            "/latest/meta-data/iam/security-credentials/": "night",
            "/latest/meta-data/iam/security-credentials/night": json.dumps({
                "Code": "Success", "AccessKeyId": credentials["AccessKeyId"],
                "SecretAccessKey": credentials["SecretAccessKey"],
                "Token": credentials["SessionToken"], "Expiration": "2099-01-01T00:00:00Z"}),
            "/latest/meta-data/placement/region": REGION,
        }

        class Handler(BaseHTTPRequestHandler):
            def do_PUT(self) -> None:
                known = "X-aws-ec2-metadata-token-ttl-seconds" in self.headers
                self.answer(200 if known and self.path == "/latest/api/token" else 400, "pass")

            def do_GET(self) -> None:
                # Without a token the service refuses, as the second version of it does.
                if self.headers.get("X-aws-ec2-metadata-token") != "pass":
                    self.answer(401, "")
                elif self.path in answers:
                    self.answer(200, answers[self.path])
                else:
                    self.answer(404, "")

            def answer(self, status: int, text: str) -> None:
                self.send_response(status)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.endpoint = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self.server.shutdown()
