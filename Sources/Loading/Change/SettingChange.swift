internal import Postgres

extension Change {
  package struct SettingOutcome {
    /// A row of `ingest.set_setting`.
    package struct Values: Decodable {
      package let before: String
      package let now: String
      package let isChanged: Bool
      let isRebuilt: Bool
    }

    package let values: Values
    /// The refresh of the reports; nil: they are as before.
    package let rebuilt: Refreshed?
  }

  /// Sets a setting, and brings the reports up to date where they depend on it.
  ///
  /// - Parameter value: nil restores the default.
  /// - Throws: `LoadError`, with exit code 64 when there is no such setting, or it does not accept the
  ///   value.
  package func set(_ name: String, to value: String?) throws(LoadError) -> SettingOutcome {
    let clock = ReportClock()
    let stage = "setting \(name)"
    let remedy = "The setting is as before; run again"
    let isOfReports = try run(during: stage, remedy: remedy, isStep: true) {
      try connection.row(
        of: Bool.self,
        "select is_of_reports from ingest.setting_kind where name = split_part($1, '.', 1)",
        [.text(name)])
    }
    return try run(during: stage, remedy: remedy, refreshes: isOfReports == true) {
      let values = try connection.waiting(for: [.table("ingest.setting")]) {
        try connection.onlyRow(
          of: SettingOutcome.Values.self, "select * from ingest.set_setting($1, $2)",
          [.text(name), .optional(value)])
      }
      guard values.isRebuilt else { return SettingOutcome(values: values, rebuilt: nil) }
      // A day of another zone is another day.
      let isZone = name == "time-zone"
      if isZone { try connection.execute("delete from ingest.open_day") }
      var rebuilt = try connection.refreshReports(isFull: isZone)
      rebuilt.seconds = clock.elapsedSeconds
      return SettingOutcome(values: values, rebuilt: rebuilt)
    }
  }
}
