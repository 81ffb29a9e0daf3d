import Foundation
import Postgres
import TestSupport
import Testing

/// `forget-user` with the real program.
@Suite(.serialized, .needsServer, .ownDatabase) struct ForgetUserCommandTests {
  let fixture: CommandFixture
  let keyFile: String

  init() throws {
    fixture = try CommandFixture()
    keyFile = try fixture.folder.write("key", Self.key)
    chmod(keyFile, 0o600)
  }

  private static let key = Array("kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk".utf8)

  // MARK: - Sessions that hold the rows

  private func loadUsers(_ users: [String]) throws {
    let lines = users.enumerated().map { number, user in
      CommandFixture.receipt(number).replacing(#""u""#, with: "\"\(user)\"")
    }
    let path = try fixture.folder.write("receipt-\(users.count).jsonl", lines: lines)
    let result = try fixture.run(["load", path] + CommandFixture.asOf)
    try #require(result.exitCode == 0, "\(result.errors)")
  }

  private func users() throws -> [String] {
    try fixture.database.rows("select user_id from game.receipt order by 1").compactMap { $0[0] }
  }

  @Test func `a signal ends the wait for a session that sees the rows, and the user is erased`()
    throws
  {
    try loadUsers(["u1", "u2"])
    let other = try fixture.database.connect()
    try other.execute("begin isolation level repeatable read; select from game.receipt")
    let waiting = try fixture.program.start(
      ["forget-user", "u1", "--key-file", keyFile, "--database", fixture.database.conninfo])
    try fixture.database.wait(
      for: """
        select pid from pg_stat_activity where datname = current_database()
          and query like '%pg_stat_get_dead_tuples%' and pid <> pg_backend_pid()
        """, "no session counts the rows that are left")
    waiting.signal(SIGINT)
    let interrupted = try waiting.wait()
    #expect(interrupted.exitCode == 130)
    #expect(interrupted.errors.contains("the users are erased, but the deleted rows stay"))
    #expect(try users() == ["u2"])
  }

  // MARK: - No trace is left

  /// The marker without its first character, because one spelling escapes that.
  private static let markers = ["qx7Marker", "qx7Payload"]
  private static let user = "z\(markers[0])"

  private func receipt(_ number: Int, _ more: String, user: String = Self.user) -> String {
    "{\"userId\":\"\(user)\",\"paymentSeq\":\"r\(number)\",\"purchaseTime\":1751328000000,"
      + "\"currency\":\"USD\",\"payload\":\"z\(Self.markers[1])\"\(more)}"
  }

  /// Lines of every outcome, of the user and of others.
  private func write(_ variant: String) throws -> [(path: String, options: [String])] {
    let folder = fixture.folder
    var receipts = (0..<300).map { receipt($0, ",\"price\":1.5") }
    receipts += [
      receipt(0, ",\"price\":1.5,\"storeCode\":\"GG\""), receipt(0, ",\"price\":9"),
      receipt(900, ",\"price\":-3"), receipt(901, ",\"price\":1.5,\"x\":"),
      receipt(902, ",\"price\":-3", user: "\\u007aqx7Marker"),
      "{'userId':'\(Self.user)','payload':'z\(Self.markers[1])'}",
      "{\"userId\":\"other\",\"paymentSeq\":\"r1\",\"purchaseTime\":1751328000000,\"price\":3,"
        + "\"currency\":\"USD\"}",
    ]
    receipts += (0..<200).map(CommandFixture.receipt)
    let carried =
      "{\"log\":\"{\\\"userId\\\":\\\"\(Self.user)\\\",\\\"userLevel\\\":-1,\\\"x\\\":\\\"z\(Self.markers[1])\\\"}\"}"
    let players = (0..<300).map {
      "{\"userId\":\"\(Self.user)\",\"userLevel\":\($0),\"levelUpTime\":1751328000000,"
        + "\"eventTime\":\(1_751_328_000_000 + $0),\"z\":\"z\(Self.markers[1])\"}"
    }
    return [
      (try folder.write("\(variant)/receipt.jsonl", lines: receipts + [variant]), []),
      (try folder.write("\(variant)/levelup.jsonl", lines: players + [variant]), []),
      (try folder.write("\(variant)/gameuser.jsonl", lines: players + [variant]), []),
      (
        try folder.write("\(variant)/levelup-log.jsonl", lines: [carried, variant]),
        ["--unwrap", "log"]
      ),
      (
        try folder.write(
          "\(variant)/receipt-bad.jsonl", lines: [receipt(903, ",\"price\":-3"), variant]),
        ["--max-rejects", "0"]
      ),
    ]
  }

  private func load(_ variant: String) throws -> String {
    try write(variant).map { path, options in
      let result = try fixture.run(
        ["load", path, "--key-file", keyFile] + CommandFixture.asOf
          + (options.contains("--max-rejects") ? [] : ["--max-rejects", "unlimited"]) + options)
      #expect([0, 3, 4].contains(result.exitCode), "\(result.errors)")
      #expect(isClean(result.output + result.errors))
      return result.output
    }.joined()
  }

  private func isClean(_ text: String) -> Bool { !Self.markers.contains { text.contains($0) } }

  /// The columns that hold a marker, as text or in the hexadecimal digits of a `bytea`.
  private func places() throws -> [String] {
    let dump = try Command("/usr/bin/env").run(["pg_dump", "--dbname", fixture.database.conninfo])
    try #require(dump.exitCode == 0, "\(dump.errors)")
    let hex = Self.markers.map { marker in
      marker.utf8.map { String($0, radix: 16) }.joined()
    }
    var places = (Self.markers + hex).filter { dump.output.contains($0) }.map { "dump \($0)" }
    let statistics = try fixture.database.rows(
      """
      select schemaname || '.' || tablename || '.' || attname from pg_stats
        where most_common_vals::text like '%qx7%' or histogram_bounds::text like '%qx7%'
      """)
    places += statistics.compactMap { $0[0] }
    return places
  }

  /// Files of the database that hold a marker; nil when the program may not read them.
  private func files() throws -> [String]? {
    try fixture.database.execute("vacuum full")
    try fixture.database.execute("checkpoint")
    let folder = try #require(
      try fixture.database.value(
        """
        select current_setting('data_directory') || '/base/' || oid from pg_database
          where datname = current_database()
        """))
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      return nil
    }
    return names.filter { name in
      guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)") else {
        return false
      }
      return Self.markers.contains { data.range(of: Data($0.utf8)) != nil }
    }
  }

  /// The same, retried while a marker is found: an autovacuum worker that reads this database makes
  /// VACUUM keep deleted rows until it ends.
  private func filesLeft() throws -> [String]? {
    try fixture.database.waitForOlderTransactions()
    var found = try files()
    for _ in 0..<15 where found?.isEmpty == false {
      Thread.sleep(forTimeInterval: 1)
      found = try files()
    }
    return found
  }

  @Test func `an erasure leaves no trace of the user, and no later load brings one back`() throws {
    _ = try load("")
    try fixture.database.execute("analyze")
    // The search finds a marker that exists.
    let before = try places()
    #expect(before.count >= 4 && before.contains("game.receipt.user_id"), "\(before)")
    if let files = try files() { #expect(files.count >= 4) }
    let others = try fixture.database.value("select count(*) from game.receipt where user_id = 'u'")

    let dry = try fixture.run(["forget-user", Self.user, "--dry-run"])
    #expect(dry.exitCode == 0, "\(dry.errors)")
    #expect(try fixture.database.value("select count(*) from game.receipt") == "500")
    let forget = try fixture.run(["forget-user", Self.user, "--key-file", keyFile])
    #expect(forget.exitCode == 0, "\(forget.errors)")
    #expect(forget.output.contains("VACUUM and ANALYZE are done"))
    #expect(forget.output.contains("Data may remain in places that this program cannot reach:"))
    #expect(dry.output.split(separator: "\n").dropLast().allSatisfy { forget.output.contains($0) })
    #expect(isClean(forget.output + forget.errors))
    #expect(!(forget.output + forget.errors).contains("kkkk"))
    #expect(try places() == [])
    if let files = try filesLeft() { #expect(files == []) }

    // The same lines in other bytes, the same bytes again, and the rejects.
    let again = try load(" ")
    #expect(again.contains("of erased users"))
    let undo = try fixture.run(["undo", "--load", "1", "--with-later"])
    #expect(undo.exitCode == 0, "\(undo.errors)")
    _ = try load("")
    let replay = try fixture.run(["rejects", "replay", "--key-file", keyFile])
    #expect([0, 3].contains(replay.exitCode), "\(replay.errors)")
    try fixture.database.execute("analyze")
    #expect(try places() == [])
    if let files = try filesLeft() { #expect(files == []) }
    #expect(
      try fixture.database.value("select count(*) from game.receipt where user_id = 'u'") == others)
  }

  // MARK: - No trace is left in statistics and rewritten files

  /// One line of each stream with the mark in every field that can name the user, a payment or a
  /// character, or hold text.
  private func writeMarked() throws -> [String] {
    let user = #""userId":"qx7user","eventTime"#
    let time = 1_751_328_000_000
    let character = #""characterId":"qx7char","channelId":"qx7channel","classId":"qx7class""#
    let level = "\(character),\"userLevel\":"
    let texts = #""payload":"qx7payload","note":"qx7note","purchaseToken":"qx7token""#
    func receipt(_ number: Int) -> String {
      #"{"userId":"qx7user","paymentSeq":"qx7pay\#(number)","paymentId":"qx7ref\#(number)","#
        + #""originalPaymentId":"qx7chain","productType":"AUTO_RENEWABLE","storeCode":"GG","#
        + #""gamebaseProductId":"sub","price":1.5,"currency":"USD",\#(texts),"#
        + #""purchaseTime":\#(time + number * 86_400_000),"#
        + #""expiryTime":\#(time + (number + 1) * 86_400_000)}"#
    }
    let data = receipt(100).replacing(#"""#, with: #"\""#)
    let folder = fixture.folder
    return [
      try folder.write("receipt.jsonl", lines: (0..<20).map(receipt) + ["x"]),
      try folder.write(
        "levelup.jsonl",
        lines: (1..<20).map { "{\(user)\":\(time),\(level)\($0),\"levelUpTime\":\(time + $0)}" }),
      try folder.write(
        "gameuser.jsonl", lines: (1..<20).map { "{\(user)\":\(time + $0),\(level)\($0)}" }),
      try folder.write(
        "event.jsonl",
        lines: [
          #"{\#(user)":\#(time),"category":"purchaseUpdated","eventId":"qx7e1","data":"\#(data)"}"#,
          #"{\#(user)":\#(time),"category":"observerNetwork","eventId":"qx7e2","data":"{\"code\":-5,\"message\":\"qx7message\"}"}"#,
        ]),
    ]
  }

  /// The files that hold the mark among those of all tables, with their TOAST tables and indexes; nil
  /// when the program may not read them.
  private func markedFiles() throws -> [String]? {
    // CHECKPOINT leaves unlogged tables in memory, but not before the files of a database are copied.
    let copy = "\(fixture.database.name)_copy"
    try fixture.database.execute("create database \(copy) template template0 strategy file_copy")
    try fixture.database.execute("drop database \(copy)")
    let files = try fixture.database.rows(
      """
      with stored as (select c.oid, c.oid::regclass as name, c.reltoastrelid from pg_class c where c.relkind in ('r', 'm')),
        heap as (select oid, name from stored union all select reltoastrelid, name from stored),
        relation as (
          select oid, name from heap
          union all select i.indexrelid, h.name from heap h join pg_index i on i.indrelid = h.oid)
      select current_setting('data_directory') || '/' || pg_relation_filepath(oid), name
        from relation where pg_relation_filepath(oid) is not null order by name
      """)
    #expect(files.count > 10)
    let contents = files.map { file in
      (file[1] ?? "", file[0].flatMap { FileManager.default.contents(atPath: $0) })
    }
    guard contents.contains(where: { $0.1 != nil }) else { return nil }
    return contents.compactMap { name, data in
      data?.range(of: Data("qx7".utf8)) == nil ? nil : name
    }
  }

  private func markedStatistics() throws -> [[String?]] {
    try fixture.database.rows(
      """
      select schemaname, tablename, attname from pg_stats
        where most_common_vals::text ~ 'qx7' or histogram_bounds::text ~ 'qx7' order by 1, 2, 3
      """)
  }

  @Test func `an erasure leaves no trace in the statistics, nor in the files after a rewrite`()
    throws
  {
    // The first refresh reads all facts, and only later ones note the touched rows.
    let first = try fixture.folder.write("receipt-0.jsonl", lines: [CommandFixture.receipt(1)])
    try #require(try fixture.run(["load", first] + CommandFixture.asOf).exitCode == 0)
    let result = try fixture.run(
      ["load"] + writeMarked() + CommandFixture.asOf + ["--max-rejects", "unlimited"])
    try #require(result.exitCode == 3, "\(result.errors)")
    #expect(try !markedStatistics().isEmpty)
    let before = try markedFiles()
    #expect(before == nil || before?.isEmpty == false)

    let forget = try fixture.run(["forget-user", "qx7user", "--key-file", keyFile])
    #expect(forget.exitCode == 0, "\(forget.errors)")
    #expect(!forget.output.contains("may still hold values"), "\(forget.output)")
    #expect(try markedStatistics() == [])
    #expect(forget.output.contains("VACUUM FULL of the tables of game, ingest, report and rollup"))
    // The bytes of a deleted row stay in free space, until a rewrite of that table.
    let tables = try fixture.database.value(
      """
      select string_agg(c.oid::regclass::text, ', ') from pg_class c
        where c.relkind = 'r' and c.relnamespace in ('game'::regnamespace, 'ingest'::regnamespace,
          'report'::regnamespace, 'rollup'::regnamespace) or c.oid = 'pg_catalog.pg_statistic'::regclass
      """)
    try fixture.database.waitForOlderTransactions()
    // An automatic analysis can begin at any time.
    var marked: [String]?
    for _ in 0..<(before == nil ? 1 : 10) where marked != [] {
      try fixture.database.execute("vacuum full \(try #require(tables))")
      marked = try markedFiles()
    }
    if before != nil { #expect(marked == []) }
  }
}
