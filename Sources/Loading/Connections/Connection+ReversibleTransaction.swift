internal import Postgres

extension Connection {
  /// Runs a change in one transaction, and rolls it back after a dry run, a refusal or an
  /// interruption.
  ///
  /// Contention restarts the transaction, so `body` can run several times.
  ///
  /// - Parameters:
  ///   - stage: the work in progress, for messages.
  ///   - remedy: the user's next step after a failure, for messages.
  ///   - isKept: false rolls the transaction back; the outcome is still returned, to be shown.
  /// - Throws: `LoadError`. Nothing was changed then, unless the connection broke after COMMIT was
  ///   sent and before the answer arrived.
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
