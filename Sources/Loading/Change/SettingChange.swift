internal import Postgres

extension Change {
  /// A row of `ingest.set_setting`.
  package struct SettingValues: Decodable {
    package let before: String
    package let now: String
    package let isChanged: Bool
    let isRebuilt: Bool
  }

  /// Sets a setting, and brings the reports up to date where they depend on it.
  ///
  /// - Parameter value: nil restores the default.
  /// - Returns: also the refresh of the reports; nil: they are as before.
  /// - Throws: `LoadError`, with exit code 64 when there is no such setting, or it does not accept the
  ///   value.
  package func set(
    _ name: String, to value: String?
  ) throws(LoadError) -> (values: SettingValues, rebuilt: RefreshReport?) {
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
          of: SettingValues.self, "select * from ingest.set_setting($1, $2)",
          [.text(name), .text(value)])
      }
      guard values.isRebuilt else { return (values, nil) }
      // A day of another zone is another day.
      let isZone = name == "time-zone"
      if isZone { try connection.execute("delete from ingest.open_day") }
      var rebuilt = try connection.refreshReports(isFull: isZone)
      // A refresh judges the days of the applications that have changed.
      try connection.query("select rollup.refresh_horizons()")
      rebuilt.durationSeconds = clock.elapsedSeconds
      return (values, rebuilt)
    }
  }
}
