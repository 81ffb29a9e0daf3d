internal import Foundation
internal import Postgres

/// Places in what a command writes at which tests want to break something.
///
/// With `GAMEBASE_INGEST_STOP_AT` in the environment the program stops itself there, as `kill -STOP`
/// would; the test then kills it, or the server, or the connection, or lets it go on. A command is
/// never in such a place for long, so faults at random times miss them.
enum FaultPoint: String {
  /// A COPY has been given rows and not been ended.
  case copyBegun = "copy-begun"
  /// A batch has been copied, and the file goes on.
  case batchCopied = "batch-copied"
  /// Staged rows have been merged.
  case merged
  /// A file has failed and been rolled back, and its story has not been written.
  case rolledBack = "rolled-back"
  /// The story of a failed file is written, and not committed.
  case failureRecorded = "failure-recorded"
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

extension Connection {
  /// Runs what a command writes in a transaction, with the places in it at which tests break things.
  @discardableResult
  func writingTransaction<Value>(_ body: () throws -> Value) throws -> Value {
    let value = try transaction {
      let value = try body()
      FaultPoint.beforeCommit.reached()
      return value
    }
    FaultPoint.afterCommit.reached()
    return value
  }
}
