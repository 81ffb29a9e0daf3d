package import Postgres

extension Change {
  /// Undoes loaded files: their rows, rejects, conflicts, fills and accepted values.
  ///
  /// The ledger keeps the files' entries with the original counts, marked as undone, and the same
  /// bytes can be loaded again. The other tables are then as if only the other files had been loaded.
  ///
  /// - Parameter withLater: also undo the files that depend on the chosen ones.
  /// - Throws: `LoadError`, with exit code 64 when the choice names no file or several.
  package func undo(
    _ choice: FileChoice, withLater: Bool = false
  ) throws(LoadError) -> UndoneFiles {
    try run(
      during: "undoing", remedy: "Run again: files that are undone already are left alone",
      isDone: \.isDone
    ) {
      if try choice.files(connection).isEmpty { throw try choice.notFound(connection) }
      try connection.holdAllStreamsAndRefresh()
      // Read under the locks, because a load or another undo may have changed the files.
      let files = try choice.files(connection).filter { $0.undoneAt == nil }
      if case .file = choice, files.count > 1 { throw FileChoice.ambiguous(files) }
      return try undo(files.map(\.sourceFileID), withLater: withLater)
    }
  }

  /// Undoes an acceptance: rows get their previous values back, and the conflicts are open again.
  ///
  /// - Parameter withLater: also undo the files that depend on the accepted values.
  /// - Throws: `LoadError`, with exit code 64 when there is no such acceptance.
  package func undoAcceptance(
    _ number: Int, withLater: Bool = false
  ) throws(LoadError) -> UndoneFiles {
    try run(
      during: "undoing an acceptance",
      remedy: "Run again: an acceptance that is undone already is left alone", isDone: \.isDone
    ) {
      func isInEffect() throws -> Bool? {
        try connection.row(
          of: Bool.self, "select undone_at is null from ingest.acceptance where acceptance_id = $1",
          [.integer(number)])
      }
      guard try isInEffect() != nil else {
        throw LoadError(
          .usage, "there is no acceptance \(number); conflicts list --accepted shows the numbers")
      }
      try connection.holdAllStreamsAndRefresh()
      guard try isInEffect() == true else { return UndoneFiles() }
      return try undo([], acceptance: number, withLater: withLater)
    }
  }

  private func undo(
    _ files: [Int], acceptance: Int? = nil, withLater: Bool
  ) throws -> UndoneFiles {
    var report = UndoneFiles()
    guard !files.isEmpty || acceptance != nil else { return report }
    let later = try connection.query(
      """
      select f.source_file_id as file, f.path, f.stream, d.duplicate_count as duplicates,
          d.filled_count as filled, d.conflict_count as conflicts
        from ingest.dependent_files($1, $2) d join ingest.source_file f using (source_file_id)
      """, [.integers(files), .integer(acceptance)])
    guard withLater || later.rowCount == 0 else {
      report.inTheWay = later
      return report
    }
    report.files = try connection.query(
      """
      select u.source_file_id as file, f.path, f.stream,
          case when u.source_file_id = any ($1) then 'asked for' else 'depends on it' end as why,
          u.row_count as rows, u.fill_count as filled_values, u.reject_count as rejects,
          u.conflict_count as conflicts, u.accepted_count as accepted_values
        from ingest.undo_files($1 || array(
            select d.source_file_id from ingest.dependent_files($1, $2) d)) u
          join ingest.source_file f using (source_file_id)
        order by u.source_file_id
      """, [.integers(files), .integer(acceptance)])
    report.failurePaths = try connection.rows(
      of: String.self,
      """
      select coalesce(f.canonical_path, f.path) from ingest.source_file f
        where f.source_file_id = any ($1) group by 1 order by min(f.source_file_id)
      """, [.integers(try report.undone.map(\.file))])
    if let acceptance {
      report.restored = try connection.onlyRow(
        of: UndoneFiles.Restored.self,
        "select line_count as lines, value_count as values from ingest.undo_acceptance($1)",
        [.integer(acceptance)])
    }
    try refresh()
    return report
  }
}

/// The result of an undo: the undone files, or those in its way; neither if all was undone before.
package struct UndoneFiles {
  package struct File: Decodable {
    package let file: Int
    /// The deleted rows.
    package let rows: Int
  }

  package struct Restored: Decodable {
    /// Lines with conflicts that are open again.
    package let lines: Int
    /// Values that the lines had replaced.
    package let values: Int
  }

  /// The undone files: `file`, `path`, `stream`, `why`, `rows`, `filled_values` (that are absent
  /// again), `rejects`, `conflicts` (one for each column that contradicted a row), `accepted_values`
  /// (that lines of the file had replaced and that are restored).
  package internal(set) var files: QueryResult?
  /// The paths under which the undone files are open failures, in their order.
  package internal(set) var failurePaths: [String] = []
  /// The files that depend on the undo, because of which nothing was changed.
  ///
  /// Columns: `file`, `path`, `stream`, `duplicates`, `filled`, `conflicts`.
  package internal(set) var inTheWay: QueryResult?
  /// Of an acceptance.
  package internal(set) var restored: Restored?

  package var isDone: Bool { files != nil }

  package var undone: [File] {
    get throws { try files?.decoded() ?? [] }
  }
}
