import RecordPipeline
import Testing

struct TimesTests {
  private func time(
    _ text: String, unit: TimeUnit = .milliseconds
  ) throws -> String? {
    var rules = standardRules
    rules.timeUnit = unit
    return try row(levelUp(["levelUpTime": text]), as: .levelUp, rules: rules)["leveled_up_at"]
  }

  private func refusal(_ text: String, unit: TimeUnit = .milliseconds) throws -> RejectCode {
    var rules = standardRules
    rules.timeUnit = unit
    let rejection = try rejection(levelUp(["levelUpTime": text]), as: .levelUp, rules: rules)
    #expect(rejection.field == "levelUpTime")
    return rejection.code
  }

  @Test(arguments: [
    "1616649225531", "1616649225531.0", "1616649225531.000", "1.616649225531e12",
    "16166492255310e-1", "1616649225531E0", #""1616649225531""#, #""0001616649225531""#,
    #""\u0031616649225531""#, #""2021-03-25T05:13:45.531Z""#, #""2021-03-25T05:13:45.531000000Z""#,
    #""2021-03-25T14:13:45.531+09:00""#, #""2021-03-24T17:28:45.531-11:45""#,
    #""2021-03-26T05:12:45.531+23:59""#, #""2021-03-25T05:13:45.531-00:00""#,
  ])
  func `every spelling of an instant gives the same time`(text: String) throws {
    #expect(try time(text) == "2021-03-25T05:13:45.531Z")
  }

  @Test(arguments: [
    ("2000-02-29T00:00:00Z", "2000-02-29T00:00:00.000Z"),
    ("2024-02-29T23:59:59.9Z", "2024-02-29T23:59:59.900Z"),
    ("2024-12-31T23:59:59.99Z", "2024-12-31T23:59:59.990Z"),
    ("2023-03-01T00:00:00.001+00:30", "2023-02-28T23:30:00.001Z"),
    ("2025-01-01T00:00:00+00:01", "2024-12-31T23:59:00.000Z"),
    ("1999-12-31T23:00:00-01:00", "2000-01-01T00:00:00.000Z"),
  ])
  func `a text is exact to the millisecond across days and years`(
    text: String, instant: String
  ) throws {
    #expect(try time("\"\(text)\"") == instant)
  }

  @Test(arguments: [
    "", "2021-03-25", "2021-03-25T05:13Z", "2021-03-25T05Z", "2021-03-25 05:13:45Z",
    "2021-03-25t05:13:45Z", "2021-03-25T05:13:45z", "2021-3-25T05:13:45Z", "21-03-25T05:13:45Z",
    "2021-03-25T05:13:45.Z", "2021-03-25T05:13:45,5Z", "2021-03-25T05:13:60Z",
    "2016-12-31T23:59:60Z", "2021-03-25T24:00:00Z", "2021-03-25T05:60:00Z", "2021-02-29T00:00:00Z",
    "2021-04-31T00:00:00Z", "2021-00-10T00:00:00Z", "2021-13-10T00:00:00Z", "2021-03-00T00:00:00Z",
    "2100-02-29T00:00:00Z", "0000-01-01T00:00:00Z", "+2021-03-25T05:13:45Z",
    "12021-03-25T05:13:45Z", "2021-03-25T05:13:45+09", "2021-03-25T05:13:45+0900",
    "2021-03-25T05:13:45+24:00", "2021-03-25T05:13:45+09:60", "2021-03-25T05:13:45+9:00",
    "2021-03-25T05:13:45 Z", "2021-03-25T05:13:45Z ", " 2021-03-25T05:13:45Z",
    "2021-03-25T05:13:45ZZ", "2021-03-25T05:13:45UTC", "20210325T051345Z", "2021-W12-4T05:13:45Z",
    "2021-03-25T05:13:45.531−00:00", "1616649225531.0", "-1616649225531", "+1616649225531",
    "1.6e12", "1616649225531 ", "٢٠٢١-03-25T05:13:45Z", "null", "2021-03-25T05:13:45Z\\u0000",
  ])
  func `a text in any other form is refused`(text: String) throws {
    #expect(try refusal("\"\(text)\"") == (text.isEmpty ? .missingField : .invalidTime))
  }

  @Test(arguments: ["2021-03-25T05:13:45", "2021-03-25T05:13:45.531"])
  func `a text without an offset is refused`(text: String) throws {
    #expect(try refusal("\"\(text)\"") == .timeWithoutZone)
  }

  @Test(arguments: [
    "1616649225531.5", "1616649225531.0000000000000000000001", "1.6166492255311e12",
    #""2021-03-25T05:13:45.5311Z""#, #""2021-03-25T05:13:45.5310000000001Z""#,
  ])
  func `a fraction of a millisecond is refused, not rounded`(text: String) throws {
    #expect(try refusal(text) == .timeTooPrecise)
  }

  @Test(arguments: [
    ("946684800", RejectCode.timeInSeconds), ("1616649225", .timeInSeconds),
    ("1616649225.531", .timeInSeconds), (#""1616649225""#, .timeInSeconds),
    ("9999999999", .timeInSeconds), ("946684800000000", .timeInMicroseconds),
    ("1616649225531000", .timeInMicroseconds), ("9999999999999999", .timeInMicroseconds),
    ("946684800000000000", .timeInNanoseconds), ("1616649225531000000", .timeInNanoseconds),
    (#""1616649225531000000""#, .timeInNanoseconds), ("9223372036854775808", .timeInNanoseconds),
  ])
  func `a number in the range of another unit is refused with a code for that unit`(
    text: String, code: RejectCode
  ) throws {
    #expect(try refusal(text) == code)
  }

  @Test(arguments: [
    "0", "-0", "-1", "-1616649225531", "1", "946684799", "946684799999", "10000000000",
    "1795305600001", "10000000000000", "1e19", "1e400", "18446744073709551616",
    #""00""#, "2021", #""1999-12-31T23:59:59.999Z""#, #""9999-12-31T23:59:59Z""#,
    #""0001-01-01T00:00:00Z""#, #""2026-11-22T00:00:00.001Z""#,
  ])
  func `a time outside the accepted years is refused`(text: String) throws {
    #expect(try refusal(text) == .timeOutOfRange)
  }

  @Test func `the bounds are inclusive`() throws {
    #expect(try time("946684800000") == "2000-01-01T00:00:00.000Z")
    #expect(try time("1795305600000") == "2026-11-22T00:00:00.000Z")
  }

  @Test(arguments: ["true", "[]", "{}"])
  func `a time of another type is refused`(text: String) throws {
    #expect(try refusal(text) == .wrongType)
  }

  @Test(arguments: [
    ("1616649225", TimeUnit.seconds), ("1616649225.0", .seconds), (#""1616649225""#, .seconds),
    ("1616649225000000", .microseconds), ("1.616649225e15", .microseconds),
    ("1616649225000000.0", .microseconds), ("1616649225000", .milliseconds),
    (#""2021-03-25T05:13:45Z""#, .seconds), (#""2021-03-25T05:13:45Z""#, .microseconds),
  ])
  func `a declared unit applies to numbers, not to texts`(text: String, unit: TimeUnit) throws {
    #expect(try time(text, unit: unit) == "2021-03-25T05:13:45.000Z")
  }

  @Test func `a declared unit is exact to the millisecond`() throws {
    #expect(try time("1616649225.531", unit: .seconds) == "2021-03-25T05:13:45.531Z")
    #expect(try time("1616649225531000", unit: .microseconds) == "2021-03-25T05:13:45.531Z")
    #expect(try refusal("1616649225.5311", unit: .seconds) == .timeTooPrecise)
    #expect(try refusal("1616649225531001", unit: .microseconds) == .timeTooPrecise)
    #expect(try refusal("1616649225531", unit: .seconds) == .timeOutOfRange)
    #expect(try refusal("1616649225000", unit: .microseconds) == .timeOutOfRange)
  }

  // MARK: - Expiry

  private func expiry(_ text: String?) throws -> String? {
    try row(receipt(["expiryTime": text]))["expires_at"]
  }

  @Test(arguments: [
    nil, "null", #""""#, "0", "-1", "0.0", "-0", "-1616649225531", "-0.5", "-1e400", #""0""#,
  ])
  func `every form of no expiry is stored as NULL`(text: String?) throws {
    #expect(try expiry(text) == nil)
  }

  @Test func `an expiry may be as late as 2100`() throws {
    #expect(try expiry("4102444800000") == "2100-01-01T00:00:00.000Z")
    #expect(try expiry(#""2100-01-01T00:00:00Z""#) == "2100-01-01T00:00:00.000Z")
    #expect(try expiry("946684800000") == "2000-01-01T00:00:00.000Z")
  }

  @Test(arguments: [
    ("4102444800001", RejectCode.timeOutOfRange), ("946684799999", .timeOutOfRange),
    ("1619327625", .timeInSeconds), ("1619327625531000", .timeInMicroseconds),
    ("1619327625531000000", .timeInNanoseconds), ("1619327625531.5", .timeTooPrecise),
    (#""-1""#, .invalidTime), (#""never""#, .invalidTime), ("false", .wrongType),
    (#""2021-04-25T05:13:45""#, .timeWithoutZone),
  ])
  func `an invalid expiry is refused like any time`(text: String, code: RejectCode) throws {
    let rejection = try rejection(receipt(["expiryTime": text]))
    #expect(rejection.code == code)
    #expect(rejection.field == "expiryTime")
  }
}
