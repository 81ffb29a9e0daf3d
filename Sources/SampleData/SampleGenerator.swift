/// Generates the lines of the files of one stream, in order and in chunks.
///
/// The lines tell the history of a game: users come, play on some days, level up, pay and leave.
/// Memory grows with the number of users, not with the number of lines.
package struct SampleGenerator: Sendable {
  /// The expected outcome of the file's lines so far.
  package private(set) var expected = SampleCounts()

  private let plan: StreamPlan
  private let writer: LineWriter
  private let faults: [Fault]
  private var deliveries: Deliveries
  private var file = 0
  private var line = 0
  /// Some good lines of the file, and corrected ones of the file before.
  private var memory: [SampleRecord] = []
  private var corrections: [SampleRecord] = []

  /// Prepares the files of a stream, and goes to one of them.
  ///
  /// - Precondition: `options.problem` is nil; check it first for options from users.
  package init(stream: SampleStream, options: SampleOptions, file: Int = 0) {
    precondition(options.problem == nil, options.problem ?? "")
    plan = StreamPlan(stream, options: options)
    writer = LineWriter(stream, options: options)
    faults = Fault.all(of: stream)
    func counts(_ stream: SampleStream) -> [Int] {
      StreamPlan(stream, options: options).days.map(\.records)
    }
    let source: any RecordSource =
      switch stream {
      case .receipt: PurchaseSource(options: options)
      case .levelUp, .gameUser:
        CharacterSource(stream, options: options, levelUpCounts: counts(.levelUp))
      case .item: ItemSource(options: options)
      case .event: MessageSource(options: options, purchaseCounts: counts(.receipt))
      }
    deliveries = Deliveries(plan, of: source)
    for _ in 0..<file { nextFile() }
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
    guard line < end else { return false }
    repeat {
      putLine(into: &buffer)
      buffer.append(UInt8(ascii: "\n"))
      line += 1
      expected.lines += 1
    } while line < end && buffer.count < chunkBytes
    return true
  }

  /// Goes to the next file, past the lines that are left of this one.
  package mutating func nextFile() {
    var skipped: [UInt8] = []
    while fill(&skipped, chunkBytes: 1 << 20) { skipped.removeAll(keepingCapacity: true) }
    file += 1
    expected = SampleCounts()
    corrections = memory.compactMap(\.corrected)
    memory.removeAll(keepingCapacity: true)
  }

  private mutating func putLine(into buffer: inout [UInt8]) {
    var random = plan.random(.line, line)
    switch plan.role(of: line, inFile: file) {
    case .good:
      let (record, isLate) = deliveries.next()
      writer.put(record, into: &buffer)
      expected.late += isLate ? 1 : 0
      if memory.count < 4096 {
        memory.append(record)
      } else {
        memory[random.below(memory.count)] = record
      }
    case .bad:
      var record = deliveries.next().record
      if record.dialect == .server { record.dialect = .android }
      let start = buffer.count
      writer.put(record, into: &buffer)
      faults[random.below(faults.count)].inject(into: &buffer, from: start, &random)
      expected.bad += 1
    case .correction where !corrections.isEmpty:
      // Each line is corrected at most once.
      corrections.swapAt(random.below(corrections.count), corrections.count - 1)
      writer.put(corrections.removeLast(), into: &buffer)
      expected.corrections += 1
    case .repeated where !memory.isEmpty, .correction where !memory.isEmpty:
      // Half of the repeats are in another dialect.
      var record = memory[random.below(memory.count)]
      let dialects = Dialect.allCases
      let step = random.chance(50) ? 0 : 1 + random.below(dialects.count - 1)
      record.dialect = dialects[(record.dialect.rawValue + step) % dialects.count]
      writer.put(record, into: &buffer)
      expected.repeats += 1
    case .blank, .repeated, .correction:
      // White space may precede the newline.
      if line & 1 == 0 { buffer.put(" \t\r") }
      expected.blanks += 1
    }
  }
}
