import RecordPipeline
import Testing

struct RFC3339Tests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59.999Z", -1),
    ("2000-01-01T00:00:00Z", 946_684_800_000), ("2026-11-21T00:00:00Z", 1_795_219_200_000),
    ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
    ("0001-01-01T00:00:00Z", -62_135_596_800_000),
  ])
  func `an option's time is read to the millisecond`(text: String, time: Int64) {
    #expect(epochMilliseconds(text) == time)
  }

  @Test(arguments: ["", "now", "2026-11-21", "2026-11-21T00:00:00", "1795219200000"])
  func `an option's time must be an RFC 3339 instant`(text: String) {
    #expect(epochMilliseconds(text) == nil)
  }

  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("1970-01-31T23:59:59.999Z", 0), ("1970-02-01T00:00:00Z", 1),
    ("1969-12-31T23:59:59.999Z", -1), ("1969-01-01T00:00:00Z", -12), ("2000-02-29T12:00:00Z", 361),
    ("2000-03-01T00:00:00Z", 362), ("2021-12-31T23:59:59.999Z", 623), ("2022-01-01T00:00:00Z", 624),
    ("2100-02-28T23:59:59Z", 1561), ("2100-03-01T00:00:00Z", 1562),
  ])
  func `months are counted from January 1970`(text: String, month: Int) throws {
    #expect(monthsSinceEpoch(try #require(epochMilliseconds(text))) == month)
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

  @Test(
    arguments: [
      (0, "1970-01-01"), (1_616_649_225_531, "2021-03-25"), (951_782_400_000, "2000-02-29"),
      (951_868_799_999, "2000-02-29"), (951_868_800_000, "2000-03-01"),
      (4_102_444_800_000, "2100-01-01"),
    ] as [(Int64, String)])
  func `a day is written with leading zeros`(time: Int64, day: String) {
    #expect(calendarDay(time) == day)
  }
}
