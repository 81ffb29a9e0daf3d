package import Postgres

/// Judges whether the figures of a day are plausible, before the first file of it is committed.
///
/// A figure is implausible if it is below half or above twice the median of the last eight same
/// weekdays, and also below half of the least or above twice the largest of them: some feeds vary
/// more than others. It is not judged against fewer than four days, nor where a usual day is so small
/// that chance alone doubles it.
package struct DayGuard: Sendable {
  /// Days below which there is no verdict.
  static let leastDays = 4
  /// The events or paid purchases of a usual day below which a figure is not judged: with fewer, chance
  /// and a few large purchases double it.
  static let leastCount = 200.0
  /// The factor to the median, the least and the largest figure that is still plausible.
  static let factor = 2.0

  private let day: ReportDay
  private let figures: DayFigures
  private let usual: UsualFigures
  /// The only application of the files; nil: not known.
  private let appID: String?

  package init(_ day: ReportDay, figures: DayFigures, usual: UsualFigures, appID: String?) {
    self.day = day
    self.figures = figures
    self.usual = usual
    self.appID = appID
  }

  /// The judged figures: events first, each in the order of applications and subjects.
  ///
  /// A figure without the rows of a file that cannot be read says nothing, so it is left out.
  package var findings: [GuardFinding] {
    let events = keys(
      figures.events.keys, usual.events.keys.filter { figures.streams.contains($0.subject) }
    ).filter { !figures.unreadable.contains($0.subject) }
    let lacksPurchases = !figures.unreadable.isDisjoint(with: ["receipt", "event"])
    let amounts =
      lacksPurchases
      ? []
      : keys(
        figures.purchases.keys,
        figures.streams.contains("receipt") ? usual.amounts.keys.map(\.self) : [])
    return events.map { key in
      let days = usual.events[key]
      return finding(
        .events, key, Double(figures.events[key] ?? 0), days,
        isLarge: days.map { $0.median >= Self.leastCount } ?? false)
    }
      + amounts.map { key in
        let days = usual.amounts[key]
        return finding(
          .paidAmount, key, figures.purchases[key]?.amountMinor ?? 0, days,
          isLarge: days.map { $0.purchaseCount ?? 0 >= Self.leastCount } ?? false)
      }
  }

  /// The figures to judge: those of the files, and those that a usual day has and the files lack.
  ///
  /// A figure that the files lack is of the application of the files, or of the only one there is.
  private func keys(
    _ found: some Collection<DayFigures.Key>, _ usual: [DayFigures.Key]
  ) -> [DayFigures.Key] {
    let apps = Set(usual.map(\.appID))
    let expected = appID ?? (apps.count == 1 ? apps.first : nil)
    return Set(found).union(usual.filter { $0.appID == expected })
      .sorted { ($0.appID, $0.subject) < ($1.appID, $1.subject) }
  }

  private func finding(
    _ figure: GuardFinding.Figure, _ key: DayFigures.Key, _ value: Double,
    _ days: UsualFigures.Range?, isLarge: Bool
  ) -> GuardFinding {
    var verdict = GuardFinding.Verdict.none
    if let days, isLarge, days.dayCount >= Self.leastDays, days.median > 0 {
      let isLow = value * Self.factor < min(days.median, days.smallest)
      let isHigh = value > Self.factor * max(days.median, days.largest)
      verdict = isLow || isHigh ? .implausible : .plausible
    }
    return GuardFinding(
      day: day.text, appID: key.appID, figure: figure, subject: key.subject, value: value,
      median: days?.median, smallest: days?.smallest, largest: days?.largest,
      dayCount: days?.dayCount ?? 0, verdict: verdict)
  }
}

/// The same weekdays before a day.
package struct UsualFigures: Sendable, Equatable {
  /// One figure over these days.
  package struct Range: Sendable, Equatable {
    package let median: Double
    package let smallest: Double
    package let largest: Double
    package let dayCount: Int
    /// The paid purchases of a usual day; nil for a stream.
    package let purchaseCount: Double?

    package init(
      median: Double, smallest: Double, largest: Double, dayCount: Int, purchaseCount: Double? = nil
    ) {
      self.median = median
      self.smallest = smallest
      self.largest = largest
      self.dayCount = dayCount
      self.purchaseCount = purchaseCount
    }
  }

  package private(set) var events: [DayFigures.Key: Range] = [:]
  package private(set) var amounts: [DayFigures.Key: Range] = [:]

  package init(
    events: [DayFigures.Key: Range] = [:], amounts: [DayFigures.Key: Range] = [:]
  ) {
    self.events = events
    self.amounts = amounts
  }

  /// Reads the days; the loader role may.
  package init(before day: ReportDay, on connection: Connection) throws {
    let rows = try connection.rows(
      of: Row.self,
      """
      select app_id, stream, currency, day_count, purchase_count, median, smallest, largest
        from ingest.usual_figures($1::date)
      """, [.text(day.text)])
    for row in rows {
      let range = Range(
        median: row.median, smallest: row.smallest, largest: row.largest, dayCount: row.dayCount,
        purchaseCount: row.purchaseCount)
      if let currency = row.currency {
        amounts[DayFigures.Key(appID: row.appID, subject: currency)] = range
      } else {
        events[DayFigures.Key(appID: row.appID, subject: row.stream)] = range
      }
    }
  }

  private struct Row: Decodable {
    let appID: String
    let stream: String
    let currency: String?
    let dayCount: Int
    let purchaseCount: Double?
    let median: Double
    let smallest: Double
    let largest: Double
  }
}

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
