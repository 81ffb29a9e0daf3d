import SampleData
import Testing

struct BadLineTests {
  private static let options = SampleOptions(seed: 13, count: 3000, badShare: 1, repeatShare: 0)

  @Test(arguments: SampleStream.allCases)
  func `bad lines break the contract`(stream: SampleStream) {
    for line in SampleFile(stream, Self.options).lines {
      #expect(throws: (any Error).self, "\(String(decoding: line, as: UTF8.self))") {
        try Facts(line, of: stream)
      }
    }
  }

  @Test(arguments: SampleStream.allCases)
  func `every fault of the stream occurs and is counted`(stream: SampleStream) {
    let counts = SampleFile(stream, Self.options).counts
    #expect(counts.bad == 3000)
    #expect(Set(counts.badByKind.keys) == Set(BadLineKind.kinds(of: stream)))
    #expect(counts.badByKind.values.allSatisfy { $0 > 70 })
  }

  @Test func `every fault belongs to a stream`() {
    let used = SampleStream.allCases.flatMap { BadLineKind.kinds(of: $0) }
    #expect(Set(used) == Set(BadLineKind.allCases))
  }

  @Test(arguments: SampleStream.allCases)
  func `a bad line stays one line`(stream: SampleStream) {
    let file = SampleFile(stream, Self.options)
    #expect(file.lines.count == 3000)
    #expect(file.lines.allSatisfy { !$0.isEmpty })
  }

  @Test(arguments: [
    (SampleStream.receipt, #""price":2.295,"currency":"USD""#),
    (.receipt, #""currency":"ZZZ""#), (.receipt, #""price":-5,"#),
    (.receipt, #""purchaseTime":1616649225,"#), (.receipt, #""purchaseToken":1234567890,"#),
    (.levelUp, #""levelUpTime":1616649225,"#), (.levelUp, #""userLevel":20.5,"#),
    (.levelUp, #""userLevel":-3,"#), (.gameUser, #""eventTime":1616649225,"#),
    (.gameUser, #""userId":"0","#), (.gameUser, #""userId":"AB\ud83cCD","#),
    (.gameUser, #""userLevel":"twenty","#), (.item, #""eventTime":1616649225,"#),
    (.item, #""price":-5,"#), (.item, #""userId":12345.5,"#),
  ])
  func `the fault is in the expected field`(stream: SampleStream, text: String) {
    let bytes = SampleFile(stream, Self.options).bytes
    let isThere = String(decoding: bytes, as: UTF8.self).contains(text)
    #expect(isThere)
  }
}
