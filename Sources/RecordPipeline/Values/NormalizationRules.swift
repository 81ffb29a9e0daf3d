/// The unit of times that are given as numbers.
package enum TimeUnit: String, Sendable, CaseIterable {
  case seconds = "s"
  case milliseconds = "ms"
  case microseconds = "us"
}

/// Everything outside a line that decides what it becomes: the same line under the same rules has
/// the same outcome, whenever and wherever it is read.
package struct NormalizationRules: Sendable, Equatable {
  package var limits = Limits()
  package var timeUnit = TimeUnit.milliseconds
  /// Epoch milliseconds, by the server's clock when there is a server.
  package let startOfRun: Int64
  /// The latest time that a line may hold, in epoch milliseconds: the start of the run and a day.
  package var latestTime: Int64
  /// What `app_id` is for lines that name none.
  package var appID = ""
  /// The only application that lines may name; nil: any.
  package var expectedApp: String?
  /// When game-user lines without a time of their own were observed, in epoch milliseconds.
  package var observedAt: Int64
  /// Whether `observedAt` was given, or is the start of the load.
  package var isObservedAtGiven = false
  /// The field of a line that holds its record, as an object or as a text; nil: the line is it.
  package var unwrapField: String?
  /// Whether a purchase token is kept beside its digest.
  package var storesPurchaseTokens = false
  /// What rows are digested under; nil: rows go without a digest, as when there is no database.
  package var rowDigestKey: RowDigest.Key?

  package static let millisecondsPerDay: Int64 = 86_400_000

  package init(startOfRun: Int64) {
    self.startOfRun = startOfRun
    latestTime = startOfRun + Self.millisecondsPerDay
    observedAt = startOfRun
  }
}
