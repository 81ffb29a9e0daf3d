import Foundation
import Loading
import Postgres
import SampleData
import TestSupport
import Testing

/// Streams loaded in parallel, with the result of a sequential load.
@Suite(.serialized, .needsServer, .ownDatabase) struct JobTests {
  let fixture: LoadFixture

  init() throws { fixture = try LoadFixture() }

  private func options(jobs: Int) -> LoadOptions {
    var options = LoadFixture.options
    options.jobs = jobs
    return options
  }

  /// Twelve files of three streams, with shared keys and conflicts within each stream.
  private func paths() throws -> [String] {
    try (0..<12).map { part in
      let stream = [SampleStream.receipt, .levelUp, .gameUser][part % 3]
      let name = ["receipt", "levelup", "gameuser"][part % 3]
      let sample = Sample(stream, count: 200, seed: UInt64(part % 2), part: 0, of: 1)
      return try fixture.folder.write("\(name)-\(part).jsonl", sample.shuffled(seed: UInt64(part)))
    }
  }

  private func facts() throws -> [String: String] {
    // The numbers of files depend on the timing of the jobs.
    let digests = try fixture.digests(
      ignoring: [
        "source_file_id", "met_file_id", "load_id", "loaded_at", "reject_id", "conflict_id",
        "fill_id",
      ])
    return digests.filter { $0.key != "ingest.source_file" }
  }

  @Test func `any number of jobs gives the same rows and reports files in the order given`() throws
  {
    let paths = try paths()
    let alone = try fixture.load(paths, options: options(jobs: 1))
    let expected = try facts()
    for jobs in [2, 3, 8] {
      _ = try LoadFixture()
      let report = try fixture.load(paths, options: options(jobs: jobs))
      #expect(try facts() == expected)
      #expect(report.files.map(\.withoutTimes) == alone.files.map(\.withoutTimes))
      #expect(report.exitCode == alone.exitCode)
    }
  }

  @Test func `streams load in parallel, and files of one stream one at a time`() throws {
    let holder = try fixture.database.connect()
    try holder.execute("begin; lock table ingest.source_file in share row exclusive mode")
    let paths = try paths()
    let load = Background { [fixture] in
      var options = LoadFixture.options
      options.jobs = 3
      return try fixture.load(paths, options: options)
    }
    // Each of the three jobs holds its locks and waits to open its ledger entry.
    _ = try fixture.database.processWaitingForLock(moreThan: 2)
    let held = try fixture.database.rows(
      """
      select count(distinct pid) from pg_locks
        where locktype = 'advisory' and granted
          and database = (select oid from pg_database where datname = current_database())
      """)
    // Each job holds its stream's lock.
    #expect(held == [["3"]])
    holder.rollback()
    #expect(try load.value().files.map(\.status).allSatisfy { $0 == .loaded })
  }

  @Test func `a failing file stops the run only with fail-fast`() throws {
    let paths = [
      "\(fixture.folder.path)/receipt-gone.jsonl",
      try fixture.folder.write("receipt-2.jsonl", lines: [Lines.receipt()]),
      try fixture.folder.write("levelup.jsonl", lines: [Lines.levelUp()]),
    ]
    let report = try fixture.load(paths, options: options(jobs: 2))
    #expect(report.files.map(\.status) == [.failed, .loaded, .loaded])
    var failFast = options(jobs: 1)
    failFast.failFast = true
    _ = try LoadFixture()
    let stopped = try fixture.load(paths, options: failFast)
    #expect(stopped.exitCode == 5)
    #expect(stopped.files.filter { $0.status == .failed }.count >= 2)
    #expect(stopped.files[1].error?.hasPrefix("not reached: --fail-fast") == true)
  }
}

extension FileReport {
  /// The report without its times.
  fileprivate var withoutTimes: FileReport {
    var file = self
    file.startedAt = nil
    file.durationSeconds = nil
    return file
  }
}
