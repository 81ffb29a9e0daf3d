/// The head of the page: whether its figures can be trusted, and up to when they go.
package struct Banner: Sendable {
  package struct Stream: Sendable {
    package let name: String
    package let verdict: String
    package let reason: String
    package let horizon: String
  }

  package struct Application: Sendable {
    package let name: String
    package let streams: [Stream]
  }

  /// The worst verdict, which is also the class of its colour.
  package let verdict: String
  package let sentence: String
  package let applications: [Application]
  package let facts: [String]

  /// From the best to the worst.
  private static let order = [
    "ok", "late", "stopped", "incomplete", "implausible", "failed", "not_refreshed",
  ]

  package init(_ figures: ReportFigures) {
    let feeds = figures.feeds
    let shown = Set(figures.applications.map(\.feed.appID))
    let verdicts = feeds.verdicts.filter { $0.appID.map { shown.contains($0) } ?? true }
    var applications: [Application] = []
    for appID in verdicts.map(\.appID).removingRepeats() {
      applications.append(
        Application(
          name: ForeignText.application(appID),
          streams: verdicts.filter { $0.appID == appID }.map { one in
            Stream(
              name: ForeignText.shown(one.stream, else: "unknown stream"), verdict: one.verdict,
              reason: ForeignText.shown(one.reason), horizon: one.horizon ?? Numbers.none)
          }))
    }
    self.applications = applications
    verdict = verdicts.map(\.verdict).max { Self.rank($0) < Self.rank($1) } ?? "failed"
    let bad = verdicts.filter { $0.verdict != "ok" }.count
    sentence =
      verdicts.isEmpty
      ? "Nothing is loaded."
      : bad == 0
        ? verdicts.count == 1
          ? "The only feed is in order." : "All \(verdicts.count) feeds are in order."
        : "\(bad) of \(verdicts.count) feeds \(bad == 1 ? "needs" : "need") a look before you trust the figures."
    facts = Self.facts(of: feeds)
  }

  private static func rank(_ verdict: String) -> Int {
    order.firstIndex(of: verdict) ?? order.count
  }

  private static func facts(of feeds: FeedFigures) -> [String] {
    let state = feeds.state
    var facts = [
      "Written \(state.writtenAt)", "days of the zone \(ForeignText.shown(state.timeZone))",
      state.baseCurrency.map { "base currency \(ForeignText.shown($0))" } ?? "no base currency",
      state.refreshedAt.map { "refreshed \($0)" } ?? "not refreshed yet",
    ]
    let conflicts = feeds.verdicts.map(\.openConflictCount).reduce(0, +)
    if conflicts > 0 { facts.append("\(Numbers.count(conflicts)) open conflicts") }
    if let load = feeds.lastLoad {
      facts.append(
        "last load \(load.loadID), \(load.startedAt): \(Numbers.count(load.fileCount)) files, "
          + "\(Numbers.count(load.lineCount)) lines, \(Numbers.count(load.rejectedCount)) refused, "
          + "\(Numbers.count(load.conflictCount)) conflicts"
          + (load.exitCode.map { ", exit \($0)" } ?? ", not finished"))
    }
    return facts
  }
}

extension Array where Element: Hashable {
  /// The elements in their order, each once.
  func removingRepeats() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
