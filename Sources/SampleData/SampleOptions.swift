/// The options of sample lines: their number, time span and users.
///
/// The same options and seed give the same bytes on any machine.
package struct SampleOptions: Sendable, Equatable {
  /// The seed of all random choices; any value.
  package var seed: UInt64

  /// The lines of one file, good, repeated, bad and blank ones together; 0...
  package var count: Int

  /// The first instant of the span; milliseconds since 1970-01-01 UTC, from 2000-01-01 on.
  package var startMilliseconds: Int64

  /// The end of the span, exclusive; milliseconds since 1970-01-01 UTC, up to 2099-01-01.
  ///
  /// A loader refuses times more than a day ahead of its clock. The generator does not check this,
  /// because it reads no clock.
  package var endMilliseconds: Int64

  /// The number of generated users, the same for every stream; 1...2147483647.
  package var users: Int

  /// The share of lines that a loader must reject; 0...1.
  package var badShare: Double

  /// The share of lines that repeat an earlier good line of the file; 0...1.
  package var repeatShare: Double

  /// The share of blank lines; 0...1.
  package var blankShare: Double

  /// The index of the slice of the span that this file covers; 0..<partCount.
  package var part: Int

  /// The number of slices of the span, with one file of `count` lines each; 1...
  ///
  /// All slices have the same number of lines, so a span of n days in n slices gives about one file
  /// per day. The keys of a slice are above those of earlier slices, and so are its times, except
  /// those that a server's line rounds down to a second.
  package var partCount: Int

  /// The application ids of the users; empty for lines without one.
  package var appIDs: [String]

  /// Collects the options; `users` defaults to one for twenty lines of all parts, within
  /// 100...1000000.
  ///
  /// The default span is July 2025 in UTC. It is fixed, because a span relative to the clock would
  /// change the bytes every day.
  package init(
    seed: UInt64 = 1,
    count: Int = 100_000,
    startMilliseconds: Int64 = 1_751_328_000_000,
    endMilliseconds: Int64 = 1_754_006_400_000,
    users: Int? = nil,
    badShare: Double = 0.002,
    repeatShare: Double = 0.02,
    blankShare: Double = 0,
    part: Int = 0,
    partCount: Int = 1,
    appIDs: [String] = ["Qb2FhTzN"]
  ) {
    self.seed = seed
    self.count = count
    self.startMilliseconds = startMilliseconds
    self.endMilliseconds = endMilliseconds
    let (total, overflow) = count.multipliedReportingOverflow(by: partCount)
    self.users = users ?? max(100, min((overflow ? .max : total) / 20, 1_000_000))
    self.badShare = badShare
    self.repeatShare = repeatShare
    self.blankShare = blankShare
    self.part = part
    self.partCount = partCount
    self.appIDs = appIDs
  }
}

extension SampleOptions {
  /// The reason why these options are invalid, as a sentence for users; nil when they are valid.
  package var problem: String? {
    if count < 0 { return "The number of lines must not be negative." }
    if !(1...2_147_483_647).contains(users) { return "Users must lie in 1...2147483647." }
    if partCount < 1 || !(0..<partCount).contains(part) {
      return "The part must lie in 0..<\(partCount), and there must be at least one part."
    }
    for share in [badShare, repeatShare, blankShare] where !(0...1).contains(share) {
      return "A share of lines must lie in 0...1."
    }
    // The tolerance is for sums such as 0.7 + 0.2 + 0.1, which are inexact in doubles.
    if badShare + repeatShare + blankShare > 1.000_001 {
      return "The shares of bad, repeated and blank lines add up to more than 1."
    }
    // The bounds of the data contract, less the last year, so that no expiry is after 2100.
    if startMilliseconds < 946_684_800_000 || endMilliseconds > 4_070_908_800_000 {
      return "The span must lie between 2000-01-01 and 2099-01-01 UTC."
    }
    if startMilliseconds >= endMilliseconds { return "The span must end after it starts." }
    for appID in appIDs where !(1...512).contains(appID.utf8.count) || !appID.hasIdentifierText {
      return "An application id must be text of 1 to 512 bytes without NUL."
    }
    // Every line has its own millisecond, which alone makes all natural keys unique.
    let room = SampleTimeline.capacity(from: startMilliseconds, to: endMilliseconds)
    let (total, overflow) = count.multipliedReportingOverflow(by: partCount)
    if overflow || total > room {
      return "The span has room for \(room) lines in all parts together; choose a longer span."
    }
    return nil
  }
}

extension String {
  fileprivate var hasIdentifierText: Bool {
    !utf8.contains(0) && !utf8.allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
  }
}
