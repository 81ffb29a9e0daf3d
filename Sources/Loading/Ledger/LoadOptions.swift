package import Postgres
package import RecordPipeline

/// The options of a run, apart from its input files.
package struct LoadOptions: Sendable {
  /// The rules for lines, but for the start of the run.
  package var rules = NormalizationRules(startOfRun: 0)
  /// The only application that lines may name; nil: any that the database's setting allows.
  package var expectedApp: String?
  /// True when the application of the rules comes from the database's setting and not from the caller.
  var isAppIDSetting = false
  /// The start of the run in epoch milliseconds, instead of the server's clock; nil: the server's
  /// clock.
  package var asOf: Int64?
  /// The key that recognizes the lines of erased users; nil: not given.
  package var erasureKey: ErasureKey?
  package var rejectLimit = RejectLimit.standard
  /// Load bytes again that are already loaded with another `appID` or `observedAt`.
  package var reloadsUnderNewOptions = false
  /// The treatment of a field name that is new to its stream in this database.
  package var unknownFields = UnknownFieldPolicy.warn
  /// Do all the work in the database, and roll it back at the end.
  package var isDryRun = false
  package var retries = RetryPolicy()
  /// The number of streams to load in parallel; nil: the number of cores.
  package var jobs: Int?
  package var refreshes = true
  package var failFast = false
  /// The longest wait for a lock of another session, of a stream or the reports, in seconds; nil: no limit.
  package var lockWaitSeconds: Int?
  /// The memory limit for the keys of a file, in bytes; see `RowRouter`.
  package var keyMemory = 8 * 1024 * 1024
  /// The seconds from the start of the run to its first heartbeat, and between heartbeats.
  package var heartbeat = (first: 10.0, interval: 15.0)
  /// The target and days that the ledger records for the run.
  package var night = Night()
  /// True for `run`, which judges the feeds at its end, and leaves undone files alone.
  package var isNight: Bool { !night.days.isEmpty }
  package var loaderVersion = "0"

  package init() {}

  /// The application of lines without `appId`, as a part of a file's identity; nil: not given.
  var appID: String? { rules.appID.isEmpty ? nil : rules.appID }
  /// The time of game users and items without a time, in epoch milliseconds, as a part of a file's
  /// identity; nil: not given.
  var observedAt: Int? { rules.observedAt.map { Int($0) } }
  /// The application that the caller names, whose feeds a night judges; nil: none.
  var namedApp: String? { isAppIDSetting ? expectedApp : appID ?? expectedApp }
  /// The application that the files are expected to be of; nil: unknown.
  var presumedApp: String? { namedApp ?? appID }

  /// The exit code of a run with a path that failed in the search for files.
  func exitCode(of failure: FailedInput) -> ExitCode {
    isNight && failure.error.kind == .pathMissing
      ? .incomplete : ErrorCode(failure.error.kind).exitCode
  }

  /// The rules for the lines of a run.
  ///
  /// - Parameter startOfRun: epoch milliseconds; `asOf` replaces it when given.
  package func rules(startOfRun: Int64) -> NormalizationRules {
    var rules = rules
    rules.startOfRun = asOf ?? startOfRun
    if let expectedApp {
      let expected: Set = [Array(expectedApp.utf8), []]
      rules.allowedApps = rules.allowedApps?.intersection(expected) ?? expected
    }
    return rules
  }

  /// The memory limit in bytes for the keys of a file of this length: less than `keyMemory` for a
  /// small file.
  func keyMemory(forBytes byteCount: Int?) -> Int {
    // Few lines are shorter than this. If most are, some keys do not fit, and the rows with these
    // keys are looked up on the server.
    let shortestLine = 64
    let lines = byteCount.map { $0 / shortestLine }
    return min(keyMemory, lines.map(SeenKeys.memory(forKeys:)) ?? .max)
  }
}

/// The treatment of a file with a field name that its stream never had in the database.
package enum UnknownFieldPolicy: String, Sendable, CaseIterable {
  /// The file is loaded, and the new name is reported once.
  case warn
  /// The file fails.
  case fail
  /// The names are counted in the ledger and not compared with earlier ones.
  case ignore
}

/// The target and the days that a run is recorded for in `ingest.load`.
package struct Night: Sendable, Equatable {
  /// The target of the configuration file; nil: none.
  package var target: String?
  /// The days whose files are expected, such as `2026-01-31`, in their order; empty for other commands
  /// than `run`.
  package var days: [String]

  package init(target: String? = nil, days: [String] = []) {
    (self.target, self.days) = (target, days)
  }

  /// The days from one to another, in the time zone of the reports.
  ///
  /// - Parameters:
  ///   - first: such as `2026-01-31`; nil: yesterday.
  ///   - last: the same.
  ///   - connection: in a transaction.
  /// - Throws: `LoadError` with exit code 64 when the last day is before the first, or a range has more
  ///   than `longestRange` days.
  package static func days(
    from first: String?, through last: String?, on connection: Connection
  ) throws -> [String] {
    let days = try connection.rows(
      of: String.self,
      """
      with yesterday (day) as (
        select (now() at time zone value)::date - 1 from report.setting where name = 'time-zone'
      )
      select to_char(d, 'YYYY-MM-DD')
        from yesterday, generate_series(
          coalesce($1::date, day)::timestamp, coalesce($2::date, day)::timestamp, interval '1 day') d
        order by d limit \(longestRange + 1)
      """, [.text(first), .text(last)])
    guard !days.isEmpty else {
      throw LoadError(.usage, "the last day is before the first one")
    }
    guard days.count <= longestRange else {
      throw LoadError(
        .usage, "the range has more than \(longestRange) days; run its parts one after another")
    }
    return days
  }

  /// A year of nights and a month; a longer range is a mistyped year.
  private static let longestRange = 400
}
