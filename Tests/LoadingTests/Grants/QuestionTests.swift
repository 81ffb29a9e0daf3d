import Foundation
import Loading
import Postgres
import TestSupport
import Testing

/// The analyst role runs every question of docs/queries.md on a small data set, and gets the answer of the page.
@Suite(.serialized, .needsServer) struct QuestionTests {
  /// A query with the lines of its answer.
  struct Question: Sendable {
    let number: Int
    let query: String
    let answer: [Substring]
  }

  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static let questions: [Question] = {
    let page = root.appendingPathComponent("docs/queries.md")
    let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
    return text.matches(
      of: /### ([0-9]+)\. .+\n\n```sql\n((?:.|\n)*?);\n```\n\n```text\n((?:.|\n)*?)\n```/
    ).compactMap { match in
      Int(match.1).map {
        Question(
          number: $0, query: String(match.2), answer: match.3.split(separator: "\n"))
      }
    }
  }()

  private func fixturePath(_ name: String) -> String {
    Self.root.appendingPathComponent("Tests/Fixtures/questions/\(name)").path
  }

  @Test func `each question has the answer of the page`() throws {
    #expect(Self.questions.map(\.number) == Array(1...30))
    let fixture = try RoleFixture()
    let files = ["receipt", "levelup", "gameuser", "event", "item"].map {
      fixturePath("\($0).jsonl")
    }
    #expect(try fixture.load(files).refresh?.error == nil)
    let owner = try fixture.database.connect()
    _ = try Change(on: owner).set("base-currency", to: "USD")
    guard try Change(on: owner).loadExchangeRates(fixturePath("rates.csv")).problems == nil
    else {
      Issue.record("the rates were refused")
      return
    }
    try fixture.showVariants(as: owner)
    defer { try? owner.execute("drop schema fields cascade") }
    let analyst = try fixture.connect(as: fixture.roles.analyst)
    try analyst.execute("set timezone = 'UTC'")
    for question in Self.questions {
      let result = try analyst.query(question.query)
      let rows = result.rows.map { row in row.map { $0 ?? "-" }.joined(separator: " | ") }
      #expect(
        rows == question.answer.dropFirst().map(String.init), "question \(question.number)")
    }
  }
}
