import Foundation
import Postgres
import TestSupport
import Testing

/// A command that waits for another session says for which one, once.
@Suite(.serialized, .needsServer, .ownDatabase) struct LockWaitTests {
  private let fixture: CommandFixture
  private let keyFile: String

  init() throws {
    fixture = try CommandFixture()
    keyFile = try fixture.folder.write("key", [UInt8](repeating: 7, count: 40))
    chmod(keyFile, 0o600)
  }

  private func run(_ arguments: [String], exitCode: Int32 = 0) throws {
    let result = try fixture.run(arguments)
    try #require(result.exitCode == exitCode, "\(arguments): \(result.errors)")
  }

  private func write(_ name: String, _ lines: String...) throws -> String {
    try fixture.folder.write(name, lines: lines)
  }

  private static func advisory(_ name: String) -> String {
    "select pg_advisory_xact_lock(ingest.lock_key('\(name)'))"
  }

  /// Starts a command while another session holds a lock, and releases the lock when the command has
  /// said that it waits.
  private func expectWait(
    _ arguments: [String], for lock: String, heldBy statement: String, exitCode: Int32 = 0
  ) throws {
    let holder = try fixture.database.connect()
    try holder.execute("begin; \(statement)")
    let processID = try holder.query("select pg_backend_pid()")[0, 0] ?? ""
    let command = try fixture.program.start(arguments + ["--database", fixture.database.conninfo])
    let isTold = command.waitForError("waiting for")
    holder.rollback()
    let result = try command.wait()
    #expect(isTold, "\(arguments) waits for \(lock) without a word")
    #expect(result.exitCode == exitCode, "\(arguments): \(result.errors)")
    let lines = result.errors.split(separator: "\n").filter { $0.contains("waiting for") }
    #expect(lines.count == 1, "\(arguments): \(result.errors)")
    #expect(
      lines.first?.hasPrefix(
        "gamebase-ingest: waiting for the lock of \(lock), which is held by process \(processID), role "
      ) == true, "\(arguments): \(result.errors)")
    #expect(lines.first?.hasSuffix("; end that session if it hangs") == true)
  }

  @Test func `every command that waits for a lock says who holds it`() throws {
    let receipts = try write("receipt.jsonl", CommandFixture.receipt(1))
    let corrected = try write(
      "receipt-2.jsonl", CommandFixture.receipt(1).replacing("1.5", with: "2.5"), "{}")
    let levels = try write(
      "levelup.jsonl", #"{"userId":"u","userLevel":1,"levelUpTime":1751328000000}"#)
    try run(["load", receipts, levels] + CommandFixture.asOf)
    try run(["load", corrected] + CommandFixture.asOf, exitCode: 3)
    try run(["load", try write("receipt-3.jsonl", "{}")] + CommandFixture.asOf, exitCode: 4)
    let accept = ["conflicts", "accept", "--file", corrected]
    let stream = (lock: "stream receipt", held: Self.advisory("stream receipt"))
    let reports = (
      lock: "the reports", held: "lock table rollup.refresh_lock in exclusive mode"
    )

    for (number, wait) in [stream, reports].enumerated() {
      let more = try write("receipt-more-\(number).jsonl", CommandFixture.receipt(2 + number))
      try expectWait(
        ["load", more] + CommandFixture.asOf, for: wait.lock, heldBy: wait.held)
      try expectWait(accept + ["--dry-run"], for: wait.lock, heldBy: wait.held)
      try expectWait(["undo", more, "--with-later"], for: wait.lock, heldBy: wait.held)
    }
    try expectWait(["rejects", "replay"], for: stream.lock, heldBy: stream.held, exitCode: 3)
    try expectWait(["refresh"], for: reports.lock, heldBy: reports.held)
    try expectWait(
      ["settings", "set", "time-zone", "Asia/Seoul"], for: reports.lock, heldBy: reports.held)
    try run(accept)
    let acceptance = try fixture.database.value("select max(acceptance_id) from ingest.acceptance")
    try expectWait(
      ["conflicts", "undo", acceptance ?? ""], for: stream.lock, heldBy: stream.held)

    for wait in [stream, reports, (lock: "erasures", held: Self.advisory("erasures"))] {
      try expectWait(
        ["forget-user", "nobody", "--key-file", keyFile], for: wait.lock, heldBy: wait.held)
    }
    let bad = ["load", try write("receipt-4.jsonl", "{}"), "--key-file", keyFile]
    try expectWait(
      bad + CommandFixture.asOf, for: "erasures", heldBy: Self.advisory("erasures"), exitCode: 4)

    defer { try? dropRoles() }
    for command in [["migrate"], ["grant", "--create-roles", "--roles", "ingest_wait"]] {
      try expectWait(command, for: "migrations and grants", heldBy: Self.advisory("migrate"))
    }
    let newMonth = try write(
      "levelup-2.jsonl", #"{"userId":"u","userLevel":2,"levelUpTime":1735689600000}"#)
    try expectWait(
      ["load", newMonth, "--key-file", keyFile] + CommandFixture.asOf,
      for: "migrations and grants", heldBy: Self.advisory("migrate"))

    try expectWait(
      ["retention", "--keep", "1"], for: "table game.level_up_2025_01",
      heldBy: "select count(*) from game.level_up_2025_01")

    let setting = "insert into ingest.setting (name, value) values ('app-id', 'a')"
    try expectWait(
      ["settings", "set", "app-id", "b"], for: "table ingest.setting", heldBy: setting)
    try run(["settings", "set", "base-currency", "KRW"])
    let rates = try write("rates.csv", "currency,valid_on,rate", "USD,2025-07-29,1385.2")
    for command in [
      ["reference", "load", "exchange-rates", rates], ["settings", "set", "base-currency", "USD"],
    ] {
      try expectWait(command, for: reports.lock, heldBy: reports.held)
    }
    let actions = try write(
      "actions.json", #"{"actions": {"A_ID": {"en": "A"}}, "categories": {}}"#)
    try expectWait(
      ["reference", "load", "push-actions", actions], for: "table game.push_action",
      heldBy: "lock table game.push_action in share row exclusive mode")
    try expectWait(
      ["failures", "dismiss", "\(fixture.folder.path)/receipt-4.jsonl"],
      for: reports.lock, heldBy: reports.held)
  }

  private func dropRoles() throws {
    for role in ["owner", "loader", "analyst", "eraser", "monitor"].map({ "ingest_wait_\($0)" }) {
      try fixture.database.execute(
        "reassign owned by \(role) to current_user; drop owned by \(role); drop role \(role)")
    }
  }

  @Test func `a load waits for another refresh up to a limit, and its files stay loaded`() throws {
    let holder = try fixture.database.connect()
    try holder.execute("begin; lock table rollup.refresh_lock in exclusive mode")
    let path = try write("receipt.jsonl", CommandFixture.receipt(1))
    let command = try fixture.program.start(
      ["load", path, "--lock-wait", "2", "--report", "-"]
        + ["--database", fixture.database.conninfo] + CommandFixture.asOf)
    #expect(command.waitForError("waiting for the lock of the reports"))
    let ended = try command.wait()
    #expect(ended.exitCode == 6)
    #expect(ended.errors.contains("has held the lock of the reports for 2 s"))
    #expect(
      ended.errors.contains(
        "the files ended with exit 0, the refresh of the reports with 6"))
    #expect(ended.output.contains(#""load_exit_code" : 0"#))
    #expect(ended.output.contains(#""refresh_exit_code" : 6"#))
    #expect(try fixture.database.value("select count(*) from game.receipt") == "1")
    let refresh = ["refresh", "--lock-wait", "0", "--database", fixture.database.conninfo]
    #expect(try fixture.program.run(refresh).exitCode == 6)
    holder.rollback()
    #expect(try fixture.program.run(refresh).exitCode == 0)
  }
  @Test func `a load waits for its stream up to a limit`() throws {
    let holder = try fixture.database.connect()
    try holder.execute("begin; \(Self.advisory("stream receipt"))")
    let path = try write("receipt.jsonl", CommandFixture.receipt(1))
    let other = try write("receipt-2.jsonl", CommandFixture.receipt(2))
    let result = try fixture.run(
      ["load", path, other, "--lock-wait", "2", "--report", "-"] + CommandFixture.asOf)
    #expect(result.exitCode == 6)
    #expect(result.errors.contains("waiting for the lock of stream receipt"))
    #expect(
      result.errors.contains("another session has held the lock of stream receipt for 2 s (process")
    )
    #expect(result.output.contains("not reached: "))
    holder.rollback()
    #expect(try fixture.database.value("select count(*) from game.receipt") == "0")
  }
}
