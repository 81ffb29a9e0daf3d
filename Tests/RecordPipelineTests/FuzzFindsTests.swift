import Foundation
import PipelineInvariants
import RecordPipeline
import Testing

/// Checks the invariants of the pipeline for every input that fuzzing found, and for every fixture.
struct FuzzFindsTests {
  private static let fixtures: URL = {
    var tests = URL(filePath: #filePath)
    for _ in 0..<2 { tests.deleteLastPathComponent() }
    return tests.appending(path: "Fixtures")
  }()

  private static let finds: [String] = {
    let folder = fixtures.appending(path: "fuzz-finds").path()
    return (try? FileManager.default.contentsOfDirectory(atPath: folder))?.sorted() ?? []
  }()

  @Test func `the folder of fuzz finds is not empty`() {
    #expect(!Self.finds.isEmpty)
  }

  @Test(arguments: finds)
  func `every fuzz find satisfies the invariants`(name: String) throws {
    let find = try Data(contentsOf: Self.fixtures.appending(path: "fuzz-finds/\(name)"))
    try PipelineInvariants.checkThoroughly(Array(find))
  }

  @Test(arguments: StreamCatalog.all.map(\.name))
  func `every fixture satisfies the invariants`(name: String) throws {
    let file = Self.fixtures.appending(path: "\(name)/input.jsonl")
    try PipelineInvariants.check(Array(Data(contentsOf: file)))
  }

  @Test(arguments: ["y_", "n_", "i_"])
  func `every case of the public suite satisfies the invariants`(kind: String) throws {
    for suiteCase in JSONSuiteCase.of(kind) where suiteCase.bytes.count < 10_000 {
      try PipelineInvariants.check(suiteCase.bytes)
      let before = Array(#"{"userId":"u","userLevel":1,"levelUpTime":1616649225531,"x":"#.utf8)
      try PipelineInvariants.check(before + suiteCase.bytes + [UInt8(ascii: "}")])
    }
  }

  @Test func `the dictionary has the name of every field`() throws {
    let file = Self.fixtures.deletingLastPathComponent().appending(path: "FuzzPipeline/fields.dict")
    let dictionary = try String(contentsOf: file, encoding: .utf8)
    for name in StreamCatalog.all.flatMap(\.fields.names) {
      #expect(dictionary.contains(#""\"\#(name)\":""#), "\(name)")
    }
  }

  /// The invariants compare the decoder with this oracle, so the suite checks the oracle.
  @Test func `the JSON oracle agrees with the public suite`() {
    for suiteCase in JSONSuiteCase.all {
      let verdict = JSONOracle.verdict(on: suiteCase.bytes[...])
      let isJSON = verdict != .malformed && verdict != .notUTF8
      switch suiteCase.name.prefix(2) {
      case "y_": #expect(isJSON, "\(suiteCase.name)")
      case "n_": #expect(!isJSON, "\(suiteCase.name)")
      default: break
      }
    }
  }
}
