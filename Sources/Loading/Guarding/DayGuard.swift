/// Judges whether the figures of a day are plausible, before the first file of it is committed.
///
/// A figure is implausible if it is below half or above twice the median of the last eight same
/// weekdays, and also below half of the least or above twice the largest of them: some feeds vary
/// more than others. It is not judged against fewer than four days, nor where a usual day is so small
/// that chance alone doubles it.
package struct DayGuard: Sendable {
  /// Days below which there is no verdict.
  static let leastDays = 4
  /// The events or paid purchases of a usual day below which a figure is not judged: with fewer, chance
  /// and a few large purchases double it.
  static let leastCount = 200.0
  /// The factor to the median, the least and the largest figure that is still plausible.
  static let factor = 2.0

  private let day: ReportDay
  private let figures: DayFigures
  private let usual: UsualFigures
  /// The only application of the files; nil: not known.
  private let appID: String?

  package init(_ day: ReportDay, figures: DayFigures, usual: UsualFigures, appID: String?) {
    self.day = day
    self.figures = figures
    self.usual = usual
    self.appID = appID
  }

  /// The judged figures: events first, each in the order of applications and subjects.
  package var findings: [GuardFinding] {
    let events = keys(
      figures.events.keys, usual.events.keys.filter { figures.streams.contains($0.subject) })
    let amounts = keys(
      figures.purchases.keys,
      figures.streams.contains("receipt") ? usual.amounts.keys.map(\.self) : [])
    return events.map { key in
      let days = usual.events[key]
      return finding(
        .events, key, Double(figures.events[key] ?? 0), days,
        isLarge: days.map { $0.median >= Self.leastCount } ?? false)
    }
      + amounts.map { key in
        let days = usual.amounts[key]
        return finding(
          .paidAmount, key, figures.purchases[key]?.amountMinor ?? 0, days,
          isLarge: days.map { $0.purchaseCount ?? 0 >= Self.leastCount } ?? false)
      }
  }

  /// The figures to judge: those of the files, and those that a usual day has and the files lack.
  ///
  /// A figure that the files lack is of the application of the files, or of the only one there is.
  private func keys(
    _ found: some Collection<DayFigures.Key>, _ usual: [DayFigures.Key]
  ) -> [DayFigures.Key] {
    let apps = Set(usual.map(\.appID))
    let expected = appID ?? (apps.count == 1 ? apps.first : nil)
    return Set(found).union(usual.filter { $0.appID == expected })
      .sorted { ($0.appID, $0.subject) < ($1.appID, $1.subject) }
  }

  private func finding(
    _ figure: GuardFinding.Figure, _ key: DayFigures.Key, _ value: Double,
    _ days: UsualFigures.Range?, isLarge: Bool
  ) -> GuardFinding {
    var verdict = GuardFinding.Verdict.none
    if let days, isLarge, days.dayCount >= Self.leastDays, days.median > 0 {
      let isLow = value * Self.factor < min(days.median, days.smallest)
      let isHigh = value > Self.factor * max(days.median, days.largest)
      verdict = isLow || isHigh ? .implausible : .plausible
    }
    return GuardFinding(
      day: day.text, appID: key.appID, figure: figure, subject: key.subject, value: value,
      median: days?.median, smallest: days?.smallest, largest: days?.largest,
      dayCount: days?.dayCount ?? 0, verdict: verdict)
  }
}
