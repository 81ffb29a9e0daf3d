package import Postgres
internal import RecordPipeline

/// What a database says of the files that are loaded into it, where a command line does not.
package enum DatabaseSetting: String, CaseIterable, Sendable {
  /// The application of lines that name none.
  case appID = "app-id"

  /// One line for `settings show`.
  package var meaning: String {
    switch self {
    case .appID: "the application of lines that name none, unless load --app-id names one"
    }
  }

  /// Why a text cannot be the value; nil: it can.
  package func problem(with value: String) -> String? {
    switch self {
    case .appID:
      let limit = Limits().identifierBytes
      let isBlank = value.allSatisfy { " \t\r\n".contains($0) }
      return isBlank || value.utf8.count > limit
        ? "an application is a text of 1 to \(limit) bytes" : nil
    }
  }
}

/// The settings of one database, in `ingest.setting`.
package struct DatabaseSettings {
  private let connection: Connection

  /// - Parameter connection: inside a transaction, to a database at this program's schema.
  package init(_ connection: Connection) { self.connection = connection }

  /// The value of a setting; nil: its default.
  package func value(of setting: DatabaseSetting) throws -> String? {
    try connection.query(
      "select value from ingest.setting where name = $1", [.text(setting.rawValue)])[0, 0]
  }

  /// When and by whom a setting was set, as text; nil: it is at its default.
  package func origin(of setting: DatabaseSetting) throws -> String? {
    try connection.query(
      """
      select to_char(set_at, 'YYYY-MM-DD HH24:MI:SS "UTC"') || ' by ' || set_by
        from ingest.setting where name = $1
      """, [.text(setting.rawValue)])[0, 0]
  }

  /// Sets a value, or goes back to the default.
  ///
  /// - Returns: the value of before.
  /// - Throws: `PostgresError` when the role may not: settings are the owner's.
  package func set(_ setting: DatabaseSetting, to value: String?) throws -> String? {
    let before = try self.value(of: setting)
    guard before != value else { return before }
    if let value {
      try connection.query(
        """
        insert into ingest.setting (name, value) values ($1, $2)
          on conflict (name) do update set value = excluded.value, set_at = now(), set_by = session_user
        """, [.text(setting.rawValue), .text(value)])
    } else {
      try connection.query(
        "delete from ingest.setting where name = $1", [.text(setting.rawValue)])
    }
    return before
  }
}
