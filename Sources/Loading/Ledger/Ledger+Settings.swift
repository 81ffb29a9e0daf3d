internal import Postgres

extension Ledger {
  /// The value of a setting, which `ingest.setting_kind` describes; nil: not set.
  private func setting(_ name: String) throws -> String? {
    try connection.row(
      of: String.self, "select value from ingest.setting where name = $1", [.text(name)])
  }

  /// The application of lines that name none; nil: not set.
  ///
  /// - Throws: `LoadError` when the value is none that can be set, for example one that an older
  ///   version accepted.
  func appIDSetting() throws -> String? {
    guard let app = try setting("app-id") else { return nil }
    if let problem = ApplicationName.problem(with: app) {
      throw LoadError(
        .configuration,
        "the setting app-id cannot be used: \(problem); correct it with gamebase-ingest settings set "
          + "app-id, or give --app-id")
    }
    return app
  }

  /// The applications that lines may belong to, as bytes; nil: any.
  func allowedApps() throws -> Set<[UInt8]>? {
    try setting("apps").map { Set(ApplicationName.list($0).map { Array($0.utf8) }) }
  }
}
