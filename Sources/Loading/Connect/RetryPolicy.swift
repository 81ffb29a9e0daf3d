internal import Foundation
internal import Postgres

/// The number of retries of failed work, and the delays before them.
package struct RetryPolicy: Sendable {
  /// Attempts after the first; 0: none.
  package var retries: Int
  /// Seconds before the first retry; the delay doubles with each further retry.
  package var firstDelay: Double

  /// The longest delay in seconds.
  private static let longestDelay = 30.0

  package init(retries: Int = 3, firstDelay: Double = 1) {
    (self.retries, self.firstDelay) = (retries, firstDelay)
  }

  /// The delay in seconds before a retry.
  ///
  /// Half of it is random jitter, so that loaders that failed together do not retry together.
  ///
  /// - Parameter retry: the number of the retry, from 1.
  package func delay(before retry: Int) -> Double {
    let whole = min(Self.longestDelay, firstDelay * Double(1 << min(retry - 1, 16)))
    return whole * Double.random(in: 0.5...1)
  }

  /// Runs `body`, and runs it again after a transient failure.
  ///
  /// - Parameters:
  ///   - warn: called with each failure and the delay after it.
  ///   - canRepeat: called with each transient failure; false makes the failure final.
  /// - Throws: the last failure, or the interruption that ended a delay.
  package func callAsFunction<Value>(
    warn: (String) -> Void, interruption: Interruption,
    canRepeat: (LoadError) -> Bool = { _ in true },
    _ body: () throws(LoadError) -> Value
  ) throws(LoadError) -> Value {
    var retry = 0
    while true {
      do throws(LoadError) { return try body() } catch {
        guard error.isTransient, retry < retries, canRepeat(error), !interruption.isRequested else {
          throw error
        }
        retry += 1
        let delay = delay(before: retry)
        warn(
          "\(error.message); retry \(retry) of \(retries) in \(String(format: "%.1f", delay)) s"
        )
        do { try interruption.sleep(seconds: delay) } catch {
          throw LoadError(wrapping: error, during: "waiting for a retry")
        }
      }
    }
  }

  /// For commands that contend with loads: 20 retries, whose delays add up to 4 to 8 minutes.
  package static let patient = RetryPolicy(retries: 20)

  /// Runs a transaction, and runs it again after contention or on a standby.
  ///
  /// Contention is a deadlock, a lock timeout, or a partition that another session dropped
  /// meanwhile. A failover makes a standby writable.
  ///
  /// - Parameters:
  ///   - awaitsPromotion: false: an error on a standby is final.
  ///   - delayed: called before the delay of the first retry.
  /// - Throws: `LoadError` when no retry is left or an interruption ends a delay; any other error
  ///   of `body`.
  package func throughContention<Value>(
    during stage: String, interruption: Interruption = Interruption(),
    awaitsPromotion: Bool = true, delayed: () -> Void = {},
    _ body: () throws -> Value
  ) throws -> Value {
    var retry = 0
    while true {
      do { return try body() } catch let error as PostgresError
        where error.kind == .contention || error.readOnlyCause == .standby && awaitsPromotion
      {
        // A failover takes seconds; only contention with long loads needs more patience.
        let retries = error.kind == .contention ? retries : min(retries, RetryPolicy().retries)
        guard retry < retries else {
          throw LoadError(error, during: stage, remedy: "Nothing was changed; run again")
        }
        if retry == 0 { delayed() }
        retry += 1
        try interruption.sleep(seconds: delay(before: retry))
      }
    }
  }
}
