/// A sequence of random numbers that depends only on its seed (SplitMix64).
///
/// Each line has its own sequence, so that any line can be generated again without the lines before
/// it. The standard library guarantees neither the algorithm of its generator nor a seed.
///
/// - Source: Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014.
struct SeededRandom: Sendable {
  private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

  private var state: UInt64

  /// Starts the sequence that belongs to a purpose (`salt`) and a line or user (`index`).
  init(seed: UInt64, salt: UInt64, index: UInt64) {
    state = Self.mix(seed, salt, index)
  }

  /// The next 64 random bits.
  mutating func next() -> UInt64 {
    state &+= Self.step
    return Self.mix(state)
  }

  /// A number in 0..<bound; `bound` is at least 1.
  mutating func below(_ bound: UInt64) -> UInt64 {
    next().multipliedFullWidth(by: bound).high
  }

  /// An index in 0..<count; `count` is at least 1.
  mutating func below(_ count: Int) -> Int {
    Int(truncatingIfNeeded: below(UInt64(truncatingIfNeeded: count)))
  }

  /// True for an event with the probability `times` in `total`.
  mutating func chance(_ times: UInt64, in total: UInt64) -> Bool {
    below(total) < times
  }

  /// Scrambles 64 bits with a bijection.
  static func mix(_ value: UInt64) -> UInt64 {
    var bits = value
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// Scrambles a seed, a purpose and an index into 64 bits.
  static func mix(_ seed: UInt64, _ salt: UInt64, _ index: UInt64) -> UInt64 {
    mix(mix(mix(seed &+ step) ^ salt) &+ index &* step)
  }
}

/// The purposes of random numbers; each has its own sequences.
///
/// The values are arbitrary but fixed, because a change alters the bytes of every sample.
enum Salt {
  static let role: UInt64 = 0x01
  static let repetition: UInt64 = 0x02
  static let fault: UInt64 = 0x03
  static let record: UInt64 = 0x04
  static let swap: UInt64 = 0x05
  static let delay: UInt64 = 0x06
  static let memory: UInt64 = 0x07
  static let correctingDay: UInt64 = 0x08
  static let correction: UInt64 = 0x09
  static let late: UInt64 = 0x0A
  static let user: UInt64 = 0x10
  static let userTraits: UInt64 = 0x11
  static let character: UInt64 = 0x12
  static let lifetime: UInt64 = 0x13
  static let habits: UInt64 = 0x14
  static let playing: UInt64 = 0x15
  static let payer: UInt64 = 0x16
  static let acquisition: UInt64 = 0x17
  static let assignment: UInt64 = 0x18
  static let token: UInt64 = 0x20
  static let subscription: UInt64 = 0x21
}
