internal import Postgres
internal import RecordPipeline

extension Connection {
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
        .defect, "COPY stored \(accepted) of \(rows.rowCount) rows", endsRun: true)
    }
    return accepted
  }
}
