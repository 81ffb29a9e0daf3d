import Foundation
import RecordPipeline
import Testing

/// Event messages; the fixture of the stream has their categories, numbers and spellings.
struct EventTests {
  @Test func `the receipt of an event is the row of the same line of receipts`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Fixtures/receipt/input.jsonl")
    var compared = (rows: 0, rejects: 0)
    for line in try Array(Data(contentsOf: file)).split(separator: 0x0A) {
      // The data is text: a line's carriage return would have to be an escape.
      let line = line.last == 0x0D ? line.dropLast() : line
      guard let text = String(validating: line, as: UTF8.self), text.hasPrefix("{\"") else {
        continue
      }
      let alone = try Reading(text + "\n", as: .receipt)
      let code = alone.rejects.first?.rejection.code
      guard code != .malformedJSON, code != .nestingTooDeep, !alone.rows.isEmpty || code != nil
      else { continue }
      let within = try Reading(
        event(["userId": nil, "category": #""purchaseUpdated""#, "data": jsonText(text)]),
        as: .event)
      #expect(within.embedded.map(\.description) == alone.rows.map(\.description), "\(text)")
      let field = alone.rejects.first?.rejection.field.map { "data.\($0)" }
      #expect(within.rejects.first?.rejection.code == code)
      #expect(within.rejects.first?.rejection.field == field)
      compared.rows += alone.rows.count
      compared.rejects += alone.rejects.count
    }
    #expect(compared.rows > 50 && compared.rejects > 50, "\(compared)")
  }

  @Test func `the user and the time of an envelope count for an event`() throws {
    var rules = standardRules
    rules.unwrapField = "log"
    let line =
      #"{"eventTime":1616649225531,"userId":"u1","log":"{\"type\":\"LAUNCHING\",\"data\":{\"code\":1}}"}"#
    let row = try row(line, as: .event, rules: rules)
    #expect([row["user_id"], row["category"], row["code"]] == ["u1", "observerLaunching", "1"])
  }
}
