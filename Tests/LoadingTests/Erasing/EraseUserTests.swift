import Loading
import Postgres
import RecordPipeline
import TestSupport
import Testing

/// Erasure of one user: the erased rows, the kept rows, and the suppression of later lines.
@Suite(.serialized, .needsServer, .ownDatabase) struct EraseUserTests {
  let fixture: LoadFixture
  static let key = ErasureKey([UInt8](repeating: 7, count: 32))

  init() throws { fixture = try LoadFixture() }

  static var options: LoadOptions {
    var options = LoadFixture.options
    options.erasureKey = key
    return options
  }

  @discardableResult
  private func erase(
    _ user: String, of app: String? = nil, key: ErasureKey = Self.key
  ) throws -> [String: Int] {
    let traces = try UserErasure(
      userID: user, appID: app, connection: try fixture.database.connect()
    ).erase(key: key).traces
    return Dictionary(uniqueKeysWithValues: traces.map { ($0.place, $0.count) })
      .filter { $0.value > 0 }
  }

  private func count(_ user: String, of app: String? = nil) throws -> [String: Int] {
    let traces = try UserErasure(
      userID: user, appID: app, connection: try fixture.database.connect()
    ).count()
    return Dictionary(uniqueKeysWithValues: traces.map { ($0.place, $0.count) })
      .filter { $0.value > 0 }
  }

  private func users() throws -> [String] {
    try fixture.database.rows(
      """
      select user_id from game.receipt union all select user_id from game.level_up
        union all select user_id from game.game_user_snapshot order by 1
      """
    ).compactMap { $0[0] }
  }

  /// True when each file's rows in the tables and its erased lines add up to its counts.
  private func countsAddUp() throws -> Bool {
    try fixture.database.rows(
      """
      with facts as (
        select source_file_id from game.receipt union all select source_file_id from game.level_up
          union all select source_file_id from game.game_user_snapshot
      ), counted (outcome, source_file_id, line_count) as (
        select 'inserted', source_file_id, count(*) from facts group by 2
        union all select 'rejected', source_file_id, count(*) from ingest.reject
          where resolved_at is null group by 2
        union all select 'conflict', source_file_id, count(distinct line_number) from ingest.conflict
          group by 2
        union all select 'filled', source_file_id, count(distinct line_number) from ingest.fill
          group by 2
        union all select outcome, source_file_id, line_count from ingest.erased_line
      ), claimed (outcome, source_file_id, line_count) as (
        select o.outcome, f.source_file_id, o.line_count from ingest.source_file f, lateral (values
          ('inserted', inserted_count), ('rejected', rejected_count), ('conflict', conflict_count),
          ('filled', filled_count)) o (outcome, line_count)
      )
      select outcome, source_file_id from claimed c full join
          (select outcome, source_file_id, sum(line_count) as found from counted group by 1, 2) t
          using (outcome, source_file_id)
        where coalesce(c.line_count, 0) <> coalesce(t.found, 0)
      """
    ).isEmpty
  }

  @Test func `rows, rejects, conflicts and fills of the user are erased, and those of others stay`()
    throws
  {
    func user(_ id: String, _ more: [String: String?] = [:]) -> [String: String?] {
      more.merging(["userId": "\"\(id)\""]) { $1 }
    }
    let receipts = ["u1", "u2"].flatMap { id in
      [
        Lines.receipt(user(id, ["paymentSeq": "\"\(id)-a\""])),
        Lines.receipt(user(id, ["paymentSeq": "\"\(id)-a\"", "storeCode": #""GG""#])),
        Lines.receipt(
          user(id, ["paymentSeq": "\"\(id)-a\"", "price": "7", "currency": #""EUR""#])),
        Lines.receipt(user(id, ["paymentSeq": "\"\(id)-b\"", "price": "-2"])),
      ]
    }
    _ = try fixture.load(lines: receipts)
    for stream in ["level_up", "game_user"] {
      let line = stream == "level_up" ? Lines.levelUp : Lines.gameUser
      _ = try fixture.load(
        lines: ["u1", "u2"].flatMap { id in
          [
            line(user(id)), line(user(id, ["classId": #""k""#])),
            line(user(id, ["classId": #""l""#])), line(user(id, ["userLevel": "-1"])),
          ]
        }, as: "x", stream: stream)
    }
    var failing = LoadFixture.options
    failing.rejectLimit = .count(0)
    let failed = ["u1", "u2"].map { Lines.receipt(user($0, ["price": "-9"])) }
    _ = try fixture.load(lines: failed, as: "receipt-failed.jsonl", options: failing)
    let others = try fixture.digests(ignoring: ["reject_id"])
    let expected = [
      "game.receipt": 1, "game.level_up": 1, "game.game_user_snapshot": 1, "ingest.reject": 3,
      "ingest.failed_reject": 1, "ingest.conflict": 4, "ingest.fill": 3,
    ]
    #expect(try count("u1") == expected)
    #expect(try fixture.digests(ignoring: ["reject_id"]) == others)
    #expect(try erase("u1") == expected)
    #expect(try users() == ["u2", "u2", "u2"])
    #expect(try count("u1") == [:])
    #expect(try count("u2") == expected)
    #expect(try countsAddUp())
    // A second erasure changes nothing.
    let before = try fixture.digests()
    #expect(try erase("u1") == [:])
    #expect(try fixture.digests() == before)
    #expect(try erase("u2") == expected)
    #expect(try countsAddUp())
    for table in ["reject", "failed_reject", "conflict", "fill"] {
      #expect(try fixture.database.value("select count(*) from ingest.\(table)") == "0")
    }
  }

  @Test func `a conflict over one payment belongs to both users`() throws {
    let line = { (user: String, app: String) in
      Lines.receipt(["userId": "\"\(user)\"", "appId": "\"\(app)\""])
    }
    _ = try fixture.load(lines: [
      line("u1", "a"), line("u2", "a"), line("u2", "b"), line("u3", "b"),
    ])
    #expect(try count("u2") == ["ingest.conflict": 3])
    #expect(try count("u2", of: "b") == ["ingest.conflict": 2])
    #expect(try count("u3", of: "a") == [:])
    #expect(try erase("u2") == ["ingest.conflict": 3])
    #expect(try users() == ["u1"])
    #expect(try countsAddUp())
    #expect(try erase("u1", of: "b") == [:])
    #expect(try erase("u1", of: "a") == ["game.receipt": 1, "ingest.conflict": 2])
    #expect(try countsAddUp())
  }

  @Test func `later lines of the user are suppressed, and the outcomes add up to the lines`() throws
  {
    try erase("u1")
    let report = try fixture.load(
      lines: [
        Lines.receipt(), Lines.receipt(["userId": #""\u00751""#]),
        Lines.receipt(["userId": #""u2""#]),
        "", Lines.receipt(["price": "-3"]), "{}", String(Lines.receipt().dropLast(4)),
      ], options: Self.options)
    let file = try #require(report.files.first)
    let counts = [file.lines, file.inserted, file.suppressed, file.blank, file.rejected]
    #expect(counts == [7, 1, 3, 1, 2])
    #expect(report.exitCode == 3)
    #expect(
      try fixture.database.value("select suppressed_count from ingest.source_file") == "3")
    #expect(try users() == ["u2"])
    #expect(try count("u1") == [:])
    #expect(
      try fixture.load(lines: [Lines.receipt()], options: Self.options).exitCode == 0,
      "a suppressed line is no finding")
  }

  @Test func `an erasure in one application does not suppress the user in others`() throws {
    let lines = ["a", "b"].map { Lines.receipt(["appId": "\"\($0)\"", "paymentSeq": "\"\($0)\""]) }
    _ = try fixture.load(lines: lines)
    try erase("u1", of: "a")
    #expect(try fixture.database.rows("select app_id from game.receipt") == [["b"]])
    var options = Self.options
    options.appID = "a"
    let again = try fixture.load(
      lines: lines + [Lines.receipt(["paymentSeq": #""c""#])], options: options)
    #expect(again.files.first?.suppressed == 2)
    #expect(again.files.first?.duplicates == 1)
  }

  @Test func `without the key, or with another key, no load or replay runs`() throws {
    _ = try fixture.load(lines: [Lines.receipt(["price": "-2", "userId": #""u2""#])])
    try erase("u1")
    let before = try fixture.digests()
    let runs = try fixture.database.value("select count(*) from ingest.load")
    for key in [nil, ErasureKey([UInt8](repeating: 8, count: 32))] {
      var options = LoadFixture.options
      options.erasureKey = key
      let report = try fixture.load(
        lines: [Lines.receipt(["userId": #""u2""#])], as: "receipt-2.jsonl", options: options)
      #expect(report.exitCode == 78)
      options.isDryRun = true
      #expect(try fixture.load(lines: [Lines.receipt()], options: options).exitCode == 78)
      let error = #expect(throws: LoadError.self) {
        try RejectReplay(
          RejectFilter(), options: options, target: try fixture.database.target
        ).replay()
      }
      #expect(error?.exitCode == .configuration)
    }
    let wrong = #expect(throws: LoadError.self) {
      try erase("u2", key: ErasureKey([UInt8](repeating: 8, count: 32)))
    }
    #expect(wrong?.exitCode == .configuration)
    #expect(try fixture.digests() == before)
    #expect(try fixture.database.value("select count(*) from ingest.load") == runs)
  }

  @Test func `tombstones without their key row block loads, replays and further erasures`() throws {
    _ = try fixture.load(lines: [Lines.receipt(["price": "-2", "userId": #""u2""#])])
    try erase("u1")
    try fixture.database.execute("delete from ingest.erasure_key")
    let before = try fixture.digests()
    func expectRefused(_ message: String, _ exitCode: Int32) {
      #expect(exitCode == 78)
      #expect(message.contains("ingest.erasure_key is empty"))
      #expect(message.contains("from a backup of the database"), "\(message)")
    }
    for key in [nil, Self.key] {
      var options = LoadFixture.options
      options.erasureKey = key
      for isDry in [false, true] {
        options.isDryRun = isDry
        let report = try fixture.load(
          lines: [Lines.receipt()], as: "receipt-2.jsonl", options: options)
        expectRefused(report.files.first?.error ?? "", report.exitCode)
      }
      options.isDryRun = false
      let error = #expect(throws: LoadError.self) {
        try RejectReplay(
          RejectFilter(), options: options, target: try fixture.database.target
        ).replay()
      }
      expectRefused(error?.message ?? "", error?.exitCode.rawValue ?? 0)
    }
    let error = #expect(throws: LoadError.self) { try erase("u2") }
    expectRefused(error?.message ?? "", error?.exitCode.rawValue ?? 0)
    #expect(try fixture.digests() == before)
  }

  @Test
  func `a tombstone without a filter suppresses, and a second erasure adds the filter`()
    throws
  {
    try erase("u1")
    try erase("u2")
    let filter = String(Int64(bitPattern: Self.key.filter(of: "u1".utf8)))
    let filters = "select user_filter from ingest.erased_user order by user_filter = \(filter) desc"
    #expect(try fixture.database.rows(filters).first == [filter])
    try fixture.database.execute(
      "update ingest.erased_user set user_filter = null where user_filter = \(filter)")
    let lines = [
      Lines.receipt(), Lines.receipt(["userId": #""u2""#]), Lines.receipt(["userId": #""u3""#]),
    ]
    let file = try fixture.load(lines: lines, options: Self.options).files.first
    #expect(file?.suppressed == 2)
    #expect(try users() == ["u3"])
    try erase("u1")
    #expect(try fixture.database.rows(filters).first == [filter])
    #expect(try fixture.database.value("select count(*) from ingest.erased_user") == "2")
  }

  @Test func `a replay does not store lines of an erased user`() throws {
    _ = try fixture.load(lines: [Lines.receipt(["price": "-2"]), Lines.receipt(["price": "-5"])])
    // Simulates another program that stores the lines after the erasure.
    try fixture.database.execute(
      "create table public.kept as select * from ingest.reject; delete from ingest.reject")
    try erase("u1")
    try fixture.database.execute(
      """
      insert into ingest.reject overriding system value select * from public.kept;
      drop table public.kept;
      update ingest.reject set raw = convert_to(replace(convert_from(raw, 'UTF8'), '-2', '2'), 'UTF8')
      """)
    let replay = {
      try RejectReplay(
        RejectFilter(), options: Self.options, target: try fixture.database.target
      ).replay()
    }
    #expect(try replay().files.map(\.suppressed) == [2])
    #expect(try users() == [])
    #expect(try fixture.database.value("select count(*) from ingest.reject where raw <> ''") == "0")
    #expect(
      try fixture.database.rows("select rejected_count, suppressed_count from ingest.source_file")
        == [["0", "2"]])
    #expect(try replay().files.isEmpty)
  }

  @Test func `an erasure waits for a running load and erases its rows`() throws {
    let other = try fixture.database.connect()
    try other.begin()
    try other.execute("lock table game.receipt in access exclusive mode")
    let load = Background {
      try fixture.load(lines: [Lines.receipt()], options: Self.options).exitCode
    }
    defer { _ = try? load.value() }
    _ = try fixture.database.processWaitingForLock()
    let erased = Background {
      try UserErasure(
        userID: "u1", appID: nil, connection: try Connection(fixture.database.target)
      ).erase(key: Self.key)
    }
    defer { _ = try? erased.value() }
    _ = try fixture.database.processWaitingForLock(moreThan: 1)
    try other.commit()
    #expect(try load.value() == 0)
    #expect(try erased.value().traces.contains { $0.place == "game.receipt" && $0.count == 1 })
    #expect(try users() == [])
    #expect(try countsAddUp())
  }

  @Test func `an erasure waits for a grant, which changes the same catalog rows`() throws {
    let granting = try fixture.database.connect()
    try granting.execute(
      """
      begin; select pg_advisory_xact_lock(ingest.lock_key('migrate'));
      grant select on staging.touched_day to pg_monitor
      """)
    defer { granting.rollback() }
    let erased = Background {
      try UserErasure(
        userID: "u1", appID: nil, connection: try Connection(fixture.database.target)
      ).erase(key: Self.key)
    }
    _ = try fixture.database.processWaitingForLock()
    try granting.commit()
    #expect(try erased.value().traces.contains { $0.place == "game.receipt" })
  }

  @Test func `a file with erased lines can be undone and loaded again`() throws {
    let lines = [Lines.receipt(), Lines.receipt(["userId": #""u2""#, "paymentSeq": #""p2""#])]
    _ = try fixture.load(lines: lines)
    try erase("u1")
    let report = try Undo(.file("1"), connection: try fixture.database.connect()).run()
    #expect(report.files.map(\.rows) == [1])
    #expect(try fixture.load(lines: lines, options: Self.options).files.first?.suppressed == 1)
    #expect(try users() == ["u2"])
  }
}
