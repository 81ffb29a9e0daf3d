import Foundation
import Postgres
import TestSupport
import Testing

/// Erasures that run while a load stores the rejects of a failed file.
@Suite(.serialized, .needsServer, .ownDatabase) struct ErasureRaceTests {
  let fixture: CommandFixture
  let keyFile: String

  init() throws {
    fixture = try CommandFixture()
    keyFile = try fixture.folder.write("key", [UInt8](repeating: 0x6B, count: 40))
    chmod(keyFile, 0o600)
  }

  /// Waits until the program has stopped itself at the fault point named by its environment.
  private func waitUntilStopped(_ running: Command.Running) throws {
    for _ in 0..<3000 {
      let state = try? String(contentsOfFile: "/proc/\(running.processID)/stat", encoding: .utf8)
      if state?.split(separator: ")").last?.hasPrefix(" T") == true { return }
      usleep(10_000)
    }
    throw TestDatabase.WaitFailure(description: "the program did not stop at the fault point")
  }

  private func line(_ user: String, _ more: String) -> String {
    #"{"userId":"\#(user)","paymentSeq":"p","purchaseTime":1751328000000,"currency":"USD",\#(more)}"#
  }

  @Test(arguments: [true, false])
  func `lines of a user erased after the file failed are not stored`(hasKey: Bool) throws {
    let path = try fixture.folder.write(
      "receipt.jsonl",
      lines: [
        line("gone", #""price":-2"#), line("stays", #""price":-2"#),
        #"{"userId":"gone","price""#, #"{"userId":"stays","price""#,
      ])
    var program = fixture.program
    program.environment["GAMEBASE_INGEST_STOP_AT"] = "rolled-back"
    let key = ["--key-file", keyFile]
    let load = try program.start(
      ["load", path, "--max-rejects", "0", "--database", fixture.database.conninfo]
        + (hasKey ? key : []))
    try waitUntilStopped(load)
    #expect(try fixture.run(["forget-user", "gone"] + key).exitCode == 0)
    load.signal(SIGCONT)
    #expect(try load.wait().exitCode == 4)
    let kept = try fixture.database.rows(
      "select line_number, raw <> '' from ingest.failed_reject order by line_number")
    // Without the key the loader cannot match lines to erased users.
    #expect(kept == (hasKey ? [["2", "t"], ["3", "f"], ["4", "f"]] : []))
    #expect(
      try fixture.database.rows("select line_count, rejected_count from ingest.failed_file")
        == [["4", "4"]])
  }

  /// Starts an erasure beside a load that stops, waits until it waits, and lets the load go on.
  private func erase(beside load: Command.Running) throws -> Command.Running {
    try waitUntilStopped(load)
    let forget = try fixture.program.start(
      ["forget-user", "gone", "--key-file", keyFile, "--database", fixture.database.conninfo])
    _ = try fixture.database.processWaitingForLock()
    load.signal(SIGCONT)
    return forget
  }

  @Test func `an erasure waits until the lines of a failed file are written`() throws {
    let path = try fixture.folder.write("receipt.jsonl", lines: [line("gone", #""price":-2"#)])
    var program = fixture.program
    program.environment["GAMEBASE_INGEST_STOP_AT"] = "failure-recorded"
    let load = try program.start(
      ["load", path, "--max-rejects", "0", "--database", fixture.database.conninfo])
    let forget = try erase(beside: load)
    #expect(try load.wait().exitCode == 4)
    #expect(try forget.wait().exitCode == 0)
    #expect(try fixture.database.value("select count(*) from ingest.failed_reject") == "0")
  }

  @Test(arguments: ["receipt", "item"])
  func `the first erasure waits for a load that began before it, and empties its lines`(
    stream: String
  ) throws {
    let path = try fixture.folder.write(
      "\(stream).jsonl",
      lines: [
        #"{"gamebaseProductId":"g","eventTime":1751328000000,"askedBy":"gone"}"#,
        #"{"userId":"gone","price""#,
      ])
    var program = fixture.program
    program.environment["GAMEBASE_INGEST_STOP_AT"] = "before-commit"
    let load = try program.start(
      ["load", path, "--max-rejects", "unlimited", "--database", fixture.database.conninfo]
        + CommandFixture.asOf)
    let forget = try erase(beside: load)
    #expect(try load.wait().exitCode == 3)
    #expect(try forget.wait().exitCode == 0)
    let left = try fixture.database.rows(
      """
      select line_number, raw <> '' from ingest.reject
        union all select line_number, extra is not null from game.item_snapshot order by 1
      """)
    #expect(left == [["1", "f"], ["2", "f"]])
  }

  @Test func `an erasure that was killed has emptied items and erased nobody, and runs again`()
    throws
  {
    let item = #"{"gamebaseProductId":"g","eventTime":1751328000000,"askedBy":"gone"}"#
    let paths = [
      try fixture.folder.write("item.jsonl", lines: [item]),
      try fixture.folder.write("receipt.jsonl", lines: [line("gone", #""price":2"#), "gone"]),
    ]
    let load = ["load"] + paths + ["--max-rejects", "unlimited"] + CommandFixture.asOf
    #expect(try fixture.run(load).exitCode == 3)
    var program = fixture.program
    program.environment["GAMEBASE_INGEST_STOP_AT"] = "before-commit"
    let killed = try program.start(
      ["forget-user", "gone", "--key-file", keyFile, "--database", fixture.database.conninfo])
    try waitUntilStopped(killed)
    killed.signal(SIGKILL)
    _ = try killed.wait()
    let state = """
      select (select count(*) from game.receipt), (select count(extra) from game.item_snapshot),
        (select count(*) from ingest.reject where raw <> '')
      """
    #expect(try fixture.database.rows(state) == [["1", "0", "1"]])
    let again = try fixture.run(["forget-user", "gone", "--key-file", keyFile])
    #expect(again.exitCode == 0, "\(again.errors)")
    #expect(try fixture.database.rows(state) == [["0", "0", "0"]])
  }
}
