internal import Foundation
package import RecordPipeline

/// The report of one file of a run, or of a checked one.
///
/// Counts are 0 unless the file was loaded or checked.
package struct FileReport: Encodable, Sendable, Equatable {
  package enum Status: String, Encodable, Sendable, CaseIterable {
    case loaded
    case alreadyLoaded = "already_loaded"
    /// Left alone by `run`, because its bytes were undone.
    case undone
    case failed
    /// Read by `validate`, and not refused.
    case checked
  }

  package var path: String
  package var stream: String?
  /// 64 hexadecimal digits; nil when the file was not read to its end.
  package var sha256: String?
  package var status: Status
  /// The length of the decoded file.
  package var bytes = 0
  package var lines = 0
  package var inserted = 0
  package var filled = 0
  package var duplicates = 0
  package var conflicts = 0
  package var rejected = 0
  package var suppressed = 0
  package var blank = 0
  /// The outcomes of the records of another stream within its lines.
  ///
  /// It is nil for a stream without such records.
  package var embedded: OutcomeCounts?
  /// Refused lines by reject code.
  package var rejectCodes: [String: Int] = [:]
  /// True when the file ends in the middle of a line, also for a failed file.
  package var looksTruncated = false
  /// Names of fields that were new to the stream in this database; of a checked file, those without a column.
  package var newFields: [String] = []
  /// The path under which its bytes were loaded before; nil: they were not.
  package var alreadyLoadedAs: String?
  /// Columns that the files before had, and this one has not.
  package var vanishedFields: [String] = []
  /// RFC 3339 in UTC, by the clock of this machine; nil: the run did not try to load the file.
  package var startedAt: String?
  package var durationSeconds: Double?
  package var error: String?
  package var errorCode: ErrorCode?
  package var errorDetail: [String: String]?
  /// The part of a failed file that was read before the failure; nil for a file that did not fail,
  /// and for one that the run did not try to load.
  package var read: ReadReport?

  package init(path: String, stream: String?, status: Status) {
    (self.path, self.stream, self.status) = (path, stream, status)
    let isCarrier = stream.flatMap(StreamCatalog.stream(named:))?.embeddedStreamName != nil
    embedded = isCarrier ? OutcomeCounts() : nil
  }

  /// The report of a path that failed in the search for files.
  package init(_ failure: FailedInput) {
    self.init(path: failure.path, stream: failure.stream, status: .failed)
    fail(LoadError(failure.error))
  }

  /// The report of a file that the run did not reach.
  init(notReached input: Input, because reason: String?) {
    self.init(path: input.path, stream: input.stream, status: .failed)
    fail(LoadError(.notReached, "not reached: \(reason ?? "the run stopped")"))
  }

  /// The report of a loaded file.
  init(_ file: Ledger.FileResult, _ fields: [Ledger.FoundField]) {
    self.init(path: file.input.path, stream: file.input.stream, status: .loaded)
    take(file.totals, file.rejects)
    let counts = file.rows.counts
    let found = fields.filter { $0.sourceFileID == file.sourceFileID }
    newFields = found.filter(\.isNew).map(\.field)
    vanishedFields = found.filter { !$0.isNew }.map(\.field)
    (inserted, filled) = (counts.inserted, counts.filled)
    (duplicates, conflicts) = (counts.duplicates, counts.conflicts)
    embedded = file.embedded?.counts
  }

  /// The report of a file whose bytes the ledger has.
  init(_ input: Input, _ status: Status, sha256: [UInt8], as path: String? = nil) {
    self.init(path: input.path, stream: input.stream, status: status)
    self.sha256 = hexadecimal(sha256)
    alreadyLoadedAs = path
  }

  /// True when lines were refused or contradict stored rows.
  package var hasFindings: Bool {
    rejected > 0 || conflicts > 0 || embedded?.conflicts ?? 0 > 0
  }

  /// The exit code of a load of this file alone.
  package var exitCode: ExitCode {
    errorCode?.exitCode ?? (hasFindings ? .loadedWithFindings : .success)
  }

  /// The streams with inserted rows.
  var changedStreams: [String] {
    let ofRecords = stream.flatMap(StreamCatalog.stream(named:))?.embeddedStreamName
    return [inserted > 0 ? stream : nil, embedded?.inserted ?? 0 > 0 ? ofRecords : nil]
      .compactMap(\.self)
  }

  /// The report of a file that failed.
  init(_ input: Input, _ failure: LoadError, _ failureReport: FailureReport) {
    self.init(path: input.path, stream: input.stream, status: .failed)
    fail(failure)
    sha256 = failureReport.sha256.map(hexadecimal)
    read = failureReport.read
    looksTruncated = failureReport.sample.looksTruncated
  }

  mutating func fail(_ failure: LoadError) {
    (status, error, errorCode) = (.failed, failure.message, failure.code)
    errorDetail = failure.detail.isEmpty ? nil : failure.detail
  }

  /// Sets what the lines of a file tell without a database.
  mutating func take(_ totals: FileTotals, _ rejects: RejectSample) {
    (sha256, bytes, lines) = (hexadecimal(totals.sha256), totals.byteCount, totals.lineCount)
    (rejected, rejectCodes) = (totals.rejectedCount, rejects.countsByCode)
    (suppressed, blank) = (totals.suppressedCount, totals.blankCount)
    looksTruncated = rejects.looksTruncated
  }

  /// Sets the start time, and the duration from then until now.
  mutating func take(_ clock: ReportClock) {
    startedAt = clock.startedAt
    durationSeconds = clock.elapsedSeconds
  }
}
