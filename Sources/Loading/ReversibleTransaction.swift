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
    let undisturbed = {
      try interruption.check(orSay: "interrupted; nothing was changed. \(remedy)")
    }
    do {
      interruption.watch([self])
      defer { interruption.watch([]) }
      return try RetryPolicy().throughContention(during: stage, interruption: interruption) {
        try undisturbed()
        try begin()
        do {
          let outcome = try body()
          try undisturbed()
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
          // A cancelled statement is how an interruption reaches us when the server is at work.
          try undisturbed()
          throw error
        }
      }
    } catch {
      throw LoadError(wrapping: error, during: stage, remedy: remedy)
    }
  }
}
