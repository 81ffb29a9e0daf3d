/// One figure of a day, judged against the same weekdays before it.
package struct GuardFinding: Codable, Sendable, Equatable {
  package enum Verdict: String, Codable, Sendable {
    case plausible, implausible
    /// There are too few days, or a usual day is too small.
    case none
  }

  package enum Figure: String, Codable, Sendable {
    case events
    case paidAmount = "paid_amount"
  }

  /// Such as `2026-01-31`.
  package let day: String
  /// Empty when unknown.
  package let appID: String
  package let figure: Figure
  /// The stream of events, or the currency of an amount in its minor unit.
  package let subject: String
  package let value: Double
  /// nil: no such weekday has a figure.
  package let median: Double?
  package let smallest: Double?
  package let largest: Double?
  /// The days that the median is of, at most eight.
  package let dayCount: Int
  package let verdict: Verdict

  enum CodingKeys: String, CodingKey {
    case day, figure, subject, value, median, smallest, largest, verdict
    case appID = "app_id"
    case dayCount = "day_count"
  }

  package func encode(to encoder: any Encoder) throws {
    // Every key is always written, with null for a missing value, so that programs can rely on it.
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(day, forKey: .day)
    try container.encode(appID, forKey: .appID)
    try container.encode(figure, forKey: .figure)
    try container.encode(subject, forKey: .subject)
    try container.encode(value, forKey: .value)
    try container.encode(median, forKey: .median)
    try container.encode(smallest, forKey: .smallest)
    try container.encode(largest, forKey: .largest)
    try container.encode(dayCount, forKey: .dayCount)
    try container.encode(verdict, forKey: .verdict)
  }

  /// The figure with its median, for people.
  package var sentence: String {
    let unit =
      switch figure {
      case .events: "events of \(subject)"
      case .paidAmount: "minor units of \(subject) paid"
      }
    let usual =
      if let median, let smallest, let largest {
        "the last \(dayCount) same weekdays have \(Int(smallest)) to \(Int(largest)), median \(Int(median))"
      } else {
        "no same weekday has a figure"
      }
    let app = appID.isEmpty ? "" : " (\(appID))"
    return "\(day)\(app): \(Int(value)) \(unit); \(usual)"
  }
}
