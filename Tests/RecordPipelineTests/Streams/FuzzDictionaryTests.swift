import Foundation
import Testing

@testable import RecordPipeline

/// `Tests/FuzzPipeline/fields.dict` begins with the declared spellings of all fields and the names
/// of all secrets.
///
/// `RECORD=1` in the environment rewrites that part; the texts after it are edited by hand.
struct FuzzDictionaryTests {
  private static let file = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "FuzzPipeline").appending(path: "fields.dict")

  @Test func `the fuzz dictionary holds the name of every field`() throws {
    let fields = StreamCatalog.all.flatMap(\.names)
    let declared = Set(fields + Secrets.names.map(\.description)).sorted().map(Self.entry)
    if ProcessInfo.processInfo.environment["RECORD"] == "1" {
      let kept = try Self.lines().filter { !Self.isName($0) }
      let lines = kept.prefix(1) + declared + kept.dropFirst()
      try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: Self.file)
    }
    #expect(try Self.lines().filter(Self.isName) == declared, "run this test with RECORD=1")
  }

  private static func lines() throws -> [String] {
    try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  private static func entry(_ name: String) -> String { "\"\\\"\(name)\\\":\"" }

  /// True for a line that holds a quoted name, its colon and nothing else.
  private static func isName(_ line: String) -> Bool {
    line.wholeMatch(of: /"\\"[^\\"]+\\":"/) != nil
  }
}
