package import Postgres

/// Sets a setting, and in the same transaction brings the reports up to date where they depend on it.
package struct SettingChange {
  private let setting: DatabaseSetting
  private let value: String?
  private let connection: Connection
  private let wait: LockWait
  private let interruption: Interruption

  /// - Parameters:
  ///   - value: nil restores the default.
  ///   - connection: to a database at this program's schema.
  package init(
    _ setting: DatabaseSetting, to value: String?, connection: Connection,
    wait: LockWait = .silent, interruption: Interruption = Interruption()
  ) {
    self.setting = setting
    self.value = value
    self.connection = connection
    self.wait = wait
    self.interruption = interruption
  }

  package struct Outcome: Sendable {
    /// The previous value; nil: the setting was at its default.
    package let before: String?
    /// The refresh of the reports; nil: they are as before.
    package let rebuilt: Refreshed?
  }

  private static let interrupted = "interrupted; the setting is as before"

  /// - Throws: `LoadError`, with exit code 64 when the server does not accept the value. Nothing was
  ///   changed then, unless the connection broke after COMMIT was sent and before the answer
  ///   arrived.
  package func apply() throws(LoadError) -> Outcome {
    let start = ContinuousClock.now
    let stage = "setting \(setting.name)"
    do {
      return try interruption.cancelling([connection], message: Self.interrupted) {
        try RetryPolicy().throughContention(during: stage, interruption: interruption) {
          guard setting.isOfReports else {
            return Outcome(before: try connection.transaction { try set() }, rebuilt: nil)
          }
          // A refresh reads one state of the facts.
          return try connection.refreshTransaction(wait) {
            let before = try set()
            guard effective(before) != effective(value) else {
              return Outcome(before: before, rebuilt: nil)
            }
            // A day of another zone is another day.
            if setting == .timeZone { try connection.execute("delete from ingest.open_day") }
            var rebuilt = try connection.refreshReports(isFull: setting == .timeZone)
            // A refresh judges the days of the applications that have changed.
            try connection.query("select rollup.refresh_horizons(null)")
            rebuilt.seconds = Refreshed.seconds(since: start)
            return Outcome(before: before, rebuilt: rebuilt)
          }
        }
      }
    } catch {
      throw LoadError(
        wrapping: error, during: stage, remedy: "The setting is as before; run again")
    }
  }

  private func set() throws -> String? {
    try wait(for: [.table("ingest.setting")], on: connection) {
      try DatabaseSettings(connection).set(setting, to: value)
    }
  }

  private func effective(_ value: String?) -> String? { value ?? setting.defaultValue }
}
