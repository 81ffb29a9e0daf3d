import SampleData
import Testing

/// Late lines, corrections and the division into files.
struct DeliveryTests {
  private static let start: Int64 = 1_751_328_000_000
  private static let days = 20

  private static func options(late: Double = 0, corrections: Double = 0) -> SampleOptions {
    SampleOptions(
      seed: 12, count: 8000, startMilliseconds: start,
      endMilliseconds: start + Int64(days) * GameHistory.day, users: 800, badShare: 0.01,
      repeatShare: 0.02, lateShare: late, correctionShare: corrections, isFilePerDay: true,
      appIDs: ["One", "Two"])
  }

  /// The lines of each day's file with the generator's counts; the facts are nil for bad lines.
  private static func files(
    _ stream: SampleStream, _ options: SampleOptions
  ) -> [(facts: [Facts?], counts: SampleCounts)] {
    var generator = SampleGenerator(stream: stream, options: options)
    return (0..<days).map { day in
      if day > 0 { generator.nextFile() }
      var bytes: [UInt8] = []
      while generator.fill(&bytes, chunkBytes: 1 << 16) {}
      let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
      return (lines.map { try? Facts(Array($0), of: stream) }, generator.expected)
    }
  }

  @Test(arguments: SampleStream.allCases)
  func `each day has a file, and all files together have the given lines`(stream: SampleStream) {
    let files = Self.files(stream, Self.options())
    #expect(files.map(\.facts.count).reduce(0, +) == 8000)
    // The game is not the same on all days.
    #expect(Set(files.map(\.facts.count)).count > 12)
    for (day, file) in files.enumerated() {
      let first = Self.start / GameHistory.day
      #expect(file.facts.allSatisfy { $0 == nil || $0?.day == first + Int64(day) })
      #expect(file.counts.lines == file.facts.count)
      #expect(file.counts.late == 0 && file.counts.corrections == 0)
    }
  }

  @Test(arguments: SampleStream.allCases)
  func `a share of the lines comes one to five days late`(stream: SampleStream) {
    var delays: [Int64: Int] = [:]
    for (day, file) in Self.files(stream, Self.options(late: 0.03)).enumerated() {
      let today = Self.start / GameHistory.day + Int64(day)
      let late = file.facts.compactMap { $0 }.filter { $0.day != today }
      for facts in late { delays[today - facts.day, default: 0] += 1 }
      // A repeat of a late line is late, too, and a bad line may be.
      #expect(late.count >= file.counts.late && late.count <= file.counts.late + 5)
    }
    #expect(Set(delays.keys) == [1, 2, 3, 4, 5])
    #expect((180...270).contains(delays.values.reduce(0, +)), "\(delays)")
  }

  @Test func `late receipts have keys of their own day`() {
    var keys: Set<String> = []
    for file in Self.files(.receipt, Self.options(late: 0.1)) {
      for facts in file.facts.compactMap({ $0 }) {
        let key = facts.fields["paymentSeq"] ?? ""
        #expect(
          key.hasPrefix("202507") && Int(key.dropFirst(6).prefix(2)) == Int(facts.day - 20_269))
        keys.insert(key)
      }
    }
    #expect(keys.count > 7500)
  }

  @Test(arguments: SampleStream.allCases)
  func `some files correct lines of earlier days, each once`(stream: SampleStream) {
    var known: [[String?]: (day: Int, facts: Facts)] = [:]
    var corrected: Set<[String?]> = []
    var (fills, conflicts, correctingDays) = (0, 0, 0)
    for (day, file) in Self.files(stream, Self.options(corrections: 0.01)).enumerated() {
      var (fillsOfDay, conflictsOfDay, repeats, inserted) = (0, 0, 0, 0)
      for facts in file.facts.compactMap({ $0 }) {
        let key = facts.key(of: stream)
        guard let earlier = known[key] else {
          known[key] = (day, facts)
          inserted += 1
          continue
        }
        // A repeat in another spelling may have fewer values.
        if facts.fields.allSatisfy({ earlier.facts.fields[$0.key] == $0.value }) {
          repeats += 1
          #expect(earlier.day == day)
          continue
        }
        #expect(earlier.day < day)
        #expect(corrected.insert(key).inserted)
        let isFill = earlier.facts.fields.allSatisfy { facts.fields[$0.key] == $0.value }
        if isFill { fillsOfDay += 1 } else { conflictsOfDay += 1 }
      }
      #expect(file.counts.fills == fillsOfDay && file.counts.conflicts == conflictsOfDay)
      #expect(file.counts.repeats == repeats && file.counts.inserted == inserted)
      fills += fillsOfDay
      conflicts += conflictsOfDay
      correctingDays += fillsOfDay + conflictsOfDay > 0 ? 1 : 0
    }
    #expect((20...140).contains(fills + conflicts), "\(fills) \(conflicts)")
    #expect(fills > 0 && conflicts > 10)
    #expect((2...9).contains(correctingDays))
  }
}
