/// Generates the lines of the files of one stream, in order and in chunks.
///
/// The lines tell the history of a generated game: users come, play on some days, level up, pay and
/// leave. Memory grows with the number of users, not with the number of lines.
package struct SampleGenerator: Sendable {
  /// The expected outcome of the file's lines so far.
  package private(set) var expected = SampleCounts()

  /// The index of the present file.
  package private(set) var file = 0

  private let seed: UInt64
  private let plan: StreamPlan
  private let badKinds: [BadLineKind]
  private let faultInjector: FaultInjector
  private let population: Population
  private let writer: RecordWriter
  private var roles: LineRoles
  private var deliveries: Deliveries
  private var earlier: EarlierLines

  /// Prepares the files of a stream, and goes to the file that the options name.
  ///
  /// - Precondition: `options.problem` is nil; check it first for options from users.
  package init(stream: SampleStream, options: SampleOptions) {
    precondition(options.problem == nil, options.problem ?? "")
    seed = stream.lineSeed(options.seed)
    let activity = GameActivity(options: options)
    plan = StreamPlan(stream: stream, options: options, activity: activity)
    badKinds = BadLineKind.kinds(of: stream)
    faultInjector = FaultInjector(stream: stream)
    population = Population(options: options)
    writer = RecordWriter(stream: stream, options: options, population: population)
    roles = LineRoles(
      stream: stream, options: options, fileStarts: plan.fileStarts, dayStarts: plan.dayStarts)
    let source: any RecordSource =
      switch stream {
      case .receipt:
        PurchaseSource(options: options, purchaseWeights: activity.purchaseWeights)
      case .levelUp:
        PlayerSource(stream: stream, options: options, levelUpCounts: plan.late.events)
      case .event: EventSource(options: options, activity: activity)
      case .gameUser:
        PlayerSource(
          stream: stream, options: options,
          levelUpCounts: StreamPlan(stream: .levelUp, options: options, activity: activity)
            .late.events)
      case .item: ShopSource(options: options)
      }
    deliveries = Deliveries(seed: seed, plan: plan, days: options.days, source: source)
    earlier = EarlierLines(seed: seed)
    for _ in 0..<options.part { nextFile() }
  }

  /// Appends whole lines, newlines included, until `buffer` holds at least `chunkBytes`.
  ///
  /// At least one line is appended whatever the buffer holds, so that
  /// `while generator.fill(&buffer, chunkBytes: 1 << 20) { write(buffer); buffer.removeAll(…) }`
  /// writes the whole file.
  ///
  /// - Returns: false when the file had no lines left, and so none were appended.
  package mutating func fill(_ buffer: inout [UInt8], chunkBytes: Int) -> Bool {
    let end = plan.fileStarts[file + 1]
    guard roles.line < end else { return false }
    repeat {
      putLine(into: &buffer)
      buffer.append(0x0A)
      expected.lines += 1
    } while roles.line < end && buffer.count < chunkBytes
    return true
  }

  /// Goes to the next file, past the lines that are left of this one.
  package mutating func nextFile() {
    var skipped: [UInt8] = []
    while fill(&skipped, chunkBytes: 1 << 20) { skipped.removeAll(keepingCapacity: true) }
    file += 1
    expected = SampleCounts()
    earlier.beginFile()
  }

  private mutating func putLine(into buffer: inout [UInt8]) {
    let line = roles.line
    switch roles.next() {
    case .good: putGoodLine(line, into: &buffer)
    case .bad: putBadLine(line, into: &buffer)
    case .blank: putBlankLine(line, into: &buffer)
    case .repeated: putRepeat(line, into: &buffer)
    case .correction: putCorrection(line, into: &buffer)
    }
  }

  private mutating func putGoodLine(_ line: Int, into buffer: inout [UInt8]) {
    let delivery = deliveries.next()
    writer.put(delivery.record, spelling: .original, into: &buffer)
    if delivery.isLate { expected.late += 1 }
    earlier.note(delivery.record, line: line, day: roles.day)
  }

  private mutating func putBadLine(_ line: Int, into buffer: inout [UInt8]) {
    var random = SeededRandom(seed: seed, salt: Salt.fault, index: UInt64(line))
    let kind = badKinds[random.below(badKinds.count)]
    let start = buffer.count
    writer.put(deliveries.next().record, spelling: .plain, into: &buffer)
    faultInjector.inject(&buffer, from: start, as: kind, &random)
    expected.badByKind[kind, default: 0] += 1
  }

  /// A blank line may hold white space before its newline.
  private mutating func putBlankLine(_ line: Int, into buffer: inout [UInt8]) {
    if line & 1 == 0 { buffer.put(" \t\r") }
    expected.blanks += 1
  }

  private mutating func putRepeat(_ line: Int, into buffer: inout [UInt8]) {
    var random = SeededRandom(seed: seed, salt: Salt.repetition, index: UInt64(line))
    guard let record = earlier.repeatable(&random) else {
      putBlankLine(line, into: &buffer)
      return
    }
    let isCopy = random.chance(1, in: 2)
    writer.put(record, spelling: isCopy ? .original : .other(random.next() >> 8), into: &buffer)
    expected.repeats += 1
  }

  private mutating func putCorrection(_ line: Int, into buffer: inout [UInt8]) {
    var random = SeededRandom(seed: seed, salt: Salt.correction, index: UInt64(line))
    guard let record = earlier.takeCorrectable(before: roles.day, &random) else {
      // Without an earlier line to correct, it repeats one.
      putRepeat(line, into: &buffer)
      return
    }
    let (corrected, correction) = record.corrected(by: population)
    writer.put(corrected, spelling: .original, into: &buffer)
    switch correction {
    case .fill: expected.fills += 1
    case .conflict: expected.conflicts += 1
    }
  }
}
