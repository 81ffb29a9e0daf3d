import SampleData
import Testing

/// The times of lines, checked in the generated files.
struct TimelineTests {
  private static let start: Int64 = 1_751_328_000_000
  private static let day: Int64 = 86_400_000

  private func facts(_ stream: SampleStream, _ options: SampleOptions) throws -> [Facts] {
    try SampleFile(stream, options).lines.map { try Facts($0, of: stream) }
  }

  private func options(days: Int64, count: Int, part: Int = 0, partCount: Int = 1) -> SampleOptions
  {
    SampleOptions(
      seed: 3, count: count, startMilliseconds: Self.start,
      endMilliseconds: Self.start + days * Self.day, users: 500, badShare: 0, repeatShare: 0,
      part: part, partCount: partCount)
  }

  @Test(arguments: SampleStream.allCases)
  func `times fill the span and stay within it`(stream: SampleStream) throws {
    let times = try facts(stream, options(days: 2, count: 2000)).map(\.time)
    let span = Self.start..<Self.start + 2 * Self.day
    #expect(times.allSatisfy(span.contains))
    let (first, last) = (try #require(times.min()), try #require(times.max()))
    #expect(first < Self.start + Self.day / 100)
    #expect(last > Self.start + 2 * Self.day - Self.day / 100)
  }

  @Test(arguments: SampleStream.allCases)
  func `times ascend except for a little disorder`(stream: SampleStream) throws {
    let times = try facts(stream, options(days: 2, count: 5000)).map(\.time)
    let steps = zip(times, times.dropFirst())
    #expect((500...2500).contains(steps.count { $0 > $1 }))
    var latest: Int64 = 0
    for time in times {
      #expect(latest - time < Self.day / 2 + Self.day / 24)
      latest = max(latest, time)
    }
  }

  @Test(arguments: [SampleStream.levelUp, .gameUser])
  func `no two lines share a millisecond, even in a crowded span`(stream: SampleStream) throws {
    var crowded = options(days: 1, count: 5000)
    crowded.startMilliseconds = Self.start + 12 * 3_600_000
    crowded.endMilliseconds = crowded.startMilliseconds + 6000
    crowded.count = 5401
    #expect(crowded.problem != nil)
    crowded.count = 5400
    #expect(crowded.problem == nil)
    let times = try facts(stream, crowded).map(\.time)
    #expect(Set(times).count == times.count)
  }

  @Test(arguments: SampleStream.allCases)
  func `evenings in Seoul are busier than nights`(stream: SampleStream) throws {
    let times = try facts(stream, options(days: 4, count: 4800)).map(\.time)
    func lines(inHour hour: Int64) -> Int { times.count { $0 / 3_600_000 % 24 == hour } }
    #expect((340...380).contains(lines(inHour: 12)))
    #expect((90...110).contains(lines(inHour: 19)))
  }

  @Test(arguments: SampleStream.allCases)
  func `parts have equal numbers of lines, and later parts later times`(stream: SampleStream) throws
  {
    var earlierKeys: Set<[String?]> = []
    var latest: Int64 = 0
    for part in 0..<4 {
      let facts = try facts(stream, options(days: 4, count: 1000, part: part, partCount: 4))
      let keys = Set(facts.map { $0.key(of: stream) })
      #expect(keys.count == 1000)
      #expect(keys.isDisjoint(with: earlierKeys))
      earlierKeys.formUnion(keys)
      // A slow upload may come hours later, and thus with the lines of the next part.
      let middle = facts.map(\.time).sorted()[500]
      #expect(middle > latest)
      latest = middle
    }
  }

  @Test func `a part holds the same lines when it is reached from the one before`() throws {
    var generator = SampleGenerator(
      stream: .gameUser, options: options(days: 4, count: 300, part: 1, partCount: 4))
    var bytes: [UInt8] = []
    for part in 1..<4 {
      if part > 1 { generator.nextFile() }
      bytes.removeAll()
      while generator.fill(&bytes, chunkBytes: 5000) {}
      let alone = options(days: 4, count: 300, part: part, partCount: 4)
      #expect(bytes == SampleFile(.gameUser, alone).bytes)
      #expect(generator.expected == SampleFile(.gameUser, alone).counts)
      #expect(generator.file == part)
    }
  }

  @Test func `receipt keys ascend from part to part, also within a day`() throws {
    var last = ""
    for part in 0..<7 {
      for facts in try facts(.receipt, options(days: 2, count: 500, part: part, partCount: 7)) {
        let key = try #require(facts.fields["paymentSeq"])
        #expect(key > last)
        last = key
      }
    }
  }
}
