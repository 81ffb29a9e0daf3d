import Foundation
import Loading
import Postgres
import TestSupport
import Testing

/// Heartbeats of a run in the ledger.
@Suite(.serialized, .needsServer, .ownDatabase) struct HeartbeatTests {
  let fixture: LoadFixture

  init() throws { fixture = try LoadFixture() }

  @Test func `a long run writes heartbeats, and a short one none`() throws {
    _ = try fixture.load(lines: [Lines.receipt()])
    #expect(try fixture.database.value("select seen_at from ingest.load") == nil)

    let rival = try fixture.database.connect()
    try rival.begin()
    try rival.query("select pg_advisory_xact_lock(ingest.lock_key('stream receipt'))")
    var options = LoadFixture.options
    options.heartbeat.first = 0.01
    options.heartbeat.interval = 0.01
    let run = Background { [fixture, options] in
      try fixture.load(lines: [Lines.receipt(["paymentSeq": #""p2""#])], options: options)
    }
    try fixture.database.wait(
      for:
        "select 1 from ingest.load where load_id = 2 and seen_at > started_at and finished_at is null",
      "the run wrote no heartbeat")
    let first = try #require(try seenAt())
    try fixture.database.wait(
      for: "select 1 from ingest.load where load_id = 2 and seen_at > '\(first)'",
      "the run wrote only one heartbeat")
    try rival.commit()
    #expect(try run.value().exitCode == 0)
  }

  @Test func `the second heartbeat comes after the interval`() throws {
    let rival = try fixture.database.connect()
    try rival.begin()
    try rival.query("select pg_advisory_xact_lock(ingest.lock_key('stream receipt'))")
    var options = LoadFixture.options
    options.heartbeat.first = 0.01
    options.heartbeat.interval = 3600
    let run = Background { [fixture, options] in
      try fixture.load(lines: [Lines.receipt()], options: options)
    }
    let beats = "select seen_at from ingest.load where seen_at > started_at"
    try fixture.database.wait(for: beats, "the run wrote no heartbeat")
    let first = try #require(try fixture.database.value(beats))
    // Time for many more at the first interval.
    Thread.sleep(forTimeInterval: 0.3)
    #expect(try fixture.database.value(beats) == first)
    try rival.commit()
    #expect(try run.value().exitCode == 0)
  }

  private func seenAt() throws -> String? {
    try fixture.database.value("select seen_at from ingest.load where load_id = 2")
  }

  @Test func `a refused heartbeat gives one warning, and the load continues`() throws {
    try fixture.database.execute(
      """
      create function refuse_heartbeat() returns trigger language plpgsql
        as 'begin raise exception ''no''; end';
      create trigger refuse_heartbeat before update of seen_at on ingest.load
        for each row execute function refuse_heartbeat()
      """)
    defer {
      try? fixture.database.execute(
        "drop trigger refuse_heartbeat on ingest.load; drop function refuse_heartbeat()")
    }
    let rival = try fixture.database.connect()
    try rival.begin()
    try rival.query("select pg_advisory_xact_lock(ingest.lock_key('stream receipt'))")
    var options = LoadFixture.options
    options.heartbeat.first = 0.01
    options.heartbeat.interval = 0.01
    let warned = DispatchSemaphore(value: 0)
    let warnings = Warnings()
    let path = try fixture.folder.write("receipt.jsonl", lines: [Lines.receipt()])
    let run = Background { [fixture, options] in
      var target = try fixture.database.target
      target.warn = {
        warnings.note($0)
        warned.signal()
      }
      return LoadRun(options, target: target)
        .load(try LoadFixture.inputs([path]))
    }
    warned.wait()
    try rival.commit()
    #expect(try run.value().exitCode == 0)
    #expect(warnings.count == 1)
  }
}
