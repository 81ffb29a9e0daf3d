package import Postgres
internal import RecordPipeline

extension Connection {
  /// Ends a transaction: commits it, or checks it as a commit does and rolls it back.
  ///
  /// - Parameter isKept: false in a dry run.
  /// - Throws: the server's error, that of a deferred constraint included.
  func end(isKept: Bool) throws {
    guard !isKept else { return try commit() }
    try execute("set constraints all immediate")
    rollback()
  }

  /// Opens a connection, and reports a failure with the exit code of its cause.
  ///
  /// - Throws: `LoadError` with exit code 78 for a permanent cause, 69 or 75 for a transient one.
  package static func open(_ target: ConnectionTarget) throws(LoadError) -> Connection {
    do { return try Connection(target) } catch let error as PostgresError {
      throw LoadError.connecting(error)
    } catch {
      throw LoadError(wrapping: error, during: "connecting")
    }
  }

  /// Sends rows with one COPY statement.
  ///
  /// - Returns: the number of rows that the server has stored.
  /// - Throws: `PostgresError` when the COPY fails; `LoadError` when the server reports a different
  ///   number of rows.
  @discardableResult
  func copyRows(_ rows: borrowing RowBuffer, with statement: String) throws -> Int {
    let copy = try copyIn(statement)
    do {
      try RowBuffer.header.withUnsafeBytes { try copy.write($0) }
      try copy.write(rows.bytes)
      FaultPoint.copyBegun.reached()
      try RowBuffer.trailer.withUnsafeBytes { try copy.write($0) }
    } catch {
      copy.abort(reason: "the loader aborted the COPY")
      throw error
    }
    let accepted = try copy.finish()
    guard accepted == rows.rowCount else {
      throw LoadError(
        .defect, "COPY stored \(accepted) of \(rows.rowCount) rows")
    }
    return accepted
  }
}
