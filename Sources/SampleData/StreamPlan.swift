/// The kinds of a stream's lines, and the numbers of its records on each day.
struct StreamPlan: Sendable {
  /// The kind of a line; good and bad ones bring a record of the game.
  enum Role: Sendable { case good, bad, repeated, blank, correction }

  struct Day: Sendable {
    /// The lines of the day that bring a record.
    let lines: Int
    /// The records of earlier days that arrive on the day.
    var arriving = 0
    /// The records of the day that arrive later, all on the same day, and the days until then.
    var leaving = 0
    var delay = 0

    /// The records that happen on the day.
    var records: Int { lines - arriving + leaving }
  }

  private(set) var days: [Day] = []
  /// The first line of each file, and behind them the number of lines.
  let fileStarts: [Int]

  private let stream: SampleStream
  private let options: SampleOptions

  /// Divides the lines by the numbers of players on the days.
  init(_ stream: SampleStream, options: SampleOptions) {
    self.stream = stream
    self.options = options
    var roster = Roster(options: options)
    let sums = (0..<options.days).reduce(into: [0]) { sums, _ in
      roster.advance()
      sums.append(sums[sums.count - 1] + roster.players.count)
    }
    let total = options.lines[stream] ?? 0
    let dayStarts = sums.map { Int(Double(total) * (Double($0) / Double(sums[options.days]))) }
    fileStarts =
      options.files.map { files in
        (0...files).map { total / files * $0 + min($0, total % files) }
      } ?? dayStarts

    var file = 0
    for (first, end) in zip(dayStarts, dayStarts.dropFirst()) {
      let lines = (first..<end).count { line in
        while line >= fileStarts[file + 1] { file += 1 }
        let role = role(of: line, inFile: file)
        return role == .good || role == .bad
      }
      days.append(Day(lines: lines))
    }
    planLateRecords()
  }

  private mutating func planLateRecords() {
    var late = 0.0
    for day in days.indices {
      var random = random(.delay, day)
      days[day].delay = 1 + random.below(5)
      let arrival = day + days[day].delay
      guard arrival < days.count else { continue }
      late += Double(days[day].lines - days[day].arriving) * options.lateShare
      // Half of a day's lines may be of earlier days, and few wait, so that memory is bounded.
      let room = days[arrival].lines / 2 - days[arrival].arriving
      days[day].leaving = min(Int(late), room, 4096)
      days[arrival].arriving += days[day].leaving
      late -= late.rounded(.down)
    }
  }

  /// The random numbers of a line or day of the stream.
  func random(_ purpose: SeededRandom.Purpose, _ index: Int) -> SeededRandom {
    SeededRandom(options.seed, purpose, index, part: stream.number)
  }

  /// The kind of a line: the first one of a file repeats none, and the first file corrects none.
  func role(of line: Int, inFile file: Int) -> Role {
    var random = random(.role, line)
    var rest = random.fraction() - options.badShare
    if rest <= 0 { return .bad }
    rest -= options.blankShare
    if rest <= 0 { return .blank }
    rest -= options.repeatShare
    if rest <= 0 { return line == fileStarts[file] ? .good : .repeated }
    return rest <= options.correctionShare && file > 0 ? .correction : .good
  }
}

/// The records of a stream in the order in which they arrive, some of them days late.
struct Deliveries: Sendable {
  private let days: [StreamPlan.Day]
  private var source: any RecordSource
  private var day = -1
  /// The records that have arrived on the day, and those that have happened.
  private var arrived = 0
  private var happened = 0
  /// The late records by the day of their arrival.
  private var late: [Int: [SampleRecord]] = [:]

  init(_ plan: StreamPlan, of source: any RecordSource) {
    days = plan.days
    self.source = source
  }

  /// The next record to arrive; call it as often as the plan has lines with a record.
  mutating func next() -> (record: SampleRecord, isLate: Bool) {
    while day < 0 || arrived == days[day].lines { beginNextDay() }
    arrived += 1
    if Self.isDue(arrived, days[day].arriving, of: days[day].lines),
      let record = late[day]?.popLast()
    {
      return (record, true)
    }
    while true {
      if let record = happen() { return (record, false) }
    }
  }

  private mutating func beginNextDay() {
    // The last records of a day may all be late.
    while day >= 0, happened < days[day].records { _ = happen() }
    late[day] = nil
    day += 1
    arrived = 0
    happened = 0
    source.beginDay(records: days[day].records)
  }

  /// The next record of the day; nil if it arrives on a later one.
  private mutating func happen() -> SampleRecord? {
    let plan = days[day]
    happened += 1
    let record = source.next()
    guard Self.isDue(happened, plan.leaving, of: plan.records) else { return record }
    late[day + plan.delay, default: []].append(record)
    return nil
  }

  /// True for `times` of the numbers 1...count, at equal distances.
  private static func isDue(_ number: Int, _ times: Int, of count: Int) -> Bool {
    number * times / count > (number - 1) * times / count
  }
}
