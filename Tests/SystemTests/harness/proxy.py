"""A TCP proxy that breaks connections like a faulty network."""

from __future__ import annotations

import select
import socket
import struct
import threading
import time
from dataclasses import dataclass, field

COMMIT = b"Q\x00\x00\x00\x0bcommit\x00"
RESET = struct.pack("ii", 1, 0)  # SO_LINGER: on, 0 seconds


@dataclass
class Plan:
    """An action of the proxy, with its connection and its trigger.

    The trigger is a number of bytes from the client or from the server, or a COMMIT from the client.
    `connection` counts from 0; the loader's first connection is the one that loads.
    """

    action: str  # close, reset, stall, swallow, delay
    connection: int = 0
    client_bytes: int | None = None
    server_bytes: int | None = None
    at_commit: str | None = None  # forward: the server gets the COMMIT, its answer is lost; drop
    seconds: float = 0.0
    # Seconds after the trigger in which the proxy refuses new connections.
    closed_for: float = 0.0
    triggered: threading.Event = field(default_factory=threading.Event)
    closed_until: float = 0.0


class Proxy:
    """Listens on its own port and forwards to the server's port."""

    def __init__(self, server_port: int, plan: Plan) -> None:
        self.server_port = server_port
        self.plan = plan
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listener.getsockname()[1]
        self.count = 0
        self.ending = False
        self.sockets: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> Proxy:
        return self

    def __exit__(self, *_: object) -> None:
        self.ending = True
        self.listener.close()
        for one in self.sockets:
            one.close()

    def _accept(self) -> None:
        while not self.ending:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            if time.monotonic() < self.plan.closed_until:
                client.close()
                continue
            try:
                server = socket.create_connection(("127.0.0.1", self.server_port))
            except OSError:
                client.close()
                continue
            for one in (client, server):
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.sockets += [client, server]
            number, self.count = self.count, self.count + 1
            threading.Thread(target=self._serve, args=(number, client, server), daemon=True).start()

    def _serve(self, number: int, client: socket.socket, server: socket.socket) -> None:
        try:
            self._forward(number, client, server)
        except OSError:
            pass
        finally:
            client.close()
            server.close()

    def _forward(self, number: int, client: socket.socket, server: socket.socket) -> None:
        plan = self.plan
        mine = number == plan.connection
        passed = {client: 0, server: 0}
        limits = {client: plan.client_bytes, server: plan.server_bytes}
        while not self.ending:
            ready, _, _ = select.select([client, server], [], [], 0.5)
            for source in ready:
                sink = server if source is client else client
                content = source.recv(65536)
                if not content:
                    return
                if mine and not plan.triggered.is_set():
                    limit = limits[source]
                    if limit is not None and passed[source] + len(content) >= limit:
                        sink.sendall(content[:limit - passed[source]])
                        rest = content[limit - passed[source]:]
                        self._trigger()
                        if not self._act(client, server, sink, rest):
                            return
                        continue
                    at = content.find(COMMIT) if source is client else -1
                    if at >= 0 and plan.at_commit:
                        sink.sendall(content[:at])
                        self._trigger()
                        self._at_commit(client, server, content[at:])
                        return
                passed[source] += len(content)
                sink.sendall(content)

    def _trigger(self) -> None:
        self.plan.closed_until = time.monotonic() + self.plan.closed_for
        self.plan.triggered.set()

    def _act(self, client: socket.socket, server: socket.socket, sink: socket.socket, rest: bytes) -> bool:
        """True when the connection goes on."""
        plan = self.plan
        if plan.action in ("stall", "delay"):
            time.sleep(plan.seconds)
            sink.sendall(rest)
            return True
        if plan.action == "reset":
            for one in (client, server):
                one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        if plan.action == "swallow":
            self._swallow(client)
        return False

    def _at_commit(self, client: socket.socket, server: socket.socket, commit: bytes) -> None:
        plan = self.plan
        if plan.at_commit == "forward":
            server.sendall(commit)
            server.recv(65536)  # the answer shows that COMMIT is done; it is not forwarded
        elif plan.at_commit == "race":
            server.sendall(commit)
        if plan.action == "reset":
            for one in (client, server):
                one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        if plan.action == "swallow":
            self._swallow(client)

    def _swallow(self, client: socket.socket) -> None:
        """Reads and discards everything, and sends nothing."""
        deadline = time.monotonic() + max(self.plan.seconds, 1)
        while time.monotonic() < deadline and not self.ending:
            ready, _, _ = select.select([client], [], [], 0.2)
            if ready and not client.recv(65536):
                return
