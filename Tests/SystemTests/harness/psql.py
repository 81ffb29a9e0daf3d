"""A connection that stays open, so that a query costs a millisecond."""

from __future__ import annotations

import psycopg

from server import Server, ServerError, rows_of


class Psql:
    """A session on one database. It reconnects after an error, such as a stop of the server."""

    def __init__(self, server: Server, database: str) -> None:
        self.server = server
        self.database = database
        self.connection: psycopg.Connection | None = None

    def ask(self, *statements: str) -> list[list[str]]:
        if self.connection is None:
            self.connection = self.server.connect(self.database)
        try:
            return rows_of(self.connection, *statements)
        except ServerError:
            self.close()
            raise

    def close(self) -> None:
        if self.connection is not None:
            self.connection.close()
            self.connection = None
