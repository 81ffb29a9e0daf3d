extension SampleOptions {
  /// The reason why these options are invalid, as a sentence for users; nil when they are valid.
  package var problem: String? {
    problemOfShares ?? problemOfSpan ?? problemOfFiles ?? problemOfUsers ?? problemOfRoom
  }

  private var problemOfShares: String? {
    for share in [badShare, repeatShare, blankShare] where !(0...1).contains(share) {
      return "A share of lines must lie in 0...1."
    }
    guard (0...0.5).contains(lateShare) else {
      return "The share of late lines must lie in 0...0.5."
    }
    guard (0...0.1).contains(correctionShare) else {
      return "The share of corrections must lie in 0...0.1."
    }
    // The tolerance is for sums such as 0.7 + 0.2 + 0.1, which are inexact in doubles.
    if badShare + repeatShare + blankShare > 1.000_001 {
      return "The shares of bad, repeated and blank lines add up to more than 1."
    }
    return nil
  }

  private var problemOfSpan: String? {
    // The bounds of the data contract, less the last year, so that no expiry is after 2100.
    if startMilliseconds < 946_684_800_000 || endMilliseconds > 4_070_908_800_000 {
      return "The span must lie between 2000-01-01 and 2099-01-01 UTC."
    }
    return startMilliseconds < endMilliseconds ? nil : "The span must end after it starts."
  }

  private var problemOfFiles: String? {
    if count < 0 || totals?.values.contains(where: { $0 < 0 }) == true {
      return "The number of lines must not be negative."
    }
    if partCount < 1 || !(0..<fileCount).contains(part) {
      return "The part must lie in 0..<\(fileCount), and there must be at least one part."
    }
    return nil
  }

  private var problemOfUsers: String? {
    if !(1...100_000_000).contains(users) { return "Users must lie in 1...100000000." }
    if appIDs.count > 8 { return "There can be at most 8 applications." }
    for appID in appIDs where !(1...512).contains(appID.utf8.count) || !appID.hasIdentifierText {
      return "An application id must be text of 1 to 512 bytes without NUL."
    }
    return nil
  }

  /// Every line has its own millisecond, which alone makes all natural keys unique.
  private var problemOfRoom: String? {
    let days = days
    let room = (0..<days.count).reduce(0) { $0 + days.capacity(of: $1) }
    let (product, overflow) = count.multipliedReportingOverflow(by: partCount)
    if totals?.values.max() ?? (overflow ? .max : product) > room {
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
