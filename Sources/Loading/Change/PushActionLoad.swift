package import Postgres

/// Loads an app's `hive_push_actions.json`, completely or not at all.
package struct PushActionLoad {
  private let path: String
  private let appID: String?
  private let loaderVersion: String
  private let connection: Connection
  private let wait: LockWait
  private let interruption: Interruption

  /// - Parameters:
  ///   - path: a file, plain or compressed; `-` is standard input.
  ///   - appID: the app of the actions; nil: that of the database's setting, else the empty text.
  ///   - connection: to a database at this program's schema; the role may write the tables.
  package init(
    _ path: String, appID: String?, loaderVersion: String, connection: Connection,
    wait: LockWait = .silent, interruption: Interruption = Interruption()
  ) {
    self.path = path
    self.appID = appID
    self.loaderVersion = loaderVersion
    self.connection = connection
    self.wait = wait
    self.interruption = interruption
  }

  package struct Outcome: Sendable {
    package let appID: String
    /// False when the app's newest file has the same bytes, and when there are problems.
    package let isLoaded: Bool
    package let actionCount: Int
    package let titleCount: Int
    package let categoryCount: Int
    /// A sentence for each defect; with one, nothing was changed.
    package let problems: [String]
    /// A sentence for all that is probably not meant.
    package let warnings: [String]
  }

  /// The most bytes of a file: thousands of actions in all languages.
  private static let maxBytes = 4 * 1024 * 1024
  private static let consequence = "no push action was changed"

  /// - Throws: `LoadError`, with exit code 5 when the file cannot be read. No action was changed
  ///   then, unless the connection broke after COMMIT was sent and before the answer arrived.
  package func run() throws(LoadError) -> Outcome {
    let stage = "loading push actions"
    do {
      let bytes = try ReferenceFile(
        path: path, maxBytes: Self.maxBytes, consequence: Self.consequence,
        interruption: interruption
      ).read()
      return try interruption.cancelling(
        [connection], message: "interrupted; \(Self.consequence)"
      ) {
        try RetryPolicy().throughContention(during: stage, interruption: interruption) {
          try connection.writingTransaction { try load(bytes) }
        }
      }
    } catch {
      throw LoadError(
        wrapping: error, during: stage, remedy: "No push action was changed; run again")
    }
  }

  private func load(_ bytes: [UInt8]) throws -> Outcome {
    // Two loads of one app would otherwise mix two files.
    try wait(for: [.table("game.push_action")], on: connection) {
      try connection.execute("lock table game.push_action in share row exclusive mode")
    }
    let appID = try appID ?? DatabaseSettings(connection).appID() ?? ""
    let row = try connection.onlyRow(
      of: Row.self, "select * from ingest.load_push_actions($1, $2, $3, $4)",
      [.text(appID), .bytes(bytes), .text(path), .text(loaderVersion)])
    return Outcome(
      appID: appID, isLoaded: row.isLoaded ?? false, actionCount: row.actionCount ?? 0,
      titleCount: row.titleCount ?? 0, categoryCount: row.categoryCount ?? 0,
      problems: try sentences(row.problems) ?? [], warnings: try sentences(row.warnings) ?? [])
  }

  private struct Row: Decodable {
    let isLoaded: Bool?
    let actionCount: Int?
    let titleCount: Int?
    let categoryCount: Int?
    let problems: String?
    let warnings: String?
  }
}
