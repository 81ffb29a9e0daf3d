import Foundation
import Postgres
import RecordPipeline
import SHA256
import TestSupport
import Testing

@testable import Loading

/// Commands and sessions that run during a load, and settings that conflict with it.
@Suite(.serialized, .needsServer, .ownDatabase) struct RivalCommandTests {
  let fixture: LoadFixture

  init() throws { fixture = try LoadFixture(refreshing: true) }

  private func connect() throws -> Connection { try fixture.database.connect() }

  @Test func `the same bytes, plain and as several gzip members, are loaded once`() throws {
    let lines = (1...6).map { Lines.receipt(["paymentSeq": "\"p\($0)\""]) }
    let plain = try fixture.folder.write("receipt.jsonl", lines: lines)
    var gzip = Command("/bin/sh")
    gzip.environment["IN"] = plain
    _ = try gzip.run(["-c", #"{ head -n 3 "$IN" | gzip; tail -n +4 "$IN" | gzip; } > "$IN.gz""#])
    // A file of the same length, so that the loader hashes the plain file before its turn.
    _ = try fixture.load(
      lines: lines.map { $0.replacing("\"p", with: "\"q") }, as: "receipt-q.jsonl")
    for (first, second) in [(plain, "\(plain).gz"), ("\(plain).gz", plain)] {
      _ = try? Change(on: try connect()).undo(.file(first))
      let holder = try connect()
      try holder.execute("begin; lock table ingest.failed_file in access exclusive mode")
      let loads = try [first, second].enumerated().map { number, path in
        let load = Background { [fixture] in try fixture.load([path]) }
        _ = try fixture.database.processWaitingForLock(moreThan: number)
        return load
      }
      holder.rollback()
      let reports = try loads.map { try $0.value() }
      #expect(reports.map(\.exitCode) == [0, 0])
      #expect(reports.flatMap(\.files).map(\.status) == [.loaded, .alreadyLoaded])
      _ = try Change(on: try connect()).undo(.load(try #require(reports[0].loadID)))
    }
  }

  @Test func `a file that another run has loaded is none of this run`() throws {
    let report = try fixture.load(lines: [Lines.receipt()])
    let loadID = try #require(report.loadID)
    let file = try #require(report.files.first)
    let sha256 = SHA256.digest(of: try Data(contentsOf: URL(fileURLWithPath: file.path)))
    let number = try #require(
      Int64(try fixture.database.value("select source_file_id from ingest.source_file") ?? ""))
    let connection = try connect()
    let found = try connection.transaction {
      try [loadID, loadID + 1].map {
        try Ledger(connection: connection).contains(number, sha256: sha256, loadID: $0)
      }
    }
    #expect(found == [true, false])
  }

  @Test func `already loaded bytes are recognized before the reject limit applies`() throws {
    let plain = try fixture.folder.write("receipt.jsonl", lines: [Lines.receipt(), "{}", "{}"])
    #expect(try fixture.load([plain]).exitCode == 3)
    var program = Command("/bin/sh")
    program.environment["IN"] = plain
    _ = try program.run(["-c", #"{ head -n 1 "$IN" | gzip; tail -n +2 "$IN" | gzip; } > "$IN.gz""#])
    var strict = LoadFixture.options
    strict.rejectLimit = .count(0)
    let again = try fixture.load(["\(plain).gz"], options: strict)
    #expect(again.files.map(\.status) == [.alreadyLoaded])
    // Other bytes are read to the end and fail.
    _ = try program.run(["-c", #"{ gzip < "$IN"; gzip < "$IN"; } > "$IN.gz""#])
    let other = try fixture.load(["\(plain).gz"], options: strict)
    #expect(other.exitCode == 4)
    #expect(
      try fixture.database.rows("select line_count, rejected_count from ingest.failed_file")
        == [["6", "4"]])
  }

  @Test func `a month dropped between two files of a run is created again`() throws {
    let paths = try (1...2).map {
      try fixture.folder.write(
        "levelup-\($0).jsonl", lines: [Lines.levelUp(["userLevel": "\($0)"]), Lines.tooLongToShare])
    }
    let database = fixture.database
    let session = try Session(database.target, isDryRun: false)
    let run = try LoadRun(
      LoadFixture.options, target: database.target
    ).start(session)
    for input in try LoadFixture.inputs(paths).inputs {
      #expect(try FileLoad(input, session: session, run: run).load(input).status == .loaded)
      guard input.path == paths[0] else { continue }
      let connection = try database.connect()
      try connection.transaction(.repeatableRead(afterLocking: Lock.refreshTable)) {
        try connection.refreshReports()
        try connection.query("select ingest.drop_month('level_up', '2025-07-01')")
      }
    }
    #expect(
      try database.rows("select user_level from game.level_up") == [["2"]])
  }

  @Test func `a month is waited for up to a limit while another session changes its table`() throws
  {
    let path = try fixture.folder.write("levelup.jsonl", lines: [Lines.levelUp()])
    let session = try Session(fixture.database.target, isDryRun: false)
    session.lockTimeout = "10ms"
    let run = try LoadRun(
      LoadFixture.options, target: fixture.database.target
    ).start(session)
    let input = try #require(try LoadFixture.inputs([path]).inputs.first)
    // Such a session can itself wait for the transaction of the file, and no server sees that deadlock.
    let changing = try connect()
    try changing.execute("begin; lock table game.level_up in share update exclusive mode")
    let error = #expect(throws: LoadError.self) {
      try FileLoad(input, session: session, run: run).load(input)
    }
    #expect(error?.exitCode == .temporary && error?.isTransient == true)
    changing.rollback()
    #expect(try FileLoad(input, session: session, run: run).load(input).status == .loaded)
  }

  @Test func `a merge and a refresh do not wait for a session that reads every table`() throws {
    let line = Lines.receipt()
    _ = try fixture.load(lines: [line])
    let reader = try connect()
    // The locks of pg_dump.
    try reader.execute(
      """
      begin; do $$ declare t regclass; begin
        for t in select c.oid from pg_class c join pg_namespace n on n.oid = c.relnamespace
          where n.nspname in ('game', 'ingest', 'report', 'rollup', 'staging')
            and c.relkind in ('r', 'p')
        loop execute format('lock table %s in access share mode', t); end loop; end $$
      """)
    let filled = try fixture.load(
      lines: [Lines.receipt(["payload": "\"x\""])], as: "receipt-2.jsonl")
    #expect(filled.files.map(\.filled) == [1])
    #expect(filled.refresh?.players == 1 && filled.refresh?.error == nil)
    reader.rollback()
  }

  @Test
  func `a detached month is reported with its attach statement`() throws {
    _ = try fixture.load(lines: [Lines.levelUp()], as: "levelup.jsonl")
    try fixture.database.execute("alter table game.level_up detach partition game.level_up_2025_07")
    let report = try fixture.load(
      lines: [Lines.levelUp(["userLevel": "9"])], as: "levelup-2.jsonl")
    try fixture.database.execute("drop table game.level_up_2025_07")
    #expect(report.exitCode == 78)
    let error = try #require(report.files.first?.error)
    #expect(error.contains("game.level_up_2025_07 exists but is not a partition"))
    #expect(
      error.contains(
        "alter table game.level_up attach partition game.level_up_2025_07 for values from "
          + "('2025-07-01 00:00:00+00') to ('2025-08-01 00:00:00+00')"))
    #expect(!error.contains("please report"))
  }

  @Test func `a month with a canceled detach is reported`() throws {
    let month = "game.level_up_2018_01"
    try fixture.database.execute("select ingest.ensure_partition('level_up', '2018-01-01')")
    let reader = try connect()
    try reader.execute("begin; select from game.level_up")
    let detaching = Background { [fixture] in
      try fixture.database.execute(
        "alter table game.level_up detach partition \(month) concurrently")
    }
    let process = try fixture.database.processWaitingForLock(applicationName: "test")
    try fixture.database.execute("select pg_cancel_backend(\(process))")
    #expect(throws: PostgresError.self) { try detaching.value() }
    reader.rollback()
    let error = #expect(throws: PostgresError.self) {
      try fixture.database.execute("select ingest.ensure_partition('level_up', '2018-01-01')")
    }
    #expect(error?.sqlState == .objectNotInPrerequisiteState)
    try fixture.database.execute("alter table game.level_up detach partition \(month) finalize")
    try fixture.database.execute("drop table \(month)")
  }

  @Test func `one of two sessions that need a new month creates it`() throws {
    let maker = try connect()
    try maker.begin()
    let month = "select ingest.ensure_partition('level_up', '2019-01-01')"
    #expect(try maker.query(month)[0, 0] == "t")
    let other = Background { [fixture] in try fixture.database.value(month) }
    _ = try fixture.database.processWaitingForLock(applicationName: "test")
    try maker.commit()
    #expect(try other.value() == "f")
  }

  @Test func `rows are filled, undone and erased while a publication covers all tables`() throws {
    try fixture.database.execute("create publication everything for all tables")
    defer { try? fixture.database.execute("drop publication everything") }
    var options = LoadFixture.options
    options.erasureKey = EraseUserTests.key
    for (stream, line) in [
      ("receipt", Lines.receipt), ("level_up", Lines.levelUp), ("game_user", Lines.gameUser),
    ] {
      let field = stream == "receipt" ? "payload" : "classId"
      for lines in [[line([:])], [line([field: "\"x\""])], ["{}", line(["userId": "\"u2\""])]] {
        let report = try fixture.load(
          lines: lines, as: "\(lines.count)-\(lines[0].utf8.count)", stream: stream,
          options: options)
        #expect(report.exitCode == (lines.count == 2 ? 3 : 0), "\(report.files)")
      }
    }
    let filling = try fixture.database.rows(
      "select source_file_id from ingest.source_file where filled_count > 0 order by 1")
    #expect(filling.count == 3)
    for file in filling {
      _ = try Change(on: try connect()).undo(.file(file[0] ?? ""))
    }
    _ = try Change(on: try connect()).erase("u2", appID: nil, key: EraseUserTests.key)
    #expect(try fixture.factCount() == 3)
  }

  @Test func `a run that deadlocks at its start is retried`() throws {
    let rival = try connect()
    // The loader's deadlock check runs first, so the loader is the victim.
    try rival.execute(
      "set deadlock_timeout = '1min'; begin; lock table ingest.load in access exclusive mode")
    var patient = LoadFixture.options
    patient.retries = RetryPolicy(retries: 2, firstDelay: 0.1)
    let load = Background { [fixture, patient] in
      try fixture.load(lines: [Lines.receipt()], options: patient)
    }
    _ = try fixture.database.processWaitingForLock()
    try rival.execute("lock table ingest.setting in access exclusive mode")
    rival.rollback()
    #expect(try load.value().exitCode == 0)
  }

  @Test func `the record of a failed file is retried after a deadlock`() throws {
    let rival = try connect()
    // The loader's deadlock check runs first, so the loader is the victim.
    try rival.execute(
      "set deadlock_timeout = '1min'; begin; lock table ingest.failed_file in access exclusive mode"
    )
    var strict = LoadFixture.options
    strict.rejectLimit = .count(0)
    strict.retries = RetryPolicy(retries: 2, firstDelay: 0.1)
    let load = Background { [fixture, strict] in
      try fixture.load(lines: [Lines.receipt(), "{}"], options: strict)
    }
    _ = try fixture.database.processWaitingForLock()
    try rival.execute("select pg_advisory_xact_lock(ingest.lock_key('erasures'))")
    rival.rollback()
    #expect(try load.value().exitCode == 4)
    #expect(try fixture.database.value("select count(*) from ingest.failed_file") == "1")
  }

  @Test func `grants wait for a load that creates a month, and both succeed`() throws {
    let fixture = try RoleFixture()
    let maker = try fixture.database.connect()
    try maker.begin()
    try maker.query("select ingest.ensure_partition('level_up', '2024-01-01')")
    let grants = Background { [roles = fixture.roles, database = fixture.database] in
      try Grants(roles, connection: database.connect()).apply(createsRoles: false)
    }
    _ = try fixture.database.processWaitingForLock(applicationName: "test")
    try maker.commit()
    _ = try grants.value()
  }

  @Test func `a first grant that deadlocks with a load succeeds`() throws {
    let database = try TestDatabase()
    defer { database.drop() }
    try Migrator(connection: try database.connect()).migrate()
    let roles = DatabaseRoles(prefix: "ingest_\(UInt64.random(in: .min ... .max))")
    // The locks of a load that has copied rows but has not yet written its rejects.
    let load = try database.connect()
    try load.begin()
    try load.execute("lock table game.receipt, ingest.source_file in row exclusive mode")
    let grants = Background {
      try Grants(roles, connection: database.connect()).apply(createsRoles: true)
    }
    _ = try database.processWaitingForLock(applicationName: "test")
    // The server cancels one of the two; a grant is retried.
    do {
      try load.execute(
        """
        lock table ingest.conflict, ingest.fill, ingest.reject, ingest.unknown_field, ingest.load,
          ingest.stream, game.level_up, game.game_user_snapshot in row exclusive mode
        """)
      try load.commit()
    } catch let error as PostgresError {
      load.rollback()
      #expect(error.kind == .contention)
    }
    _ = try grants.value()
    let server = try TestServer.connect()
    database.drop()
    for name in [roles.owner, roles.loader, roles.analyst, roles.eraser, roles.monitor] {
      try server.execute("drop role \(name)")
    }
  }

  @Test(arguments: ["off", "local", "on"])
  func `a reported commit is on disk, whatever the role's settings`(setting: String) throws {
    try fixture.database.execute(
      "alter database \(fixture.database.name) set synchronous_commit = \(setting)")
    defer {
      try? fixture.database.execute(
        "alter database \(fixture.database.name) reset synchronous_commit")
    }
    let connection = try connect()
    try connection.begin()
    let used = try connection.query("show synchronous_commit")[0, 0]
    #expect(used == (setting == "off" ? "on" : setting))
    connection.rollback()
    #expect(try connection.query("show synchronous_commit")[0, 0] == setting)
  }

  @Test func `a session whose session_replication_role is replica does not load`() throws {
    try fixture.database.execute(
      "alter database \(fixture.database.name) set session_replication_role = replica")
    let report = try fixture.load(lines: [Lines.receipt()])
    try fixture.database.execute(
      "alter database \(fixture.database.name) reset session_replication_role")
    #expect(report.exitCode == 78)
    #expect(try fixture.nothingIsLoaded())
  }
}
