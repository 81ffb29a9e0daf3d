internal import Postgres

extension Change {
  package struct SettingOutcome {
    /// The previous value; nil: the setting was at its default.
    package let before: String?
    /// The refresh of the reports; nil: they are as before.
    package let rebuilt: Refreshed?
  }

  /// Sets a setting, and brings the reports up to date where they depend on it.
  ///
  /// - Parameter value: nil restores the default.
  /// - Throws: `LoadError`, with exit code 64 when the server does not accept the value.
  package func set(
    _ setting: DatabaseSetting, to value: String?
  ) throws(LoadError) -> SettingOutcome {
    let start = ContinuousClock.now
    return try run(
      during: "setting \(setting.name)", remedy: "The setting is as before; run again",
      refreshes: setting.isOfReports
    ) {
      let before = try wait(for: [.table("ingest.setting")], on: connection) {
        try DatabaseSettings(connection).set(setting, to: value)
      }
      let isOther = (before ?? setting.defaultValue) != (value ?? setting.defaultValue)
      guard setting.isOfReports, isOther else {
        return SettingOutcome(before: before, rebuilt: nil)
      }
      // A day of another zone is another day.
      if setting == .timeZone { try connection.execute("delete from ingest.open_day") }
      var rebuilt = try connection.refreshReports(isFull: setting == .timeZone)
      // A refresh judges the days of the applications that have changed.
      try connection.query("select rollup.refresh_horizons(null)")
      rebuilt.seconds = Refreshed.seconds(since: start)
      return SettingOutcome(before: before, rebuilt: rebuilt)
    }
  }
}
