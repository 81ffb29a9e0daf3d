package import Postgres
internal import RecordPipeline

/// Stored rejects as JSONL lines that can be corrected and loaded, for `rejects export`.
package struct RejectExport {
  private let filter: RejectFilter
  private let connection: Connection

  /// The number of rows to fetch at a time.
  ///
  /// A stored line has up to 64 KiB, so 100 take at most 6.25 MiB.
  private static let pageSize = 100

  /// - Parameters:
  ///   - filter: with a status, so that lines of loaded and of failed files are not mixed.
  ///   - connection: inside a transaction, which the cursor needs.
  package init(_ filter: RejectFilter, on connection: Connection) {
    self.filter = filter
    self.connection = connection
  }

  /// How to load the exported lines so that they keep their meaning.
  package enum LoadingHint: Sendable, Equatable {
    /// There is no line to export.
    case noLines
    /// With the options that were given for the failed file, which the ledger does not keep.
    case optionsOfTheFile
    case options(LoadingOptions)
  }

  /// The options of `load` that affect the meaning of the exported lines; nil: the option is not
  /// needed.
  package struct LoadingOptions: Sendable, Equatable {
    package let stream: String
    package let appID: String?
    package let unwrapField: String?
    /// RFC 3339; only for streams of observations.
    package let observedAt: String?
    package let timeUnit: String?
  }

  /// The options that the exported lines need to be loaded with.
  ///
  /// - Throws: `LoadError` with exit code 64 when the lines need different options.
  package func loadingHint() throws -> LoadingHint {
    let observed = StreamCatalog.all.filter(\.isObserved).map(\.name)
    let sets = try connection.rows(
      of: StoredOptions.self,
      """
      select distinct stream, status = 'loaded' as is_loaded, app_id, unwrap_field,
          case when stream = any ($9)
            then to_char(observed_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end as observed_at,
          time_unit
        from \(RejectFilter.source) where \(RejectFilter.condition)
      """, filter.parameters + [.texts(observed)])
    guard sets.count <= 1 else {
      throw LoadError(
        .usage,
        "these lines are of several streams, or were read with different options, so one load cannot "
          + "take them all; narrow them with --stream, --load or --file")
    }
    guard let set = sets.first else { return .noLines }
    guard set.isLoaded else { return .optionsOfTheFile }
    return .options(
      LoadingOptions(
        stream: set.stream, appID: set.appID, unwrapField: set.unwrapField,
        observedAt: set.observedAt,
        timeUnit: set.timeUnit == .milliseconds ? nil : set.timeUnit?.rawValue))
  }

  private struct StoredOptions: Decodable {
    let stream: String
    let isLoaded: Bool
    let appID: String?
    let unwrapField: String?
    let observedAt: String?
    /// nil for lines of failed files.
    let timeUnit: TimeUnit?
  }

  private struct FailedLines: Decodable {
    let lines: Int
    let files: Int
  }

  /// The numbers of stored lines of failed files, and of these files, that the filter would select
  /// without its status.
  package func failedFiles() throws -> (lines: Int, files: Int) {
    var filter = filter
    filter.status = .failed
    let counts = try connection.onlyRow(
      of: FailedLines.self,
      """
      select count(*) as lines, count(distinct path) as files
        from \(RejectFilter.source) where \(RejectFilter.condition)
      """, filter.parameters)
    return (lines: counts.lines, files: counts.files)
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
        select case when is_whole then raw end
        from \(RejectFilter.source) where \(RejectFilter.condition)
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
