"""One psql process that stays open, so that a query costs a millisecond instead of a new process."""

from __future__ import annotations

import os
import subprocess

from server import OUR_SETTINGS, Server, ServerError

_END = "== that was all =="


class Psql:
    """A psql session on one database. It reconnects after a stop of the server."""

    def __init__(self, server: Server, database: str) -> None:
        self.server = server
        self.database = database
        self.process: subprocess.Popen[str] | None = None

    def _open(self) -> subprocess.Popen[str]:
        if self.process is None or self.process.poll() is not None:
            command = self.server.psql(self.database, "--field-separator=\x1f")
            self.process = subprocess.Popen(
                [part for part in command if part != "--set=ON_ERROR_STOP=1"], stdin=subprocess.PIPE,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                env=os.environ | {"PGOPTIONS": OUR_SETTINGS, "PGCLIENTENCODING": "UTF8"}, start_new_session=True)
        return self.process

    def ask(self, *statements: str) -> list[list[str]]:
        """The rows of all statements, one after another."""
        process = self._open()
        assert process.stdin and process.stdout
        try:
            process.stdin.write(";\n".join(statements) + f";\n\\echo {_END}\n")
            process.stdin.flush()
        except OSError as error:
            self.close()
            raise ServerError(f"psql: {error}") from None
        rows, errors = [], []
        while True:
            line = process.stdout.readline()
            if not line:
                self.close()
                raise ServerError(f"psql ended: {errors}")
            if line == _END + "\n":
                break
            if line.startswith(("ERROR:", "FATAL:", "psql:", "could not", "server closed")):
                errors.append(line.strip())
            elif line != "\n":
                rows.append(line[:-1].split("\x1f"))
        if errors:
            self.close()
            raise ServerError("; ".join(errors))
        return rows

    def close(self) -> None:
        if self.process is None:
            return
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            try:
                if pipe:
                    pipe.close()
            except OSError:
                pass
        self.process = None
