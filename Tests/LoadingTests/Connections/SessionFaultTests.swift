import Loading
import Postgres
import SampleData
import TestSupport
import Testing

/// Loads that wait for other sessions, lose their connection, or are stopped.
@Suite(.serialized, .needsServer, .ownDatabase) struct SessionFaultTests {
  let fixture: LoadFixture

  init() throws { fixture = try LoadFixture() }

  private static let lines =
    (0..<50).map { Lines.receipt(["paymentSeq": "\"p\($0)\""]) } + ["{}", Lines.receipt()]

  /// A load that has sent its rows and waits to write its ledger entry.
  ///
  /// - Parameter body: receives the load and the process id of its server session.
  private func withLoadHeldUp(
    interruption: Interruption = Interruption(),
    _ body: (Background<RunReport>, Int, String) throws -> Void
  ) throws -> RunReport {
    let path = try fixture.folder.write("receipt.jsonl", lines: Self.lines)
    let holder = try fixture.database.connect()
    try holder.execute("begin; lock table ingest.reject in share row exclusive mode")
    let load = Background { [fixture] in try fixture.load([path], interruption: interruption) }
    let process = try fixture.database.processWaitingForLock()
    try body(load, process, path)
    holder.rollback()
    return try load.value()
  }

  private func expectNothingLeftAndLoadable() throws {
    #expect(try fixture.nothingIsLoaded())
    let report = try fixture.load([fixture.folder.path])
    #expect(report.exitCode == 3)
    #expect(report.files.map(\.inserted) == [50])
    #expect(try fixture.database.value("select count(*) from ingest.failed_file") == "0")
  }

  @Test func `rows are not visible before the file commits`() throws {
    let report = try withLoadHeldUp { _, _, _ in
      let isNothingLoaded = try fixture.nothingIsLoaded()
      #expect(isNothingLoaded)
      let runs = try fixture.database.rows("select exit_code, finished_at from ingest.load")
      #expect(runs == [[nil, nil]])
    }
    #expect(report.exitCode == 3)
    #expect(try fixture.factCount() == 50)
  }

  @Test func `a connection lost in COMMIT is resolved by reading the ledger`() throws {
    let path = try fixture.folder.write("receipt.jsonl", lines: Self.lines)
    try fixture.database.execute(
      """
      create function public.break_off() returns trigger language plpgsql as
        'begin perform pg_catalog.pg_terminate_backend(pg_catalog.pg_backend_pid()); return null; end';
      create constraint trigger break_off after insert on ingest.source_file
        deferrable initially deferred for each row execute function public.break_off()
      """)
    let report = try fixture.load([path])
    #expect(report.exitCode == 75)
    #expect(report.files[0].error?.hasPrefix("committing: ") == true)
    try fixture.database.execute("drop function public.break_off() cascade")
    try expectNothingLeftAndLoadable()
  }

  @Test func `a session terminated during a load leaves nothing of the file`() throws {
    let report = try withLoadHeldUp { load, process, _ in
      try fixture.database.execute("select pg_terminate_backend(\(process))")
      _ = try load.value()
    }
    #expect(report.exitCode == 75)
    #expect(report.files.map(\.status) == [.failed])
    #expect(report.files[0].error?.contains("Nothing of the file was loaded; run again") == true)
    #expect(
      try fixture.database.rows("select line_count, rejected_count from ingest.failed_file")
        == [["52", "1"]])
    try expectNothingLeftAndLoadable()
  }

  @Test func `a statement canceled by an operator ends the run`() throws {
    let report = try withLoadHeldUp { load, process, _ in
      try fixture.database.execute("select pg_cancel_backend(\(process))")
      _ = try load.value()
    }
    #expect(report.exitCode == 75)
    try expectNothingLeftAndLoadable()
  }

  @Test(arguments: [(Int32(15), Int32(143)), (2, 130)])
  func `a signal cancels the running statement and rolls back`(
    signal: Int32, exitCode: Int32
  ) throws {
    let interruption = Interruption()
    let report = try withLoadHeldUp(interruption: interruption) { load, _, _ in
      interruption.request(signal: signal)
      _ = try load.value()
    }
    #expect(report.exitCode == exitCode)
    #expect(report.files[0].error?.hasPrefix("interrupted; ") == true)
    #expect(
      try fixture.database.value("select exit_code from ingest.load") == "\(exitCode)")
    try expectNothingLeftAndLoadable()
  }

  @Test func `files after an interruption are not reached`() throws {
    let interruption = Interruption()
    interruption.request(signal: 15)
    try fixture.folder.write("receipt-1.jsonl", lines: [Lines.receipt()])
    try fixture.folder.write("receipt-2.jsonl", lines: [Lines.receipt(["payload": "\"x\""])])
    let report = try fixture.load([fixture.folder.path], interruption: interruption)
    #expect(report.exitCode == 143)
    #expect(report.files.map(\.status) == [.failed, .failed])
    #expect(report.files[1].error?.hasPrefix("not reached: ") == true)
    #expect(try fixture.nothingIsLoaded())
  }

  @Test func `a file that another loader holds is waited for or skipped`() throws {
    let first = try withLoadHeldUp { _, _, path in
      var options = LoadFixture.options
      options.lockWaitSeconds = 0
      let second = try fixture.load([path], options: options)
      #expect(second.exitCode == 6)
      #expect(second.files.map(\.status) == [.failed])
      #expect(
        second.files[0].error?.firstMatch(
          of:
            /another session has held the lock of stream receipt for 0 s \(process \d+, role .*, since .* UTC\); wait for it/
        )
          != nil)
    }
    #expect(first.exitCode == 3)
    #expect(try fixture.load([fixture.folder.path]).files.map(\.status) == [.alreadyLoaded])
    #expect(try fixture.database.value("select count(*) from ingest.failed_file") == "0")
  }

  @Test func `a loader that waited for a file finds it loaded`() throws {
    var waiting: Background<RunReport>?
    let first = try withLoadHeldUp { _, _, path in
      waiting = Background { [fixture] in try fixture.load([path]) }
      try fixture.database.wait(
        for: "select 1 from ingest.load having count(*) = 2", "the second run did not start")
    }
    #expect(first.files.map(\.status) == [.loaded])
    #expect(try waiting?.value().files.map(\.status) == [.alreadyLoaded])
  }

  @Test func `files of one stream queue, and a later one sees the rows of an earlier one`() throws {
    let other = try fixture.folder.write("receipt-2.jsonl", lines: [Lines.receipt()])
    var queued: Background<RunReport>?
    let first = try withLoadHeldUp { _, _, _ in
      queued = Background { [fixture] in try fixture.load([other]) }
      _ = try fixture.database.processWaitingForLock(moreThan: 1)
      let isNothingLoaded = try fixture.nothingIsLoaded()
      #expect(isNothingLoaded)
    }
    #expect(first.exitCode == 3)
    #expect(try queued?.value().files.map(\.duplicates) == [1])
  }

  @Test func `a file that grows while its load waits fails`() throws {
    let copy = try fixture.folder.write("copy/receipt.jsonl", lines: Self.lines)
    let interruption = Interruption()
    var second: Background<RunReport>?
    let first = try withLoadHeldUp(interruption: interruption) { load, _, _ in
      second = Background { [fixture] in try fixture.load([copy]) }
      _ = try fixture.database.processWaitingForLock(moreThan: 1)
      try fixture.folder.write("copy/receipt.jsonl", lines: Self.lines + [Lines.receipt()])
      interruption.request(signal: 15)
      _ = try load.value()
    }
    #expect(first.exitCode == 143)
    let report = try second?.value()
    #expect(report?.exitCode == 5)
    #expect(report?.files[0].error?.hasPrefix("changed while it was read") == true)
    #expect(try fixture.nothingIsLoaded())
  }

  @Test func `concurrent runs on one folder load each file once`() throws {
    for part in 0..<6 {
      let stream = ["receipt", "levelup", "gameuser"][part % 3]
      let sample = Sample([.receipt, .levelUp, .gameUser][part % 3], count: 300, part: part, of: 6)
      try fixture.folder.write("\(stream)-\(part).jsonl", sample.bytes)
    }
    let runs = (0..<3).map { _ in
      Background { [fixture] in try fixture.load([fixture.folder.path]) }
    }
    let reports = try runs.map { try $0.value() }
    for file in 0..<6 {
      let statuses = reports.map { $0.files[file].status.rawValue }.sorted()
      #expect(statuses == ["already_loaded", "already_loaded", "loaded"])
    }
    #expect(reports.allSatisfy { [0, 3].contains($0.exitCode) })
    let inserted = reports.flatMap(\.files).map(\.inserted).reduce(0, +)
    #expect(try fixture.factCount() == inserted)
    #expect(try fixture.database.value("select count(*) from ingest.source_file") == "6")
  }

  @Test func `a database without the schema exits with 78, and a missing one with 69`()
    throws
  {
    let path = try fixture.folder.write("receipt.jsonl", lines: Self.lines)
    let bare = try TestDatabase()
    defer { bare.drop() }
    for (conninfo, code) in [
      (bare.conninfo, Int32(78)), (TestServer.with("host", "/nonexistent", in: bare.conninfo), 69),
    ] {
      let target = try ConnectionTarget(conninfo: conninfo)
      let report = LoadRun(LoadFixture.options, target: target)
        .load(try LoadFixture.inputs([path]))
      #expect(report.exitCode == code)
      #expect(report.loadID == nil)
      #expect(report.files.map(\.status) == [.failed])
      #expect(report.files[0].error?.hasPrefix("not reached: ") == true)
    }
  }
}
