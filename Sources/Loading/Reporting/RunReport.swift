package import Foundation

/// The report of a run with all its files, for the summary on the screen and for `load --report`.
///
/// Programs read the JSON keys, and `docs/report.schema.json` describes them. A new key needs a
/// description there; an existing key is never renamed.
package struct RunReport: Codable, Sendable, Equatable {
  /// The version of the report's format.
  package static let version = 2

  /// The program's version.
  package var programVersion = ""
  /// The process's exit code: that of the files, joined with that of the refresh.
  package var exitCode: Int32
  /// The exit code of the files alone; nil: no file was tried.
  package var loadExitCode: Int32?
  /// 0, or the exit code of a refresh that failed; nil: no refresh was tried.
  package var refreshExitCode: Int32?
  /// nil for a dry run, and for a run that ended before it wrote to the ledger.
  package var loadID: Int?
  /// True for a dry run, of which nothing is kept.
  package var isDryRun: Bool
  /// nil when the run ended before it had a connection.
  package var database: DatabaseReport?
  /// RFC 3339 in UTC, by the clock of this machine.
  package var startedAt: String?
  package var finishedAt: String?
  package var durationSeconds: Double?
  /// The error that ended the run, or that of its refresh; nil: the run reached its end.
  package var error: String?
  package var errorCode: ErrorCode?
  package var errorDetail: [String: String]?
  /// Files that match no stream, and were not read.
  package var skipped: [SkippedReport] = []
  /// Files that may still be written, and are left to a later run.
  package var postponed: [SkippedReport] = []
  package var files: [FileReport]
  /// nil: no refresh was tried.
  package var refresh: RefreshReport?
  /// nil: the command is not `run`.
  package var night: NightReport?

  enum CodingKeys: String, CodingKey {
    case programVersion = "version"
    case exitCode = "exit_code"
    case loadExitCode = "load_exit_code"
    case refreshExitCode = "refresh_exit_code"
    case loadID = "load_id"
    case isDryRun = "dry_run"
    case database
    case startedAt = "started_at"
    case finishedAt = "finished_at"
    case durationSeconds = "duration_seconds"
    case error
    case errorCode = "error_code"
    case errorDetail = "error_detail"
    case skipped, postponed, files, refresh, night
  }

  /// Keys with values that are derived from the others.
  private enum DerivedKeys: String, CodingKey {
    case reportVersion = "report_version"
    case totals
  }

  package init(
    exitCode: Int32 = 0, loadID: Int? = nil, isDryRun: Bool = false, files: [FileReport] = []
  ) {
    self.exitCode = exitCode
    self.loadID = loadID
    self.isDryRun = isDryRun
    self.files = files
  }

  /// The report of a run that failed before it started.
  package init(
    failedWith exitCode: ExitCode, code: ErrorCode, message: String, detail: [String: String] = [:],
    version: String, clock: ReportClock = ReportClock()
  ) {
    self.init(exitCode: exitCode.rawValue)
    programVersion = version
    error = message
    errorCode = code
    errorDetail = detail.isEmpty ? nil : detail
    take(clock)
  }

  /// The sums over the files of each stream, in the order of the streams' first files.
  package var totals: [StreamTotals] {
    var totals: [StreamTotals] = []
    for file in files {
      if let index = totals.firstIndex(where: { $0.stream == file.stream }) {
        totals[index].add(file)
      } else {
        var stream = StreamTotals(stream: file.stream)
        stream.add(file)
        totals.append(stream)
      }
    }
    return totals
  }

  /// Sets the start time, the end time (now), and the duration.
  package mutating func take(_ clock: ReportClock) {
    startedAt = clock.startedAt
    finishedAt = ReportClock.now
    durationSeconds = clock.elapsedSeconds
  }

  /// Sets the error of the run.
  package mutating func noteError(_ failure: LoadError) {
    error = failure.message
    errorCode = failure.code
    errorDetail = failure.detail.isEmpty ? nil : failure.detail
  }

  /// Copies the error of the last file that failed, when a file's failure ended the run.
  mutating func noteError(ofFiles files: [FileReport]) {
    guard error == nil, exitCode >= ExitCode.usage.rawValue else { return }
    let last = files.last { $0.status == .failed && $0.errorCode != .notReached }
    error = last?.error
    errorCode = last?.errorCode
    errorDetail = last?.errorDetail
  }

  package func encode(to encoder: any Encoder) throws {
    // Every key is always written, with null for a missing value, so that programs can rely on it.
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(programVersion, forKey: .programVersion)
    try container.encode(exitCode, forKey: .exitCode)
    try container.encode(loadExitCode, forKey: .loadExitCode)
    try container.encode(refreshExitCode, forKey: .refreshExitCode)
    try container.encode(loadID, forKey: .loadID)
    try container.encode(isDryRun, forKey: .isDryRun)
    try container.encode(database, forKey: .database)
    try container.encode(startedAt, forKey: .startedAt)
    try container.encode(finishedAt, forKey: .finishedAt)
    try container.encode(durationSeconds, forKey: .durationSeconds)
    try container.encode(error, forKey: .error)
    try container.encode(errorCode, forKey: .errorCode)
    try container.encode(errorDetail, forKey: .errorDetail)
    try container.encode(skipped, forKey: .skipped)
    try container.encode(postponed, forKey: .postponed)
    try container.encode(files, forKey: .files)
    try container.encode(refresh, forKey: .refresh)
    try container.encode(night, forKey: .night)
    var derived = encoder.container(keyedBy: DerivedKeys.self)
    try derived.encode(Self.version, forKey: .reportVersion)
    try derived.encode(totals, forKey: .totals)
  }

  /// The report as JSON with sorted keys and a final line break.
  package func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let json = String(decoding: try encoder.encode(self), as: UTF8.self)
    return Data((printableJSON(json) + "\n").utf8)
  }
}
