import RecordPipeline
import Testing

/// Times in a declared unit; the fixtures have those in milliseconds.
struct TimesTests {
  @Test(
    arguments: [
      ("1616649225", .seconds, "2021-03-25T05:13:45.000Z"),
      ("1616649225.0", .seconds, "2021-03-25T05:13:45.000Z"),
      (#""1616649225""#, .seconds, "2021-03-25T05:13:45.000Z"),
      ("1616649225.531", .seconds, "2021-03-25T05:13:45.531Z"),
      ("1616649225000000", .microseconds, "2021-03-25T05:13:45.000Z"),
      ("1.616649225e15", .microseconds, "2021-03-25T05:13:45.000Z"),
      ("1616649225000000.0", .microseconds, "2021-03-25T05:13:45.000Z"),
      ("1616649225531000", .microseconds, "2021-03-25T05:13:45.531Z"),
      // A text has its own unit.
      (#""2021-03-25T05:13:45Z""#, .seconds, "2021-03-25T05:13:45.000Z"),
      (#""2021-03-25T05:13:45Z""#, .microseconds, "2021-03-25T05:13:45.000Z"),
      ("1616649225.5311", .seconds, "time_too_precise"),
      ("1616649225531001", .microseconds, "time_too_precise"),
      ("1616649225531", .seconds, "time_out_of_range"),
      ("1616649225000", .microseconds, "time_out_of_range"),
    ] as [(String, TimeUnit, String)])
  func `a number in the declared unit is exact to the millisecond`(
    text: String, unit: TimeUnit, expected: String
  ) throws {
    var rules = standardRules
    rules.timeUnit = unit
    let reading = try Reading(levelUp(["levelUpTime": text]), as: .levelUp, rules: rules)
    let codes = reading.rejects.map(\.rejection.code.rawValue)
    #expect(reading.rows.compactMap { $0["leveled_up_at"] } + codes == [expected])
  }
}
