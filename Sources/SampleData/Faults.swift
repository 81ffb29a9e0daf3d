/// A fault for which a loader with default limits and time unit refuses a line: an edit of the
/// finished bytes, so that the writers need no code for faults.
struct Fault: Sendable {
  /// What is found in the line, and what takes its place; an empty text to find cuts the line off.
  let good: String
  let bad: String

  private init(_ good: String, _ bad: String) { (self.good, self.bad) = (good, bad) }

  /// The faults that lines of a stream can have.
  static func all(of stream: SampleStream) -> [Fault] {
    let everywhere = [
      Fault("", ""), Fault("{", "[{"), Fault("{", #"{"userId":1.5,"#),
      Fault(#""userId":""#, #""userId":"\u0000"#), Fault(#""userId":""#, #""userId":"\ud83c"#),
    ]
    // The unknown field of some lines in place of a mandatory one.
    func missing(_ name: String) -> Fault { Fault("\"\(name)\"", #""sdkVersion""#) }
    let price = [Fault(#""price":"#, #""price":-5"#), Fault(#""currency":""#, #""currency":"Z"#)]
    let level = [
      missing("userId"), Fault(#""userLevel":"#, #""userLevel":-"#),
      Fault(#""userLevel":"#, #""userLevel":0."#),
    ]
    // Milliseconds become microseconds.
    func micros(_ name: String) -> Fault { Fault("\"\(name)\":1", "\"\(name)\":1000") }
    switch stream {
    case .receipt:
      return everywhere + price + [
        missing("userId"), missing("paymentSeq"), micros("purchaseTime"),
        Fault(#""purchaseToken":""#, #""purchaseToken":"\u0000"#),
      ]
    case .levelUp: return everywhere + level + [missing("levelUpTime"), micros("levelUpTime")]
    case .gameUser: return everywhere + level + [micros("eventTime")]
    case .item: return everywhere + price + [micros("eventTime")]
    case .event: return everywhere + [micros("eventTime"), missing("category")]
    }
  }

  /// Makes a bad line of the one from `start` to the end of `line`, which has no newline yet.
  func inject(into line: inout [UInt8], from start: Int) {
    if good.isEmpty { return line.removeLast((line.count - start) / 3) }
    if let range = line[start...].firstRange(of: Array(good.utf8)) {
      line.replaceSubrange(range, with: Array(bad.utf8))
    }
  }
}
