/// A main figure: on the page at the head of an application, and a line on the terminal.
package struct Tile: Sendable {
  package let name: String
  package let value: String
  package let detail: String

  /// The main figures of an application.
  static func all(of figures: ReportFigures.Application, in report: ReportFigures) -> [Tile] {
    [
      revenue(figures, report), payers(figures), arppu(figures, report), subscriptions(figures),
      players(figures), flags(figures),
    ]
  }

  private static func revenue(
    _ figures: ReportFigures.Application, _ report: ReportFigures
  ) -> Tile {
    let name = "Revenue, last complete week"
    guard let currency = report.feeds.state.baseCurrency else {
      return Tile(name: name, value: Numbers.none, detail: "no base currency is set")
    }
    let weeks = figures.revenue.weeks.filter(\.isComplete)
    guard let week = weeks.last else {
      return Tile(name: name, value: Numbers.none, detail: "no week is complete")
    }
    guard let amount = week.wholeAmount else {
      return Tile(
        name: name, value: Numbers.none,
        detail: "from \(week.week), purchases without an exchange rate: "
          + Numbers.count(week.unconvertedCount))
    }
    let earlier = weeks.dropLast().last
    let change = earlier.flatMap { earlier -> String? in
      guard let before = earlier.wholeAmount else { return nil }
      return Numbers.change(from: before.value, to: amount.value)
    }
    return Tile(
      name: name,
      value: "\(Numbers.money(amount, digits: report.digits(of: currency))) \(currency)",
      detail: "from \(week.week)" + (change.map { ", \($0) on the week before" } ?? ""))
  }

  private static func payers(_ figures: ReportFigures.Application) -> Tile {
    let name = "Payers, last complete week"
    let weeks = figures.revenue.weeks.filter(\.isComplete)
    guard let week = weeks.last else {
      return Tile(name: name, value: Numbers.none, detail: "no week is complete")
    }
    let new = Numbers.count(week.newPayerCount)
    let before = weeks.dropLast().last.map {
      "; \(Numbers.count($0.payerCount)) the week before"
    }
    return Tile(
      name: name, value: Numbers.count(week.payerCount),
      detail: "\(new) new, \(Numbers.count(week.repeatPayerCount)) repeat" + (before ?? ""))
  }

  private static func arppu(_ figures: ReportFigures.Application, _ report: ReportFigures) -> Tile {
    let name = "Revenue per payer, last complete week"
    let week = figures.revenue.weeks.last(where: \.isComplete)
    guard let currency = report.feeds.state.baseCurrency, let arppu = week?.arppu else {
      return Tile(name: name, value: Numbers.none, detail: "no figure in a base currency")
    }
    let digits = report.digits(of: currency)
    return Tile(
      name: name, value: "\(Numbers.money(arppu, digits: digits)) \(currency)", detail: "ARPPU")
  }

  private static func subscriptions(_ figures: ReportFigures.Application) -> Tile {
    guard let week = figures.subscriptions.weeks.last else {
      return Tile(name: "Active subscriptions", value: "0", detail: "no subscription was sold")
    }
    let trials = week.activeTrial == 1 ? "1 trial" : "\(Numbers.count(week.activeTrial)) trials"
    return Tile(
      name: "Active subscriptions", value: Numbers.count(week.activePaid), detail: "and \(trials)")
  }

  private static func players(_ figures: ReportFigures.Application) -> Tile {
    let first = figures.feed.firstOn ?? Numbers.none
    return Tile(
      name: "Players", value: Numbers.count(figures.feed.playerCount),
      detail: "events from \(first) to \(figures.feed.newestOn ?? Numbers.none)")
  }

  private static func flags(_ figures: ReportFigures.Application) -> Tile {
    let flags = figures.revenue.flags
    let share =
      flags.purchaseCount > 0
      ? Double(flags.unknownSandboxCount) / Double(flags.purchaseCount) : nil
    return Tile(
      name: "Unknown sandbox flags", value: Numbers.percent(share),
      detail:
        "of \(Numbers.count(flags.purchaseCount)) purchases in \(figures.revenue.days.count) days; "
        + "they count as production")
  }
}

extension ReportFigures {
  /// The digits after the decimal point of a currency.
  func digits(of currency: String?) -> Int { currency.flatMap { minorUnits[$0] } ?? 2 }

  /// The main figures of the applications, for the terminal.
  package var headlines: [(application: String, tiles: [Tile])] {
    applications.map {
      (ForeignText.application($0.feed.appID), Tile.all(of: $0, in: self))
    }
  }
}
