package import Postgres

/// The files that failed and have not been loaded since, for `failures` and `status`.
package struct FailureListing {
  private let connection: Connection

  private static let open = """
    from ingest.failed_file f where not exists (
      select from ingest.failure_dismissal d where d.failed_file_id = f.failed_file_id)
    """

  /// - Parameter connection: inside a transaction, so that a table and its count agree.
  package init(on connection: Connection) { self.connection = connection }

  /// One row per failure that is not dismissed, newest first.
  ///
  /// Columns: `failed_file`, `failure` (its number), `stream`, `failed`, `reason`.
  package func openFailures(limit: Int) -> Listing {
    Listing(
      """
      select path as failed_file, failed_file_id as failure, stream, failed_at as failed, reason
      \(Self.open) order by failed_at desc, failed_file_id desc limit $1
      """, [.integer(limit)], on: connection)
  }

  /// The number of failures that are not dismissed.
  package func openCount() throws -> Int {
    try connection.onlyRow(of: Int.self, "select count(*) \(Self.open)")
  }

  /// One row per dismissal, newest first.
  ///
  /// Columns: `dismissed_file`, `failure` (its number), `stream`, `dismissed`, `by`, `note`,
  /// `reason`.
  package func dismissals(limit: Int) -> Listing {
    Listing(
      """
      select path as dismissed_file, failed_file_id as failure, stream, dismissed_at as dismissed,
        dismissed_by as by, note, reason
      from ingest.failure_dismissal order by dismissed_at desc, failed_file_id limit $1
      """, [.integer(limit)], on: connection)
  }

  /// The most failures in a message; further ones are only counted.
  private static let listedFailures = 5

  /// The open failures of the one file that a name selects.
  ///
  /// - Parameter name: a failure's number, a path, or the end of a path after a `/`.
  /// - Throws: `LoadError` with exit code 64 when the name selects no failure, or failures of
  ///   several files.
  package func failures(ofFileCalled name: String) throws -> [Failure] {
    let found = try Failure.all(called: name, on: connection)
    guard !found.isEmpty else {
      throw LoadError(
        .usage,
        "no failure is called \(name); nothing was dismissed. gamebase-ingest failures list shows the "
          + "open failures")
    }
    guard Set(found.map(\.path)).count == 1 else {
      let listed = found.prefix(Self.listedFailures).map {
        "\($0.number) (\($0.stream) \($0.path))"
      }
      let more = found.count - listed.count
      throw LoadError(
        .usage,
        "failures of several files are called \(name); nothing was dismissed. Name one by its number: "
          + listed.joined(separator: "; ") + (more > 0 ? "; and \(more) more" : ""))
    }
    return found
  }
}
