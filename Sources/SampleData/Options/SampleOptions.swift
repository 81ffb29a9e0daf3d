/// The options of sample lines: their number, files, time span and users.
///
/// The same options and seed give the same bytes on any machine.
package struct SampleOptions: Sendable, Equatable {
  /// The seed of all random choices; any value.
  package var seed: UInt64

  /// The lines of one file, good, repeated, bad and blank ones together; 0...
  package var count: Int

  /// The lines of a stream in all its files together; `count` for each file if nil.
  ///
  /// If they do not divide evenly, each of the first files has one line more.
  package var totals: [SampleStream: Int]?

  /// The first instant of the span; milliseconds since 1970-01-01 UTC, from 2000-01-01 on.
  package var startMilliseconds: Int64

  /// The end of the span, exclusive; milliseconds since 1970-01-01 UTC, up to 2099-01-01.
  ///
  /// A loader refuses times more than a day ahead of its clock. The generator does not check this,
  /// because it reads no clock.
  package var endMilliseconds: Int64

  /// The number of generated users, the same for every stream; 1...100000000.
  package var users: Int

  /// The share of lines that a loader must reject; 0...1.
  package var badShare: Double

  /// The share of lines that repeat an earlier good line of the file; 0...1.
  package var repeatShare: Double

  /// The share of blank lines; 0...1.
  package var blankShare: Double

  /// The share of lines that arrive with those of a day that is 1 to 5 days later; 0...0.5.
  package var lateShare: Double

  /// The share of lines that correct a line of an earlier day; 0...0.1.
  ///
  /// All of them come on one day in four.
  package var correctionShare: Double

  /// The index of the file to start with.
  package var part: Int

  /// The number of files, with the same number of lines each, in the order of time; 1...
  package var partCount: Int

  /// One file for each day, with as many lines as the game has on that day, instead of
  /// `partCount` files.
  package var isFilePerDay: Bool

  /// The application ids of the users; empty for lines without one, at most 8.
  package var appIDs: [String]

  /// Collects the options; `users` defaults to one for twenty lines of all parts, within
  /// 100...1000000.
  ///
  /// The default span is July 2025 in UTC. It is fixed, because a span relative to the clock would
  /// change the bytes every day.
  package init(
    seed: UInt64 = 1,
    count: Int = 100_000,
    totals: [SampleStream: Int]? = nil,
    startMilliseconds: Int64 = 1_751_328_000_000,
    endMilliseconds: Int64 = 1_754_006_400_000,
    users: Int? = nil,
    badShare: Double = 0.002,
    repeatShare: Double = 0.02,
    blankShare: Double = 0,
    lateShare: Double = 0,
    correctionShare: Double = 0,
    part: Int = 0,
    partCount: Int = 1,
    isFilePerDay: Bool = false,
    appIDs: [String] = ["Qb2FhTzN"]
  ) {
    self.seed = seed
    self.count = count
    self.totals = totals
    self.startMilliseconds = startMilliseconds
    self.endMilliseconds = endMilliseconds
    let (product, overflow) = count.multipliedReportingOverflow(by: partCount)
    let total = totals?.values.max() ?? (overflow ? .max : product)
    self.users = users ?? max(100, min(total / 20, 1_000_000))
    self.badShare = badShare
    self.repeatShare = repeatShare
    self.blankShare = blankShare
    self.lateShare = lateShare
    self.correctionShare = correctionShare
    self.part = part
    self.partCount = partCount
    self.isFilePerDay = isFilePerDay
    self.appIDs = appIDs
  }
}

extension SampleOptions {
  /// Names for several applications; the first one is the default.
  package static let applications = [
    "Qb2FhTzN", "Kd7RmWxP", "Zt4LsVnC", "Hf9GbYqJ", "Mw3XcTrD", "Pn6VkSzB", "Rj8QdLhF", "Ws5NtGvK",
  ]

  /// The days of the span.
  var days: SampleDays { SampleDays(from: startMilliseconds, to: endMilliseconds) }

  /// The number of files of each stream.
  package var fileCount: Int { isFilePerDay ? days.count : partCount }

  /// The lines of a stream in all its files together.
  func total(of stream: SampleStream) -> Int {
    guard let totals else { return count * partCount }
    return totals[stream] ?? 0
  }
}
