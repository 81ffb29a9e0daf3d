import Foundation
import Loading
import Postgres
import TestSupport
import Testing

/// Temporary errors are retried a limited number of times; permanent errors are reported at once.
@Suite(.serialized, .needsServer, .ownDatabase) struct RetryTests {
  let fixture: LoadFixture

  init() throws { fixture = try LoadFixture() }

  private static var patient: LoadOptions {
    var options = LoadFixture.options
    options.retries = RetryPolicy(retries: 3, firstDelay: 0.01)
    return options
  }

  /// Makes the first `count` transactions that write a ledger entry run `statement`.
  private func spoil(_ count: Int, with statement: String, deferred: Bool = false) throws {
    try fixture.database.execute(
      """
      create sequence public.spoiled;
      create function public.spoil() returns trigger language plpgsql as $$
        begin
          if pg_catalog.nextval('public.spoiled') <= \(count) then \(statement); end if;
          return null;
        end $$;
      create constraint trigger spoil after insert on ingest.source_file
        deferrable initially \(deferred ? "deferred" : "immediate")
        for each row execute function public.spoil()
      """)
  }

  private func mend() throws {
    try fixture.database.execute(
      "drop function public.spoil() cascade; drop sequence public.spoiled")
  }

  private static let breakOff =
    "perform pg_catalog.pg_terminate_backend(pg_catalog.pg_backend_pid())"

  private func attempts() throws -> String? {
    try fixture.database.value("select last_value from public.spoiled")
  }

  @Test(arguments: [
    (breakOff, false), (breakOff, true),
    ("raise exception 'in the way' using errcode = 'deadlock_detected'", false),
    ("raise exception 'in the way' using errcode = 'serialization_failure'", true),
    ("raise exception 'in the way' using errcode = 'lock_not_available'", false),
  ])
  func `a later attempt loads the file once`(statement: String, deferred: Bool) throws {
    try spoil(2, with: statement, deferred: deferred)
    let report = try fixture.load(lines: [Lines.receipt(), "x"], options: Self.patient)
    #expect(report.exitCode == 3)
    #expect(report.files.map(\.inserted) == [1])
    #expect(try attempts() == "3")
    #expect(try fixture.factCount() == 1)
    #expect(
      try fixture.database.rows(
        """
        select (select count(*) from ingest.source_file), (select count(*) from ingest.reject),
          (select count(*) from ingest.failed_file), (select count(*) from ingest.load)
        """) == [["1", "1", "0", "1"]])
    try mend()
  }

  @Test func `attempts are bounded, and the next run loads the remaining files`() throws {
    try spoil(99, with: Self.breakOff)
    let paths = [
      try fixture.folder.write("receipt-1.jsonl", lines: [Lines.receipt()]),
      try fixture.folder.write("receipt-2.jsonl", lines: [Lines.receipt(["paymentSeq": "\"p2\""])]),
    ]
    let report = try fixture.load(paths, options: Self.patient)
    #expect(report.exitCode == 75)
    // Both files together once, then the first file for every attempt that it has.
    #expect(try attempts() == "5")
    #expect(report.files.map(\.status) == [.failed, .failed])
    #expect(report.files[1].error == "not reached: the run stopped at \(paths[0])")
    #expect(try fixture.nothingIsLoaded())
    try mend()
    #expect(try fixture.load(paths).files.map(\.status) == [.loaded, .loaded])
  }

  @Test func `a permanent error is not retried`() throws {
    try spoil(99, with: "raise exception 'full' using errcode = 'disk_full'")
    let report = try fixture.load(lines: [Lines.receipt()], options: Self.patient)
    #expect(report.exitCode == 69)
    #expect(try attempts() == "1")
    try mend()
  }

  @Test func `a refused login is not retried, and an unreachable server is`() throws {
    let warnings = Warnings()
    func run(_ keyword: String, _ value: String) throws -> RunReport {
      var target = try ConnectionTarget(
        conninfo: TestServer.with(keyword, value, in: fixture.database.conninfo))
      target.warn = warnings.note
      let path = try fixture.folder.write("receipt.jsonl", lines: [Lines.receipt()])
      return LoadRun(Self.patient, target: target)
        .load(try LoadFixture.inputs([path]))
    }
    for (keyword, value) in [
      ("user", "nobody_of_that_name"), ("dbname", "none_such"), ("sslmode", "x"),
    ] {
      let report = try run(keyword, value)
      #expect(report.exitCode == 78)
      #expect(report.files.allSatisfy { $0.status == .failed })
      #expect(warnings.count == 0)
    }
    #expect(try run("host", "/nonexistent").exitCode == 69)
    #expect(warnings.count == 3)
    let role = "full_\(UInt32.random(in: .min ... .max))"
    try fixture.database.execute("create role \(role) login connection limit 0")
    defer { try? fixture.database.execute("drop role \(role)") }
    #expect(try run("user", role).exitCode == 69)
    #expect(warnings.count == 6)
  }

  @Test func `an interruption ends the wait for a retry`() throws {
    var options = Self.patient
    options.retries.firstDelay = 3600
    try spoil(99, with: Self.breakOff)
    let interruption = Interruption()
    let path = try fixture.folder.write("receipt.jsonl", lines: [Lines.receipt()])
    var target = try fixture.database.target
    target.warn = { _ in interruption.request(signal: 15) }
    let report = LoadRun(
      options, target: target, interruption: interruption
    ).load(try LoadFixture.inputs([path]))
    #expect(report.exitCode == 143)
    try mend()
  }

  @Test func `delays grow, are bounded and have random jitter`() {
    let policy = RetryPolicy(retries: 100, firstDelay: 1)
    for (retry, longest) in [(1, 1.0), (2, 2), (3, 4), (5, 16), (6, 30), (100, 30)] {
      let delays = (0..<200).map { _ in policy.delay(before: retry) }
      #expect(delays.allSatisfy { $0 >= longest / 2 && $0 <= longest })
      #expect(Set(delays).count > 100)
    }
  }
}
