import Foundation
import Loading
import RecordPipeline
import Testing

/// The lists in the documentation must equal the program's.
struct DocumentationTests {
  private static func text(of path: String) throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  @Test func `the reject code page lists exactly the codes and their meanings`() throws {
    let rows = try Self.text(of: "docs/reject-codes.md").split(separator: "\n")
      .filter { $0.hasPrefix("| `") }.map(String.init)
    let expected = RejectCode.allCases.map { "| `\($0.rawValue)` | \($0.summary) |" }
    #expect(rows == expected)
  }

  @Test(arguments: ["README.md", "docs/runbook.md"])
  func `every exit code is documented`(path: String) throws {
    let rows = try Self.text(of: path).split(separator: "\n").filter { $0.hasPrefix("| ") }
    let explained = Set(
      rows.compactMap { $0.split(separator: "|").first }
        .flatMap { $0.split { !$0.isNumber } }.compactMap { Int32($0) })
    #expect(Set(ExitCode.allCases.map(\.rawValue)).subtracting(explained).isEmpty)
  }

  @Test func `every test named in the security page exists`() throws {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent()
    let files =
      FileManager.default.enumerator(atPath: tests.path)?.compactMap { $0 as? String } ?? []
    let known = Set(files.map { ($0 as NSString).lastPathComponent })
    let named = try Self.text(of: "docs/security.md").matches(of: /`(\w+Tests)`/).map(\.output.1)
    #expect(named.count > 20)
    // Two suites may share a file that is named after one of them.
    let inFiles = try files.filter { $0.hasSuffix("Tests.swift") }
      .map { try String(contentsOf: tests.appendingPathComponent($0), encoding: .utf8) }
    for suite in Set(named) where !known.contains("\(suite).swift") {
      #expect(inFiles.contains { $0.contains("struct \(suite) ") }, "\(suite)")
    }
  }

  @Test func `the release is built and tested as the README says`() throws {
    let readme = try Self.text(of: "README.md")
    let command = try #require(
      readme.split(separator: "\n").first { $0.hasPrefix("swift build -c release ") })
    let script = try Self.text(of: "scripts/try-release")
    #expect(script.split(separator: "\n").contains { $0.drop { $0 == " " } == command })
    let container = try Self.text(of: "Dockerfile")
    #expect(container.contains("RUN \(command)\n"))
    let packages = try #require(script.firstMatch(of: /\npackages=\((.+)\)\n/)?.1)
    #expect(packages.contains("libpq5"))
    #expect(readme.contains("`\(packages)`"))
    #expect(container.contains("      \(packages) \\\n"))
  }

  @Test func `the README stays short`() throws {
    #expect(
      try Self.text(of: "README.md").split(separator: "\n", omittingEmptySubsequences: false).count
        <= 150)
  }
}
