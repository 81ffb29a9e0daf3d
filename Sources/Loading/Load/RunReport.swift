package import Foundation
package import Postgres
package import RecordPipeline

/// The report of a run with all its files, for the summary on the screen and for `load --report`.
///
/// Programs read the JSON keys, and `docs/report.schema.json` describes them. A new key needs a
/// description there; an existing key is never renamed.
package struct RunReport: Codable, Sendable, Equatable {
  /// The version of the report's format.
  package static let version = 3

  /// The program's version.
  package var programVersion = ""
  /// The exit code of the run: that of the files, joined with that of the refresh and of the judgement.
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
  /// Files that were found, and were not read.
  package var skipped: [SkippedReport] = []
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
    case skipped, files, refresh, night
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
    let failed = files.filter { $0.status == .failed && $0.errorCode != .notReached }
    // A storage that is away does not end the run, so failures with other exit codes can follow.
    let away =
      exitCode == ExitCode.temporary.rawValue
      ? failed.last { $0.errorCode == .storageUnavailable } : nil
    let last = away ?? failed.last
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

/// The report of a file that was found, and was not read.
package struct SkippedReport: Codable, Sendable, Equatable {
  package let path: String
  package let reason: String

  package init(_ file: SkippedInput) {
    path = file.path
    reason = file.reason
  }
}

/// The database of a run, without the role, the password or any other option.
package struct DatabaseReport: Codable, Sendable, Equatable {
  package let name: String
  /// A host name or address, or the folder of a Unix socket.
  package let host: String
  package let port: String
  /// As the server reports it, such as 15.8.
  package let serverVersion: String

  enum CodingKeys: String, CodingKey {
    case name, host, port
    case serverVersion = "server_version"
  }

  package init(_ connection: Connection) {
    let place = connection.place
    name = place.database
    host = place.host
    port = place.port
    serverVersion = connection.serverVersionName
  }
}

/// The sums over the files of one stream in a run; bytes and lines count loaded files only.
package struct StreamTotals: Encodable, Sendable, Equatable {
  /// nil: the files whose stream is not known.
  package let stream: String?
  package private(set) var files = 0
  package private(set) var loaded = 0
  package private(set) var alreadyLoaded = 0
  package private(set) var undone = 0
  package private(set) var failed = 0
  package private(set) var bytes = 0
  package private(set) var lines = 0
  package private(set) var inserted = 0
  package private(set) var filled = 0
  package private(set) var duplicates = 0
  package private(set) var conflicts = 0
  package private(set) var rejected = 0
  package private(set) var suppressed = 0
  package private(set) var blank = 0

  private enum CodingKeys: String, CodingKey {
    case stream, files, loaded
    case alreadyLoaded = "already_loaded"
    case undone, failed, bytes, lines, inserted, filled, duplicates, conflicts, rejected, suppressed
    case blank
  }

  init(stream: String?) { self.stream = stream }

  mutating func add(_ file: FileReport) {
    files += 1
    switch file.status {
    case .loaded: loaded += 1
    case .alreadyLoaded: alreadyLoaded += 1
    case .undone: undone += 1
    case .failed: failed += 1
    }
    bytes += file.bytes
    lines += file.lines
    inserted += file.inserted
    filled += file.filled
    duplicates += file.duplicates
    conflicts += file.conflicts
    rejected += file.rejected
    suppressed += file.suppressed
    blank += file.blank
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(stream, forKey: .stream)
    for (key, count) in [
      (CodingKeys.files, files), (.loaded, loaded), (.alreadyLoaded, alreadyLoaded),
      (.undone, undone), (.failed, failed), (.bytes, bytes), (.lines, lines), (.inserted, inserted),
      (.filled, filled), (.duplicates, duplicates), (.conflicts, conflicts),
      (.rejected, rejected), (.suppressed, suppressed), (.blank, blank),
    ] { try container.encode(count, forKey: key) }
  }
}

/// The start time of a run or a file, and the time that has passed since.
package struct ReportClock: Sendable {
  /// RFC 3339 in UTC with milliseconds, by the clock of this machine.
  package let startedAt = ReportClock.now
  private let start = ContinuousClock.now

  package init() {}

  /// Seconds, to the millisecond, by a monotonic clock.
  package var elapsedSeconds: Double {
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    return Double(seconds * 1000 + attoseconds / 1_000_000_000_000_000) / 1000
  }

  static var now: String {
    Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}
