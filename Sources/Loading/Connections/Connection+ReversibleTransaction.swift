internal import Postgres

extension Connection {
  /// Runs a change in one transaction, which a dry run, a refusal or an interruption rolls back.
  ///
  /// Retries on contention.
  ///
  /// - Parameters:
  ///   - stage: the work in progress, for messages.
  ///   - remedy: the user's next step after a failure, for messages.
  ///   - isKept: false for an outcome that is shown and rolled back.
  /// - Throws: `LoadError`; then nothing was changed, or the answer to COMMIT was lost.
  func reversibleTransaction<Outcome>(
    during stage: String, remedy: String, interruption: Interruption,
    isKept: (Outcome) -> Bool, _ body: () throws -> Outcome
  ) throws(LoadError) -> Outcome {
    let message = "interrupted; nothing was changed. \(remedy)"
    do {
      return try interruption.cancelling([self], orSay: message) {
        try RetryPolicy().throughContention(during: stage, interruption: interruption) {
          try interruption.check(orSay: message)
          try begin()
          do {
            let outcome = try body()
            try interruption.check(orSay: message)
            if isKept(outcome) {
              FaultPoint.beforeCommit.reached()
              try commit()
              FaultPoint.afterCommit.reached()
            } else {
              rollback()
            }
            return outcome
          } catch {
            rollback()
            throw error
          }
        }
      }
    } catch {
      throw LoadError(wrapping: error, during: stage, remedy: remedy)
    }
  }
}
