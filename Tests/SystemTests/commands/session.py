"""The tester's own connection to the database of a run."""

from __future__ import annotations

from typing import Any

import psycopg

from server import Server


class Session:
    """A connection to the database of a run."""

    def __init__(self, server: Server, database: str) -> None:
        self.server = server
        self.database = database
        self.open()

    def open(self) -> None:
        # No statement is prepared, because months come and go.
        self.connection = psycopg.connect(
            self.server.conninfo(self.database), autocommit=True, prepare_threshold=None,
            options="-c jit=off -c timezone=UTC")

    def close(self) -> None:
        self.connection.close()

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        return self.connection.execute(query).fetchall()

    def execute(self, statements: str) -> int:
        """The number of rows that the last statement changed."""
        return self.connection.execute(statements).rowcount
