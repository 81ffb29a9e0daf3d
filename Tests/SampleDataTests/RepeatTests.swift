import SampleData
import Testing

struct RepeatTests {
  private static let options = SampleOptions(
    seed: 9, count: 4000, badShare: 0, repeatShare: 0.5, appIDs: ["One", "Two"])

  /// A repeat with further values would be a fill, and one with other values a conflict.
  @Test(arguments: SampleStream.allCases)
  func `a repeat holds no value that the first line lacks`(stream: SampleStream) throws {
    var first: [[String?]: Facts] = [:]
    for line in SampleFile(stream, Self.options).lines {
      let facts = try Facts(line, of: stream)
      guard let known = first[facts.key(of: stream)] else {
        first[facts.key(of: stream)] = facts
        continue
      }
      for (field, value) in facts.fields { #expect(known.fields[field] == value) }
      // The loader's option may set an absent application, so it must be the same in both.
      #expect(known.fields["appId"] == facts.fields["appId"])
    }
  }

  @Test(arguments: SampleStream.allCases)
  func `copies and other spellings both occur`(stream: SampleStream) throws {
    let file = SampleFile(stream, Self.options)
    let distinct = Set(file.lines).count
    let copies = file.lines.count - distinct
    #expect(copies > file.counts.repeats / 3)
    #expect(file.counts.repeats - copies > file.counts.repeats / 4)
  }

  @Test(arguments: SampleStream.allCases)
  func `the first line is never a repeat`(stream: SampleStream) {
    var options = Self.options
    options.repeatShare = 1
    let counts = SampleFile(stream, options).counts
    #expect(counts.repeats == 3999)
    #expect(counts.inserted == 1)
  }
}
