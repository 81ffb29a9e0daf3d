internal import Loading
internal import Postgres

/// `status --check`: the verdict on each feed, and exit code 7 unless all are ok.
///
/// It needs only the rights of the monitor role.
struct HealthCheck {
  private let connection: Connection
  private let maxAges: [MaxAge]
  private let format: StateFormat

  init(_ connection: Connection, maxAges: [MaxAge], format: StateFormat) {
    self.connection = connection
    self.maxAges = maxAges
    self.format = format
  }

  /// - Throws: exit code 7 when a verdict is not `ok`.
  func run() throws {
    let isOK = try reportingErrors {
      do { return try connection.transaction { try show() } } catch let error as PostgresError
        where [.undefinedTable, .undefinedColumn, .invalidSchemaName].contains(error.sqlState)
      {
        throw LoadError(
          .configuration,
          "the database is not at the schema of this program; run gamebase-ingest migrate")
      }
    }
    if !isOK { throw Terminal.code(.incomplete) }
  }

  /// - Returns: true when every verdict is `ok`.
  private func show() throws -> Bool {
    let health = HealthListing(on: connection)
    let feeds = try health.feeds(maxAges: maxAges)
    let isOK = feeds.allSatisfy(\.isOK)
    let exitCode = isOK ? Loading.ExitCode.success : .incomplete
    switch format {
    case .text:
      try Terminal.output("verdict     \(FeedHealth.worst(of: feeds))")
      try showHealth(feeds)
    case .json:
      var document = JSONObject()
      try document.add("exit_code", exitCode.rawValue)
      try document.add("version", Version.current)
      try document.add("verdict", FeedHealth.worst(of: feeds))
      try document.add("health", feeds)
      document.add("open_failures", json: try health.openFailuresJSON())
      document.add("settings", json: try health.settingsJSON())
      try Terminal.output(document.text)
    }
    return isOK
  }
}
