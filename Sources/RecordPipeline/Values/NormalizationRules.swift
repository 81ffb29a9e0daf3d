/// The unit of times that are given as numbers.
package enum TimeUnit: String, Sendable, CaseIterable {
  case seconds = "s"
  case milliseconds = "ms"
  case microseconds = "us"
}

/// All settings that decide the outcome of a line.
///
/// The same line under the same rules has the same outcome, at any time and on any machine.
package struct NormalizationRules: Sendable, Equatable {
  package var limits = Limits()
  package var timeUnit = TimeUnit.milliseconds
  /// Epoch milliseconds, by the server's clock where a server is used.
  package let startOfRun: Int64
  /// The latest time that a line may hold, in epoch milliseconds: the start of the run and a day.
  package var latestTime: Int64
  /// The `app_id` of lines that name no application.
  package var appID = ""
  /// The only application that lines may name; nil allows any.
  package var expectedApp: String?
  /// The observation time of game-user lines without a time of their own, in epoch milliseconds.
  package var observedAt: Int64
  /// True when an option gave `observedAt`, false when it is the start of the load.
  package var isObservedAtGiven = false
  /// The field of a line that holds the record, as an object or as a string; nil when the line is the record.
  package var unwrapField: String?
  /// True when a purchase token is stored beside its digest.
  package var storesPurchaseTokens = false
  /// The key of the rows' digests; nil writes rows without a digest, as when there is no database.
  package var rowDigestKey: RowDigest.Key?

  package static let millisecondsPerDay: Int64 = 86_400_000

  package init(startOfRun: Int64) {
    self.startOfRun = startOfRun
    latestTime = startOfRun + Self.millisecondsPerDay
    observedAt = startOfRun
  }
}
