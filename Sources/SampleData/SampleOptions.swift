/// What sample lines are to look like: how many, over which time, from how many users.
///
/// The same options and seed give the same bytes on any machine.
package struct SampleOptions: Sendable, Equatable {
  /// Where all chance comes from; any value.
  package var seed: UInt64

  /// The lines of one file, good, repeated, bad and blank ones together; 0...
  package var count: Int

  /// The first instant of the span; milliseconds since 1970-01-01 UTC, from 2000-01-01 on.
  package var startMilliseconds: Int64

  /// The end of the span, exclusive; milliseconds since 1970-01-01 UTC, up to 2099-01-01.
  ///
  /// A loader refuses times later than its own clock and a day; the generator has no clock.
  package var endMilliseconds: Int64

  /// The size of the made-up population, the same one for every stream; 1...2147483647.
  package var users: Int

  /// The share of lines that a loader must reject; 0...1.
  package var badShare: Double

  /// The share of lines that repeat an earlier good line of the file; 0...1.
  package var repeatShare: Double

  /// The share of blank lines; 0...1.
  package var blankShare: Double

  /// Which of the equal slices of the span this file covers; 0..<partCount.
  package var part: Int

  /// Into how many slices, one file of `count` lines each, the span is cut; 1...
  ///
  /// Slices have equal shares of the lines, so that whole days cut by their number give one file a
  /// day. Keys and times of a slice lie above those of the slices before it.
  package var partCount: Int

  /// The application ids that users are spread over; empty for lines without any.
  package var appIDs: [String]

  /// Collects the options; `users` defaults to one for twenty lines, within 100...1000000.
  ///
  /// The default span is July 2025 in UTC: fixed, because a span that moved with the clock would
  /// give other bytes tomorrow.
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
  /// Why these options cannot be used, as a sentence for people; nil when they can.
  package var problem: String? {
    if count < 0 { return "The number of lines must not be negative." }
    if !(1...2_147_483_647).contains(users) { return "Users must lie in 1...2147483647." }
    if partCount < 1 || !(0..<partCount).contains(part) {
      return "The part must lie in 0..<\(partCount), and there must be at least one part."
    }
    for share in [badShare, repeatShare, blankShare] where !(0...1).contains(share) {
      return "A share of lines must lie in 0...1."
    }
    // The slack is for sums such as 0.7 + 0.2 + 0.1, which doubles do not get right.
    if badShare + repeatShare + blankShare > 1.000_001 {
      return "The shares of bad, repeated and blank lines add up to more than 1."
    }
    // The bounds are the contract's, less the century's last year so that no expiry passes 2100.
    if startMilliseconds < 946_684_800_000 || endMilliseconds > 4_070_908_800_000 {
      return "The span must lie between 2000-01-01 and 2099-01-01 UTC."
    }
    if startMilliseconds >= endMilliseconds { return "The span must end after it starts." }
    for appID in appIDs where !(1...512).contains(appID.utf8.count) || !appID.hasIdentifierText {
      return "An application id must be text of 1 to 512 bytes without NUL."
    }
    // Every line has a millisecond of its own: that alone keeps all natural keys unique.
    let room = SampleTimeline.capacity(from: startMilliseconds, to: endMilliseconds)
    let (total, overflow) = count.multipliedReportingOverflow(by: partCount)
    if overflow || total > room {
      return "The span has room for \(room) lines, all parts together; make it longer."
    }
    return nil
  }
}

extension String {
  fileprivate var hasIdentifierText: Bool {
    !utf8.contains(0) && !utf8.allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
  }
}
