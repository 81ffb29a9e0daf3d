package import SampleData

/// A file of generated lines, and what a load of it counts.
package struct Sample {
  package struct Counts {
    package var lines = 0
    package var inserted = 0
    package var repeats = 0
    package var bad = 0
    package var blanks = 0
  }

  /// The lines of a stream for each user of a game of a month, at least.
  private static let density: [SampleStream: Int] = [
    .receipt: 3, .levelUp: 12, .gameUser: 4, .item: 2, .event: 4,
  ]

  package private(set) var bytes: [UInt8] = []
  package private(set) var expected = Counts()

  /// Lines of July 2025: `count` ones for each of several files, and the bytes of one of these files.
  package init(
    _ stream: SampleStream, count: Int = 1500, seed: UInt64 = 7, bad: Double = 0.02,
    repeats: Double = 0.1, part: Int = 0, of parts: Int = 1
  ) {
    // 2025-07-31
    var options = SampleOptions(lastDay: 20_300)
    options.days = 31
    options.users = 20 + count * parts / (Self.density[stream] ?? 1)
    (options.seed, options.streams) = (seed, [stream])
    options.badShare = 0
    let good = Self.lines(options, count: count * parts)
    (options.badShare, options.users) = (1, 100)
    let faulty = Self.lines(options, count: 100)
    var random = SplitMix(state: seed &+ UInt64(part))
    var known: [ArraySlice<UInt8>] = []
    for line in good[(part * count)..<((part + 1) * count)] {
      let chance = Double.random(in: 0..<1, using: &random)
      if chance < bad, let wrong = faulty.randomElement(using: &random) {
        put(wrong)
        expected.bad += 1
      } else if chance < bad + repeats, let earlier = known.randomElement(using: &random) {
        // The same bytes, or the same members in other bytes.
        put(Bool.random(using: &random) ? earlier : [0x7B, 0x20] + earlier.dropFirst())
        expected.repeats += 1
      } else if chance > 0.99 {
        put([0x20, 0x09, 0x0D])
        expected.blanks += 1
      } else {
        put(line)
        known.append(line)
        expected.inserted += 1
      }
    }
  }

  /// The first different lines of a game, at least `count`.
  private static func lines(_ options: SampleOptions, count: Int) -> [ArraySlice<UInt8>] {
    let generator = SampleGenerator(options)
    var lines: [ArraySlice<UInt8>] = []
    var known: Set<ArraySlice<UInt8>> = []
    for _ in 0..<options.days where lines.count < count {
      for day in generator.nextDay().values {
        lines += day.split(separator: 0x0A).filter { known.insert($0).inserted }
      }
    }
    return lines
  }

  private mutating func put(_ line: ArraySlice<UInt8>) {
    bytes += line
    bytes.append(0x0A)
    expected.lines += 1
  }

  /// The lines in an order given by a seed.
  package func shuffled(seed: UInt64) -> [UInt8] {
    var random = SplitMix(state: seed)
    return bytes.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
      .shuffled(using: &random).flatMap { $0 + [0x0A] }
  }
}

/// SplitMix64, a seeded random number generator for tests.
package struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  package init(state: UInt64) { self.state = state }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
