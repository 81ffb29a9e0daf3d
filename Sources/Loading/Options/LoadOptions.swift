package import RecordPipeline

/// What a run of the loader is told to do, apart from which files to load.
package struct LoadOptions: Sendable {
  /// The application of lines without `appId`, and part of a file's identity; nil: not given.
  package var appID: String?
  /// Whether `appID` comes from the database's setting, and not from whoever called.
  package var isAppIDSetting = false
  /// The only application that lines may name; nil: any.
  package var expectedApp: String?
  /// For game-user lines without a time, epoch milliseconds; part of a file's identity.
  package var observedAt: Int64?
  /// Stands for the start of the run, epoch milliseconds; nil: the server's clock.
  package var asOf: Int64?
  package var timeUnit = TimeUnit.milliseconds
  package var limits = Limits()
  /// The field of a line that holds its record; nil: the line is the record.
  package var unwrapField: String?
  /// Keep purchase tokens beside their digests.
  package var storesPurchaseTokens = false
  /// By which the lines of erased users are recognized; nil: not given.
  package var erasureKey: ErasureKey?
  package var reading = ReadOptions()
  package var rejectLimit = RejectLimit.standard
  /// Load the same bytes once more when they are loaded already under another `appID` or `observedAt`.
  package var reloadsUnderNewOptions = false
  /// How a field name is treated that a stream never had in the database.
  package var unknownFields = UnknownFieldPolicy.warn
  /// Do everything, and keep nothing of it.
  package var isDryRun = false
  package var retries = RetryPolicy()
  /// How many streams are loaded side by side; nil: as many as there are cores.
  package var jobs: Int?
  /// Stop the run at the first file that fails.
  package var failFast = false
  /// Seconds to wait for a file that another loader has in hand.
  package var lockWaitSeconds = 60
  /// Bytes that may be spent on remembering the keys of a file; see `RowRouter`.
  package var keyMemory = 8 * 1024 * 1024
  package var heartbeat = HeartbeatTiming()
  package var loaderVersion = "0"

  package init() {}

  /// The rules that lines are read by.
  ///
  /// - Parameter startOfRun: epoch milliseconds, by the server's clock.
  package func rules(startOfRun: Int64) -> NormalizationRules {
    var rules = NormalizationRules(startOfRun: asOf ?? startOfRun)
    rules.limits = limits
    rules.timeUnit = timeUnit
    rules.appID = appID ?? ""
    rules.expectedApp = expectedApp
    rules.unwrapField = unwrapField
    rules.storesPurchaseTokens = storesPurchaseTokens
    if let observedAt {
      rules.observedAt = observedAt
      rules.isObservedAtGiven = true
    }
    return rules
  }

  /// Bytes for remembering the keys of so many bytes of lines: a small file needs few.
  func keyMemory(forBytes byteCount: Int?) -> Int {
    // Few lines are as short as this, and should all be, they will only take the careful way.
    let shortestLine = 64
    let lines = byteCount.map { $0 / shortestLine }
    return min(keyMemory, lines.map(SeenKeys.memory(forKeys:)) ?? .max)
  }

  /// False when a file's bytes are loaded already, or were loaded with other options and are not to be
  /// loaded again.
  func allowsLoad(after earlier: EarlierLoad) -> Bool {
    switch earlier {
    case .none: true
    case .same: false
    case .otherwise: reloadsUnderNewOptions
    }
  }
}
