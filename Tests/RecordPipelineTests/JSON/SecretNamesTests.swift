import Foundation
import Testing

@testable import RecordPipeline

/// A spelling of a credential that masking does not know would stay readable in refused lines and `extra`.
struct SecretNamesTests {
  private static let secretSpellings: [String] = StreamCatalog.all.flatMap { stream in
    stream.fields.filter { $0.kind == .token }.flatMap { $0.spellings.words.map(\.text) }
  }

  @Test func `every spelling of a purchase token is masked`() {
    #expect(Set(Self.secretSpellings).isSuperset(of: ["purchaseToken", "accessToken"]))
    for spelling in Self.secretSpellings {
      #expect(isSecretFieldName(spelling), "add \(spelling) to Secrets.names")
    }
  }

  @Test func `a name fits the room for a word and ends with the searched word`() {
    for name in Secrets.names {
      #expect(name.utf8CodeUnitCount <= 16 && "\(name)".hasSuffix("Token"))
    }
  }

  @Test func `the oracle of the fault suite masks the same names`() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Tests/SystemTests/oracle/masking.py")
    let names = Secrets.names.map { "\($0)" }.joined(separator: "|")
    #expect(try String(contentsOf: file, encoding: .utf8).contains("(?:\(names))"))
  }
}
