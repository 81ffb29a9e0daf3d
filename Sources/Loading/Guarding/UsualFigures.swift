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
