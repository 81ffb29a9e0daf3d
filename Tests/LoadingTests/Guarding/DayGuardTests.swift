import Foundation
import RecordPipeline
import TestSupport
import Testing

@testable import Loading

/// The verdict on the figures of a day.
struct DayGuardTests {
  /// 2026-01-31 in UTC.
  private static let day = ReportDay(
    text: "2026-01-31", bounds: 1_769_817_600_000..<1_769_904_000_000)

  private func figures(
    _ lines: [String], stream: String = "receipt", countsEmbedded: Bool = false
  ) throws -> DayFigures {
    var figures = DayFigures(of: Self.day)
    figures.note(stream: stream)
    let folder = try TemporaryFolder()
    let path = try folder.write("file.jsonl", lines: lines)
    let declared = try #require(StreamCatalog.stream(named: stream))
    var options = LoadOptions()
    options.appID = "a"
    options.asOf = 1_769_990_400_000
    let result = try FileValidation(options, startOfRun: 0).check(
      .input(Input(path: path, stream: stream)),
      batch: { figures.take($0, of: declared, countsEmbedded: countsEmbedded) }, reject: { _ in })
    #expect(result.status == .good, "\(result)")
    return figures
  }

  private func receipt(_ number: Int, _ members: String = "", time: Int64 = 1_769_817_600_000)
    -> String
  {
    #"{"userId":"u","paymentSeq":"\#(number)","purchaseTime":\#(time),"price":1.5,"currency":"USD"\#(members)}"#
  }

  @Test func `events of the day and paid purchases are counted, by application`() throws {
    let figures = try figures([
      receipt(1), receipt(2, #","appId":"b""#), receipt(3, #","sandboxPayment":true"#),
      receipt(4, #","promotionPayment":true"#), receipt(5, time: 1_769_817_599_999),
      receipt(6, time: 1_769_904_000_000), receipt(7, time: 1_769_903_999_999), receipt(1),
    ])
    let (a, b) = (
      DayFigures.Key(appID: "a", subject: "receipt"), DayFigures.Key(appID: "b", subject: "receipt")
    )
    #expect(figures.events == [a: 5, b: 1])
    let (paid, other) = (
      DayFigures.Key(appID: "a", subject: "USD"), DayFigures.Key(appID: "b", subject: "USD")
    )
    #expect(
      figures.purchases == [
        paid: .init(count: 3, amountMinor: 450), other: .init(count: 1, amountMinor: 150),
      ])
  }

  @Test func `a snapshot without a time of its own is no event of the day`() throws {
    let figures = try figures(
      [
        #"{"userId":"u","userLevel":1}"#,
        #"{"userId":"u","userLevel":2,"eventTime":1769817600000}"#,
      ], stream: "game_user")
    #expect(figures.events == [DayFigures.Key(appID: "a", subject: "game_user"): 1])
    #expect(figures.purchases.isEmpty)
  }

  @Test func `receipts within events count only where they have no files of their own`() throws {
    let event =
      #"{"category":"purchaseUpdated","eventTime":1769817600000,"data":\#(receipt(1))}"#
    let without = try figures([event], stream: "event")
    #expect(without.events == [DayFigures.Key(appID: "a", subject: "event"): 1])
    #expect(without.purchases.isEmpty)
    let with = try figures([event], stream: "event", countsEmbedded: true)
    #expect(with.events == without.events)
    #expect(with.purchases.values.map(\.amountMinor) == [150])
  }

  // MARK: - Verdicts

  private func verdict(
    _ count: Int, median: Double, least: Double? = nil, largest: Double? = nil, days: Int = 8
  ) throws -> GuardFinding.Verdict? {
    let key = DayFigures.Key(appID: "a", subject: "level_up")
    let lines = (0..<count).map {
      #"{"userId":"u\#($0)","userLevel":1,"levelUpTime":1769817600000}"#
    }
    let usual = UsualFigures(
      events: [
        key: .init(
          median: median, smallest: least ?? median, largest: largest ?? median, dayCount: days)
      ])
    let guardian = DayGuard(
      Self.day, figures: try figures(lines, stream: "level_up"), usual: usual, appID: nil)
    #expect(guardian.findings.count == 1)
    return guardian.findings.first?.verdict
  }

  @Test(
    arguments: [
      (99, .implausible), (100, .plausible), (200, .plausible), (400, .plausible),
      (401, .implausible), (0, .implausible),
    ] as [(Int, GuardFinding.Verdict)])
  func `half and twice the median are the bounds of a steady feed`(
    count: Int, expected: GuardFinding.Verdict
  ) throws {
    #expect(try verdict(count, median: 200) == expected)
  }

  @Test func `a feed that varies has wider bounds`() throws {
    #expect(try verdict(79, median: 200, least: 160, largest: 260) == .implausible)
    #expect(try verdict(80, median: 200, least: 160, largest: 260) == .plausible)
    #expect(try verdict(59, median: 200, least: 120, largest: 260) == .implausible)
    #expect(try verdict(520, median: 200, least: 120, largest: 260) == .plausible)
    #expect(try verdict(521, median: 200, least: 120, largest: 260) == .implausible)
  }

  @Test func `few days and small days give no verdict`() throws {
    #expect(try verdict(1, median: 200, days: 3) == GuardFinding.Verdict.none)
    #expect(try verdict(1, median: 200, days: 4) == .implausible)
    #expect(try verdict(1, median: 199) == GuardFinding.Verdict.none)
  }

  @Test func `an amount is judged from 200 purchases a day on, also if the files have none`() throws
  {
    let key = DayFigures.Key(appID: "a", subject: "USD")
    func verdict(_ amount: Double, purchases: Double, lines: [String]) throws -> [GuardFinding
      .Verdict]
    {
      let usual = UsualFigures(
        amounts: [
          key: .init(
            median: amount, smallest: amount, largest: amount, dayCount: 8, purchaseCount: purchases
          )
        ])
      return DayGuard(Self.day, figures: try figures(lines), usual: usual, appID: nil).findings
        .filter { $0.figure == .paidAmount }.map(\.verdict)
    }
    #expect(try verdict(150, purchases: 200, lines: [receipt(1)]) == [.plausible])
    #expect(try verdict(74, purchases: 200, lines: [receipt(1)]) == [.implausible])
    #expect(try verdict(74, purchases: 199, lines: [receipt(1)]) == [.none])
    #expect(try verdict(150, purchases: 200, lines: []) == [.implausible])
  }

  @Test
  func `a stream that the files lack is not judged, an application only if it is the only one`()
    throws
  {
    func subjects(_ apps: [String], appID: String?) throws -> [String] {
      let range = UsualFigures.Range(median: 200, smallest: 200, largest: 200, dayCount: 8)
      var events: [DayFigures.Key: UsualFigures.Range] = [:]
      for app in apps {
        events[DayFigures.Key(appID: app, subject: "receipt")] = range
        events[DayFigures.Key(appID: app, subject: "level_up")] = range
      }
      return DayGuard(
        Self.day, figures: try figures([]), usual: UsualFigures(events: events), appID: appID
      ).findings.map { "\($0.appID) \($0.subject) \($0.verdict.rawValue)" }
    }
    #expect(try subjects(["a"], appID: nil) == ["a receipt implausible"])
    #expect(try subjects(["a", "b"], appID: nil) == [])
    #expect(try subjects(["a", "b"], appID: "b") == ["b receipt implausible"])
  }
}
