/// The spelling of a line's record.
enum LineSpelling: Sendable {
  /// The spelling of the record's own writer.
  case original
  /// The spelling of the record's own writer, or that of a client SDK if the writer is a server.
  case plain
  /// The spelling of another writer, chosen by random bits.
  case other(UInt64)
}

/// Generates the lines of one sample file, in order and in chunks.
///
/// Every line is computed from the seed and its number alone. A repeat is computed from the earlier
/// line's number, so memory does not grow with the number of lines.
package struct SampleGenerator: Sendable {
  private enum Role { case good, repeated, blank, bad }

  private enum Samples {
    case receipts(ReceiptSamples)
    case players(PlayerSamples)
  }

  /// The distance within which most repeats find their line; one in eight repeats any earlier line.
  private static let window = 8192

  /// The expected outcome of the lines so far in a fresh database.
  package private(set) var expected = SampleCounts()

  private let count: Int
  private let firstLine: Int
  private let seed: UInt64
  private let badLimit: UInt64
  private let repeatLimit: UInt64
  private let blankLimit: UInt64
  private let badKinds: [BadLineKind]
  private let faultInjector: FaultInjector
  private let arrivals: ArrivalOrder
  private var samples: Samples

  /// Prepares the file of a stream that the options describe.
  ///
  /// - Precondition: `options.problem` is nil; check it first for options from users.
  package init(stream: SampleStream, options: SampleOptions) {
    precondition(options.problem == nil, options.problem ?? "")
    count = options.count
    firstLine = options.part * options.count
    seed = stream.lineSeed(options.seed)
    let full = Double(1 << 32)
    badLimit = UInt64(options.badShare * full)
    repeatLimit = UInt64((options.badShare + options.repeatShare) * full)
    blankLimit = UInt64((options.badShare + options.repeatShare + options.blankShare) * full)
    badKinds = BadLineKind.kinds(of: stream)
    faultInjector = FaultInjector(stream: stream)
    let timeline = SampleTimeline(
      from: options.startMilliseconds, to: options.endMilliseconds,
      slots: options.count * options.partCount)
    arrivals = ArrivalOrder(
      seed: seed, count: count, firstLine: firstLine, slotLength: timeline.meanSlotLength)
    let population = Population(options: options)
    samples =
      switch stream {
      case .receipt:
        .receipts(ReceiptSamples(options: options, timeline: timeline, population: population))
      case .levelUp, .gameUser:
        .players(
          PlayerSamples(
            isLevelUp: stream == .levelUp, options: options, timeline: timeline,
            population: population))
      }
  }

  /// Appends whole lines, newlines included, until `buffer` holds at least `chunkBytes`.
  ///
  /// At least one line is appended whatever the buffer holds, so that
  /// `while generator.fill(&buffer, chunkBytes: 1 << 20) { write(buffer); buffer.removeAll(…) }`
  /// writes the whole file.
  ///
  /// - Returns: false when no lines were left, and so none were appended.
  package mutating func fill(_ buffer: inout [UInt8], chunkBytes: Int) -> Bool {
    guard expected.lines < count else { return false }
    repeat {
      putLine(expected.lines, into: &buffer)
      buffer.append(0x0A)
      expected.lines += 1
    } while expected.lines < count && buffer.count < chunkBytes
    return true
  }

  private mutating func putLine(_ line: Int, into buffer: inout [UInt8]) {
    switch role(of: line) {
    case .good:
      putRecord(line, spelling: .original, into: &buffer)
    case .blank:
      // A blank line may hold white space before its newline.
      if line & 1 == 0 { buffer.put(" \t\r") }
      expected.blanks += 1
    case .bad:
      var random = SeededRandom(seed: seed, salt: Salt.fault, index: globalIndex(line))
      let kind = badKinds[random.below(badKinds.count)]
      let start = buffer.count
      putRecord(line, spelling: .plain, into: &buffer)
      faultInjector.inject(&buffer, from: start, as: kind, &random)
      expected.badByKind[kind, default: 0] += 1
    case .repeated:
      var random = SeededRandom(seed: seed, salt: Salt.repetition, index: globalIndex(line))
      guard let earlier = goodLine(before: line, &random) else {
        putRecord(line, spelling: .original, into: &buffer)
        return
      }
      let isCopy = random.chance(1, in: 2)
      putRecord(earlier, spelling: isCopy ? .original : .other(random.next() >> 8), into: &buffer)
      expected.repeats += 1
    }
  }

  private mutating func putRecord(
    _ line: Int, spelling: LineSpelling, into buffer: inout [UInt8]
  ) {
    let slot = arrivals.slot(ofLine: line)
    switch samples {
    case .receipts(var receipts):
      receipts.put(line, slot: slot, spelling: spelling, into: &buffer)
      samples = .receipts(receipts)
    case .players(let players):
      players.put(slot: slot, spelling: spelling, into: &buffer)
    }
  }

  private func globalIndex(_ line: Int) -> UInt64 { UInt64(firstLine + line) }

  private func role(of line: Int) -> Role {
    let draw = SeededRandom.mix(seed, Salt.role, globalIndex(line)) >> 32
    if draw < badLimit { return .bad }
    // The first line has no earlier line to repeat.
    if draw < repeatLimit { return line == 0 ? .good : .repeated }
    return draw < blankLimit ? .blank : .good
  }

  /// An earlier good line of the file that is not a repeat; nil when none is near the drawn
  /// position.
  private func goodLine(before line: Int, _ random: inout SeededRandom) -> Int? {
    let range = random.chance(1, in: 8) ? line : min(line, Self.window)
    let drawn = line - 1 - random.below(range)
    for candidate in stride(from: drawn, through: max(0, drawn - 15), by: -1)
    where role(of: candidate) == .good {
      return candidate
    }
    return role(of: 0) == .good ? 0 : nil
  }
}
