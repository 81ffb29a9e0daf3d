internal import CLibpq

/// A running `COPY … FROM STDIN`: write any number of times, then `finish` or `abort`.
///
/// One of the two **must** be called before the connection is used again. A stream that just ends
/// would be committed by the server as if it were complete.
package struct CopyIn: ~Copyable {
  private let connection: Connection

  /// How much is handed to libpq at once.
  ///
  /// It keeps a message whole in its output buffer, so this bounds that buffer; larger pieces were
  /// slower in psycopg's measurements (its issue 255).
  private static let sliceBytes = 64 * 1024

  init(connection: Connection) { self.connection = connection }

  /// Sends bytes; blocks while the server is behind.
  package func write(_ bytes: UnsafeRawBufferPointer) throws {
    var offset = 0
    while offset < bytes.count {
      let count = min(Self.sliceBytes, bytes.count - offset)
      let start = bytes.baseAddress.map { ($0 + offset).assumingMemoryBound(to: CChar.self) }
      guard PQputCopyData(connection.handle, start, Int32(count)) == 1 else {
        throw connection.connectionError()
      }
      offset += count
    }
  }

  /// Ends the COPY and returns how many rows the server says it took.
  ///
  /// - Throws: the server's error, when it did not like a row or the statement.
  package consuming func finish() throws -> Int {
    guard PQputCopyEnd(connection.handle, nil) == 1 else { throw connection.connectionError() }
    return try drain()
  }

  /// Makes the server give the COPY up, and with it the transaction; throws nothing, for there is
  /// an error already that called for this.
  package consuming func abort(reason: String) {
    _ = PQputCopyEnd(connection.handle, reason)
    _ = try? drain()
  }

  /// Reads every result that is due, the first error wins.
  private func drain() throws -> Int {
    var rowCount = 0
    var firstError: (any Error)?
    while let result = PQgetResult(connection.handle) {
      // After a broken connection libpq may go on saying "copy in" for ever.
      if PQresultStatus(result) == PGRES_COPY_IN {
        PQclear(result)
        throw firstError ?? connection.connectionError()
      }
      do {
        let outcome = QueryResult(taking: try connection.checked(result))
        rowCount += outcome.affectedRowCount ?? 0
      } catch {
        firstError = firstError ?? error
      }
    }
    if var error = firstError as? PostgresError {
      // A session's last words arrive before its end does.
      error.isConnectionLost = !connection.isUsable
      throw error
    }
    if let firstError { throw firstError }
    return rowCount
  }
}

extension Connection {
  /// Starts a `COPY … FROM STDIN`.
  package func copyIn(_ sql: String) throws -> CopyIn {
    let result = try checked(PQexec(handle, sql))
    defer { PQclear(result) }
    guard PQresultStatus(result) == PGRES_COPY_IN else {
      throw PostgresError(message: "the statement is no COPY FROM STDIN")
    }
    return CopyIn(connection: self)
  }
}
