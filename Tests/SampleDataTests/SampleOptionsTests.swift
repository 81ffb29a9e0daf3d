import SampleData
import Testing

struct SampleOptionsTests {
  @Test func `the defaults are valid`() {
    #expect(SampleOptions().problem == nil)
    #expect(SampleOptions(count: 40_000_000, partCount: 31).problem == nil)
  }

  @Test func `the default is one user per twenty lines, within bounds`() {
    #expect(SampleOptions(count: 100_000).users == 5000)
    #expect(SampleOptions(count: 10_000, partCount: 10).users == 5000)
    #expect(SampleOptions(count: 10).users == 100)
    #expect(SampleOptions(count: .max).users == 1_000_000)
    #expect(SampleOptions(count: 100_000, users: 3).users == 3)
    #expect(SampleOptions(totals: [.receipt: 2000, .levelUp: 40_000]).users == 2000)
  }

  @Test(arguments: [
    (SampleOptions(count: -1), "must not be negative"),
    (SampleOptions(users: 0), "Users"),
    (SampleOptions(users: 2_147_483_648), "Users"),
    (SampleOptions(part: 3, partCount: 3), "part"),
    (SampleOptions(part: -1), "part"),
    (SampleOptions(partCount: 0), "part"),
    (SampleOptions(badShare: 1.5), "share"),
    (SampleOptions(repeatShare: -0.1), "share"),
    (SampleOptions(blankShare: .nan), "share"),
    (SampleOptions(badShare: 0.6, repeatShare: 0.5), "add up"),
    (SampleOptions(lateShare: 0.51), "late lines"),
    (SampleOptions(correctionShare: 0.11), "corrections"),
    (SampleOptions(totals: [.receipt: -1]), "must not be negative"),
    (SampleOptions(totals: [.receipt: 5, .levelUp: .max]), "room"),
    (SampleOptions(part: 31, isFilePerDay: true), "part"),
    (SampleOptions(appIDs: Array(repeating: "a", count: 9)), "8 applications"),
    (SampleOptions(startMilliseconds: 946_684_799_999), "2000-01-01"),
    (SampleOptions(endMilliseconds: 4_070_908_800_001), "2099-01-01"),
    (SampleOptions(startMilliseconds: 1_754_006_400_000), "end after"),
    (SampleOptions(count: .max, partCount: 2), "room"),
    (SampleOptions(count: 45_000_000, partCount: 31), "room"),
    (SampleOptions(appIDs: ["Qb2FhTzN", " "]), "application"),
    (SampleOptions(appIDs: [""]), "application"),
    (SampleOptions(appIDs: ["a\0b"]), "application"),
  ])
  func `invalid options give a reason`(options: SampleOptions, reason: String) throws {
    let problem = try #require(options.problem)
    #expect(problem.contains(reason))
  }
}
