/// The lines of a stream that are not written yet; some of them are bad, late, repeated or corrected.
final class Lane {
  /// The text that a line has, and the text that takes its place.
  private typealias Edit = (found: String, replacement: String)

  /// The days from a record to the last day on which its line may come, and one more.
  private static let reach = 6

  private(set) var counts = (lines: 0, bad: 0, bytes: 0)
  /// The lines of today and of the next days, fewer at the end of the game.
  private var pending: [[UInt8]]
  private let badShare: Double
  private let (faults, corrections): ([Edit], [Edit])

  init(_ stream: SampleStream, _ options: SampleOptions) {
    badShare = options.badShare
    pending = Array(repeating: [], count: min(options.days, Self.reach))
    (faults, corrections) = Self.edits(of: stream)
  }

  /// Adds a line of today; `random` decides its fate.
  func add(_ line: String, _ random: consuming SeededRandom) {
    if random.fraction() <= badShare {
      counts.bad += 1
      return put(Self.edit(line, by: faults, from: random.below(faults.count)))
    }
    let (fate, delay) = (random.below(100), 1 + random.below(Self.reach - 1))
    if fate < 2, delay < pending.count { return put(line, after: delay) }
    put(line)
    if fate >= 98 {
      put(line, after: min(delay % 2, pending.count - 1))
    } else if random.fraction() <= badShare / 2, pending.count > 1 {
      put(Self.edit(line, by: corrections), after: 1)
    }
  }

  private func put(_ line: String, after days: Int = 0) {
    pending[days] += line.utf8
    pending[days].append(UInt8(ascii: "\n"))
    counts.lines += 1
    counts.bytes += line.utf8.count + 1
  }

  /// Ends the day, and returns its lines; the days that follow bound how late a line can come.
  func endDay(daysLeft: Int) -> [UInt8] {
    if daysLeft >= Self.reach { pending.append([]) }
    return pending.removeFirst()
  }

  // MARK: - Edits of finished lines, so that the writers need no code for faults

  /// The line after the first edit that applies, from the one at `start` on.
  private static func edit(_ line: String, by edits: [Edit], from start: Int = 0) -> String {
    (edits[start...] + edits[..<start]).lazy
      .map { line.replacing($0.found, with: $0.replacement, maxReplacements: 1) }
      .first { $0 != line } ?? line
  }

  /// Faults for which a loader with default limits refuses a line; and corrections, which supply or
  /// change a value: an event has none and comes once more as it was.
  private static func edits(of stream: SampleStream) -> (faults: [Edit], corrections: [Edit]) {
    // The unknown field of some lines in place of a mandatory one; microseconds for milliseconds.
    func missing(_ name: String) -> Edit { ("\"\(name)\"", #""sdkVersion""#) }
    func micros(_ name: String) -> Edit { ("\"\(name)\":1", "\"\(name)\":1000") }
    let everywhere = [
      (#""userId":""#, #""userId":"#), ("{", "[{"), ("{", #"{"userId":1.5,"#),
      (#""userId":""#, #""userId":"\u0000"#), (#""userId":""#, #""userId":"\ud83c"#),
    ]
    let price = [(#""price":"#, #""price":-5"#), (#""currency":""#, #""currency":"Z"#)]
    let (user, level, token) = (missing("userId"), #""userLevel":"#, #""purchaseToken":""#)
    let state = everywhere + [user, (level, level + "-"), (level, level + "0.")]
    let (mage, name) = (#"lassId":"mage""#, #"lassId":""#)
    let classes = [(#"lassId":null"#, mage), (name + "\"", mage), (name, name + "high-")]
    return switch stream {
    case .receipt:
      (
        everywhere + price + [user, missing("paymentSeq"), micros("purchaseTime")]
          + [(token, token + #"\u0000"#)],
        (1...8).map { ("\"price\":\($0)", "\"price\":\($0 + 1)") }
      )
    case .levelUp: (state + [missing("levelUpTime"), micros("levelUpTime")], classes)
    case .gameUser: (state + [micros("eventTime")], classes)
    case .item:
      (
        everywhere + price + [micros("eventTime")],
        [("ctive\":true", "ctive\":false"), ("ctive\":false", "ctive\":true")]
      )
    case .event: (everywhere + [micros("eventTime"), missing("category")], [])
    }
  }
}
