/// Decides what each line of a stream is, line after line.
///
/// The decision needs only the number of the line, so that the plan can count the records of each
/// day before the first line is written.
struct LineRoles: Sendable {
  /// The role of a line; good and bad lines each take a new record of the game.
  enum Role: Sendable {
    case good, bad, repeated, blank, correction

    /// True for a line with a new record.
    var isRecord: Bool { self == .good || self == .bad }
  }

  /// Corrections come on one day in this many, and so many times as often.
  private static let correctingDays: UInt64 = 4

  private let seed: UInt64
  private let fileStarts: [Int]
  private let dayStarts: [Int]
  private let badLimit: UInt64
  private let repeatLimit: UInt64
  private let blankLimit: UInt64
  private let correctionLimit: UInt64

  private(set) var line = 0
  private(set) var day = 0
  private var file = 0
  private var fileHasRecord = false

  /// - Parameters:
  ///   - fileStarts: the first line of each file, and behind them the number of lines.
  ///   - dayStarts: the same for the days.
  init(stream: SampleStream, options: SampleOptions, fileStarts: [Int], dayStarts: [Int]) {
    seed = stream.lineSeed(options.seed)
    self.fileStarts = fileStarts
    self.dayStarts = dayStarts
    let full = Double(1 << 32)
    var share = options.badShare
    badLimit = UInt64(share * full)
    share += options.repeatShare
    repeatLimit = UInt64(share * full)
    share += options.blankShare
    blankLimit = UInt64(share * full)
    share += options.correctionShare * Double(Self.correctingDays)
    correctionLimit = UInt64(share * full)
  }

  /// The role of the next line.
  mutating func next() -> Role {
    while line >= fileStarts[file + 1] {
      file += 1
      fileHasRecord = false
    }
    while line >= dayStarts[day + 1] { day += 1 }
    let draw = SeededRandom.mix(seed, Salt.role, UInt64(line)) >> 32
    line += 1
    if draw < badLimit { return .bad }
    if draw >= repeatLimit, draw < blankLimit { return .blank }
    // The first line of a file has no earlier line to repeat.
    if draw < repeatLimit, fileHasRecord { return .repeated }
    if draw >= blankLimit, draw < correctionLimit, bringsCorrections { return .correction }
    fileHasRecord = true
    return .good
  }

  private var bringsCorrections: Bool {
    day > 0
      && SeededRandom.mix(seed, Salt.correctingDay, UInt64(day)) % Self.correctingDays == 0
  }
}
