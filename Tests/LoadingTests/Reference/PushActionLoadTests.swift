import Loading
import Postgres
import TestSupport
import Testing

/// `reference load push-actions` on a server.
@Suite(.serialized, .needsServer, .ownDatabase) struct PushActionLoadTests {
  let fixture: LoadFixture

  init() throws { fixture = try LoadFixture() }

  private static let shop =
    #"{"actions":{"SHOP":{"en":"Shop","ko":"상점"}},"categories":{"C":["SHOP"]}}"#
  private static let raid =
    #"{"actions":{"RAID":{"en":"Raid"},"NO":{"en":"No"}},"categories":{"C":["RAID","NO"]}}"#

  private enum Result: Equatable { case loaded, unchanged, refused }

  @discardableResult private func load(_ text: String, app: String? = nil) throws -> Result {
    let path = try fixture.folder.write("hive_push_actions.json", lines: [text])
    let load = PushActionLoad(
      path, appID: app, loaderVersion: "test", connection: try fixture.database.connect())
    switch try load.run() {
    case .loaded: return .loaded
    case .unchanged: return .unchanged
    case .refused: return .refused
    }
  }

  private func buttons() throws -> [[String?]] {
    try fixture.database.rows(
      """
      select c.app_id, c.category, c.position, c.action, t.language, t.title
        from game.push_category_action c
        join game.push_action a using (app_id, action)
        join game.push_action_title t using (app_id, action)
        order by 1, 2, 3, 5
      """)
  }

  @Test func `a file replaces the actions of its app and of no other`() throws {
    try load(Self.shop, app: "a")
    try load(Self.shop, app: "b")
    #expect(try load(Self.raid, app: "a") == .loaded)
    #expect(
      try buttons() == [
        ["a", "C", "1", "RAID", "en", "Raid"], ["a", "C", "2", "NO", "en", "No"],
        ["b", "C", "1", "SHOP", "en", "Shop"], ["b", "C", "1", "SHOP", "ko", "상점"],
      ])
  }

  @Test func `the same file again changes nothing, and an older one is loaded again`() throws {
    // The lines have a line feed.
    let (shop, raid) = ("\(Self.shop.utf8.count + 1)", "\(Self.raid.utf8.count + 1)")
    #expect(try load(Self.shop) == .loaded)
    #expect(try load(Self.shop) == .unchanged)
    #expect(try load(Self.shop, app: "a") == .loaded)
    #expect(try load(Self.raid) == .loaded)
    #expect(try load(Self.shop) == .loaded)
    #expect(
      try fixture.database.rows(
        """
        select app_id, kind, byte_count, octet_length(sha256), loader_version, database_user = current_user
          from ingest.reference_file order by reference_file_id
        """)
        == [
          ["", "push-actions", shop, "32", "test", "t"],
          ["a", "push-actions", shop, "32", "test", "t"],
          ["", "push-actions", raid, "32", "test", "t"],
          ["", "push-actions", shop, "32", "test", "t"],
        ])
  }

  @Test func `without an app the setting decides`() throws {
    let settings = DatabaseSettings(try fixture.database.connect())
    _ = try settings.set(.appID, to: "from-setting")
    defer { _ = try? settings.set(.appID, to: nil) }
    try load(Self.shop)
    try load(Self.shop, app: "given")
    #expect(
      try fixture.database.rows("select app_id from game.push_action order by 1")
        == [["from-setting"], ["given"]])
  }

  @Test func `a file with a defect changes nothing`() throws {
    try load(Self.shop, app: "a")
    #expect(
      try load(#"{"actions":{"RAID":{"en":""}},"categories":{}}"#, app: "a") == .refused)
    #expect(try buttons().count == 2)
    #expect(try fixture.database.value("select count(*) from ingest.reference_file") == "1")
  }

  @Test func `a file that cannot be read fails with exit code 5`() throws {
    let error = #expect(throws: LoadError.self) {
      try PushActionLoad(
        "\(fixture.folder.path)/nowhere.json", appID: nil, loaderVersion: "test",
        connection: try fixture.database.connect()
      ).run()
    }
    #expect(error?.exitCode == .fileFailed)
    #expect(error?.message.contains("no push action was changed") == true)
  }
}
