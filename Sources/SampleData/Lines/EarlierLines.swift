/// The good lines that later ones may repeat or correct; a bounded number of them.
struct EarlierLines: Sendable {
  /// The distance within which most repeats find their line; one in eight repeats any earlier line.
  private static let window = 8192
  /// The sample of a file's lines from which the others are chosen.
  private static let sampleSize = 1024
  /// One line in this many may be corrected on a later day.
  private static let correctableShare: UInt64 = 4

  private let seed: UInt64
  private var recent: [SampleRecord] = []
  private var sample: [SampleRecord] = []
  private var countInFile = 0
  private var correctable: [(day: Int, record: SampleRecord)] = []

  init(seed: UInt64) {
    self.seed = seed
  }

  /// Forgets the lines that a repeat in the next file must not repeat.
  mutating func beginFile() {
    recent.removeAll(keepingCapacity: true)
    sample.removeAll(keepingCapacity: true)
    countInFile = 0
  }

  /// Remembers a good line; `line` is its number in the stream.
  mutating func note(_ record: SampleRecord, line: Int, day: Int) {
    if recent.count < Self.window {
      recent.append(record)
    } else {
      recent[countInFile % Self.window] = record
    }
    countInFile += 1
    let bits = SeededRandom.mix(seed, Salt.memory, UInt64(line))
    if sample.count < Self.sampleSize {
      sample.append(record)
    } else if case let index = Int(bits >> 16 % UInt64(countInFile)), index < Self.sampleSize {
      sample[index] = record
    }
    guard record.isCorrectable, bits % Self.correctableShare == 0 else { return }
    if correctable.count < Self.sampleSize {
      correctable.append((day, record))
    } else {
      correctable[Int(bits >> 32 % UInt64(Self.sampleSize))] = (day, record)
    }
  }

  /// A line of the file for a repeat; nil if it has no good line yet.
  func repeatable(_ random: inout SeededRandom) -> SampleRecord? {
    guard !recent.isEmpty else { return nil }
    return random.chance(1, in: 8)
      ? sample[random.below(sample.count)] : recent[random.below(recent.count)]
  }

  /// Takes a line of a day before `day` for a correction, so that it is corrected once; nil if
  /// there is none.
  mutating func takeCorrectable(before day: Int, _ random: inout SeededRandom) -> SampleRecord? {
    guard !correctable.isEmpty else { return nil }
    let start = random.below(correctable.count)
    for step in 0..<correctable.count {
      let index = (start + step) % correctable.count
      guard correctable[index].day < day else { continue }
      let record = correctable[index].record
      correctable[index] = correctable[correctable.count - 1]
      correctable.removeLast()
      return record
    }
    return nil
  }
}
