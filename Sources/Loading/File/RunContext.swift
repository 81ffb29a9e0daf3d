internal import Postgres

/// The facts about a run that the load of a file needs.
struct RunContext: Sendable {
  let loadID: Int
  /// Epoch milliseconds, by the server's clock.
  let startedAt: Int64
  let target: ConnectionTarget
  let interruption: Interruption
  let lockWait: LockWait
  /// The number of the worker that loads the file, from 0.
  let worker: Int
  let progress: LoadProgress.Worker
  let fieldHistory: FieldHistory
}
