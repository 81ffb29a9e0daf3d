/// The numbers of lines and records of each file and day of a stream.
struct StreamPlan: Sendable {
  /// The first line of each file, and behind them the number of lines.
  let fileStarts: [Int]
  /// The first line of each day, and behind them the number of lines.
  let dayStarts: [Int]
  /// The records that arrive on each day.
  let records: [Int]
  let late: LateSchedule

  /// Divides the lines by the activity of the days.
  init(stream: SampleStream, options: SampleOptions, activity: GameActivity) {
    let days = options.days
    let total = options.total(of: stream)
    let limits = (0..<days.count).map { days.capacity(of: $0) }
    let lines = Apportionment.shares(
      of: total, by: activity.weights(of: stream), limits: limits)
    let dayStarts = Self.starts(of: lines)
    self.dayStarts = dayStarts
    fileStarts =
      options.isFilePerDay
      ? dayStarts
      : Self.starts(
        of: (0..<options.partCount).map {
          total / options.partCount + ($0 < total % options.partCount ? 1 : 0)
        })
    var roles = LineRoles(
      stream: stream, options: options, fileStarts: fileStarts, dayStarts: dayStarts)
    records = lines.map { count in
      (0..<count).reduce(0) { records, _ in records + (roles.next().isRecord ? 1 : 0) }
    }
    late = LateSchedule(
      records: records, limits: limits, share: options.lateShare,
      seed: stream.lineSeed(options.seed))
  }

  private static func starts(of counts: [Int]) -> [Int] {
    counts.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
  }
}
