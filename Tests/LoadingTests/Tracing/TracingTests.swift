import Loading
import Postgres
import TestSupport
import Testing

/// Rows traced to their lines, and lines traced to their outcomes.
@Suite(.serialized, .needsServer, .ownDatabase) struct TracingTests {
  let fixture: LoadFixture

  init() throws { fixture = try LoadFixture() }

  private func trace(line: Int, of file: String = "receipt.jsonl") throws -> LineTrace {
    let connection = try fixture.database.connect()
    return try connection.transaction { try LineTracing(connection).trace(line: line, of: file) }
  }

  private func outcome(line: Int) throws -> [LineTrace.PossibleOutcome] {
    guard case .unrecorded(let possible) = try trace(line: line).outcome else { return [] }
    return possible
  }

  @Test func `a row has its line, its fills and its conflicts`() throws {
    _ = try fixture.load(lines: [
      Lines.receipt(), Lines.receipt(["storeCode": "\"GG\""]),
      Lines.receipt(["storeCode": "\"AS\""]),
    ])
    let connection = try fixture.database.connect()
    let trace = try connection.transaction {
      // Another spelling of the key than the stored one.
      try RowTracing(connection, stream: "receipt").trace(#"[ "p1" ]"#)
    }
    let path = "\(fixture.folder.path)/receipt.jsonl"
    #expect(try trace.origin.table().rows.map { $0[0] } == ["\(path):1"])
    #expect(try trace.fills.table().rows == [["store_code", "\(path):2", "1"]])
    #expect(try trace.conflicts.table().rows == [["store_code", "\(path):3", "1", "GG", "AS"]])
    #expect(try trace.acceptedValues.table().rowCount == 0)
  }

  @Test func `text that is no key of the stream is a usage error`() throws {
    _ = try fixture.load(lines: [Lines.receipt()])
    let connection = try fixture.database.connect()
    for (key, message) in [
      ("[1", "that is no key of receipt"), (#"["a", "b"]"#, "a key of receipt has these parts"),
      (#"["p9"]"#, "there is no row of receipt"),
    ] {
      let error = try #require(
        throws: LoadError.self,
        performing: { try RowTracing(connection, stream: "receipt").trace(key) })
      #expect(error.exitCode == .usage && error.message.hasPrefix(message), "\(error)")
    }
  }

  @Test func `a line without a record has the outcomes that its file counts`() throws {
    _ = try fixture.load(lines: [Lines.receipt(), Lines.receipt(), "", ""])
    #expect(
      try outcome(line: 2) == [
        LineTrace.PossibleOutcome(kind: .duplicate, lineCount: 1),
        LineTrace.PossibleOutcome(kind: .blank, lineCount: 2),
      ])
    guard case .recorded(let records) = try trace(line: 1).outcome else {
      Issue.record("line 1 has a record")
      return
    }
    #expect(try records.table().rows.map { $0[0] } == ["inserted"])
    let error = try #require(throws: LoadError.self, performing: { try trace(line: 5) })
    #expect(error.exitCode == .usage && error.message.hasSuffix("has 4 lines, and no line 5"))
  }
}
