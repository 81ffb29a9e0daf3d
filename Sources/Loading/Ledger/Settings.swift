internal import Postgres

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
