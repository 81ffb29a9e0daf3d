import Foundation
import Postgres
import TestSupport
import Testing

/// Tokens and values are planted in every kind of line and searched for in everything written.
@Suite(.serialized, .needsServer) final class SecretsTests {
  private let server: PrivateServer
  private let folder: TemporaryFolder
  private let program: Command
  private var outputs: [(place: String, text: String)] = []

  /// Part of every planted token.
  private static let token = "t0k3n-marker"
  /// Part of every planted value that is not secret, but must not appear in a message either.
  private static let value = "v4lue-marker"

  init() throws {
    server = try PrivateServer()
    folder = try TemporaryFolder()
    program = try .gamebaseIngest
    // More logging than the default: every statement, and the statement of every error.
    try administrator().execute("alter system set log_statement = 'all'")
    try administrator().execute("select pg_reload_conf()")
    #expect(try run(["migrate"]).exitCode == 0)
  }

  private func administrator() throws -> Connection {
    try Connection(ConnectionTarget(conninfo: server.conninfo))
  }

  /// Runs a command and keeps its output.
  @discardableResult
  private func run(_ arguments: [String], needsDatabase: Bool = true) throws -> Command.Result {
    let result = try program.run(
      arguments + (needsDatabase ? ["--database", server.conninfo] : []))
    outputs.append((arguments.joined(separator: " "), result.output + "\n" + result.errors))
    return result
  }

  // MARK: - The planted lines

  private static func receipt(_ key: String, _ more: String, price: String = "1.5") -> String {
    #"{"userId":"\#(value)-\#(key)","paymentSeq":"\#(key)","purchaseTime":1751328000000,"#
      + #""price":\#(price),"currency":"USD","payload":"\#(value)"\#(more.isEmpty ? "" : ",")\#(more)}"#
  }

  /// Lines of every outcome, each with tokens of its own.
  private static let lines: [String] = {
    let long = String(repeating: "x", count: 70_000)
    return [
      receipt("good", #""purchaseToken":"\#(token)-1""#),
      receipt("other-name", #""accessToken":"\#(token)-2""#),
      receipt("nested", #""more":{"deep":[{"paymentToken":"\#(token)-3"}]}"#),
      receipt("text", #""log":"{\"purchaseToken\":\"\#(token)-4\"}""#),
      receipt("escaped", #""purchase\u0054oken":"\#(token)-5""#),
      // A duplicate, a conflict in the token alone, one in the price, and a fill.
      receipt("good", #""purchaseToken":"\#(token)-1""#),
      receipt("good", #""purchaseToken":"\#(token)-6""#),
      receipt("other-name", #""accessToken":"\#(token)-7""#, price: "2.5"),
      receipt("filled", ""), receipt("filled", #""purchaseToken":"\#(token)-8""#),
      // Refused because of a field, two spellings, or the token itself.
      receipt("price", #""purchaseToken":"\#(token)-9""#, price: "\"\(value)\""),
      receipt("twice", #""purchaseToken":"\#(token)-10","accessToken":"\#(token)-11""#),
      receipt("kind", #""purchaseToken":["\#(token)-12"]"#),
      receipt("half", #""purchaseToken":"\#(token)-13\ud800""#),
      // Not JSON.
      #"{"userId":"\#(value)","purchaseToken":"\#(token)-14""#,
      #"purchaseToken=\#(token)-15 \#(value)"#, #"["purchaseToken","\#(value)"]"#,
      #"{"a":1}{"purchaseToken":"\#(token)-16"}"#,
      "{\"purchaseToken\":\"\(token)-17\n", "{'accessToken': '\(token)-18'}",
      // Longer than the stored prefix, with the token before and after the cut.
      receipt("cut", #""purchaseToken":"\#(token)-19","x":"\#(long)""#, price: "\"\""),
      receipt("cut", #""x":"\#(long)","purchaseToken":"\#(token)-20""#, price: "\"\""),
      #"{"x":"\#(long)","purchaseToken":"\#(token)-21"#,
      #"{"purchaseToken":"\#(token)-22","x":"\#(long)"#,
      // Refused by the server, which logs the error.
      receipt("poison", #""purchaseToken":"\#(token)-23""#),
    ]
  }()

  private static let wrapped = [
    #"{"record":"{\"userId\":\"\#(value)\",\"paymentSeq\":\"w1\",\"purchaseTime\":1751328000000,"#
      + #"\"price\":1,\"currency\":\"USD\",\"purchaseToken\":\"\#(token)-30\"}"}"#,
    #"{"record":"{\"userId\":\"\#(value)\",\"purchaseToken\":\"\#(token)-31\"}"}"#,
    #"{"record":"{\"purchaseToken\":\"\#(token)-32"}"#,
    #"{"record":{"userId":"\#(value)","purchaseToken":"\#(token)-33"},"purchaseToken":"\#(token)-34"}"#,
    #"{"record":1,"purchaseToken":"\#(token)-35"}"#,
  ]

  private static let levelUps = [
    #"{"userId":"\#(value)","userLevel":1,"levelUpTime":1751328000000,"purchaseToken":"\#(token)-40"}"#,
    #"{"userId":"\#(value)","userLevel":-1,"accessToken":"\#(token)-41"}"#,
  ]

  // MARK: - The search

  /// All content of the database as text; bytes both decoded and as hexadecimal digits.
  private func contents() throws -> String {
    let connection = try administrator()
    try connection.execute("analyze")
    let tables = try connection.query(
      """
      select format('%I.%I', n.nspname, c.relname) from pg_class c
        join pg_namespace n on n.oid = c.relnamespace
        where n.nspname in ('game', 'ingest', 'report', 'rollup', 'staging')
          and c.relkind in ('r', 'p', 'v')
      """
    ).rows.compactMap { $0[0] }
    #expect(tables.count > 20)
    var text = ""
    for table in tables + ["pg_catalog.pg_stats", "pg_catalog.pg_stat_activity"] {
      text += try connection.query("select t::text from \(table) t").rows.map { $0[0] ?? "" }
        .joined(separator: "\n")
    }
    for (table, column) in [("reject", "raw"), ("failed_reject", "raw")] {
      text += try connection.query("select encode(\(column), 'escape') from ingest.\(table)").rows
        .map { $0[0] ?? "" }.joined(separator: "\n")
    }
    return text
  }

  private func holds(_ text: String, _ marker: String) -> Bool {
    let hexadecimal = marker.utf8.map { String($0, radix: 16) }.joined()
    return text.contains(marker) || text.contains(hexadecimal)
  }

  @Test func `no planted token is stored or printed, and no message holds a value`() throws {
    let receipts = try folder.write("receipt.jsonl", lines: Self.lines)
    let wrapped = try folder.write("receipt-wrapped.jsonl", lines: Self.wrapped)
    let levels = try folder.write("levelup.jsonl", lines: Self.levelUps)
    let broken = try folder.write("receipt-broken.jsonl", lines: Self.lines.reversed())
    let unlimited = ["--max-rejects", "unlimited"] + CommandFixture.asOf
    let report = "\(folder.path)/report.json"

    // The server refuses one row and logs it completely.
    let administrator = try administrator()
    try administrator.execute(
      "alter table game.receipt add constraint poison check (payment_seq <> 'poison')")
    #expect(try run(["load", receipts] + unlimited).exitCode == 5)
    #expect(server.log.contains("Failing row contains"))
    try administrator.execute("alter table game.receipt drop constraint poison")
    // A file above its limit; its first rejects are kept.
    #expect(try run(["load", broken, "--max-rejects", "0"] + CommandFixture.asOf).exitCode == 4)

    #expect(try run(["load", receipts, "--dry-run"] + unlimited).exitCode == 3)
    #expect(try run(["load", receipts, levels, "--report", report] + unlimited).exitCode == 3)
    #expect(try run(["load", receipts, levels] + unlimited).exitCode == 0)
    #expect(try run(["load", wrapped, "--unwrap", "record"] + unlimited).exitCode == 3)
    try run(["rejects", "replay"])
    try run(["status"])
    try run(["rejects", "list"])
    for format in ["text", "json"] {
      try run(
        ["validate", receipts, levels, "--format", format] + CommandFixture.asOf,
        needsDatabase: false)
    }
    outputs.append(("report", try String(contentsOfFile: report, encoding: .utf8)))
    // The output so far is messages, lists and reports. None of them holds a value.
    for (place, text) in outputs { #expect(!holds(text, Self.value), "\(place)") }
    // Every outcome has left its records.
    for (table, least) in [
      ("game.receipt", 6), ("ingest.reject", 14), ("ingest.conflict", 2), ("ingest.fill", 1),
      ("ingest.failed_reject", 1),
    ] {
      let count = try administrator.onlyRow(of: Int.self, "select count(*) from \(table)")
      #expect(count >= least, "\(table)")
    }

    // Commands that show lines show values, but no token.
    try run(["conflicts", "list"])
    for (path, count) in [(receipts, Self.lines.count), (levels, 2)] {
      for line in 1...count {
        try run(["explain", "\(path):\(line)"])
        try run(["explain", "\(path):\(line)"] + CommandFixture.asOf, needsDatabase: false)
      }
    }
    for line in 1...Self.wrapped.count {
      try run(["explain", "\(wrapped):\(line)", "--unwrap", "record"], needsDatabase: false)
      try run(["explain", "\(wrapped):\(line)"])
    }
    // Lines whose file is not here come from the ledger.
    for (path, count) in [(receipts, Self.lines.count), (wrapped, Self.wrapped.count), (levels, 2)]
    {
      try FileManager.default.moveItem(atPath: path, toPath: path + ".elsewhere")
      for line in 1...count { try run(["explain", "\(path):\(line)"]) }
    }
    for file in [receipts, wrapped, levels] {
      let exported = "\(folder.path)/exported.jsonl"
      #expect(try run(["rejects", "export", "--file", file, "--output", exported]).exitCode == 0)
      outputs.append(
        (
          "export of \(file)",
          String(decoding: try Data(contentsOf: URL(fileURLWithPath: exported)), as: UTF8.self)
        ))
    }
    outputs += [("the database", try contents()), ("the server's log", server.log)]
    #expect(holds(outputs[outputs.count - 2].text, Self.value))
    for (place, text) in outputs { #expect(!holds(text, Self.token), "\(place)") }
  }

  @Test func `with stored tokens, a token is in its column and nowhere else`() throws {
    let path = try folder.write("receipt.jsonl", lines: Self.lines)
    let result = try run(
      ["load", path, "--purchase-token", "store", "--max-rejects", "unlimited"]
        + CommandFixture.asOf)
    #expect(result.exitCode == 3)
    // The search finds a token that exists.
    #expect(holds(try contents(), Self.token))
    try administrator().execute("update game.receipt set purchase_token = null")
    try administrator().execute("vacuum full analyze game.receipt")
    #expect(!holds(try contents(), Self.token))
    #expect(!holds(server.log, Self.token))
    for (place, text) in outputs { #expect(!holds(text, Self.token), "\(place)") }
  }
}
