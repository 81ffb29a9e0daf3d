internal import Postgres

extension Connection {
  /// Runs a change that a dry run, a refusal or an interruption may still stop in one transaction, again
  /// when it meets others in the way.
  ///
  /// - Parameters:
  ///   - stage: what is under way, for messages.
  ///   - remedy: what to do after a failure.
  ///   - isKept: false for an outcome that is shown and rolled back.
  /// - Throws: `LoadError`; nothing has been changed then, or the commit's answer was lost.
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
