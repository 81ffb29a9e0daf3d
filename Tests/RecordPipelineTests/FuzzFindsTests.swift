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

  @Test func `every fuzz find satisfies the invariants`() throws {
    let folder = Self.fixtures.appending(path: "fuzz-finds").path()
    let finds = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(!finds.isEmpty)
    for name in finds.sorted() {
      let find = try Data(contentsOf: Self.fixtures.appending(path: "fuzz-finds/\(name)"))
      #expect(throws: Never.self, "\(name)") {
        try PipelineInvariants.checkThoroughly(Array(find))
      }
    }
  }

  @Test(arguments: StreamCatalog.all.map(\.name))
  func `every fixture satisfies the invariants`(name: String) throws {
    let file = Self.fixtures.appending(path: "\(name)/input.jsonl")
    try PipelineInvariants.check(Array(Data(contentsOf: file)))
  }

  @Test func `every case of the JSON suite satisfies the invariants`() {
    for suiteCase in JSONSuiteCase.all where suiteCase.bytes.count < 10_000 {
      let before = Array(#"{"userId":"u","userLevel":1,"levelUpTime":1616649225531,"x":"#.utf8)
      #expect(throws: Never.self, "\(suiteCase.name)") {
        try PipelineInvariants.check(suiteCase.bytes)
        try PipelineInvariants.check(before + suiteCase.bytes + [UInt8(ascii: "}")])
      }
    }
  }
}
