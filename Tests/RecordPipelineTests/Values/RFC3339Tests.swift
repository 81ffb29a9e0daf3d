import RecordPipeline
import Testing

struct RFC3339Tests {
  @Test(
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59.999Z", -1),
      ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
      ("0001-01-01T00:00:00Z", -62_135_596_800_000),
      ("", nil), ("now", nil), ("2026-11-21", nil), ("2026-11-21T00:00:00", nil),
      ("1795219200000", nil),
    ] as [(String, Int64?)])
  func `an option's time is an RFC 3339 instant`(text: String, time: Int64?) {
    #expect(epochMilliseconds(text) == time)
  }

  @Test func `the month and the day of every day since 2000 agree with the calendar`() throws {
    for year in 2000...2100 {
      for month in 1...12 {
        for day in 1...31 {
          guard let date = CalendarDay(year: year, month: month, day: day) else { continue }
          let start = Int64(date.daysSinceEpoch) * 86_400_000
          let isRight =
            monthsSinceEpoch(start) == (year - 1970) * 12 + month - 1
            && monthsSinceEpoch(start + 86_399_999) == (year - 1970) * 12 + month - 1
            && epochMilliseconds(calendarDay(start) + "T00:00:00Z") == start
            && calendarDay(start + 86_399_999) == calendarDay(start)
          if !isRight { Issue.record("\(year)-\(month)-\(day)") }
        }
      }
    }
  }
}
