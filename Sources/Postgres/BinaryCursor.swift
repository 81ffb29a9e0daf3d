internal import CLibpq

/// The rows of a query in PostgreSQL's binary format, a part at a time.
///
/// A cursor reads one snapshot, its own transaction's changes up to its start included, and sorts
/// once, whatever is written meanwhile. The next part is on its way while the caller works on one.
package struct BinaryCursor: ~Copyable {
  private let connection: Connection
  private let fetch: String
  private var isFetching = false
  private var fetched: QueryResult?

  /// Reads a cursor that is open in the caller's transaction, and does not close it.
  ///
  /// - Parameters:
  ///   - name: an identifier.
  ///   - partRows: the number of rows of a part; memory is needed for two parts.
  package init(opened name: String, partRows: Int = 1000, on connection: Connection) {
    self.connection = connection
    fetch = "fetch \(partRows) from \(name)"
  }

  /// Returns the next part, and requests the one after it; nil at the end.
  ///
  /// No other statement may run on the connection until `settle` was called.
  package mutating func next() throws -> QueryResult? {
    try request()
    try settle()
    let part = fetched
    fetched = nil
    guard let part, part.rowCount > 0 else { return nil }
    try request()
    return part
  }

  /// Waits for the requested part, so that the connection is free for other statements.
  package mutating func settle() throws {
    guard isFetching else { return }
    isFetching = false
    fetched = try connection.lastResult()
  }

  private mutating func request() throws {
    guard !isFetching, fetched == nil else { return }
    // The last argument asks for binary values.
    guard PQsendQueryParams(connection.handle, fetch, 0, nil, nil, nil, nil, 1) == 1 else {
      throw connection.connectionError()
    }
    isFetching = true
  }
}
