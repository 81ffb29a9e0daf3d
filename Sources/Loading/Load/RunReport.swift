package import Foundation
package import Postgres
package import RecordPipeline

/// The report of a run with all its files, for the summary on the screen and for `load --report`.
///
/// Programs read the JSON keys, which are the names of the properties, and `docs/report.schema.json` describes them. A new key needs a
/// description there; an existing key is never renamed.
package struct RunReport: Encodable, Sendable, Equatable {
  /// The version of the report's format.
  package let reportVersion = 3
  /// The program's version.
  package var version = ""
  /// The exit code of the run: that of the files, joined with that of the refresh and of the judgement.
  package var exitCode: Int32
  /// The exit code of the files alone; nil: no file was tried.
  package var loadExitCode: Int32?
  /// 0, or the exit code of a refresh that failed; nil: no refresh was tried.
  package var refreshExitCode: Int32?
  /// nil for a dry run, and for a run that ended before it wrote to the ledger.
  package var loadID: Int?
  package var dryRun = false
  /// nil when the run ended before it had a connection.
  package var database: Connection.Place?
  /// RFC 3339 in UTC, by the clock of this machine.
  package var startedAt: String?
  package var finishedAt: String?
  package var durationSeconds: Double?
  /// The error that ended the run, or that of its refresh; nil: the run reached its end.
  package var error: String?
  package var errorCode: ErrorCode?
  package var errorDetail: [String: String]?
  package var skipped: [SkippedInput] = []
  package var files: [FileReport] = [] {
    didSet {
      let streams = Dictionary(grouping: files, by: \.stream)
      var rest = Set(files.map(\.stream))
      totals = files.compactMap { file in
        rest.remove(file.stream).map { StreamTotals($0, streams[$0] ?? []) }
      }
    }
  }
  /// The sums over the files of each stream, in the order of the streams' first files.
  package private(set) var totals: [StreamTotals] = []
  /// The sums over all files.
  package var total: StreamTotals { StreamTotals(nil, files) }
  /// nil: no refresh was tried.
  package var refresh: RefreshReport?
  /// nil: the command is not `run`.
  package var night: NightReport?

  package init(exitCode: Int32 = 0) { self.exitCode = exitCode }

  /// The report of a run that failed before it started.
  package init(failedWith failure: LoadError, version: String, clock: ReportClock) {
    self.init(exitCode: failure.exitCode.rawValue)
    self.version = version
    noteError(failure)
    take(clock)
  }

  /// Sets the start time, the end time (now), and the duration.
  package mutating func take(_ clock: ReportClock) {
    startedAt = clock.startedAt
    finishedAt = ReportClock.now
    durationSeconds = clock.elapsedSeconds
  }

  package mutating func noteError(_ failure: LoadError) {
    error = failure.message
    errorCode = failure.code
    errorDetail = failure.detail.isEmpty ? nil : failure.detail
  }

  /// Copies the error of the last file with the exit code of the run, when a file's failure gave it.
  mutating func noteErrorOfFiles() {
    guard error == nil, exitCode >= ExitCode.usage.rawValue,
      let last = files.last(where: { $0.exitCode.rawValue == exitCode })
    else { return }
    (error, errorCode, errorDetail) = (last.error, last.errorCode, last.errorDetail)
  }

  /// The report as JSON with sorted keys and a final line break.
  package func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let json = String(decoding: try encoder.encode(self), as: UTF8.self)
    return Data((printableJSON(json) + "\n").utf8)
  }
}

/// The sums over the files of one stream in a run; bytes and lines count loaded files only.
package struct StreamTotals: Encodable, Sendable, Equatable {
  /// nil: the files whose stream is not known.
  package let stream: String?
  package let files: Int
  package let loaded: Int
  package let alreadyLoaded: Int
  package let undone: Int
  package let failed: Int
  package let bytes: Int
  package let lines: Int
  package let inserted: Int
  package let filled: Int
  package let duplicates: Int
  package let conflicts: Int
  package let rejected: Int
  package let suppressed: Int
  package let blank: Int

  package init(_ stream: String?, _ reports: [FileReport]) {
    func count(_ status: FileReport.Status) -> Int { reports.count { $0.status == status } }
    func sum(_ count: (FileReport) -> Int) -> Int { reports.map(count).reduce(0, +) }
    self.stream = stream
    files = reports.count
    (loaded, alreadyLoaded) = (count(.loaded), count(.alreadyLoaded))
    (undone, failed) = (count(.undone), count(.failed))
    (bytes, lines, blank) = (sum(\.bytes), sum(\.lines), sum(\.blank))
    (inserted, filled) = (sum(\.inserted), sum(\.filled))
    (duplicates, conflicts) = (sum(\.duplicates), sum(\.conflicts))
    (rejected, suppressed) = (sum(\.rejected), sum(\.suppressed))
  }
}

/// Every key of a report is always written, with null for an absent value, so that programs can rely on
/// it.
extension KeyedEncodingContainer {
  mutating func encodeIfPresent(_ value: String?, forKey key: Key) throws {
    try encode(value, forKey: key)
  }
  mutating func encodeIfPresent(_ value: Int?, forKey key: Key) throws {
    try encode(value, forKey: key)
  }
  mutating func encodeIfPresent(_ value: Int32?, forKey key: Key) throws {
    try encode(value, forKey: key)
  }
  mutating func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
    try encode(value, forKey: key)
  }
  mutating func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    try encode(value, forKey: key)
  }
}
