import Foundation
import Postgres
import TestSupport
import Testing

/// The real program during a failover: on a standby, before and after its promotion.
@Suite(.serialized, .needsServer) final class FailoverTests {
  private let primary: PrivateServer
  private let standby: StandbyServer
  private let folder: TemporaryFolder
  private let program: Command
  private let receipts: String
  private let keyFile: String

  /// A standby with one loaded file, one conflict and one failed file.
  init() throws {
    primary = try PrivateServer()
    folder = try TemporaryFolder()
    program = try .gamebaseIngest
    receipts = try folder.write("receipt.jsonl", lines: [CommandFixture.receipt(1)])
    keyFile = try folder.write("key", [UInt8](repeating: 7, count: 40))
    chmod(keyFile, 0o600)
    let other = CommandFixture.receipt(1).replacing("1.5", with: "2.5")
    for (arguments, exitCode) in [
      (["migrate"], Int32(0)), (["load", receipts], 0),
      (["load", try folder.write("receipt-2.jsonl", lines: [other, "{}"])], 3),
      (["load", try folder.write("receipt-3.jsonl", lines: ["{}"])], 4),
      (["load", try folder.write("levelup.jsonl", lines: [Self.levelUp])], 0),
      (["settings", "set", "base-currency", "KRW"], 0),
    ] {
      let result = try program.run(arguments + ["--database", primary.conninfo])
      try #require(result.exitCode == exitCode, "\(arguments): \(result.errors)")
    }
    standby = try StandbyServer(of: primary)
  }

  private static let levelUp = #"{"userId":"u","userLevel":1,"levelUpTime":1700000000000}"#

  private func newFile(_ number: Int) throws -> String {
    try folder.write("receipt-new-\(number).jsonl", lines: [CommandFixture.receipt(number)])
  }

  /// Every command that changes the database.
  private func commands() throws -> [[String]] {
    let rates = try folder.write(
      "rates.csv", lines: ["currency,valid_on,rate", "USD,2025-07-29,1385.2"])
    let actions = try folder.write(
      "actions.json", lines: [#"{"actions": {"A_ID": {"en": "A"}}, "categories": {}}"#])
    return [
      ["load", try newFile(2)], ["load", try newFile(3), "--dry-run"],
      ["load", try newFile(4), try newFile(5)], ["refresh"], ["rejects", "replay"],
      ["undo", receipts, "--with-later"], ["undo", receipts, "--with-later", "--dry-run"],
      ["conflicts", "accept", "--file", "receipt-2.jsonl"],
      ["failures", "dismiss", "\(folder.path)/receipt-3.jsonl"],
      ["settings", "set", "app-id", "a"],
      ["settings", "set", "time-zone", "Asia/Seoul"],
      ["reference", "load", "exchange-rates", rates],
      ["reference", "load", "push-actions", actions],
      ["forget-user", "u", "--key-file", keyFile], ["retention", "--keep", "1"],
      ["grant", "--create-roles"],
    ]
  }

  @Test func `on a standby every command retries, and then ends with 75 and the cause`() throws {
    // The commands run side by side, because each of them waits for seconds.
    let readWrite = "\(standby.conninfo) target_session_attrs=read-write"
    let running = try commands().flatMap { arguments in
      try [standby.conninfo, readWrite].map { conninfo in
        (arguments, try program.start(arguments + ["--database", conninfo]))
      }
    }
    for (arguments, command) in running {
      let result = try command.wait()
      #expect(result.exitCode == 75, "\(arguments): \(result.errors)")
      #expect(
        result.errors.contains("The server is a standby, which accepts changes only after its"))
      #expect(!result.errors.contains("password"), "\(arguments): \(result.errors)")
      #expect(!result.errors.contains("please report"), "\(arguments): \(result.errors)")
    }
    for arguments in [["status"], ["rejects", "list"], ["migrate"]] {
      let result = try program.run(arguments + ["--database", standby.conninfo])
      #expect(result.exitCode == 0, "\(arguments): \(result.errors)")
    }
  }

  @Test func `a load and an undo that begin before the promotion succeed after it`() throws {
    let waiting = [
      try program.start([
        "load", try newFile(2), "--retries", "9", "--database", standby.conninfo,
      ]),
      try program.start([
        "load", try newFile(3), "--retries", "9", "--database",
        "\(standby.conninfo) target_session_attrs=read-write",
      ]),
    ]
    for command in waiting { #expect(command.waitForError("retry 1 of 9 in")) }
    let undo = try program.start([
      "undo", "receipt-2.jsonl", "--with-later", "--database", standby.conninfo,
    ])
    let log = "in a read-only transaction"
    while !standby.log.contains(log), !undo.hasEnded { Thread.sleep(forTimeInterval: 0.01) }
    try standby.promote()
    for command in waiting + [undo] {
      let result = try command.wait()
      #expect(result.exitCode == 0, "\(result.errors)")
    }
    let session = try Connection(ConnectionTarget(conninfo: standby.conninfo))
    #expect(try session.query("select count(*) from game.receipt")[0, 0] == "3")
  }

  @Test func `a role or a database that is read-only by a setting ends a command at once`() throws {
    let administrator = try Connection(ConnectionTarget(conninfo: primary.conninfo))
    try administrator.execute("alter database gamebase set default_transaction_read_only = on")
    for attributes in ["any", "read-write"] {
      let result = try program.run([
        "load", try newFile(2), "--database",
        "\(primary.conninfo) target_session_attrs=\(attributes)",
      ])
      #expect(result.exitCode == 78, "\(result.errors)")
      #expect(result.errors.contains("default_transaction_read_only is on for this role, database"))
      #expect(!result.errors.contains("retry"))
    }
  }
}
