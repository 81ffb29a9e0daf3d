package import Postgres
internal import RecordPipeline

/// Stored rejects as JSONL lines that can be corrected and loaded, for `rejects export`.
package struct RejectExport {
  private let filter: EntryFilter
  private let connection: Connection

  /// The number of rows to fetch at a time.
  ///
  /// A stored line has up to 64 KiB, so 100 take at most 6.25 MiB.
  private static let pageSize = 100

  /// - Parameters:
  ///   - filter: with a status, so that lines of loaded and of failed files are not mixed.
  ///   - connection: inside a transaction, which the cursor needs.
  package init(_ filter: EntryFilter, on connection: Connection) {
    self.filter = filter
    self.connection = connection
  }

  /// The options of `load` that affect the meaning of the exported lines; nil: an option is not needed.
  package struct LoadingOptions: Decodable {
    package let stream: String
    /// False for lines of failed files, whose other options the ledger does not keep.
    package let areKnown: Bool
    package let appID: String?
    package let unwrapField: String?
    /// RFC 3339; only for streams of observations.
    package let observedAt: String?
    package let timeUnit: String?
  }

  /// The options that the exported lines need to be loaded with; nil: there is no line.
  ///
  /// - Throws: `LoadError` with exit code 64 when the lines need different options.
  package func loadingOptions() throws -> LoadingOptions? {
    let sets = try connection.rows(
      of: LoadingOptions.self,
      """
      select distinct stream, status = 'loaded' as are_known, app_id, unwrap_field,
          case when stream = any ($9)
            then to_char(observed_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end as observed_at,
          nullif(time_unit, $10) as time_unit
        from \(EntryFilter.rejects)
      """,
      filter.parameters + [
        .texts(StreamCatalog.all.filter(\.isObserved).map(\.name)),
        .text(TimeUnit.milliseconds.rawValue),
      ])
    guard sets.count <= 1 else {
      throw LoadError(
        .usage,
        "these lines are of several streams, or were read with different options, so one load cannot "
          + "take them all; narrow them with --stream, --load or --file")
    }
    return sets.first
  }

  /// The numbers of stored lines of failed files, and of these files.
  package struct FailedLines: Decodable {
    package let lines: Int
    package let files: Int
  }

  /// The lines of failed files that the filter would select without its status.
  package func failedFiles() throws -> FailedLines {
    var filter = filter
    filter.status = .failed
    return try connection.onlyRow(
      "select count(*) as lines, count(distinct path) as files from \(EntryFilter.rejects)",
      filter.parameters)
  }

  /// Writes each line with a line break after it, file by file, in line order.
  ///
  /// - Returns: the number of written lines, and the number of lines left out because only their
  ///   beginning is stored.
  /// - Throws: `PostgresError`, and any error of `write`.
  package func export(
    _ write: ([UInt8]) throws -> Void
  ) throws -> (exported: Int, cut: Int) {
    var counts = (exported: 0, cut: 0)
    try connection.query(
      """
      declare exported no scroll cursor for
        select case when is_whole then raw end from \(EntryFilter.rejects)
        order by coalesce(reject_id, 0), path, line_number
      """, filter.parameters)
    while true {
      let page = try connection.rows(
        of: [UInt8]?.self, "fetch \(Self.pageSize) from exported")
      if page.isEmpty { return counts }
      for line in page {
        guard let line else {
          counts.cut += 1
          continue
        }
        // A reader drops a byte-order mark at the start of a file. After an empty line the mark
        // remains a part of its line.
        let isMarked = counts.exported == 0 && line.starts(with: [0xEF, 0xBB, 0xBF])
        counts.exported += 1
        try write((isMarked ? [0x0A] : []) + line + [0x0A])
      }
    }
  }
}
