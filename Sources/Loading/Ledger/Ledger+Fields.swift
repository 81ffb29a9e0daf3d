internal import Postgres
internal import RecordPipeline

extension Ledger {
  /// A field that is new to a stream, or that a file lacks.
  struct FoundField: Decodable {
    let sourceFileID: Int
    let field: String
    /// True for a name that no file before had; false for a column that the files before had.
    let isNew: Bool
  }

  /// The most names in an error; further names are only counted.
  private static let listedNames = 10

  /// Compares the fields of closed files with those of the files before them.
  ///
  /// - Returns: what was found, new names in the order of their first lines.
  /// - Throws: `LoadError` when there are new names and the policy is `.fail`, but for the first file of
  ///   the stream: without a file no field is known.
  func compareFields(
    of files: [FileResult], stream: String, policy: UnknownFieldPolicy
  ) throws -> [FoundField] {
    guard policy != .ignore else { return [] }
    let files = files.filter {
      $0.totals.rowCount >= Self.comparedRows || $0.totals.unknownFields.contains { $0.name != nil }
    }
    guard !files.isEmpty else { return [] }
    let found = try connection.rows(
      of: FoundField.self, "select * from ingest.found_fields($1, $2::bigint[])",
      [.text(stream), .integers(files.map { Int($0.sourceFileID) })])
    let names = found.filter(\.isNew).map(\.field)
    guard policy == .fail, !names.isEmpty,
      try connection.onlyRow(
        of: Bool.self,
        """
        select exists (select from ingest.source_file
          where stream = $1 and undone_at is null and opened_by <> pg_current_xact_id())
        """, [.text(stream)])
    else { return found }
    let fields = listed(names, atMost: Self.listedNames)
    throw LoadError(
      .unknownField,
      "fields that \(stream) never had in this database: \(fields). Nothing was loaded; "
        + "--unknown-fields warn loads the file, keeps the fields in extra and counts them as known",
      detail: ["fields": fields])
  }
}
