import Foundation
import Loading
import RecordPipeline
import Testing

/// What the documentation lists must be what the program has.
struct DocumentationTests {
  private static func text(of path: String) throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  @Test func `docs reject-codes lists every code with its meaning, and nothing else`() throws {
    let rows = try Self.text(of: "docs/reject-codes.md").split(separator: "\n")
      .filter { $0.hasPrefix("| `") }.map(String.init)
    let expected = RejectCode.allCases.map { "| `\($0.rawValue)` | \($0.summary) |" }
    #expect(rows == expected)
  }

  @Test(arguments: ["README.md", "docs/runbook.md"])
  func `every exit code is explained`(path: String) throws {
    let rows = try Self.text(of: path).split(separator: "\n").filter { $0.hasPrefix("| ") }
    let explained = Set(
      rows.compactMap { $0.split(separator: "|").first }
        .flatMap { $0.split { !$0.isNumber } }.compactMap { Int32($0) })
    #expect(Set(ExitCode.allCases.map(\.rawValue)).subtracting(explained).isEmpty)
  }

  @Test func `the README stays short`() throws {
    #expect(
      try Self.text(of: "README.md").split(separator: "\n", omittingEmptySubsequences: false).count
        <= 150)
  }
}
