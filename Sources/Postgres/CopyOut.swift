internal import CLibpq

extension Connection {
  /// Runs a `COPY … TO STDOUT` and passes its rows on, each with its line feed.
  ///
  /// libpq keeps one row in memory.
  ///
  /// - Parameter take: the bytes are valid during the call.
  /// - Returns: the number of rows.
  /// - Throws: the server's error, and any error of `take`, after which the transaction has failed.
  @discardableResult
  package func copyOut(_ sql: String, take: (UnsafeRawBufferPointer) throws -> Void) throws -> Int {
    PQclear(try checked(PQexec(handle, sql)))
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
      // The server would send all other rows first.
      canceller()?.cancel()
      while let result = PQgetResult(handle), PQresultStatus(result) != PGRES_COPY_OUT {
        PQclear(result)
      }
      throw error
    }
    var rowCount = 0
    var firstError: (any Error)?
    while let result = PQgetResult(handle) {
      do {
        rowCount += QueryResult(taking: try checked(result)).affectedRowCount ?? 0
      } catch { firstError = firstError ?? error }
    }
    if let firstError { throw firstError }
    return rowCount
  }
}
