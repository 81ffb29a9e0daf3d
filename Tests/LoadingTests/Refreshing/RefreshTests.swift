import Foundation
import Postgres
import TestSupport
import Testing

@testable import Loading

/// Refreshes that wait, fail or are interrupted.
///
/// The cases of refresh.test say when a command refreshes.
@Suite(.serialized, .needsServer, .ownDatabase) struct RefreshTests {
  let fixture: LoadFixture

  init() throws { fixture = try LoadFixture(refreshing: true) }

  private func refresh(isFull: Bool = false) throws -> RefreshReport {
    try Refresh(isFull: isFull, warn: { _ in }).run(on: try fixture.database.target)
  }

  /// True when the reports contain all that is loaded.
  private func isRefreshed() throws -> Bool {
    try fixture.database.value(
      """
      select not exists (select from rollup.touched_row)
        and not exists (select from rollup.touched_file)
        and not exists (select from ingest.source_file f join rollup.refresh_state s using (stream)
          where f.source_file_id > s.source_file_id)
      """) == "t"
  }

  private func players() throws -> [String?] {
    try fixture.database.rows("select user_id from rollup.player order by 1").map { $0[0] }
  }

  private func write(_ name: String, user: String) throws -> String {
    try fixture.folder.write(
      name, lines: [Lines.receipt(["userId": "\"\(user)\"", "paymentSeq": "\"\(name)\""])])
  }

  // MARK: - The end of a load

  @Test func `a run that an interruption ended does not refresh`() throws {
    var options = LoadFixture.options
    options.refreshes = false
    _ = try fixture.load([try write("receipt-1.jsonl", user: "a")], options: options)
    let interruption = Interruption()
    interruption.request(signal: 15)
    let next = try write("receipt-2.jsonl", user: "b")
    #expect(try fixture.load([next], interruption: interruption).refresh == nil)
    #expect(try !isRefreshed())
  }

  @Test func `a refresh that fails leaves the files loaded, and the next run catches up`() throws {
    let holder = try fixture.database.connect()
    try holder.execute("begin; lock table rollup.refresh_lock in exclusive mode")
    let path = try write("receipt-1.jsonl", user: "a")
    let loading = Background { [fixture] in try fixture.load([path]) }
    let process = try fixture.database.processWaitingForLock()
    try fixture.database.execute("select pg_cancel_backend(\(process))")
    let report = try loading.value()
    #expect(report.exitCode == 75)
    #expect(report.files.map(\.status) == [.loaded])
    #expect(report.refresh?.errorCode == .temporary)
    #expect(report.refresh?.errorDetail == ["sqlstate": "57014"])
    #expect(report.refresh?.error?.contains("run gamebase-ingest refresh") == true)
    #expect(report.errorCode == .temporary && report.error == report.refresh?.error)
    #expect(
      try fixture.database.rows("select exit_code from ingest.load") == [["75"]])
    #expect(try fixture.factCount() == 1)
    holder.rollback()
    let again = try fixture.load([path])
    #expect(again.exitCode == 0)
    #expect(again.files.map(\.status) == [.alreadyLoaded])
    #expect(again.refresh?.files == 1)
    #expect(try isRefreshed())
  }

  // MARK: - One at a time

  @Test func `a refresh waits for another one and contains what that one did not`() throws {
    var options = LoadFixture.options
    options.refreshes = false
    let holder = try fixture.database.connect()
    try holder.execute("begin; lock table rollup.refresh_lock in exclusive mode")
    let waiting = Background { [fixture] in
      try Refresh(warn: { _ in }).run(on: try fixture.database.target)
    }
    _ = try fixture.database.processWaitingForLock()
    // Loads go on meanwhile.
    #expect(
      try fixture.load([try write("receipt-1.jsonl", user: "a")], options: options).exitCode == 0)
    try holder.execute("commit")
    #expect(try waiting.value().files == 1)
    #expect(try players() == ["a"])
  }

  @Test func `a heartbeat of the run does not fail its refresh`() throws {
    let holder = try fixture.database.connect()
    // The refresh reaches its last update and waits.
    try holder.execute("begin; lock table rollup.refresh_state in share mode")
    let path = try write("receipt-1.jsonl", user: "a")
    let load = Background { [fixture] in try fixture.load([path]) }
    _ = try fixture.database.processWaitingForLock()
    try fixture.database.execute("update ingest.load set seen_at = clock_timestamp()")
    holder.rollback()
    let report = try load.value()
    #expect(report.refresh?.error == nil)
    #expect(try isRefreshed())
  }

  @Test func `an interrupted refresh changes nothing and says what to run`() throws {
    let holder = try fixture.database.connect()
    try holder.execute("begin; lock table rollup.refresh_lock in exclusive mode")
    let interruption = Interruption()
    let path = try write("receipt-1.jsonl", user: "a")
    let load = Background { [fixture] in try fixture.load([path], interruption: interruption) }
    _ = try fixture.database.processWaitingForLock()
    interruption.request(signal: 15)
    let report = try load.value()
    holder.rollback()
    #expect(report.exitCode == 143)
    #expect(report.files.map(\.status) == [.loaded])
    #expect(report.refresh?.error?.contains("Run gamebase-ingest refresh") == true)
    #expect(try players().isEmpty)
    #expect(try refresh().files == 1)
  }

  // MARK: - Changes of loaded data

  @Test func `an undo refreshes in its own transaction, under the locks of all streams`() throws {
    let path = try write("receipt-1.jsonl", user: "a")
    _ = try fixture.load([path, try write("receipt-2.jsonl", user: "b")])
    let dry = try Change(on: try fixture.database.connect(), isDryRun: true).undo(.file(path))
    #expect(dry.files?.rowCount == 1)
    #expect(try players() == ["a", "b"])
    // Another stream's load delays the undo.
    let holder = try fixture.database.connect()
    try holder.begin()
    try holder.query("select ingest.hold_stream('level_up')")
    let undo = Background { [fixture] in
      try Change(on: try fixture.database.connect()).undo(.file(path)).files?.rowCount
    }
    _ = try fixture.database.processWaitingForLock(applicationName: "test")
    try holder.commit()
    #expect(try undo.value() == 1)
    #expect(try isRefreshed())
    #expect(try players() == ["b"])
  }

  @Test func `a month is dropped only between refreshes`() throws {
    _ = try fixture.load(lines: [Lines.levelUp()], as: "levelup.jsonl")
    let holder = try fixture.database.connect()
    try holder.execute("begin; lock table rollup.refresh_lock in exclusive mode")
    let retention = Background { [fixture] in
      let target = try fixture.database.target
      let change = Change(on: try Connection(target))
      for month in try change.months(ofStreams: ["level_up"], keep: 1) { try change.drop(month) }
      return try Refresh(warn: { _ in }).run(on: target)
    }
    _ = try fixture.database.processWaitingForLock()
    #expect(try fixture.factCount() == 1)
    try holder.execute("commit")
    _ = try retention.value()
    #expect(try fixture.factCount() == 0)
    #expect(try isRefreshed())
  }
}
