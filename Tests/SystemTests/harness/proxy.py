"""A TCP proxy that breaks connections like a faulty network."""

from __future__ import annotations

import contextlib
import itertools
import select
import socket
import socketserver
import struct
import threading
import time
from dataclasses import dataclass, field

COMMIT = b"Q\x00\x00\x00\x0bcommit\x00"
RESET = struct.pack("ii", 1, 0)  # SO_LINGER: on, 0 seconds


@dataclass
class Plan:
    """An action of the proxy on one of its connections: after a number of bytes of one side, or at a COMMIT."""

    action: str  # close, reset, stall, swallow
    # It counts from 0; the loader's first connection is the one that loads.
    connection: int = 0
    sender: str = "client"
    byte_count: int = 0
    # What becomes of the COMMIT. forward: the server gets it, and its answer is lost; race: the server gets it just
    # before the action; drop: the server does not get it.
    at_commit: str | None = None
    # Seconds of a stall, and seconds after the trigger in which the proxy refuses new connections.
    seconds: float = 0.0
    closed_for: float = 0.0
    triggered: threading.Event = field(default_factory=threading.Event)
    closed_until: float = 0.0

    def place(self, content: bytes, sender: str, passed: int) -> int | None:
        """The place of the trigger in the content that comes next, or None."""
        at = content.find(COMMIT) if self.at_commit else self.byte_count - passed
        return at if sender == self.sender and 0 <= at <= len(content) else None


class Proxy(socketserver.ThreadingTCPServer):
    """Listens on its own port and forwards to the server's port."""

    daemon_threads = True

    def __init__(self, server_port: int, plan: Plan) -> None:
        super().__init__(("127.0.0.1", 0), socketserver.BaseRequestHandler)
        self.port: int = self.server_address[1]
        self.server_port = server_port
        self.plan = plan
        self.numbers = itertools.count()
        self.ending = False
        threading.Thread(target=self.serve_forever, args=[0.02], daemon=True).start()

    def __exit__(self, *_: object) -> None:
        self.ending = True
        self.shutdown()
        self.server_close()

    def verify_request(self, request: object, client_address: object) -> bool:
        return time.monotonic() >= self.plan.closed_until

    def finish_request(self, client: socket.socket, client_address: object) -> None:  # type: ignore[override]
        """Serves a connection in a thread of its own."""
        with contextlib.suppress(OSError), client, socket.create_connection(("127.0.0.1", self.server_port)) as server:
            for one in (client, server):
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._forward(next(self.numbers), client, server)

    def _forward(self, number: int, client: socket.socket, server: socket.socket) -> None:
        plan = self.plan
        passed = {client: 0, server: 0}
        while not self.ending:
            ready, _, _ = select.select([client, server], [], [], 0.5)
            for source in ready:
                content = source.recv(65536)
                if not content:
                    return
                sender, sink = ("client", server) if source is client else ("server", client)
                is_planned = number == plan.connection
                if is_planned and not plan.triggered.is_set():
                    at = plan.place(content, sender, passed[source])
                    if at is not None:
                        sink.sendall(content[:at])
                        content = content[at:]
                        plan.closed_until = time.monotonic() + plan.closed_for
                        plan.triggered.set()
                        if not self._act(client, server, content):
                            return
                passed[source] += len(content)
                if not (is_planned and plan.triggered.is_set() and plan.action == "swallow"):
                    sink.sendall(content)

    def _act(self, client: socket.socket, server: socket.socket, rest: bytes) -> bool:
        """True when the connection goes on; nothing passes any more when it swallows."""
        plan = self.plan
        if plan.action == "stall":
            time.sleep(plan.seconds)
        if plan.at_commit in ("forward", "race"):
            server.sendall(rest)
        if plan.at_commit == "forward":
            server.recv(65536)  # the answer shows that COMMIT is done; it is not forwarded
        if plan.action == "reset":
            for one in (client, server):
                one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        return plan.action in ("stall", "swallow")
