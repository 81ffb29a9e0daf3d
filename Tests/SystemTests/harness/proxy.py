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
STALL = 2.0  # seconds


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
    # Seconds after the trigger in which the proxy refuses new connections.
    closed_for: float = 0.0
    triggered: threading.Event = field(default_factory=threading.Event)


class Proxy(socketserver.ThreadingTCPServer):
    """Listens on its own port and forwards to the server's port."""

    daemon_threads = True

    def __init__(self, server_port: int, plan: Plan) -> None:
        super().__init__(("127.0.0.1", 0), socketserver.BaseRequestHandler)
        self.port: int = self.server_address[1]
        self.server_port, self.plan = server_port, plan
        self.numbers = itertools.count()
        self.closed_until = 0.0
        self.ending = False
        threading.Thread(target=self.serve_forever, args=[0.02], daemon=True).start()

    def __exit__(self, *_: object) -> None:
        self.ending = True
        self.shutdown()
        self.server_close()

    def verify_request(self, request: object, client_address: object) -> bool:
        return time.monotonic() >= self.closed_until

    def finish_request(self, client: socket.socket, client_address: object) -> None:  # type: ignore[override]
        """Serves a connection in a thread of its own."""
        plan, is_planned, passed = self.plan, next(self.numbers) == self.plan.connection, 0
        with contextlib.suppress(OSError), client, socket.create_connection(("127.0.0.1", self.server_port)) as server:
            sinks = {client: server, server: client}
            for one in sinks:
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            while not self.ending:
                for source in select.select(list(sinks), [], [], 0.5)[0]:
                    content = source.recv(65536)
                    if not content:
                        return
                    if is_planned and not plan.triggered.is_set() and source is (
                            client if plan.sender == "client" else server):
                        at = content.find(COMMIT) if plan.at_commit else plan.byte_count - passed
                        passed += len(content)
                        if 0 <= at <= len(content):
                            sinks[source].sendall(content[:at])
                            content = content[at:]
                            if not self._act(client, server, content):
                                return
                    if not (is_planned and plan.triggered.is_set() and plan.action == "swallow"):
                        sinks[source].sendall(content)

    def _act(self, client: socket.socket, server: socket.socket, rest: bytes) -> bool:
        """True when the connection goes on; nothing passes any more when it swallows."""
        plan = self.plan
        self.closed_until = time.monotonic() + plan.closed_for
        plan.triggered.set()
        if plan.action == "stall":
            time.sleep(STALL)
        if plan.at_commit in ("forward", "race"):
            server.sendall(rest)
        if plan.at_commit == "forward":
            server.recv(65536)  # the answer shows that COMMIT is done; it is not forwarded
        if plan.action == "reset":
            for one in (client, server):
                one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        return plan.action in ("stall", "swallow")
