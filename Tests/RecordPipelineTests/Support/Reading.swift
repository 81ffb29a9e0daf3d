import RecordPipeline
import Testing

/// The start of the run in all tests: 2026-11-21T00:00:00Z.
let startOfRun: Int64 = 1_795_219_200_000

/// The rules that apply unless a test says otherwise.
let standardRules = NormalizationRules(startOfRun: startOfRun)

/// The output of a pipeline for some lines.
struct Reading {
  /// Rows in the order of their lines.
  var rows: [CopyRow] = []
  /// Line numbers of rows routed as possibly known.
  var possiblyKnown: [String] = []
  /// Rows of records within the lines, in the order of their lines.
  var embedded: [CopyRow] = []
  var rejects: [RejectedLine] = []
  var months: Set<Int> = []
  var totals = FileTotals()

  /// Runs the real pipeline over a source, as one file.
  init(
    _ source: any ByteSource, as stream: RecordStream, rules: NormalizationRules = standardRules,
    largestKnownKey: [UInt8]? = nil
  ) throws {
    let pipeline = Pipeline(stream: stream, rules: rules, sourceFileID: 7)
    let start = RoutingStart(
      largestKnownKey: largestKnownKey, memory: 1024 * 1024, seed: 1)
    totals = try pipeline.run(source, routing: start) { batch in
      let columns = stream.allColumns
      let new = try CopyRow.rows(Array(batch.newRows.bytes), columns: columns)
      let known = try CopyRow.rows(Array(batch.possiblyKnownRows.bytes), columns: columns)
      #expect(new.count == batch.newRows.rowCount)
      #expect(known.count == batch.possiblyKnownRows.rowCount)
      rows += new + known
      possiblyKnown += known.compactMap { $0["line_number"] }
      if let rows = batch.embedded, let columns = stream.embedded?.allColumns {
        let new = try CopyRow.rows(Array(rows.newRows.bytes), columns: columns)
        let known = try CopyRow.rows(Array(rows.possiblyKnownRows.bytes), columns: columns)
        #expect(new.count == rows.newRows.rowCount)
        embedded += new + known
      }
      rejects += batch.rejects
      months.formUnion(batch.months)
    }
    rows.sort { Int($0["line_number"] ?? "") ?? 0 < Int($1["line_number"] ?? "") ?? 0 }
    embedded.sort { Int($0["line_number"] ?? "") ?? 0 < Int($1["line_number"] ?? "") ?? 0 }
    #expect(totals.rowCount == rows.count)
    #expect(totals.embeddedRowCount == embedded.count)
    #expect(totals.rejectedCount == rejects.count)
  }

  init(
    _ text: String, as stream: RecordStream, rules: NormalizationRules = standardRules
  ) throws {
    try self.init(ChunkedSource(text), as: stream, rules: rules)
  }
}

/// The row of a line; a refused line fails the test.
func row(
  _ line: String, as stream: RecordStream = .receipt, rules: NormalizationRules = standardRules
) throws -> CopyRow {
  let reading = try Reading(line + "\n", as: stream, rules: rules)
  #expect(reading.rejects.map(\.rejection) == [])
  return try #require(reading.rows.first)
}

/// The rejection of a line; an accepted line fails the test.
func rejection(
  _ line: String, as stream: RecordStream = .receipt, rules: NormalizationRules = standardRules
) throws -> Rejection {
  let reading = try Reading(line + "\n", as: stream, rules: rules)
  #expect(reading.rows.map(\.description) == [])
  return try #require(reading.rejects.first).rejection
}

/// A line of the base members, in order, with some changes.
///
/// Values are JSON texts; nil removes a member. A change replaces the base member with its name, or
/// is appended.
func line(
  _ base: KeyValuePairs<String, String>, _ changes: KeyValuePairs<String, String?>
) -> String {
  var members = base.map { (name: $0.key, value: Optional($0.value)) }
  for (name, value) in changes {
    if let index = members.firstIndex(where: { $0.name == name }) {
      members[index].value = value
    } else {
      members.append((name, value))
    }
  }
  let written = members.compactMap { name, value in value.map { "\"\(name)\":\($0)" } }
  return "{" + written.joined(separator: ",") + "}"
}

/// A receipt with the mandatory fields and these changes.
func receipt(_ changes: KeyValuePairs<String, String?> = [:]) -> String {
  line(
    [
      "userId": #""u1""#, "paymentSeq": #""p1""#, "purchaseTime": "1616649225531", "price": "4.99",
      "currency": #""USD""#,
    ], changes)
}

/// A level-up with the mandatory fields and these changes.
func levelUp(_ changes: KeyValuePairs<String, String?> = [:]) -> String {
  line(["userId": #""u1""#, "userLevel": "20", "levelUpTime": "1616649225531"], changes)
}

/// A game user with the mandatory fields and these changes.
func gameUser(_ changes: KeyValuePairs<String, String?> = [:]) -> String {
  line(["userId": #""u1""#, "userLevel": "20"], changes)
}

/// An item of the shop with the mandatory fields and these changes.
func item(_ changes: KeyValuePairs<String, String?> = [:]) -> String {
  line(["gamebaseProductId": #""gem""#], changes)
}

/// An event message with the mandatory fields and these changes.
func event(_ changes: KeyValuePairs<String, String?> = [:]) -> String {
  line(["userId": #""u1""#, "eventTime": "1616649225531", "category": #""loggedOut""#], changes)
}

/// A text as a JSON string.
func jsonText(_ text: String) -> String {
  "\""
    + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    .replacing("\n", with: "\\n").replacing("\t", with: "\\t") + "\""
}
