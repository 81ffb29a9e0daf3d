internal import Foundation

/// The points of a writing command at which tests inject a fault.
///
/// When `GAMEBASE_INGEST_STOP_AT` names a point, the program stops itself there with SIGSTOP. The
/// test then kills the program, the server or the connection, or lets the program continue. A
/// command passes these points quickly, so faults at random times would miss them.
enum FaultPoint: String {
  /// A COPY has received rows and is not finished.
  case copyBegun = "copy-begun"
  /// A COPY into the target table is complete, and the file's transaction is still open.
  case batchCopied = "batch-copied"
  /// Staged rows have been merged.
  case merged
  /// A failed file is rolled back, and its failure report is not written yet.
  case rolledBack = "rolled-back"
  /// The failure report of a file is written and not committed.
  case failureRecorded = "failure-recorded"
  /// Everything is written, and COMMIT has not been sent.
  case beforeCommit = "before-commit"
  /// The server has confirmed COMMIT, and the program has not reported it yet.
  case afterCommit = "after-commit"

  /// The rollups are refreshed, and the COMMIT of the refresh has not been sent.
  case refreshed

  private static let chosen = ProcessInfo.processInfo.environment["GAMEBASE_INGEST_STOP_AT"]
    .flatMap { FaultPoint(rawValue: $0) }

  private static let unfoldable = ProcessInfo.processInfo.environment["GAMEBASE_INGEST_FAIL_PLAYER"]
    .map { Array($0.utf8) }

  /// True for the user whose figures a test makes fail.
  static func failsFigures(of user: [UInt8]) -> Bool { unfoldable == user }

  func reached() {
    if Self.chosen == self { raise(SIGSTOP) }
  }
}
