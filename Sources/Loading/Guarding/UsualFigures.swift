package import Postgres

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
    let rows = try connection.query(
      """
      select app_id, stream, currency, day_count, purchase_count, median, smallest, largest
        from ingest.usual_figures($1::date)
      """, [.text(day.text)]
    ).rows
    for row in rows {
      func number(_ column: Int) -> Double? { row[column].flatMap { Double($0) } }
      guard let app = row[0], let stream = row[1], let days = row[3].flatMap({ Int($0) }),
        let median = number(5), let smallest = number(6), let largest = number(7)
      else { continue }
      let range = Range(
        median: median, smallest: smallest, largest: largest, dayCount: days,
        purchaseCount: number(4))
      if let currency = row[2] {
        amounts[DayFigures.Key(appID: app, subject: currency)] = range
      } else {
        events[DayFigures.Key(appID: app, subject: stream)] = range
      }
    }
  }
}
