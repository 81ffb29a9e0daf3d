internal import Foundation

/// Places in a file's load at which tests want to break something.
///
/// With `GAMEBASE_INGEST_STOP_AT` in the environment the program stops itself there, as `kill -STOP`
/// would; the test then kills it, or the server, or the connection, or lets it go on. A load is
/// never in such a place for long, so faults at random times miss them.
enum FaultPoint: String {
  /// A COPY has been given rows and not been ended.
  case copyBegun = "copy-begun"
  /// A batch has been copied, and the file goes on.
  case batchCopied = "batch-copied"
  /// Staged rows have been merged.
  case merged
  /// Everything is written, and COMMIT has not been sent.
  case beforeCommit = "before-commit"
  /// COMMIT has been answered, and nobody has been told.
  case afterCommit = "after-commit"

  private static let chosen = ProcessInfo.processInfo.environment["GAMEBASE_INGEST_STOP_AT"]
    .flatMap { FaultPoint(rawValue: $0) }

  func reached() {
    if Self.chosen == self { raise(SIGSTOP) }
  }
}
