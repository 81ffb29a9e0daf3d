import Foundation
import TestSupport
import Testing

/// A fault in the figures of one player, planted by the program's environment.
@Suite(.serialized, .needsServer, .ownDatabase) struct SetAsidePlayerTests {
  let fixture: CommandFixture

  init() throws { fixture = try CommandFixture() }

  /// Runs a command that cannot compute the figures of the user `bad`.
  private func runFaulty(_ arguments: [String]) throws -> Command.Result {
    var program = fixture.program
    program.environment["GAMEBASE_INGEST_FAIL_PLAYER"] = "bad"
    return try program.run(arguments + ["--database", fixture.database.conninfo])
  }

  private func run(_ arguments: [String]) throws {
    let result = try fixture.run(arguments)
    #expect(result.exitCode == 0, "\(result.errors)")
  }

  private func load(_ name: String, _ lines: [String]) throws -> String {
    try fixture.folder.write(name, lines: lines)
  }

  /// Lines of the first or the second night: receipts with a subscription, level-ups and snapshots.
  private func paths(night: Int, users: [String]) throws -> [String] {
    let start = 1_751_328_000_000 + night * 86_400_000
    return [
      try load(
        "receipt-\(night).jsonl",
        users.map { user in
          """
          {"userId":"\(user)","appId":"a","paymentSeq":"p\(night)-\(user)","purchaseTime":\(start),\
          "price":9.99,"currency":"USD","productType":"AUTO_RENEWABLE","expiryTime":\(start + 7 * 86_400_000)}
          """
        }),
      try load(
        "level_up-\(night).jsonl",
        users.map {
          #"{"userId":"\#($0)","appId":"a","userLevel":\#(night + 2),"levelUpTime":\#(start + 5000)}"#
        }),
      try load(
        "game_user-\(night).jsonl",
        users.map {
          #"{"userId":"\#($0)","appId":"a","userLevel":\#(night + 2),"channelId":"c","eventTime":\#(start + 6000)}"#
        }),
    ]
  }

  /// The rows of all rollups that hold figures, without numbers of files and without counts of lines.
  private func figures() throws -> [[String]] {
    let tables = try fixture.database.rows(
      """
      select relname from pg_class where relnamespace = 'rollup'::regnamespace and relkind = 'r'
        and relname not in ('refresh_lock', 'refresh_state', 'set_aside_player', 'touched_row', 'touched_file',
          'calendar_period', 'file', 'file_day', 'stream_day', 'horizon', 'app_horizon', 'conflict_line')
        order by relname
      """
    ).compactMap { $0[0] }
    #expect(tables.count > 20)
    return try tables.map { table in
      try [table]
        + fixture.database.rows(
          """
          select (to_jsonb(r) - array['source_file_id', 'line_number'])::text from rollup.\(table) r order by 1
          """
        ).compactMap { $0[0] }
    }
  }

  @Test func `a player whose figures fail is left out, and keeps no other from being refreshed`()
    throws
  {
    let users = ["a1", "bad", "c1"]
    let others = users.filter { $0 != "bad" }
    // Without the player.
    for night in 1...2 { try run(["load"] + paths(night: night, users: others)) }
    let expected = try figures()
    try #require(try fixture.database.value("select count(*) from rollup.purchase") == "4")

    let other = try CommandFixture()
    #expect(try other.database.value("select count(*) from rollup.purchase") == "0")
    // The player is well in the first night and fails in the second, so stored figures have to go.
    try run(["load"] + paths(night: 1, users: users))
    #expect(try fixture.database.value("select count(*) from rollup.purchase") == "3")
    let failed = try runFaulty(["load"] + paths(night: 2, users: users))
    #expect(failed.exitCode == 0, "\(failed.errors)")
    #expect(
      failed.errors.contains("the figures of player 1 cannot be computed: a test asked for it"))
    #expect(!failed.errors.contains("bad") && !failed.output.contains("bad"))
    #expect(failed.output.contains("1 player set aside, see report.set_aside_player"))
    #expect(try figures() == expected)
    let shown =
      "select app_id, user_id, player_number, attempt_count, error from report.set_aside_player"
    #expect(try fixture.database.rows(shown) == [["a", "bad", "1", "1", "a test asked for it"]])

    // Each refresh tries again, also one without a new file, and a rebuild.
    #expect(try runFaulty(["refresh"]).exitCode == 0)
    #expect(try runFaulty(["refresh", "--full"]).exitCode == 0)
    #expect(try fixture.database.rows(shown) == [["a", "bad", "1", "3", "a test asked for it"]])
    #expect(try figures() == expected)

    // Without the fault the next refresh has the player again, with the rows of both nights.
    try run(["refresh"])
    #expect(try fixture.database.rows(shown) == [])
    let healed = try figures()
    try run(["refresh", "--full"])
    #expect(try figures() == healed)
    #expect(
      try fixture.database.value("select count(*) from rollup.purchase where user_id = 'bad'")
        == "2")
  }

  @Test func `an erasure forgets a player that is set aside`() throws {
    let key = try fixture.folder.write("key", [UInt8](repeating: 0x6B, count: 40))
    chmod(key, 0o600)
    #expect(try runFaulty(["load"] + paths(night: 1, users: ["a1", "bad"])).exitCode == 0)
    #expect(try fixture.database.value("select count(*) from rollup.set_aside_player") == "1")
    let forget = try runFaulty(["forget-user", "bad", "--key-file", key])
    #expect(forget.exitCode == 0, "\(forget.errors)")
    #expect(try fixture.database.value("select count(*) from rollup.set_aside_player") == "0")
    #expect(try fixture.database.value("select count(*) from report.player") == "1")
  }
}
