import Testing

@testable import SampleData

/// The counts, files and faults of the lines.
struct SampleGeneratorTests {
  private static func options(_ count: Int, bad: Double = 0, repeats: Double = 0) -> SampleOptions {
    var options = SampleOptions(seed: 9, count: count)
    options.badShare = bad
    options.repeatShare = repeats
    options.blankShare = bad / 2
    options.apps = 2
    return options
  }

  @Test(arguments: SampleStream.allCases)
  func `a seed gives the same bytes in chunks of any size, and another seed gives others`(
    stream: SampleStream
  ) {
    var options = Self.options(2000, bad: 0.1, repeats: 0.1)
    let whole = SampleFile(stream, options, chunkBytes: .max)
    #expect(SampleFile(stream, options, chunkBytes: 0).bytes == whole.bytes)
    #expect(SampleFile(stream, options, chunkBytes: 777).bytes == whole.bytes)
    options.seed = 10
    #expect(Set(SampleFile(stream, options).lines).intersection(whole.lines).count < 10)
  }

  /// Samples are compared across machines and releases, so a change of these numbers needs an entry
  /// in the changelog.
  @Test(arguments: [
    (SampleStream.receipt, UInt64(15665160473070615951)), (.levelUp, 15011009725268965983),
    (.gameUser, 13846753419842708778), (.item, 15560800078883105726),
    (.event, 18349013168828819077),
  ])
  func `the bytes of a seed never change`(stream: SampleStream, digest: UInt64) {
    let bytes = SampleFile(stream, Self.options(20_000, bad: 0.05, repeats: 0.1)).bytes
    // FNV-1a, 64 bits.
    let found = bytes.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    #expect(found == digest)
  }

  @Test(arguments: SampleStream.allCases)
  func `the counts are those of the lines, and near the shares`(stream: SampleStream) {
    let file = SampleFile(stream, Self.options(10_000, bad: 0.1, repeats: 0.2))
    var seen: Set<[String?]> = []
    var (blanks, bad, repeats) = (0, 0, 0)
    for line in file.lines {
      if line.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) {
        blanks += 1
      } else if let facts = try? Facts(line, of: stream) {
        repeats += seen.insert(facts.key(of: stream)).inserted ? 0 : 1
      } else {
        bad += 1
      }
    }
    let counts = file.counts
    #expect(counts.lines == 10_000 && file.lines.count == 10_000)
    #expect([counts.blanks, counts.bad, counts.repeats] == [blanks, bad, repeats])
    #expect(counts.inserted == seen.count)
    #expect((430...570).contains(blanks) && (900...1100).contains(bad))
    #expect((1800...2200).contains(repeats))
  }

  @Test(arguments: SampleStream.allCases)
  func `a repeat holds no value that the first line lacks, in its own bytes or others`(
    stream: SampleStream
  ) throws {
    let file = SampleFile(stream, Self.options(4000, repeats: 0.5))
    var first: [[String?]: Facts] = [:]
    for line in file.lines {
      let facts = try Facts(line, of: stream)
      let known = first[facts.key(of: stream)] ?? facts
      first[facts.key(of: stream)] = known
      // A further value would be a fill, and another value a conflict.
      for (field, value) in facts.fields { #expect(known.fields[field] == value) }
    }
    let copies = file.lines.count - Set(file.lines).count
    #expect(copies > file.counts.repeats / 3)
    #expect(file.counts.repeats - copies > file.counts.repeats / 4)
    #expect(SampleFile(stream, Self.options(100, repeats: 1)).counts.repeats == 99)
  }

  @Test(arguments: SampleStream.allCases)
  func `every fault breaks the contract of the stream, and every one occurs`(
    stream: SampleStream
  ) throws {
    let good = SampleFile(stream, Self.options(60)).lines
    for fault in Fault.all(of: stream) {
      var random = SeededRandom(1, .line, 0)
      for line in good where line.firstRange(of: Array("accessToken".utf8)) == nil {
        var bad = line
        fault.inject(into: &bad, from: 0, &random)
        #expect(!bad.contains(0x0A))
        #expect(throws: (any Error).self, "\(String(decoding: bad, as: UTF8.self))") {
          try Facts(bad, of: stream)
        }
      }
    }
    var options = Self.options(2000)
    options.badShare = 1
    options.blankShare = 0
    let bad = SampleFile(stream, options)
    #expect(bad.counts.bad == 2000 && bad.lines.count == 2000)
    for line in bad.lines { #expect(throws: (any Error).self) { try Facts(line, of: stream) } }
    let text = String(decoding: bad.bytes, as: UTF8.self)
    for case .wrong(let name, let value) in Fault.all(of: stream) {
      #expect(text.contains(#""\#(name)":\#(value)"#), "\(name) \(value)")
    }
  }

  @Test(arguments: SampleStream.allCases)
  func `equal files hold the lines of one file, and each is the same alone`(
    stream: SampleStream
  ) throws {
    var options = Self.options(1001)
    let whole = SampleFile(stream, options).bytes
    options.files = 4
    let files = (0..<4).map { SampleFile(stream, options, file: $0) }
    #expect(files.map(\.lines.count) == [251, 250, 250, 250])
    #expect(files.flatMap(\.bytes) == whole)
    let keys = try files.flatMap(\.lines).map { try Facts($0, of: stream).key(of: stream) }
    #expect(Set(keys).count == 1001)
  }

  @Test func `a stream without lines, and a game of one user`() {
    var options = SampleOptions(lines: [.receipt: 0, .gameUser: 50], users: 1)
    (options.lateShare, options.correctionShare, options.files) = (0.5, 0.1, nil)
    #expect(SampleFile(.receipt, options).lines.isEmpty)
    #expect(SampleFile(.levelUp, options).lines.isEmpty)
    #expect(!SampleFile(.gameUser, options).lines.isEmpty)
  }

  private static let daily: SampleOptions = {
    var options = SampleOptions(seed: 12, count: 8000, users: 800)
    (options.lateShare, options.correctionShare, options.files) = (0.03, 0.01, nil)
    return options
  }()

  @Test(arguments: SampleStream.allCases)
  func `a file per day has late lines, and corrects lines of the file before`(
    stream: SampleStream
  ) {
    var known: [[String?]: (day: Int, facts: Facts)] = [:]
    var sizes: [Int] = []
    var delays: [Int: Int] = [:]
    var corrections = 0
    var generator = SampleGenerator(stream: stream, options: Self.daily)
    for day in 0..<Self.daily.days {
      if day > 0 { generator.nextFile() }
      let file = SampleFile(&generator)
      var (late, inserted, corrected) = (0, 0, 0)
      for facts in file.lines.compactMap({ try? Facts($0, of: stream) }) {
        let delay = Self.daily.firstDay + day - facts.day
        guard let earlier = known[facts.key(of: stream)] else {
          known[facts.key(of: stream)] = (day, facts)
          inserted += 1
          late += delay > 0 ? 1 : 0
          delays[delay, default: 0] += 1
          continue
        }
        // A repeat in another dialect may have fewer values.
        if facts.fields.allSatisfy({ earlier.facts.fields[$0.key] == $0.value }) {
          #expect(earlier.day == day)
        } else {
          #expect(earlier.day == day - 1)
          corrected += 1
        }
      }
      let counts = file.counts
      #expect([counts.late, counts.inserted, counts.corrections] == [late, inserted, corrected])
      corrections += corrected
      sizes.append(file.lines.count)
    }
    #expect(sizes.reduce(0, +) == 8000 && Set(sizes).count > 15)
    #expect(Set(delays.keys) == [0, 1, 2, 3, 4, 5])
    #expect((150...270).contains(delays.values.reduce(0, +) - (delays[0] ?? 0)), "\(delays)")
    #expect((30...110).contains(corrections))
  }
}
