import PlayerHistory
import Testing

@Suite struct DayTests {
  @Test(arguments: [
    (0, -5, 0), (2, 2, 0), (8, 2, 0), (9, 9, 0), (30, 30, 0), (31, 30, 31), (59, 58, 31),
    (60, 58, 60), (365, 359, 335), (366, 366, 366), (-1, -5, -31), (-36_524, -36_524, -36_524),
    (8_766, 8_766, 8_766),
  ])
  func `a week begins on Monday, a month on its first day`(day: Int32, week: Int32, month: Int32) {
    #expect(Day(number: day).week.number == week)
    #expect(Day(number: day).month.number == month)
  }

  @Test func `a day that the zone leaves out belongs to nobody`() {
    // Hours; day 5 has 25 hours, day 7 has 23, and the zone goes from day 10 to day 12.
    let calendar = CalendarDays(
      days: [4, 6, 8, 12].map { Day(number: $0) },
      starts: [0, 49, 96, 168].map { Instant(microseconds: $0 * Player.hour) })
    let found = [0, 23, 24, 47, 48, 49, 72, 73, 95, 96, 144, 167, 168, 191, 192].map {
      calendar.day(of: Instant(microseconds: $0 * Player.hour))
    }
    #expect(found.map(\.number) == [4, 4, 5, 5, 5, 6, 6, 7, 7, 8, 10, 10, 12, 12, 13])
  }

  @Test func `firsts of days add up to the users of a period`() {
    let player = Player()
    for day in [1.0, 2, 3, 30, 31] { player.level(day, Int32(day)) }
    player.level(4, 9, kind: .snapshot)
    func days(_ kind: KeyPath<PlayerDay, Periods>, _ period: Periods) -> [Int32] {
      player.rows.days.filter { $0[keyPath: kind].contains(period) }.map(\.day.number)
    }
    #expect(days(\.firstObserved, .week) == [1, 2, 30])
    #expect(days(\.firstObserved, .month) == [1, 31])
    #expect(days(\.firstLevelUp, .month) == [1, 31])
    #expect(days(\.firstSnapshot, .week) == [4])
  }

  @Test(arguments: [
    (0, 0), (15, 15), (16, 16), (17, 16), (18, 17), (31, 23), (32, 24), (1_000, 63), (1_023, 63),
    (1_024, 64), (Int64.max, 15 + 8 * 59),
  ])
  func `a bucket keeps the four highest bits`(seconds: Int64, number: Int32) {
    #expect(DurationBucket.number(of: seconds) == number)
  }

  @Test func `texts are equal by their bytes, and NULL is the last of them`() {
    let texts = TextTable()
    let ids = (0..<5_000).map { texts.id(of: "text \($0)") }
    #expect(ids.indices.allSatisfy { texts.id(of: "text \($0)") == ids[$0] })
    #expect(texts.string(ids[4_999]) == "text 4999")
    #expect(texts.id(of: "") != .null && texts.string(texts.id(of: "")) == "")
    #expect(texts.precedes(texts.id(of: "Z"), texts.id(of: "a")))
    #expect(texts.precedes(texts.id(of: "\u{FFFF}"), .null))
    #expect(!texts.precedes(.null, .null))
    texts.removeAll()
    #expect(texts.count == 0 && texts.id(of: "text 7").number == 0)
  }
}
