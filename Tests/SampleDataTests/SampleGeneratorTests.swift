import SampleData
import Testing

struct SampleGeneratorTests {
  @Test(arguments: SampleStream.allCases)
  func `the same seed gives the same bytes`(stream: SampleStream) {
    let options = SampleOptions(seed: 7, count: 3000)
    #expect(SampleFile(stream, options).bytes == SampleFile(stream, options).bytes)
  }

  @Test(arguments: SampleStream.allCases)
  func `another seed gives other bytes`(stream: SampleStream) {
    let first = SampleFile(stream, SampleOptions(seed: 7, count: 300))
    let second = SampleFile(stream, SampleOptions(seed: 8, count: 300))
    #expect(zip(first.lines, second.lines).allSatisfy { $0 != $1 || $0 == Array("{}".utf8) })
  }

  /// Samples are compared across machines and releases, so a change of these numbers needs an entry
  /// in the changelog.
  @Test(arguments: [
    (SampleStream.receipt, UInt64(129452592701337532)), (.levelUp, 17674166137781140240),
    (.gameUser, 8821844700994868241), (.item, 9849541748540312104),
  ])
  func `the bytes of a seed never change`(stream: SampleStream, digest: UInt64) {
    let options = SampleOptions(
      seed: 42, count: 20_000, badShare: 0.05, repeatShare: 0.1, blankShare: 0.01)
    let bytes = SampleFile(stream, options).bytes
    // FNV-1a, 64 bits.
    let found = bytes.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    #expect(found == digest)
  }

  @Test(arguments: SampleStream.allCases)
  func `chunk sizes do not change the bytes`(stream: SampleStream) {
    let options = SampleOptions(count: 1000, badShare: 0.05, repeatShare: 0.1)
    let whole = SampleFile(stream, options, chunkBytes: .max)
    #expect(SampleFile(stream, options, chunkBytes: 0).bytes == whole.bytes)
    #expect(SampleFile(stream, options, chunkBytes: 777).bytes == whole.bytes)
  }

  @Test func `a chunk ends with the line that reaches its size`() {
    var generator = SampleGenerator(stream: .receipt, options: SampleOptions(count: 100))
    var buffer: [UInt8] = []
    #expect(generator.fill(&buffer, chunkBytes: 5000))
    #expect((5000..<6000).contains(buffer.count))
    #expect(buffer.last == 0x0A)
    #expect(generator.expected.lines == buffer.count { $0 == 0x0A })
  }

  @Test func `a file without lines is empty`() {
    var generator = SampleGenerator(stream: .levelUp, options: SampleOptions(count: 0))
    var buffer: [UInt8] = []
    let appended = generator.fill(&buffer, chunkBytes: 1000)
    #expect(!appended)
    #expect(buffer.isEmpty)
  }

  @Test(arguments: SampleStream.allCases)
  func `the counts equal the loader's expected report`(stream: SampleStream) {
    let options = SampleOptions(
      count: 2000, badShare: 0.1, repeatShare: 0.2, blankShare: 0.05, appIDs: ["One", "Two"])
    let file = SampleFile(stream, options)
    var seen: [[String?]: Facts] = [:]
    var (blanks, bad, repeats) = (0, 0, 0)
    for line in file.lines {
      if line.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) {
        blanks += 1
      } else if let facts = try? Facts(line, of: stream) {
        if seen[facts.key(of: stream)] == nil {
          seen[facts.key(of: stream)] = facts
        } else {
          repeats += 1
        }
      } else {
        bad += 1
      }
    }
    #expect(file.counts.lines == 2000 && file.lines.count == 2000)
    #expect(file.counts.blanks == blanks)
    #expect(file.counts.bad == bad)
    #expect(file.counts.repeats == repeats)
    #expect(file.counts.inserted == seen.count)
  }

  @Test(arguments: SampleStream.allCases)
  func `shares are kept within a tenth`(stream: SampleStream) {
    let options = SampleOptions(count: 10_000, badShare: 0.1, repeatShare: 0.2, blankShare: 0.05)
    let counts = SampleFile(stream, options).counts
    #expect((900...1100).contains(counts.bad))
    #expect((1800...2200).contains(counts.repeats))
    #expect((430...570).contains(counts.blanks))
  }

  @Test(arguments: SampleStream.allCases)
  func `without shares all lines are good and new`(stream: SampleStream) {
    let counts = SampleFile(stream, SampleOptions(count: 5000, badShare: 0, repeatShare: 0)).counts
    #expect(counts.inserted == 5000)
  }

  @Test func `a stream without lines and users without applications are possible`() {
    let options = SampleOptions(
      totals: [.receipt: 0, .gameUser: 50], users: 1, lateShare: 0.5, correctionShare: 0.1,
      isFilePerDay: true, appIDs: [])
    #expect(SampleFile(.receipt, options).lines.isEmpty)
    #expect(SampleFile(.levelUp, options).lines.isEmpty)
    #expect(!SampleFile(.gameUser, options).lines.isEmpty)
  }

  @Test(arguments: SampleStream.allCases)
  func `repeats and bad lines do not come in blocks`(stream: SampleStream) throws {
    let options = SampleOptions(count: 5000, badShare: 0.1, repeatShare: 0)
    let faults = SampleFile(stream, options).lines.map { (try? Facts($0, of: stream)) == nil }
    for tenth in 0..<10 {
      let bad = faults[tenth * 500..<(tenth + 1) * 500].count { $0 }
      #expect((25...75).contains(bad))
    }
  }
}
