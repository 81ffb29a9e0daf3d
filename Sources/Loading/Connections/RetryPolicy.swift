internal import Foundation
internal import Logging
internal import Postgres

/// How often and how patiently something is tried again.
package struct RetryPolicy: Sendable {
  /// Tries after the first; 0: none.
  package var retries: Int
  /// Seconds before the first of them; each further one waits twice as long.
  package var firstDelay: Double

  /// Seconds that no wait is longer than.
  private static let longestDelay = 30.0

  package init(retries: Int = 3, firstDelay: Double = 1) {
    self.retries = retries
    self.firstDelay = firstDelay
  }

  /// Seconds to wait before a retry, from 1: half of it by chance, so that loaders that failed
  /// together do not come back together.
  package func delay(before retry: Int) -> Double {
    let whole = min(Self.longestDelay, firstDelay * Double(1 << min(retry - 1, 16)))
    return whole * Double.random(in: 0.5...1)
  }

  /// Runs `body`, again when it fails for a reason that may pass.
  ///
  /// - Parameter canRepeat: looked at after a failure; false: it is final all the same.
  /// - Throws: the last failure, and what ends a wait.
  func callAsFunction<Value>(
    logger: Logger, interruption: Interruption, canRepeat: () -> Bool = { true },
    _ body: () throws(LoadError) -> Value
  ) throws(LoadError) -> Value {
    var retry = 0
    while true {
      do throws(LoadError) { return try body() } catch {
        guard error.isTransient, retry < retries, canRepeat(), !interruption.isRequested else {
          throw error
        }
        retry += 1
        let delay = delay(before: retry)
        logger.warning(
          "\(printable(error.message)); retry \(retry) of \(retries) in \(String(format: "%.1f", delay)) s"
        )
        do { try interruption.sleep(seconds: delay) } catch {
          throw LoadError(wrapping: error, during: "waiting for a retry")
        }
      }
    }
  }
}

extension RetryPolicy {
  /// For what waits for loads by trying: some minutes.
  package static let patient = RetryPolicy(retries: 20)

  /// Runs a transaction, again when it met others in the way.
  ///
  /// A deadlock, or a lock that was held too long.
  func throughContention<Value>(
    during stage: String, interruption: Interruption = Interruption(), _ body: () throws -> Value
  ) throws -> Value {
    var retry = 0
    while true {
      do { return try body() } catch let error as PostgresError where error.kind == .contention {
        guard retry < retries else {
          throw LoadError(error, during: stage, remedy: "Nothing was changed; run again")
        }
        retry += 1
        try interruption.sleep(seconds: delay(before: retry))
      }
    }
  }
}

extension Interruption {
  /// Waits, and ends the wait by throwing when the run is to end.
  func sleep(seconds: Double) throws {
    let deadline = Date(timeIntervalSinceNow: seconds)
    while true {
      try check()
      let left = deadline.timeIntervalSinceNow
      guard left > 0 else { return }
      Thread.sleep(forTimeInterval: min(left, 0.2))
    }
  }
}
