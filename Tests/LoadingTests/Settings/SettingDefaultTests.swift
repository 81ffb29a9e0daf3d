import TestSupport
import Testing

@testable import Loading

/// The defaults of settings, which the program and the view `report.setting` both tell.
@Suite(.serialized, .needsServer, .ownDatabase) struct SettingDefaultTests {
  @Test func `the view of the settings has the defaults of the program`() throws {
    let fixture = try LoadFixture()
    let expected = DatabaseSetting.all.compactMap { setting in
      setting.defaultValue.map { [setting.name, $0] }
    }
    let names = expected.map { "'\($0[0])'" }.joined(separator: ",")
    let shown = try fixture.database.rows(
      "select name, value from report.setting where name in (\(names)) order by name")
    #expect(expected.count > 3)
    #expect(shown == expected.sorted { $0[0] < $1[0] })
  }

  @Test(arguments: [
    ("receipt-feed.Qb2FhTzN", "receipt-feed", "Qb2FhTzN"), ("max-age.item", "max-age", "item"),
    ("receipt-feed.a.b", "receipt-feed", "a.b"), ("time-zone", "time-zone", nil),
  ])
  func `a setting can have a value of an application or a stream`(
    name: String, kind: String, subject: String?
  ) throws {
    let setting = try #require(DatabaseSetting(name: name))
    #expect(setting.kind.rawValue == kind && setting.subject == subject && setting.name == name)
  }

  @Test(arguments: ["time-zone.a", "app-id.", "feed", "receipt-feed ", ""])
  func `there is no other setting`(name: String) {
    #expect(DatabaseSetting(name: name) == nil)
  }

  @Test func `a value is checked by its kind`() throws {
    let feed = try #require(DatabaseSetting(name: "receipt-feed.a"))
    #expect(feed.problem(with: "events") == nil && feed.problem(with: "event") != nil)
    let age = try #require(DatabaseSetting(name: "max-age.item"))
    #expect(age.problem(with: "200") == nil && age.problem(with: "0") != nil)
    let blank = try #require(DatabaseSetting(name: "receipt-feed. a"))
    #expect(blank.problem(with: "events") != nil)
  }
}
