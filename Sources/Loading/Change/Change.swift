package import Postgres
internal import RecordPipeline

/// A command that changes stored data in one transaction, with the refresh of the reports where they
/// depend on it.
///
/// Each method is a change. A dry run does all the work but the refresh, and rolls it back. A second
/// run leaves earlier changes alone, so every change can be run again.
package struct Change {
  let connection: Connection
  package let isDryRun: Bool
  package let interruption: Interruption

  /// - Parameter connection: to a database at this program's schema, as a member of the owner.
  package init(
    on connection: Connection, isDryRun: Bool = false,
    interruption: Interruption = Interruption()
  ) {
    (self.connection, self.isDryRun, self.interruption) = (connection, isDryRun, interruption)
  }

  /// Runs a change in one transaction, and rolls it back after a dry run, a refusal or an
  /// interruption.
  ///
  /// Contention restarts the transaction, so `body` can run several times.
  ///
  /// - Parameters:
  ///   - stage: the work in progress, for messages.
  ///   - remedy: the state after a failure, and the user's next step.
  ///   - state: the state after an interruption; nil: that of `remedy`.
  ///   - refreshes: true to begin with the lock of the refreshes, and see one state of the facts
  ///     while loads go on.
  ///   - waitSeconds: the longest wait for that lock; nil: no limit.
  ///   - isStep: true for a transaction before or after that of the change.
  ///   - isDone: false rolls the transaction back; the outcome is still returned, to be shown.
  /// - Throws: `LoadError`. Nothing was changed then, unless the connection broke after COMMIT was
  ///   sent and before the answer arrived.
  func run<Outcome>(
    during stage: String, remedy: String, afterInterruption state: String? = nil,
    refreshes: Bool = false, waitSeconds: Int? = nil, isStep: Bool = false,
    isDone: (Outcome) -> Bool = { _ in true }, _ body: () throws -> Outcome
  ) throws(LoadError) -> Outcome {
    let message = "interrupted; \(state ?? "nothing was changed. \(remedy)")"
    do {
      return try interruption.cancelling([connection], message: message) {
        try RetryPolicy().throughContention(during: stage, interruption: interruption) {
          defer { connection.rollback() }
          if refreshes {
            try connection.beginRefreshing(upTo: waitSeconds)
          } else {
            try connection.begin()
          }
          try interruption.check(message: message)
          let outcome = try body()
          try interruption.check(message: message)
          // A refused change can have failed statements.
          guard isDone(outcome) else { return outcome }
          let isCommitted = !isDryRun && !isStep
          if isCommitted { FaultPoint.beforeCommit.reached() }
          try connection.end(isKept: !isDryRun)
          if isCommitted { FaultPoint.afterCommit.reached() }
          return outcome
        }
      }
    } catch {
      throw LoadError(wrapping: error, during: stage, remedy: remedy)
    }
  }

  /// Collects what a refresh would read, and rolls it back.
  ///
  /// - Parameter waitSeconds: the longest wait for another refresh; nil: no limit.
  package func planRefresh(isFull: Bool, waitSeconds: Int?) throws(LoadError) -> RefreshReport {
    try run(
      during: "planning a refresh", remedy: "Nothing was changed; run again",
      afterInterruption: "nothing was changed", refreshes: true, waitSeconds: waitSeconds,
      isDone: { _ in false }
    ) { try connection.beginRefresh(isFull: isFull) }
  }

  /// Refreshes the reports, but not in a dry run.
  func refresh() throws {
    if !isDryRun { try connection.refreshReports() }
  }

  /// Reads a small file as a whole, plain or compressed; `-` is standard input.
  ///
  /// - Parameters:
  ///   - maxBytes: the most bytes of the file, decompressed.
  ///   - state: the state of the database after a failure, for messages, such as `no rate was changed`.
  /// - Returns: the bytes without a byte-order mark.
  /// - Throws: `LoadError` with exit code 5 when the file cannot be read or is larger; the interruption of a
  ///   pipe that is slow.
  package func read(_ path: String, maxBytes: Int, ifNot state: String) throws(LoadError) -> [UInt8]
  {
    func check() throws { try interruption.check(message: "interrupted; \(state)") }
    let name = path == InputFile.standardInputPath ? "standard input" : path
    var bytes: [UInt8] = []
    do {
      let file = try InputFile(Input(path: path), allowsPipes: true)
      try file.forEachPart(checking: {
        if file.isReadOnce { try file.waitUntilReadable(checking: check) }
      }) {
        bytes += $0
        return bytes.count <= maxBytes
      }
      if bytes.count <= maxBytes { try file.checkUnchanged() }
    } catch let error as ReadError {
      throw LoadError(
        ErrorCode(error.kind), "\(name) \(error.message); \(state)", exitCode: .fileFailed)
    } catch {
      throw LoadError(wrapping: error, during: "reading \(name)")
    }
    guard bytes.count <= maxBytes else {
      throw LoadError(
        .fileTooLarge, "\(name) has more than \(maxBytes) bytes; \(state)")
    }
    return bytes.starts(with: ByteSlice.byteOrderMark) ? Array(bytes.dropFirst(3)) : bytes
  }
}
