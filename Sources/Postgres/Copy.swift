internal import CLibpq

/// A running `COPY … FROM STDIN`: write any number of times, then `finish` or `abort`.
///
/// One of the two **must** be called before the connection is used again. After an error only
/// `abort` is right: `finish` would make the server keep the rows sent so far, even without a
/// trailer.
package struct CopyIn: ~Copyable {
  private let connection: Connection

  /// The largest number of bytes passed to libpq at once.
  ///
  /// libpq keeps a complete message in its output buffer, so this bounds that buffer. Larger slices
  /// were slower in psycopg's measurements (its issue 255).
  private static let sliceBytes = 64 * 1024

  init(connection: Connection) { self.connection = connection }

  /// Sends bytes; blocks while the server reads more slowly than the client writes (backpressure).
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

  /// Ends the COPY and returns the row count that the server reports.
  ///
  /// - Throws: the server's error when it refused a row or the statement.
  package consuming func finish() throws -> Int {
    guard PQputCopyEnd(connection.handle, nil) == 1 else { throw connection.connectionError() }
    return try connection.lastResult()?.affectedRowCount ?? 0
  }

  /// Makes the server abort the COPY and the transaction.
  ///
  /// Its own errors are ignored, because the caller already has the error that caused the abort.
  package consuming func abort(reason: String) {
    _ = PQputCopyEnd(connection.handle, reason)
    _ = try? connection.lastResult()
  }
}

extension Connection {
  /// Starts a `COPY … FROM STDIN`.
  package func copyIn(_ sql: String) throws -> CopyIn {
    guard try checked(PQexec(handle, sql)).status == PGRES_COPY_IN else {
      throw PostgresError(message: "the statement is not COPY FROM STDIN")
    }
    return CopyIn(connection: self)
  }

  /// Runs a `COPY … TO STDOUT` and passes its rows on, each with its line feed.
  ///
  /// libpq keeps one row in memory.
  ///
  /// - Parameter take: the bytes are valid during the call.
  /// - Returns: the number of rows.
  /// - Throws: the server's error, and any error of `take`, after which the transaction has failed.
  @discardableResult
  package func copyOut(_ sql: String, take: (UnsafeRawBufferPointer) throws -> Void) throws -> Int {
    _ = try checked(PQexec(handle, sql))
    do {
      while true {
        var row: UnsafeMutablePointer<CChar>?
        let count = PQgetCopyData(handle, &row, 0)
        guard count > 0 else {
          if count == -2 { throw connectionError() }
          break
        }
        defer { PQfreemem(row) }
        try take(UnsafeRawBufferPointer(start: row, count: Int(count)))
      }
    } catch {
      // Otherwise the server sends all other rows first; the next statement discards what has come.
      canceller()?.cancel()
      throw error
    }
    return try lastResult()?.affectedRowCount ?? 0
  }
}
