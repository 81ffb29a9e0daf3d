/// A sequence of random numbers that depends only on a seed, a purpose and an index (SplitMix64).
///
/// Each player and each visit has its own sequence. The standard library guarantees neither the
/// algorithm of its generator nor a seed.
///
/// - Source: Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014.
struct SeededRandom: Sendable {
  /// The purposes of random numbers; another order of them changes all sample data.
  enum Purpose: UInt64 {
    case player, visit, userID, character, token
  }

  private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

  private var state: UInt64

  /// Starts the sequence of a purpose for a player or a number; `part` tells days apart.
  init(_ seed: UInt64, _ purpose: Purpose, _ index: Int, part: Int = 0) {
    let start = Self.mix(seed &+ (purpose.rawValue + 1) &* Self.step)
    let ofPart = Self.mix(start &+ UInt64(truncatingIfNeeded: part) &* Self.step)
    state = Self.mix(ofPart &+ UInt64(truncatingIfNeeded: index) &* Self.step)
  }

  /// The next 64 random bits.
  mutating func next() -> UInt64 {
    state &+= Self.step
    return Self.mix(state)
  }

  /// A sequence of its own, after which this one goes on as if it had given one number.
  mutating func split() -> SeededRandom {
    var copy = self
    copy.state = next()
    return copy
  }

  /// A number in 0..<bound; `bound` is at least 1.
  mutating func below(_ bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  /// True in as many of a hundred cases.
  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  /// An index, as often as its weight says.
  mutating func index(_ weights: [Int]) -> Int {
    var rest = below(weights.reduce(0, +))
    return weights.firstIndex { weight in
      rest -= weight
      return rest < 0
    } ?? 0
  }

  /// A number above 0, up to 1.
  mutating func fraction() -> Double { Double((next() >> 11) + 1) / Double(1 << 53) }

  private static func mix(_ value: UInt64) -> UInt64 {
    var bits = value
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}
