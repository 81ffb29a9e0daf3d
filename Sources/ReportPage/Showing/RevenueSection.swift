/// Revenue in the base currency and in each currency, payers, and concentration.
struct RevenueSection {
  struct Currency {
    let code: String
    let total: String
    let promotions: String
    let plot: Plot
  }

  /// The days in the base currency; nil without one.
  let days: Plot?
  let dayNote: String?
  let dayTable: Table?
  let currencies: [Currency]
  let currencyKeys: [Plot.Key]
  let currencyTable: Table?
  let otherCurrencies: String?
  let payers: Plot
  let arppu: Plot?
  let weekTable: Table?
  let arppuTable: Table?
  let concentration: ConcentrationSection?

  private static let largestCurrencyCount = 12

  /// - Returns: nil when no receipt of the application is loaded.
  init?(_ figures: RevenueFigures, in report: ReportFigures) {
    guard !figures.weeks.isEmpty else { return nil }
    let base = report.feeds.state.baseCurrency
    let digits = report.digits(of: base)
    days = base.map { Self.dayPlot(figures.days, currency: $0, digits: digits) }
    dayTable = base.flatMap { Self.dayTable(figures.days, currency: $0, digits: digits) }
    let gaps = figures.rateGaps.map {
      "\($0.currency) (\(Numbers.count($0.unconvertedCount)), from \($0.firstPurchasedOn) to "
        + "\($0.lastPurchasedOn))"
    }
    dayNote =
      base == nil
      ? "No base currency is set, so amounts of different currencies cannot be added."
      : gaps.isEmpty
        ? nil
        : "No exchange rate is known for paid purchases in \(gaps.joined(separator: ", ")). Days with "
          + "such a purchase have no bar."
    let all = Self.currencies(figures, in: report)
    currencies = Array(all.prefix(Self.largestCurrencyCount))
    currencyKeys = currencies.first?.plot.sharedKeys ?? []
    let hidden = all.count - currencies.count
    otherCurrencies =
      hidden == 0
      ? nil
      : hidden == 1
        ? "One further currency is only in the table."
        : "\(hidden) further currencies are only in the table."
    let complete = Set(figures.weeks.filter(\.isComplete).map(\.week))
    currencyTable = Table(
      "Revenue by currency and week",
      ["Currency", "Week from", "Revenue", "Promotions", "Paid purchases", "Complete"],
      figures.currencyWeeks.map {
        let digits = report.digits(of: $0.currency)
        return [
          $0.currency, $0.week, Numbers.money($0.amount, digits: digits),
          Numbers.money($0.promotionAmount, digits: digits), Numbers.count($0.paidCount),
          complete.contains($0.week) ? "yes" : "no",
        ]
      })
    payers = Self.payerPlot(figures.weeks)
    arppu = base.map { Self.arppuPlot(figures.weeks, currency: $0, digits: digits) }
    weekTable = Self.weekTable(figures.weeks, currency: base, digits: digits)
    arppuTable = Table(
      "Revenue per payer by currency, week from \(figures.currencyARPPU.first?.week ?? Numbers.none)",
      ["Currency", "Revenue", "Payers", "Revenue per payer"],
      figures.currencyARPPU.map {
        let digits = report.digits(of: $0.currency)
        return [
          $0.currency, Numbers.money($0.amount, digits: digits), Numbers.count($0.payerCount),
          Numbers.money($0.arppu, digits: digits),
        ]
      })
    concentration = ConcentrationSection(figures.concentration)
  }

  private static func dayPlot(
    _ days: [RevenueFigures.Day], currency: String, digits: Int
  ) -> Plot {
    Plot(
      "Revenue by day in \(currency)", names: days.map(\.day),
      series: [
        Series("revenue", style: "s1", amounts: days.map(\.wholeAmount), digits: digits)
      ], faded: days.map { !$0.isComplete }, isWhole: false)
  }

  private static func dayTable(
    _ days: [RevenueFigures.Day], currency: String, digits: Int
  ) -> Table? {
    Table(
      "Revenue by day in \(currency)",
      ["Day", "Revenue", "Paid purchases", "Without a rate", "Complete"],
      days.reversed().map {
        [
          $0.day, Numbers.money($0.amount, digits: digits), Numbers.count($0.paidCount),
          Numbers.count($0.unconvertedCount), $0.isComplete ? "yes" : "no",
        ]
      })
  }

  /// The currencies with most purchases first.
  private static func currencies(
    _ figures: RevenueFigures, in report: ReportFigures
  ) -> [Currency] {
    let weeks = figures.weeks
    let byCurrency = Dictionary(grouping: figures.currencyWeeks, by: \.currency)
    let ordered = byCurrency.sorted { one, other in
      let (first, second) = (one.value.paid, other.value.paid)
      return first != second ? first > second : one.key < other.key
    }
    return ordered.map { code, rows in
      let digits = report.digits(of: code)
      let byWeek = Dictionary(rows.map { ($0.week, $0) }) { first, _ in first }
      let found = weeks.map { byWeek[$0.week] }
      let plot = Plot(
        "Revenue and promotions by week in \(code)", names: weeks.map(\.week),
        series: [
          Series(
            "revenue", style: "s1", amounts: found.map { $0?.amount ?? .zero }, digits: digits),
          Series(
            "promotions", style: "s2", amounts: found.map { $0?.promotionAmount ?? .zero },
            digits: digits, isBelow: true),
        ], faded: weeks.map { !$0.isComplete }, isWhole: false, isSmall: true)
      return Currency(
        code: code,
        total: Numbers.short(rows.reduce(0) { $0 + $1.amount.value }),
        promotions: Numbers.short(rows.reduce(0) { $0 + $1.promotionAmount.value }), plot: plot)
    }
  }

  private static func payerPlot(_ weeks: [RevenueFigures.Week]) -> Plot {
    Plot(
      "Payers by week, new and repeat", names: weeks.map(\.week),
      series: [
        Series("repeat payers", style: "s1", counts: weeks.map(\.repeatPayerCount)),
        Series("new payers", style: "s3", counts: weeks.map(\.newPayerCount)),
      ], faded: weeks.map { !$0.isComplete })
  }

  private static func arppuPlot(
    _ weeks: [RevenueFigures.Week], currency: String, digits: Int
  ) -> Plot {
    Plot(
      "Revenue per payer by week in \(currency)", names: weeks.map(\.week),
      series: [
        Series(
          "revenue per payer", style: "s3", amounts: weeks.map(\.arppu), digits: digits)
      ], faded: weeks.map { !$0.isComplete }, isWhole: false)
  }

  private static func weekTable(
    _ weeks: [RevenueFigures.Week], currency: String?, digits: Int
  ) -> Table? {
    Table(
      "Payers by week",
      [
        "Week from", "Payers", "New", "Repeat", "Revenue \(currency ?? "")",
        "Revenue per payer \(currency ?? "")", "Without a rate", "Complete",
      ],
      weeks.reversed().map {
        [
          $0.week, Numbers.count($0.payerCount), Numbers.count($0.newPayerCount),
          Numbers.count($0.repeatPayerCount), Numbers.money($0.wholeAmount, digits: digits),
          Numbers.money($0.arppu, digits: digits), Numbers.count($0.unconvertedCount),
          $0.isComplete ? "yes" : "no",
        ]
      })
  }
}

extension Array where Element == RevenueFigures.CurrencyWeek {
  fileprivate var paid: Int { reduce(0) { $0 + $1.paidCount } }
}

/// The share of a month's revenue that came from the payers who paid most.
struct ConcentrationSection {
  let month: String
  let table: HeatTable

  /// The least payers of a currency whose concentration says something.
  private static let smallestPayerCount = 10

  /// - Returns: nil when no currency has enough payers.
  init?(_ rows: [RevenueFigures.Concentration]) {
    guard let first = rows.first else { return nil }
    let shown = rows.filter { $0.topShare.value == 1 && $0.payerCount >= Self.smallestPayerCount }
      .map(\.currency)
    guard !shown.isEmpty else { return nil }
    let top = rows.map(\.topShare).filter { $0.value < 1 }
    let shares = top.sorted { $0.value < $1.value }.map(\.text).removingRepeats()
    let names = shares.map { "top \(Numbers.percent(Double($0), digits: 0))" }
    table = HeatTable(
      caption: "The part of the revenue of \(first.month) that the payers who paid most brought",
      header: ["Currency", "Payers"] + names,
      rows: shown.removingRepeats().map { currency in
        let own = rows.filter { $0.currency == currency }
        return HeatTable.Row(
          name: currency, size: Numbers.count(own.map(\.payerCount).max()),
          cells: shares.map { share in
            let row = own.first { $0.topShare.text == share }
            let value = row?.shareOfAmount?.value
            return HeatTable.Cell(
              Numbers.percent(value, digits: 0), share: value, isMature: row?.isComplete ?? true)
          })
      })
    month = first.month + (first.isComplete ? "" : ", which is not complete")
  }
}
