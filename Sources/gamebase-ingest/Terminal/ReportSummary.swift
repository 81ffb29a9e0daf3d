internal import Loading
internal import ReportPage

/// The main figures on the terminal.
struct ReportSummary {
  private let report: Report

  init(_ report: Report) { self.report = report }

  /// Shows the verdicts of the feeds, and the figures of each application.
  func show() throws {
    let banner = report.banner
    try Terminal.output("\(banner.verdict): \(banner.sentence)")
    for fact in banner.facts { try Terminal.output("  \(fact)") }
    for application in banner.applications {
      try Terminal.output("")
      var table = TextTable([application.name, "verdict", "horizon", "reason"])
      for feed in application.feeds { table.add(feed) }
      try table.show()
    }
    for application in report.applications {
      try Terminal.output("")
      var table = TextTable([application.name, "value", ""])
      for tile in application.tiles { table.add([tile.name, tile.value, tile.detail]) }
      try table.show()
    }
    if report.omittedApplicationCount > 0 {
      try Terminal.output("")
      try Terminal.output(
        "\(counted(report.omittedApplicationCount, "further application")) with fewer players; "
          + "--app-id shows one of them")
    }
  }
}

extension RefreshReport {
  /// One line for a refresh that succeeded.
  var sentence: String {
    files + rows + setAsideCount == 0
      ? "the reports were up to date already"
      : "the reports are refreshed: \(scope), \(elapsedText(durationSeconds))"
  }

  /// The files and players that the refresh read.
  fileprivate var scope: String {
    "\(counted(files, "file")), \(counted(players, "player"))"
      + (setAsideCount == 0
        ? "" : "; \(counted(setAsideCount, "player")) set aside, see report.set_aside_player")
  }
}

extension Refreshed {
  var sentence: String {
    plan.isFull == true
      ? "the reports are rebuilt: \(RefreshReport(self).scope), \(elapsedText(seconds))"
      : RefreshReport(self).sentence
  }
}

extension RefreshPlan {
  /// One line for a dry run.
  var sentence: String {
    guard let isFull else { return "the reports are up to date already" }
    guard !isFull else {
      return "a refresh would rebuild the reports from all rows: \(counted(players, "player"))"
    }
    return "a refresh would read \(counted(files, "changed file")) with \(counted(rows, "row")) of "
      + counted(players, "player")
  }
}
