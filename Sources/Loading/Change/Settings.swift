package import Postgres

/// The settings of one database, in `ingest.setting`; `ingest.setting_kind` describes them.
struct Settings {
  private let connection: Connection

  /// - Parameter connection: in a transaction, to a database at this program's schema.
  init(_ connection: Connection) { self.connection = connection }

  private func value(of name: String) throws -> String? {
    try connection.row(
      of: String.self, "select value from ingest.setting where name = $1", [.text(name)])
  }

  /// The application of lines that name none; nil: not set.
  ///
  /// - Throws: `LoadError` when the value is none that can be set, for example one that an older
  ///   version accepted.
  func appID() throws -> String? {
    guard let app = try value(of: "app-id") else { return nil }
    if let problem = ApplicationName.problem(with: app) {
      throw LoadError(
        .configuration,
        "the setting app-id cannot be used: \(problem); correct it with gamebase-ingest settings set "
          + "app-id, or give --app-id", endsRun: true)
    }
    return app
  }

  /// The applications that lines may belong to, as bytes; nil: any.
  func allowedApps() throws -> Set<[UInt8]>? {
    try value(of: "apps").map { Set(ApplicationName.list($0).map { Array($0.utf8) }) }
  }
}

extension Listing {
  /// All settings, for `settings show`, with those of single applications and streams that have a
  /// value.
  package static func settings(on connection: Connection) -> Listing {
    Listing(
      """
      select n.name as setting,
          coalesce(s.value, case when n.name = k.name then k.default_value end || ' (default)', '(none)') as value,
          coalesce(to_char(s.set_at, 'YYYY-MM-DD HH24:MI:SS "UTC"') || ' by ' || s.set_by, '-') as set, k.meaning
        from ingest.setting_kind k
        cross join lateral (
          select k.name union all select name from ingest.setting where starts_with(name, k.name || '.')
        ) n
        left join ingest.setting s on s.name = n.name
        order by n.name <> k.name, case when n.name = k.name then k.place end, n.name
      """, on: connection)
  }
}

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
    let start = ContinuousClock.now
    let stage = "setting \(name)"
    let isOfReports: Bool?
    do {
      isOfReports = try connection.row(
        of: Bool.self,
        "select is_of_reports from ingest.setting_kind where name = split_part($1, '.', 1)",
        [.text(name)])
    } catch { throw LoadError(wrapping: error, during: stage) }
    return try run(
      during: stage, remedy: "The setting is as before; run again", refreshes: isOfReports == true
    ) {
      let values = try wait(for: [.table("ingest.setting")], on: connection) {
        try connection.onlyRow(
          of: SettingOutcome.Values.self, "select * from ingest.set_setting($1, $2)",
          [.text(name), .optional(value)])
      }
      guard values.isRebuilt else { return SettingOutcome(values: values, rebuilt: nil) }
      // A day of another zone is another day.
      let isZone = name == "time-zone"
      if isZone { try connection.execute("delete from ingest.open_day") }
      var rebuilt = try connection.refreshReports(isFull: isZone)
      // A refresh judges the days of the applications that have changed.
      try connection.query("select rollup.refresh_horizons(null)")
      rebuilt.seconds = Refreshed.seconds(since: start)
      return SettingOutcome(values: values, rebuilt: rebuilt)
    }
  }
}
