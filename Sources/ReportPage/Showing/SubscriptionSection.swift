/// Subscriptions in and out, the movement of recurring revenue, and trials.
struct SubscriptionSection {
  struct Movement {
    let currency: String
    let ending: String
    let plot: Plot
  }

  let flow: Plot
  let active: Plot
  let weekTable: Table?
  let movements: [Movement]
  let movementKeys: [Plot.Key]
  let movementTable: Table?
  let trials: Plot?
  let trialTable: Table?

  private static let largestMovementCount = 4

  /// - Parameter currencies: in the order of their movements; others follow.
  /// - Returns: nil when no subscription was ever sold.
  init?(
    _ figures: SubscriptionFigures, currencies: [String], in report: ReportFigures
  ) {
    guard !figures.weeks.isEmpty else { return nil }
    let weeks = figures.weeks
    let names = weeks.map(\.week)
    flow = Plot(
      "Subscriptions that came in and went out by week", names: names,
      series: [
        Series("new", style: "s1", counts: weeks.map(\.newCount)),
        Series("came back", style: "s3", counts: weeks.map(\.resubscribedCount)),
        Series("trials that became paid", style: "s2", counts: weeks.map(\.convertedCount)),
        Series("expired", style: "s4", counts: weeks.map(\.expiredCount), isBelow: true),
      ], faded: weeks.map { !$0.isExpiryFinal })
    active = Plot(
      "Active subscriptions and trials at the end of each week", names: names,
      series: [
        Series("paid", style: "s1", counts: weeks.map(\.activePaid)),
        Series("trial", style: "s2", counts: weeks.map(\.activeTrial)),
      ], faded: weeks.map { !$0.isComplete })
    weekTable = Self.weekTable(weeks)
    movements = Self.movements(figures.movements, currencies: currencies, in: report)
    movementKeys = movements.first?.plot.sharedKeys ?? []
    movementTable = Self.movementTable(figures.movements, in: report)
    trials = Self.trialPlot(figures.trials)
    trialTable = Self.trialTable(figures.trials)
  }

  private static func weekTable(_ weeks: [SubscriptionFigures.Week]) -> Table? {
    Table(
      "Subscriptions by week",
      [
        "Week from", "New", "Came back", "Renewed", "Trials that became paid", "Expired",
        "Active at the end", "Trials at the end", "Final",
      ],
      weeks.reversed().map { week in
        let counts = [
          week.newCount, week.resubscribedCount, week.renewedCount, week.convertedCount,
          week.expiredCount, week.activePaid, week.activeTrial,
        ]
        return [week.week] + counts.map { Numbers.count($0) } + [week.isExpiryFinal ? "yes" : "no"]
      })
  }

  private static func movements(
    _ rows: [SubscriptionFigures.Movement], currencies: [String], in report: ReportFigures
  ) -> [Movement] {
    let byCurrency = Dictionary(grouping: rows, by: \.currency)
    let ordered = (currencies + byCurrency.keys.sorted()).removingRepeats()
      .filter { byCurrency[$0] != nil }
    return ordered.prefix(largestMovementCount).compactMap { currency in
      guard let months = byCurrency[currency], let last = months.last else { return nil }
      let digits = report.digits(of: currency)
      func series(
        _ name: String, _ style: String, _ amounts: [Amount], isBelow: Bool = false
      ) -> Series {
        Series(name, style: style, amounts: amounts, digits: digits, isBelow: isBelow)
      }
      let plot = Plot(
        "Movement of monthly recurring revenue in \(currency)", names: months.map(\.month),
        series: [
          series("new", "s1", months.map(\.newAmount)),
          series("came back", "s3", months.map(\.reactivatedAmount)),
          series("expansion", "s2", months.map(\.expansionAmount)),
          series("contraction", "s5", months.map(\.contractionAmount), isBelow: true),
          series("churned", "s4", months.map(\.churnedAmount), isBelow: true),
        ], faded: months.map { !$0.isComplete }, isWhole: false, isSmall: true)
      return Movement(
        currency: currency, ending: Numbers.money(last.endingAmount, digits: digits), plot: plot)
    }
  }

  private static func movementTable(
    _ rows: [SubscriptionFigures.Movement], in report: ReportFigures
  ) -> Table? {
    Table(
      "Monthly recurring revenue: start + new + came back + expansion − contraction − churned = end",
      [
        "Currency", "Month from", "Start", "New", "Came back", "Expansion", "Contraction",
        "Churned",
        "End", "Complete",
      ],
      rows.map { row in
        let digits = report.digits(of: row.currency)
        let amounts = [
          row.startingAmount, row.newAmount, row.reactivatedAmount, row.expansionAmount,
          row.contractionAmount, row.churnedAmount, row.endingAmount,
        ]
        return [row.currency, row.month] + amounts.map { Numbers.money($0, digits: digits) }
          + [row.isComplete ? "yes" : "no"]
      })
  }

  private static func trialPlot(_ rows: [SubscriptionFigures.Trials]) -> Plot? {
    guard !rows.isEmpty else { return nil }
    let months = rows.map(\.month).removingRepeats().sorted()
    func counts(_ count: (SubscriptionFigures.Trials) -> Int) -> [Int] {
      months.map { month in rows.filter { $0.month == month }.reduce(0) { $0 + count($1) } }
    }
    return Plot(
      "Trials by the month of their start", names: months,
      series: [
        Series("became paid", style: "s1", counts: counts(\.convertedCount)),
        Series("did not", style: "s4", counts: counts(\.lostCount)),
        Series("not decided yet", style: "s5", counts: counts(\.pendingCount)),
      ])
  }

  private static func trialTable(_ rows: [SubscriptionFigures.Trials]) -> Table? {
    Table(
      "Trials by product and month; the rate leaves out trials that are not decided",
      ["Product", "Month from", "Trials", "Became paid", "Did not", "Not decided", "Rate"],
      rows.map {
        [
          ForeignText.shown($0.productName), $0.month, Numbers.count($0.trialCount),
          Numbers.count($0.convertedCount), Numbers.count($0.lostCount),
          Numbers.count($0.pendingCount), Numbers.percent($0.rate?.value),
        ]
      })
  }
}
