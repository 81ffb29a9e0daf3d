internal import Foundation
package import Postgres
internal import SHA256

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

  package enum Outcome: Sendable {
    case loaded(PushActionFile, appID: String)
    /// The app's newest file has the same bytes; nothing was changed.
    case unchanged(PushActionFile, appID: String)
    /// Nothing was changed.
    case refused(PushActionFile)
  }

  /// The most bytes of a file: thousands of actions in all languages.
  private static let maxBytes = 4 * 1024 * 1024
  private static let kind = "push-actions"
  private static let consequence = "no push action was changed"

  /// - Throws: `LoadError`, with exit code 5 when the file cannot be read. No action was changed
  ///   then, unless the connection broke after COMMIT was sent and before the answer arrived.
  package func run() throws(LoadError) -> Outcome {
    let stage = "loading push actions"
    do {
      let bytes = try ReferenceFile(
        path: path, maxBytes: Self.maxBytes, consequence: Self.consequence
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
    let languages = try connection.rows(
      of: String.self, "select code from game.display_language where is_hive")
    let file = PushActionFile(bytes, languages: languages)
    guard file.problems.isEmpty else { return .refused(file) }
    let appID = try appID ?? DatabaseSettings(connection).appID() ?? ""
    let digest = SHA256.digest(of: bytes)
    let isNewest = try connection.row(
      of: Bool.self,
      """
      select sha256 = $3 from ingest.reference_file where kind = $1 and app_id = $2
        order by reference_file_id desc limit 1
      """, [.text(Self.kind), .text(appID), .bytes(digest)])
    if isNewest == true { return .unchanged(file, appID: appID) }
    try replaceActions(of: appID, by: file)
    try connection.query(
      """
      insert into ingest.reference_file (kind, app_id, path, sha256, byte_count, loader_version)
        values ($1, $2, $3, $4, $5, $6)
      """,
      [
        .text(Self.kind), .text(appID), .text(path), .bytes(digest), .integer(bytes.count),
        .text(loaderVersion),
      ])
    return .loaded(file, appID: appID)
  }

  private func replaceActions(of appID: String, by file: PushActionFile) throws {
    for table in ["push_category_action", "push_action_title", "push_action"] {
      try connection.query("delete from game.\(table) where app_id = $1", [.text(appID)])
    }
    try connection.query(
      "insert into game.push_action (app_id, action) select $1, unnest($2::text[])",
      [.text(appID), .texts(file.actions)])
    try connection.query(
      """
      insert into game.push_action_title (app_id, action, language, title)
        select $1, * from unnest($2::text[], $3::text[], $4::text[])
      """,
      [
        .text(appID), .texts(file.titles.map(\.action)), .texts(file.titles.map(\.language)),
        .texts(file.titles.map(\.text)),
      ])
    try connection.query(
      """
      insert into game.push_category_action (app_id, category, position, action)
        select $1, * from unnest($2::text[], $3::integer[], $4::text[])
      """,
      [
        .text(appID), .texts(file.buttons.map(\.category)),
        .integers(file.buttons.map(\.position)), .texts(file.buttons.map(\.action)),
      ])
  }
}
