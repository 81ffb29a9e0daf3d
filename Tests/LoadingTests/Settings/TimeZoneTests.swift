import Foundation
import Postgres
import TestSupport
import Testing

@testable import Loading

/// The reports' time zone: accepted names, and suggestions for the others.
@Suite(.serialized, .needsServer, .ownDatabase) struct TimeZoneTests {
  let fixture: LoadFixture

  init() throws { fixture = try LoadFixture(refreshing: true) }

  private func set(
    _ setting: DatabaseSetting = .timeZone, to value: String?
  ) throws -> SettingChange.Outcome {
    try SettingChange(setting, to: value, connection: try fixture.database.connect()).apply()
  }

  private func zone() throws -> String? {
    try fixture.database.value("select rollup.reporting_zone()")
  }

  @Test(arguments: ["Asia/Seoul", "America/Argentina/Buenos_Aires", "US/Pacific", "UTC"])
  func `UTC and names by area and city are accepted`(name: String) throws {
    #expect(try set(to: name).before == nil)
    #expect(try zone() == name)
  }

  @Test(arguments: [
    ("+9", "Asia/Seoul"), ("UTC+9", "Asia/Seoul"), ("GMT+09:00", "Asia/Seoul"),
    ("+0900", "Asia/Seoul"),
    ("Etc/GMT+9", "Asia/Seoul"), ("KST", "Asia/Seoul"), ("kst", "Asia/Seoul"),
    ("ROK", "Asia/Seoul"),
    ("asia/seoul", "Asia/Seoul"), ("Asia/Soul", "Asia/Seoul"), ("right/Asia/Seoul", "Asia/Seoul"),
    ("posix/Asia/Seoul", "Asia/Seoul"), ("-3", "America/"), ("+05:45", "Asia/Kathmandu"),
    ("Japan", "Asia/Tokyo"), ("Etc/UTC", "UTC"), ("utc", "UTC"), ("<x>-9", "Asia/Seoul"),
    ("Nowhere/Land", "Asia/Seoul"), ("'; drop table ingest.setting; --", "Asia/Seoul"),
  ])
  func `another name is refused with names to use instead`(name: String, instead: String) throws {
    let error = #expect(throws: LoadError.self) { try set(to: name) }
    #expect(error?.exitCode == .usage)
    #expect(error?.message.hasPrefix("time-zone: \(name) is ") == true)
    let suggestions = error?.message.components(separatedBy: "; use ").last ?? ""
    #expect(suggestions.contains(instead), "\(suggestions)")
    #expect(try zone() == "UTC")
    #expect(try fixture.database.value("select count(*) from ingest.setting") == "0")
  }

  @Test func `every zone that is suggested is accepted`() throws {
    for name in ["+9", "KST", "EST", "ROK", "-330", "+5:30", "Etc/GMT-14", "Asia/Seul"] {
      let error = #expect(throws: LoadError.self) { try set(to: name) }
      let suggestions = error?.message.components(separatedBy: "; use ").last ?? ""
      for suggestion in suggestions.components(separatedBy: ", ") where suggestion.contains("/") {
        let accepted = suggestion.components(separatedBy: " such as ").last ?? ""
        _ = try set(to: accepted)
        #expect(try zone() == accepted)
        _ = try set(to: nil)
      }
    }
  }

  @Test func `a change of the zone rebuilds the reports, and a repeated one does not`() throws {
    _ = try fixture.load(lines: [Lines.receipt()])
    let changed = try set(to: "Asia/Seoul")
    #expect(changed.before == nil)
    #expect(changed.rebuilt?.isFull == true)
    #expect(try set(to: "Asia/Seoul").rebuilt == nil)
    #expect(try set(to: nil).rebuilt?.isFull == true)
    // The default is UTC, so this changes no day.
    #expect(try set(to: "UTC").rebuilt == nil)
    #expect(try zone() == "UTC")
  }

  @Test func `a day of the reports follows the zone, and no session setting changes it`() throws {
    // 2025-07-01 23:00 UTC.
    _ = try fixture.load(lines: [Lines.receipt(["purchaseTime": "1751410800000"])])
    let day = "select day from report.revenue_by_day"
    #expect(try fixture.database.value(day) == "2025-07-01")
    _ = try set(to: "Asia/Seoul")
    #expect(try fixture.database.value(day) == "2025-07-02")
    let session = try fixture.database.connect()
    try session.execute("set timezone = '+9'; set gamebase_ingest.time_zone = '+9'")
    #expect(try session.query(day)[0, 0] == "2025-07-02")
  }

  @Test(arguments: ["+9", "KST", "Etc/GMT+9", "right/Asia/Seoul", "9/a", "Asia/"])
  func `the table refuses such a zone, too`(name: String) throws {
    let error = #expect(throws: PostgresError.self) {
      try fixture.database.rows(
        "insert into ingest.setting (name, value) values ('time-zone', $1)", [.text(name)])
    }
    #expect(error?.sqlState == .checkViolation)
  }

  @Test func `the base currency is a code with a minor unit`() throws {
    #expect(try fixture.database.value("select rollup.base_currency()") == nil)
    for (code, reason) in [
      ("XAU", "has no minor unit"), ("ZZZ", "is no currency of ISO 4217"),
    ] {
      let error = #expect(throws: LoadError.self) { try set(.baseCurrency, to: code) }
      #expect(error?.exitCode == .usage)
      #expect(error?.message.contains("\(code) \(reason)") == true)
    }
    #expect(DatabaseSetting.baseCurrency.problem(with: "krw") != nil)
    #expect(try set(.baseCurrency, to: "KRW").rebuilt?.isFull == false)
    #expect(try fixture.database.value("select rollup.base_currency()") == "KRW")
  }

  @Test func `a role without the right changes no setting`() throws {
    let fixture = try RoleFixture()
    let loader = try fixture.connect(as: fixture.roles.loader)
    for (setting, value) in [(DatabaseSetting.timeZone, "Asia/Seoul"), (.baseCurrency, "KRW")] {
      let error = #expect(throws: LoadError.self) {
        try SettingChange(setting, to: value, connection: loader).apply()
      }
      #expect(error?.code == .missingRight)
    }
    #expect(try fixture.database.value("select count(*) from ingest.setting") == "0")
  }
}
