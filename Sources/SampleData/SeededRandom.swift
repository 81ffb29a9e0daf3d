/// Random numbers that depend only on a seed, a player and a part, such as a day (SplitMix64).
///
/// The standard library guarantees neither the algorithm of its generator nor a seed.
///
/// - Source: Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014.
struct SeededRandom: Sendable {
  private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

  private var state: UInt64

  init(_ seed: UInt64, player: Int, part: Int = -1) {
    let start = Self.mix(seed &+ Self.step) &+ UInt64(bitPattern: Int64(part)) &* Self.step
    state = Self.mix(Self.mix(start) &+ UInt64(player) &* Self.step)
  }

  /// The next 64 random bits.
  mutating func next() -> UInt64 {
    state &+= Self.step
    return Self.mix(state)
  }

  /// A number in 0..<bound; `bound` is at least 1.
  mutating func below(_ bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  /// True in as many of a hundred cases.
  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  /// An index, as often as its weight says; the weights add up to 100.
  mutating func index(_ weights: [Int]) -> Int {
    var rest = below(100)
    return weights.firstIndex { weight in
      rest -= weight
      return rest < 0
    } ?? 0
  }

  /// A number above 0, up to 1.
  mutating func fraction() -> Double { Double((next() >> 11) + 1) / Double(1 << 53) }

  /// Up to 13 characters 0-9 and A-Z.
  mutating func code() -> String { String(next(), radix: 36, uppercase: true) }

  private static func mix(_ value: UInt64) -> UInt64 {
    var bits = value
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}
