import Foundation
import TestSupport
import Testing

/// `conflicts accept`, `undo` and `list` with the real program.
@Suite(.serialized, .needsServer, .ownDatabase) struct ConflictsCommandTests {
  let fixture: CommandFixture

  init() throws { fixture = try CommandFixture() }

  private func receipt(_ key: String, price: String) -> String {
    #"{"userId":"u","paymentSeq":"\#(key)","purchaseTime":1751328000000,"price":\#(price),"#
      + #""currency":"USD"}"#
  }

  /// Loads two payments, and then a file that corrects both.
  private func loadCorrection() throws -> String {
    let first = try fixture.folder.write(
      "receipt.jsonl", lines: ["a", "b"].map { receipt($0, price: "1") })
    let corrected = try fixture.folder.write(
      "receipt-corrected.jsonl", lines: ["a", "b"].map { receipt($0, price: "2") })
    #expect(try fixture.run(["load", first] + CommandFixture.asOf).exitCode == 0)
    #expect(try fixture.run(["load", corrected] + CommandFixture.asOf).exitCode == 3)
    return corrected
  }

  private func amounts() throws -> [[String?]] {
    try fixture.database.rows("select amount_minor from game.receipt order by payment_seq")
  }

  @Test func `a correction is listed, tried in a dry run, accepted and undone`() throws {
    let corrected = try loadCorrection()
    let dry = try fixture.run(["conflicts", "accept", "--file", corrected, "--dry-run"])
    #expect(dry.exitCode == 0, "\(dry.errors)")
    #expect(dry.output.contains("before") && dry.output.contains("100"))
    #expect(
      dry.output.contains(
        "dry run: nothing was kept; it would accept 2 lines of 2 rows, 2 changes of a value"))
    #expect(try amounts() == [["100"], ["100"]])

    let accepted = try fixture.run(
      ["conflicts", "accept", "--file", "receipt-corrected.jsonl", "--limit", "1"])
    #expect(accepted.exitCode == 0, "\(accepted.errors)")
    #expect(accepted.output.contains("and 1 more changes"))
    #expect(accepted.output.contains(": 2 lines of 2 rows, 2 changes of a value; conflicts undo "))
    #expect(try amounts() == [["200"], ["200"]])
    let number = try #require(
      try fixture.database.value("select acceptance_id from ingest.acceptance"))

    let again = try fixture.run(["conflicts", "accept", "--file", "receipt-corrected.jsonl"])
    #expect(again.exitCode == 0 && again.output.contains("nothing to accept"))
    #expect(
      try fixture.run(["conflicts", "list"]).output.contains("no conflict is open"))
    let list = try fixture.run(["conflicts", "list", "--accepted"])
    #expect(list.output.contains("accepted by") && list.output.contains(#"["a"]"#))
    let trace = try fixture.run(["trace", "--stream", "receipt", "a"])
    #expect(trace.output.contains("accepted column") && trace.output.contains("amount_minor"))
    let line = try fixture.run(["trace", "\(corrected):1"])
    #expect(line.output.contains("accepted by acceptance \(number)"))

    let undone = try fixture.run(["conflicts", "undo", number])
    #expect(undone.exitCode == 0)
    #expect(
      undone.output.contains("acceptance \(number) is undone: 2 lines with 2 changes of a value"))
    #expect(try amounts() == [["100"], ["100"]])
    let second = try fixture.run(["conflicts", "undo", number])
    #expect(second.exitCode == 0 && second.output.contains("nothing to undo"))
  }

  @Test func `--key accepts the conflicts of one row`() throws {
    _ = try loadCorrection()
    let accepted = try fixture.run(["conflicts", "accept", "--key", #"["b"]"#])
    #expect(accepted.exitCode == 0 && accepted.output.contains("1 line of 1 row"))
    #expect(try amounts() == [["100"], ["200"]])
    // The key may name a user, so it is not stored.
    #expect(
      try fixture.database.rows(
        "select is_asked_by_key, asked_file, asked_load_id, asked_field from ingest.acceptance")
        == [["t", nil, nil, nil]])
  }

  @Test func `undo refuses while later files depend on the values, and lists them`() throws {
    _ = try loadCorrection()
    _ = try fixture.run(["conflicts", "accept", "--stream", "receipt"])
    let later = try fixture.folder.write("receipt-9.jsonl", lines: [receipt("a", price: "2.0")])
    #expect(try fixture.run(["load", later] + CommandFixture.asOf).exitCode == 0)
    let number = try #require(
      try fixture.database.value("select acceptance_id from ingest.acceptance"))
    let refused = try fixture.run(["conflicts", "undo", number])
    #expect(refused.exitCode == 64 && refused.output.isEmpty)
    #expect(refused.errors.contains(later) && refused.errors.contains("--with-later"))
    let both = try fixture.run(["conflicts", "undo", number, "--with-later"])
    #expect(both.exitCode == 0 && both.output.contains("and 1 later file"))
    #expect(try amounts() == [["100"], ["100"]])
  }

  @Test func `a line of another user is skipped and reported`() throws {
    let first = try fixture.folder.write("receipt.jsonl", lines: [receipt("a", price: "1")])
    let other = try fixture.folder.write(
      "receipt-2.jsonl",
      lines: [receipt("a", price: "1").replacingOccurrences(of: #""u""#, with: #""v""#)])
    for path in [first, other] { _ = try fixture.run(["load", path] + CommandFixture.asOf) }
    let result = try fixture.run(["conflicts", "accept", "--file", other])
    #expect(result.exitCode == 3 && result.output.contains("nothing was accepted"))
    #expect(result.errors.contains("another user or application"))
  }

  @Test func `arguments that select no conflict or acceptance are a usage error`() throws {
    for arguments in [
      ["accept"], ["accept", "--file", ""], ["accept", "--key", "a"],
      ["accept", "--key", "[\"a\""],
      ["accept", "--key", #"["\u0000"]"#], ["accept", "--stream", "nothing"], ["undo"],
      ["undo", "x"], ["undo", "9"], ["accept", "--stream", "receipt", "--limit", "-1"],
    ] {
      let result = try fixture.run(["conflicts"] + arguments)
      #expect(result.exitCode == 64, "\(arguments)")
      #expect(result.output.isEmpty)
    }
  }
}
