import Loading
import Testing

struct RejectLimitTests {
  @Test(arguments: [
    ("0", RejectLimit.count(0)), ("17", .count(17)), ("2%", .percentage(2)),
    ("0.5%", .percentage(0.5)),
    ("100%", .percentage(100)), ("unlimited", .unlimited),
  ])
  func `a limit is a number, a percentage or unlimited`(text: String, limit: RejectLimit) {
    #expect(RejectLimit(text) == limit)
  }

  @Test(arguments: ["", "-1", "101%", "-1%", "%", "nan%", "inf%", "1.5", "Unlimited", "ten", "1 "])
  func `other text is not a limit`(text: String) {
    #expect(RejectLimit(text) == nil)
  }

  @Test(arguments: [
    (RejectLimit.standard, 100, 100, false), (.standard, 101, 101, true),
    (.standard, 101, 10_100, false), (.standard, 102, 10_100, true), (.standard, 0, 0, false),
    (.count(0), 0, 5, false), (.count(0), 1, 1_000_000, true), (.count(3), 3, 3, false),
    (.percentage(29), 29, 100, false), (.percentage(29), 30, 100, true),
    (.percentage(50), 1, 2, false), (.percentage(50), 2, 3, true),
    (.percentage(0), 1, 1_000_000, true),
    (.percentage(100), 3, 3, false), (.unlimited, 9, 9, false),
  ])
  func `a limit is exceeded only above its value`(
    limit: RejectLimit, rejected: Int, lines: Int, isPassed: Bool
  ) {
    #expect(limit.isPassed(rejected: rejected, lines: lines) == isPassed)
  }
}
