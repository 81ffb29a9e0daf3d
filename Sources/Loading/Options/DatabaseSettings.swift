package import Postgres

/// The settings of one database, in `ingest.setting`.
package struct DatabaseSettings {
  private let connection: Connection

  /// - Parameter connection: in a transaction, to a database at this program's schema.
  package init(_ connection: Connection) { self.connection = connection }

  /// The value of a setting; nil: the setting is at its default.
  package func value(of setting: DatabaseSetting) throws -> String? {
    try connection.row(
      of: String.self, "select value from ingest.setting where name = $1", [.text(setting.name)])
  }

  /// The application of lines that name none; nil: not set.
  ///
  /// - Throws: `LoadError` when the value is none that can be set, for example one that an older
  ///   version accepted.
  func appID() throws -> String? {
    guard let app = try value(of: .appID) else { return nil }
    if let problem = DatabaseSetting.appID.problem(with: app) {
      throw LoadError(
        .configuration,
        "the setting app-id cannot be used: \(problem); correct it with gamebase-ingest settings set "
          + "app-id, or give --app-id", endsRun: true)
    }
    return app
  }

  /// The applications that lines may belong to, as bytes; nil: any.
  func allowedApps() throws -> Set<[UInt8]>? {
    try value(of: .apps).map { Set(ApplicationName.list($0).map { Array($0.utf8) }) }
  }

  /// The settings of single applications and streams that have a value.
  package func ofSubjects() throws -> [DatabaseSetting] {
    try connection.rows(
      of: String.self, "select name from ingest.setting where name like '%.%' order by name"
    )
    .compactMap(DatabaseSetting.init)
    .filter { $0.subject != nil }
  }

  /// The time and the role that set a setting, as text; nil: the setting is at its default.
  package func origin(of setting: DatabaseSetting) throws -> String? {
    try connection.row(
      of: String.self,
      """
      select to_char(set_at, 'YYYY-MM-DD HH24:MI:SS "UTC"') || ' by ' || set_by
        from ingest.setting where name = $1
      """, [.text(setting.name)])
  }

  /// Sets a value; nil restores the default.
  ///
  /// The reports follow only after a refresh; `Change.set` does both.
  ///
  /// - Returns: the previous value.
  /// - Throws: `LoadError` with exit code 64 when the server does not accept the value;
  ///   `PostgresError` when the role lacks the right to write the table; its owner has that right.
  package func set(_ setting: DatabaseSetting, to value: String?) throws -> String? {
    let before = try self.value(of: setting)
    guard before != value else { return before }
    if let value {
      try check(value, of: setting)
      try connection.query(
        """
        insert into ingest.setting (name, value) values ($1, $2)
          on conflict (name) do update set value = excluded.value, set_at = now(), set_by = session_user
        """, [.text(setting.name), .text(value)])
    } else {
      try connection.query(
        "delete from ingest.setting where name = $1", [.text(setting.name)])
    }
    return before
  }

  /// Refuses an `app-id` that `apps` does not list, because every file without an application would
  /// fail.
  private func checkListed(_ app: String, in apps: Set<[UInt8]>?) throws(LoadError) {
    guard let apps, !apps.contains(Array(app.utf8)) else { return }
    throw LoadError(
      .usage,
      "the setting apps does not list \(printable(app)), the value of app-id; change the other setting "
        + "first")
  }

  /// Checks a value against the other settings, the server's time zones or the table of currencies.
  private func check(_ value: String, of setting: DatabaseSetting) throws {
    if setting.kind.subjects == [.stream], let stream = setting.subject {
      let known = try connection.rows(
        of: String.self, "select stream from ingest.stream order by stream")
      guard known.contains(stream) else {
        throw LoadError(
          .usage,
          "\(setting.kind.rawValue): \(printable(stream)) is no stream; the streams are "
            + known.joined(separator: ", "))
      }
    }
    switch setting.kind {
    case .receiptFeed, .maxAge, .minDailyLines, .minUsualLines: break
    case .appID: try checkListed(value, in: allowedApps())
    case .apps:
      let listed = Set(ApplicationName.list(value).map { Array($0.utf8) })
      if let app = try self.value(of: .appID) { try checkListed(app, in: listed) }
    case .timeZone:
      let fault = try connection.onlyRow(
        of: String?.self, "select ingest.time_zone_fault($1)", [.text(value)])
      if let fault { throw LoadError(.usage, "time-zone: \(printable(value)) \(fault)") }
    case .baseCurrency:
      let hasMinorUnit = try connection.row(
        of: Bool.self, "select minor_unit is not null from game.currency where currency = $1",
        [.text(value)])
      if hasMinorUnit == true { return }
      throw LoadError(
        .usage,
        "base-currency: \(printable(value)) "
          + (hasMinorUnit == nil ? "is no currency of ISO 4217" : "has no minor unit")
          + "; game.currency lists the codes")
    }
  }
}
