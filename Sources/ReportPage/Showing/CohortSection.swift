/// The users who come back, and what they have paid, by the time of their first observation.
struct CohortSection {
  let retention: HeatTable?
  /// The amounts that users of a month had paid by day; nil without a base currency.
  let value: HeatTable?
  let valuePlot: Plot?
  let currency: String?

  init(_ figures: CohortFigures, in report: ReportFigures) {
    currency = report.feeds.state.baseCurrency
    retention = Self.retention(figures.retention)
    let digits = report.digits(of: currency)
    let values = currency == nil ? [] : figures.values
    value = Self.value(values, digits: digits)
    valuePlot = Self.plot(values, digits: digits)
  }

  private static func retention(_ rows: [CohortFigures.Retention]) -> HeatTable? {
    guard !rows.isEmpty else { return nil }
    let days = Set(rows.map(\.dayN)).sorted()
    let rates = rows.filter { $0.matureSize > 0 }.map(\.rate)
    let largest = max(rates.max() ?? 1, 0.0001)
    return HeatTable(
      caption: "Users of each week who were observed again, by days after their first observation",
      header: ["First observed in the week from", "Users"] + days.map { "day \($0)" },
      rows: rows.map(\.cohort).removingRepeats().map { cohort in
        let own = rows.filter { $0.cohort == cohort }
        return HeatTable.Row(
          name: cohort, size: Numbers.count(own.first?.cohortSize),
          cells: days.map { day in
            let row = own.first { $0.dayN == day && $0.matureSize > 0 }
            return HeatTable.Cell(
              Numbers.percent(row?.rate, digits: 0), share: row.map { $0.rate / largest },
              isMature: row?.isMature ?? false)
          })
      })
  }

  private static func value(_ rows: [CohortFigures.Value], digits: Int) -> HeatTable? {
    guard !rows.isEmpty else { return nil }
    let days = Set(rows.map(\.dayN)).sorted()
    let largest = max(rows.compactMap { $0.amountPerUser?.value }.max() ?? 1, 1e-9)
    return HeatTable(
      caption:
        "What users of each month had paid on average, by days after their first observation",
      header: ["First observed in the month from", "Users"] + days.map { "day \($0)" },
      rows: rows.map(\.cohort).removingRepeats().map { cohort in
        let own = rows.filter { $0.cohort == cohort }
        return HeatTable.Row(
          name: cohort, size: Numbers.count(own.first?.cohortSize),
          cells: days.map { day in
            let row = own.first { $0.dayN == day && $0.matureSize > 0 }
            return HeatTable.Cell(
              Numbers.money(row?.amountPerUser, digits: digits),
              share: row?.amountPerUser.map { $0.value / largest },
              isMature: row?.isMature ?? false)
          })
      })
  }

  /// One line a cohort, only of figures of whole cohorts; the newest five with at least two of them.
  private static func plot(_ rows: [CohortFigures.Value], digits: Int) -> Plot? {
    let mature = rows.filter { $0.isMature && $0.amountPerUser != nil }
    let byCohort = Dictionary(grouping: mature, by: \.cohort).filter { $0.value.count > 1 }
    let cohorts = byCohort.keys.sorted().suffix(5)
    guard !cohorts.isEmpty else { return nil }
    let days = Set(cohorts.flatMap { (byCohort[$0] ?? []).map(\.dayN) }).sorted()
    let series = zip(cohorts, 1...).map { cohort, number in
      Series(
        "month from \(cohort)", style: "s\(number)",
        amounts: days.map { day in byCohort[cohort]?.first { $0.dayN == day }?.amountPerUser },
        digits: digits)
    }
    return Plot(
      "Revenue per user by days after the first observation, one line a month",
      names: days.map { $0 == 0 ? "day 0" : String($0) }, lines: series, isWhole: false)
  }
}

extension CohortFigures.Retention {
  fileprivate var rate: Double { Double(observedCount) / Double(max(matureSize, 1)) }
}

/// The levels that users reach, the levels where they stop, and the time that they need.
struct LevelSection {
  struct Band {
    let levels: String
    let reached: String
    let share: String
    /// The width of the bar, from 0 to 100.
    let width: String
    let stopped: String
    let sinceFirst: String
    let sincePrevious: String
  }

  let bands: [Band]
  /// The note on rows of several levels; nil when each row is one level.
  let note: String?

  private static let largestBandCount = 24

  init(_ levels: [LevelFigures]) {
    let size = max(1, (levels.count + Self.largestBandCount - 1) / Self.largestBandCount)
    let most = Double(max(levels.map(\.reachedUserCount).max() ?? 0, 1))
    bands = stride(from: 0, to: levels.count, by: size).compactMap { start in
      let band = levels[start..<min(start + size, levels.count)]
      guard let first = band.first, let last = band.last else { return nil }
      let share = Double(first.reachedUserCount) / most
      return Band(
        levels: band.count > 1 ? "\(first.userLevel) to \(last.userLevel)" : "\(first.userLevel)",
        reached: Numbers.count(first.reachedUserCount), share: Numbers.percent(share, digits: 0),
        width: Numbers.place(share * 100),
        stopped: Numbers.count(band.reduce(0) { $0 + $1.stoppedUserCount }),
        sinceFirst: Numbers.duration(minutes: first.minutesSinceFirst),
        sincePrevious: Numbers.duration(minutes: first.minutesSincePrevious))
    }
    note =
      size > 1
      ? "A row has \(size) levels: users who reached the first of them, and who stopped in any of them. "
        + "The times are those of the first."
      : nil
  }
}
