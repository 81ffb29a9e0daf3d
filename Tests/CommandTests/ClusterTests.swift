import Foundation
import Postgres
import TestSupport
import Testing

/// The same commands on one server and on a cluster give the same tables.
@Suite(.serialized, .needsServer, .needsCluster, .ownDatabase) struct ClusterTests {
  let fixture: CommandFixture
  let cluster: TestCluster

  private static let prefix = "ingest_cluster"
  private static func role(_ kind: String) -> String { "\(prefix)_\(kind)" }

  init() throws {
    fixture = try CommandFixture()
    cluster = try TestCluster()
  }

  @Test func `loads, corrections, undo, erasure and retention give the same tables`() throws {
    defer { cluster.drop() }
    try prepare(fixture.database.conninfo)
    try prepare(cluster.conninfo)
    let data = try sample()
    let key = "\(fixture.folder.path)/key"
    _ = FileManager.default.createFile(
      atPath: key, contents: Data(repeating: 7, count: 32), attributes: [.posixPermissions: 0o600])

    try both("loader", ["load", "--jobs", "1", "\(data)/lacking", "\(data)/first"], exits: [0, 3])
    // A filled database is distributed, and a second time nothing happens.
    let all = try run(["distribute", "--shards", "4"], on: cluster.conninfo)
    #expect(all.exitCode == 0, "\(all.errors)")
    #expect(
      all.output.contains("distributed game.game_user_snapshot by user_id, beside game.level_up"))
    #expect(
      try run(["distribute", "--shards", "4"], on: cluster.conninfo).output
        == "all tables are distributed already\n")
    try grant(cluster.conninfo)

    try both("loader", ["load", "--jobs", "1", "\(data)/rest"], exits: [0, 3])
    try both(
      "loader", ["load", "--jobs", "1", "--max-rejects", "100%", "\(data)/changed"], exits: [3])
    #expect(try count("ingest.fill") > 0)
    #expect(try count("ingest.conflict") > 0)
    for stream in ["receipt", "level_up"] {
      try both(nil, ["conflicts", "accept", "--stream", stream], exits: [0, 3])
    }
    try both(nil, ["conflicts", "undo", try newestAcceptance()], exits: [0])
    let user = try #require(
      try fixture.database.value(
        "select user_id from game.receipt group by 1 order by count(*) desc, 1 limit 1"))
    try both("eraser", ["forget-user", "--key-file", key, user], exits: [0])
    try both(nil, ["undo", "--with-later", try file(like: "%/rest/receipt/%")], exits: [0])
    try both(nil, ["retention", "--keep", try monthsSinceJuly()], exits: [0])
    try both("loader", ["refresh", "--full"], exits: [0])
    // A worker knows the row type of no view.
    for view in ["level_up", "event", "game_user_snapshot"] {
      try both("analyst", ["export", view, "--format", "jsonl"], exits: [0])
    }
    try attack()
    // The workers do not know another owner.
    let moved = try run(
      ["grant", "--create-roles", "--roles", "ingest_other"], on: cluster.conninfo)
    #expect(moved.exitCode == 78)
    #expect(moved.errors.contains("the rights are granted, but loads and refreshes fail"))
    #expect(moved.errors.contains("does not let the coordinator in as ingest_other_owner"))
  }

  @Test func `the fixtures of all streams and their replay give the same tables`() throws {
    defer { cluster.drop() }
    try prepare(fixture.database.conninfo)
    try prepare(cluster.conninfo)
    #expect(try run(["distribute", "--shards", "4"], on: cluster.conninfo).exitCode == 0)
    try grant(cluster.conninfo)
    let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Fixtures").path
    for stream in ["receipt", "level_up", "game_user", "item", "event"] {
      let path = "\(fixtures)/\(stream)/input.jsonl"
      // Later lines are refused, so that a replay has some to load.
      let options = [
        "--stream", stream, "--app-id", "game", "--max-rejects", "unlimited", "--observed-at",
        "2021-03-25T05:00:00Z", "--as-of", "2021-03-25T06:00:00Z",
      ]
      try both("loader", ["load", path] + options, exits: [3])
      // The same lines in another file are repeats.
      let again = "\(fixture.folder.path)/\(stream).jsonl"
      try (Data(contentsOf: URL(fileURLWithPath: path)) + Data("\n \n".utf8))
        .write(to: URL(fileURLWithPath: again))
      try both("loader", ["load", again] + options, exits: [3])
    }
    for conninfo in [fixture.database.conninfo, cluster.conninfo] {
      try TestCluster.connect(conninfo).execute("update ingest.source_file set as_of = now()")
    }
    try both("loader", ["rejects", "replay"], exits: [3])
    #expect(try count("ingest.reject where resolved_at is not null") > 0)
    try both("loader", ["refresh", "--full"], exits: [0])
  }

  @Test func `a load that begins a month waits for a move of shards`() throws {
    defer { cluster.drop() }
    try prepare(cluster.conninfo)
    #expect(try run(["distribute", "--shards", "4"], on: cluster.conninfo).exitCode == 0)
    let coordinator = try TestCluster.connect(cluster.conninfo)
    var hasWaited = false
    var files = 0
    // A move takes a second, so a load meets one soon.
    while files < 20, !hasWaited {
      // Early in January, from 2006 on: each file is of another month.
      let leveledUpAt = 1_136_419_200_000 + files * 31_557_600_000
      files += 1
      let path = "\(fixture.folder.path)/\(files).jsonl"
      try #"{"userId":"u","appId":"a","userLevel":2,"levelUpTime":\#(leveledUpAt)}"#
        .write(toFile: path, atomically: true, encoding: .utf8)
      let load = try fixture.program.start(
        [
          "load", "--stream", "level_up", "--no-refresh", path, "--database",
          with("loader", cluster.conninfo),
        ] + CommandFixture.asOf)
      while !load.hasEnded { try moveShard(by: coordinator) }
      let result = try load.wait()
      #expect(result.exitCode == 0, "\(result.errors)")
      hasWaited = result.errors.contains("waiting until no shard of game.level_up moves")
    }
    #expect(hasWaited, "no load met a move")
    #expect(try coordinator.query("select count(*) from game.level_up")[0, 0] == "\(files)")
  }

  /// Moves a shard of the level-ups to the other worker.
  ///
  /// A new month can make the move fail, which then changes nothing.
  private func moveShard(by coordinator: Connection) throws {
    do {
      try coordinator.query(
        """
        select citus_move_shard_placement(shardid, p.nodename, p.nodeport, n.nodename, n.nodeport, 'force_logical')
          from pg_dist_shard s join pg_dist_shard_placement p using (shardid)
          join pg_dist_node n on n.noderole = 'primary' and n.groupid > 0 and n.nodeport <> p.nodeport
          where s.logicalrelid = 'game.level_up'::regclass order by random() limit 1
        """)
    } catch let error as PostgresError where error.sqlState == .internalError {}
  }

  /// The loader and the analyst try changes of distributed facts by themselves.
  private func attack() throws {
    func refused(_ kind: String, _ statement: String) throws {
      let connection = try TestCluster.connect(with(kind, cluster.conninfo))
      let error = #expect(throws: PostgresError.self) { try connection.execute(statement) }
      #expect(error?.sqlState == .insufficientPrivilege, "\(statement): \(error?.message ?? "")")
    }
    for table in ["receipt", "level_up", "game_user_snapshot", "event"] {
      try refused("loader", "insert into game.\(table) select * from game.\(table) where false")
      try refused("loader", "update game.\(table) set line_number = 1")
      try refused("loader", "delete from game.\(table)")
      try refused("analyst", "select extra from game.\(table)")
    }
    try refused("loader", "select purchase_token from game.receipt")
    try refused("analyst", "select purchase_token from game.receipt")
    let analyst = try TestCluster.connect(with("analyst", cluster.conninfo))
    for view in [
      "purchase", "level_up", "game_user_snapshot", "event", "revenue_by_day", "quality_by_day",
    ] {
      _ = try analyst.query("select * from report.\(view)")
    }
    // A staged row with the number of another transaction's file.
    let loader = try TestCluster.connect(with("loader", cluster.conninfo))
    try loader.execute("begin; select staging.open('receipt')")
    try loader.execute(
      """
      insert into pg_temp.staging_receipt (payment_seq, app_id, user_id, currency, price_repaired,
          price_imprecise, purchased_at, text_repaired, source_file_id, line_number)
        values ('forged', 'a', 'u', 'USD', false, false, '2025-07-01', false, 1, 1)
      """)
    let error = #expect(throws: PostgresError.self) {
      try loader.query("select staging.insert_rows('receipt')")
    }
    #expect(error?.sqlState == .insufficientPrivilege)
  }

  // MARK: - Implementation

  private func prepare(_ database: String) throws {
    let migrated = try run(["migrate"], on: database)
    try #require(migrated.exitCode == 0, "\(migrated.errors)")
    try grant(database)
    guard database == cluster.conninfo else { return }
    for worker in cluster.workers {
      try TestCluster.connect(worker).execute(
        "set citus.enable_alter_role_propagation = off; alter role \(Self.role("owner")) login")
    }
    try TestCluster.connect(database).execute(
      "grant execute on function recover_prepared_transactions() to \(Self.role("owner"))")
  }

  private func grant(_ database: String) throws {
    let granted = try run(["grant", "--create-roles", "--roles", Self.prefix], on: database)
    try #require(granted.exitCode == 0, "\(granted.errors)")
  }

  private func run(_ arguments: [String], on conninfo: String) throws -> Command.Result {
    try fixture.program.run(arguments + ["--database", conninfo])
  }

  private func with(_ kind: String?, _ conninfo: String) -> String {
    kind.map { TestServer.with("user", Self.role($0), in: conninfo) } ?? conninfo
  }

  /// Runs a command as a role on both, and compares all tables.
  private func both(_ kind: String?, _ arguments: [String], exits: [Int32]) throws {
    let hasAsOf = arguments.first != "load" || arguments.contains("--as-of")
    var codes: Set<Int32> = []
    for conninfo in [fixture.database.conninfo, cluster.conninfo] {
      let result = try run(
        arguments + (hasAsOf ? [] : CommandFixture.asOf), on: with(kind, conninfo))
      #expect(exits.contains(result.exitCode), "\(arguments): \(result.errors)")
      codes.insert(result.exitCode)
    }
    #expect(codes.count == 1, "\(arguments) ended with \(codes)")
    let (one, many) = (try contents(fixture.database.conninfo), try contents(cluster.conninfo))
    #expect(one.keys == many.keys)
    for (table, rows) in one {
      // The rows themselves would fill the log.
      let isSame = rows == many[table]
      #expect(isSame, "\(table) after \(arguments.prefix(2))")
    }
  }

  /// The rows of all tables but those of the schema itself.
  ///
  /// They are without times of the clock, drawn numbers, digests under a random key, and histories,
  /// in which rows of one time have any order. Files load one after another, so their numbers are the
  /// same.
  private func contents(_ conninfo: String) throws -> [String: [String]] {
    let connection = try TestCluster.connect(conninfo)
    try connection.execute("set timezone = 'UTC'")
    let tables = try connection.query(
      """
      select c.oid::regclass,
          string_agg(format(case when a.atttypid = 'json'::regtype then '%I::text' else '%I' end, a.attname), ', '
            order by a.attnum)
        from ingest.table_place p
        join pg_class c on c.oid = format('%I.%I', p.table_schema, p.table_name)::regclass
        join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attidentity = ''
        left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
        where p.table_schema in ('game', 'ingest', 'rollup')
          and p.table_name not in ('schema_migration', 'definition_set', 'row_digest_key', 'load', 'refresh_lock',
            'history')
          and a.attname not in ('row_digest', 'opened_by', 'as_of', 'undone_at', 'resolved_at', 'refreshed_at',
            'accepted_by', 'undone_by')
          and coalesce(pg_get_expr(d.adbin, d.adrelid), '') !~ 'now\\(|timestamp\\('
        group by c.oid
      """
    ).rows
    var contents: [String: [String]] = [:]
    for table in tables {
      guard let name = table[0], let columns = table[1] else { continue }
      contents[name] = try connection.query("select row(\(columns))::text from \(name)").rows
        .map { $0[0] ?? "" }.sorted()
    }
    return contents
  }

  private func count(_ table: String) throws -> Int {
    Int(try fixture.database.value("select count(*) from \(table)") ?? "") ?? 0
  }

  private func newestAcceptance() throws -> String {
    try #require(try fixture.database.value("select max(acceptance_id) from ingest.acceptance"))
  }

  private func file(like pattern: String) throws -> String {
    try #require(
      try fixture.database.value(
        "select min(source_file_id) from ingest.source_file where undone_at is null and path like $1",
        [.text(pattern)]))
  }

  /// The months to keep so that June 2025 is dropped.
  private func monthsSinceJuly() throws -> String {
    try #require(
      try fixture.database.value(
        """
        select (extract(year from now()) - 2025) * 12 + extract(month from now()) - 6
        """))
  }

  /// Files of all streams in parts: some lines without a member, most days, other days, and lines
  /// with another value.
  private func sample() throws -> String {
    let folder = "\(fixture.folder.path)/data"
    let made = try fixture.program.run([
      "generate", "--users", "150", "--days", "40", "--until", "2025-07-20", "\(folder)/all",
    ])
    try #require(made.exitCode == 0, "\(made.errors)")
    let files = FileManager.default
    for stream in ["receipt", "level_up", "game_user", "item", "event"] {
      for name in try files.contentsOfDirectory(atPath: "\(folder)/all/\(stream)").sorted() {
        let path = "\(folder)/all/\(stream)/\(name)"
        let part = name.contains("-2025-06") ? "first" : "rest"
        try files.createDirectory(
          atPath: "\(folder)/\(part)/\(stream)", withIntermediateDirectories: true)
        try files.copyItem(atPath: path, toPath: "\(folder)/\(part)/\(stream)/\(name)")
        guard stream == "receipt" || stream == "level_up" else { continue }
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        try write(lines, to: "\(folder)/lacking/\(stream)", name) { line in
          for member in ["storeCode", "marketItemId", "classId", "channelId"] {
            if line.removeValue(forKey: member) != nil { return true }
          }
          return false
        }
        try write(lines, to: "\(folder)/changed/\(stream)", name) { line in
          for member in ["storeCode", "classId"] where line[member] is String {
            line[member] = "CHANGED"
            return true
          }
          return false
        }
      }
    }
    return folder
  }

  private func write(
    _ lines: [Substring], to folder: String, _ name: String,
    changing change: (inout [String: Any]) -> Bool
  ) throws {
    var changed: [String] = []
    for line in lines.enumerated() where line.offset.isMultiple(of: 3) {
      guard
        var members = try? JSONSerialization.jsonObject(with: Data(line.element.utf8))
          as? [String: Any], change(&members)
      else { continue }
      let bytes = try JSONSerialization.data(withJSONObject: members, options: .sortedKeys)
      changed.append(String(decoding: bytes, as: UTF8.self))
    }
    guard !changed.isEmpty else { return }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try (changed.joined(separator: "\n") + "\n").write(
      toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
  }
}
