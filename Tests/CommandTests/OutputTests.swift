import Postgres
import TestSupport
import Testing

/// The output of the commands, and their behavior when it cannot be written.
@Suite(.serialized, .needsServer, .ownDatabase) struct OutputTests {
  let fixture: CommandFixture

  init() throws { fixture = try CommandFixture(isMigrated: false) }

  @Test func `the statements of migrate --print give psql the database of migrate`() throws {
    let before = try fixture.run(["migrate", "--check"])
    #expect(before.exitCode == 78 && before.output.contains("\npending     2"))
    let script = try fixture.folder.write(
      "migrate.sql", lines: [try fixture.run(["migrate", "--print"]).output])
    #expect(try fixture.run(["migrate", "--check"]).exitCode == 78)
    let psql = Command("/usr/bin/env")
    let arguments = [
      "psql", "-XqAt", "--set=ON_ERROR_STOP=1", "--dbname=\(fixture.database.conninfo)",
    ]
    let run = try psql.run(arguments + ["--file=\(script)"])
    #expect(run.exitCode == 0, "\(run.errors)")
    let after = try fixture.run(["migrate", "--check"])
    #expect(after.exitCode == 0 && after.output.hasPrefix("schema      up to date ("))
    #expect(try fixture.run(["migrate"]).output == "the database is up to date\n")
    #expect(
      try fixture.run(["migrate", "--print"]).output == "-- The database is up to date.\n")

    let again = try psql.run(arguments + ["--file=\(script)"])
    #expect(again.exitCode == 3)
    #expect(again.errors.contains("these are not the next statements of the database"))

    // A function in another form, and one that this version does not have.
    try fixture.database.execute(
      """
      drop function ingest.lock_key;
      create function ingest.lock_key(p_other integer) returns integer language sql as 'select 1';
      create function ingest.of_before() returns integer language sql as 'select 1';
      update ingest.definition_set set checksum = sha256('before'),
        function_names = function_names || 'ingest.of_before'::text
      """)
    #expect(try fixture.run(["migrate", "--check"]).output.contains("views are older"))
    let later = try fixture.folder.write(
      "later.sql", lines: [try fixture.run(["migrate", "--print"]).output])
    #expect(try psql.run(arguments + ["--file=\(later)"]).exitCode == 0)
    #expect(try fixture.run(["migrate", "--check"]).exitCode == 0)
    #expect(
      try fixture.database.value(
        """
        select string_agg(oid::regprocedure::text, ' ') from pg_proc
          where proname in ('lock_key', 'of_before')
        """) == "ingest.lock_key(text)")
    #expect(try fixture.run(["migrate", "--check", "--print"]).exitCode == 64)
  }

  @Test func `migrate prints the applied migrations, and status prints the schema's state`() throws
  {
    let before = try fixture.run(["status"])
    #expect(before.exitCode == 78)
    #expect(before.output.contains("schema      none yet; run gamebase-ingest migrate\n"))
    let refused = try fixture.run([
      "load", try fixture.folder.write("receipt.jsonl", lines: [CommandFixture.receipt(1)]),
    ])
    #expect(refused.exitCode == 78)
    #expect(
      refused.errors.contains(
        "the database has no schema of gamebase-ingest; run gamebase-ingest migrate"))

    let first = try fixture.run(["migrate"])
    #expect(first.exitCode == 0)
    let applied = first.errors.split(separator: "\n")
    #expect(applied.allSatisfy { $0.hasPrefix("applied 2") })
    #expect(first.output == "the database is up to date; applied \(applied.count)\n")
    let second = try fixture.run(["migrate"])
    #expect(second.output == "the database is up to date\n")
    #expect(second.errors.isEmpty)

    let after = try fixture.run(["status"])
    #expect(after.exitCode == 0)
    let last = try #require(applied.last?.dropFirst("applied ".count))
    #expect(after.output.hasPrefix("server      PostgreSQL 1"))
    #expect(after.output.contains("schema      up to date (\(last))\n"))
    #expect(after.output.contains("\nreports     not refreshed yet\n"))
    #expect(after.output.contains("\nnothing is loaded\n"))
    #expect(after.output.contains("\nthere is no open failure\n"))
  }

  @Test func `status shows loaded files, recent runs and failures`() throws {
    _ = try fixture.run(["migrate"])
    let path = try fixture.folder.write(
      "receipt.jsonl", lines: [CommandFixture.receipt(1), CommandFixture.receipt(2), "{}"])
    let missing = "\(fixture.folder.path)/receipt-gone.jsonl"
    _ = try fixture.run(["load", path, missing])
    let lines = try fixture.run(["status"]).output.split(separator: "\n")
      .map { $0.split(separator: " ").map { String($0) } }
    #expect(lines.contains { $0.prefix(5) == ["receipt", "1", "2", "1", "0"] })
    #expect(lines.contains { $0.first == "1" && $0.suffix(3) == ["5", "1", "3"] })
    #expect(
      lines.contains { $0.starts(with: ["missing", "receipt", missing]) && $0.last == "exist" })
  }

  @Test func `status shows the age of the reports and the files that they lack`() throws {
    _ = try fixture.run(["migrate"])
    func reports() throws -> String? {
      try fixture.run(["status"]).output.split(separator: "\n").map(String.init)
        .first { $0.hasPrefix("reports ") }
    }
    for number in 1...2 {
      let path = try fixture.folder.write(
        "receipt-\(number).jsonl", lines: [CommandFixture.receipt(number)])
      #expect(try fixture.run(["load", path, "--no-refresh"]).exitCode == 0)
    }
    #expect(
      try reports()
        == "reports     not refreshed yet; they lack changes of 2 files; run gamebase-ingest refresh"
    )
    #expect(try fixture.run(["refresh"]).exitCode == 0)
    let refreshed = try #require(try reports())
    #expect(refreshed.hasPrefix("reports     refreshed at 20"))
    #expect(refreshed.hasSuffix(" UTC"))
  }

  @Test func `status distinguishes a killed run from a running one, and names a lock's holder`()
    throws
  {
    _ = try fixture.run(["migrate"])
    try fixture.database.execute(
      """
      insert into ingest.load (loader_version, started_at, seen_at) values
        ('test', now() - interval '2 hours', '2026-01-02 03:04:05+00'),
        ('test', now() - interval '2 hours', now()), ('test', now(), null)
      """)
    let session = try fixture.database.connect()
    try session.begin()
    let process = try #require(
      try session.query(
        "select pg_backend_pid(), pg_advisory_xact_lock(ingest.lock_key('stream receipt'))")[0, 0])
    let status = try fixture.run(["status"])
    #expect(status.exitCode == 0)
    let lines = status.output.split(separator: "\n")
    let runs = lines.filter { $0.contains("killed, last heard of") || $0.contains("running") }
      .map { $0.contains("killed, last heard of 2026-01-02 03:04:05 UTC") }
    #expect(runs == [false, false, true])
    let lock = try #require(lines.first { $0.hasPrefix("stream receipt") })
    #expect(lock.contains("process \(process), role ") && lock.contains(", test, "))
    session.rollback()
    #expect(try !fixture.run(["status"]).output.contains("stream receipt"))
  }

  @Test func `columns line up beside wide characters`() throws {
    _ = try fixture.run(["migrate"])
    let names = ["receipt-영수증.jsonl", "receipt-é.jsonl", "receipt-plain.jsonl", "receipt-🧾.jsonl"]
    let result = try fixture.run(["load"] + names.map { "\(fixture.folder.path)/\($0)" })
    // Korean syllables and this emoji take two columns on a terminal.
    func column(_ line: Substring) -> Int? {
      line.firstRange(of: "  failed ").map { range in
        line[..<range.lowerBound].unicodeScalars.reduce(0) { $0 + ($1.value >= 0x1100 ? 2 : 1) }
      }
    }
    let columns = result.output.split(separator: "\n").compactMap(column)
    #expect(columns.count == names.count && Set(columns).count == 1, "\(result.output)")
  }

  @Test func `log lines of a run have the same form as other messages`() throws {
    _ = try fixture.run(["migrate"])
    let missing = "\(fixture.folder.path)/receipt-gone.jsonl"
    let result = try fixture.run(["load", missing])
    #expect(result.exitCode == 5)
    #expect(result.errors.hasPrefix("gamebase-ingest: \(missing): "))
    let file = try fixture.folder.write("receipt.jsonl", lines: ["{}"])
    let away = try fixture.program.run(
      ["load", file, "--retries", "1", "--database", "host=/nonexistent"])
    let lines = away.errors.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(
      lines.first?.hasPrefix("gamebase-ingest: warning: cannot connect to the database: ") == true)
    #expect(lines.last?.hasPrefix("gamebase-ingest: cannot connect to the database: ") == true)
  }

  @Test func `status and load report a database of a newer program`() throws {
    _ = try fixture.run(["migrate"])
    try fixture.database.execute(
      "insert into ingest.schema_migration (version, checksum) values ('2999_x', '')")
    for command in ["status", "migrate"] {
      #expect(try fixture.run([command]).exitCode == 78, "\(command)")
    }
  }

  @Test(arguments: [Command.Output.file("/dev/full"), .closed])
  func `an unwritable result exits with 74`(output: Command.Output) throws {
    _ = try fixture.run(["migrate"])
    let path = try fixture.folder.write("receipt.jsonl", lines: [CommandFixture.receipt(1), "{}"])
    var program = fixture.program
    program.output = output
    let database = ["--database", fixture.database.conninfo]
    for arguments in [
      ["validate", path], ["status"] + database, ["migrate"] + database, ["load", path] + database,
      ["load", path] + database, ["rejects", "list"] + database,
      ["generate", fixture.folder.path + "/made", "--users", "3"],
    ] {
      let result = try program.run(arguments)
      #expect(result.exitCode == 74, "\(arguments[0]): \(result.errors)")
      #expect(result.errors.contains("cannot write to standard output: "), "\(arguments[0])")
    }
    // The migrations and loads themselves have completed.
    #expect(try fixture.database.value("select count(*) from game.receipt") == "1")
    #expect(
      try fixture.database.rows("select distinct exit_code from ingest.load order by 1")
        == [["0"], ["3"]])
  }

  @Test func `control characters in names are printed escaped`() throws {
    _ = try fixture.run(["migrate"])
    let name = "receipt-\u{1B}[31m\n\u{202E}.jsonl"
    let path = try fixture.folder.write(name, lines: ["{}"])
    for result in [
      try fixture.run(["load", path]), try fixture.program.run(["validate", path]),
      try fixture.run(["rejects", "list"]), try fixture.run(["load", path + "x"]),
    ] {
      let text = result.output + result.errors
      #expect(!text.contains("\u{1B}") && !text.contains("\u{202E}"))
      #expect(text.contains(#"receipt-\u{1b}[31m\u{a}\u{202e}.jsonl"#))
    }
  }

  @Test
  func `a long run that lists only some of the files to look at says how many more there are`()
    throws
  {
    for number in 10..<35 {
      try fixture.folder.write("many/receipt-\(number).jsonl", lines: ["x"])
    }
    try fixture.folder.write("many/receipt-99.jsonl", lines: [CommandFixture.receipt(1)])
    #expect(try fixture.run(["migrate"]).exitCode == 0)
    let result = try fixture.run(["load", "\(fixture.folder.path)/many", "--no-refresh"])
    #expect(result.exitCode == 4)
    #expect(result.output.split(separator: "\n").count { $0.contains("many/receipt-") } == 20)
    #expect(result.output.contains("and 5 more files with a failure"), "\(result.output)")
  }
}
