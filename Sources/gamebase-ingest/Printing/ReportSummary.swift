internal import ReportPage

/// The main figures on the terminal.
struct ReportSummary {
  private let figures: ReportFigures

  init(_ figures: ReportFigures) { self.figures = figures }

  /// Shows the verdicts of the feeds, and the figures of each application.
  func show() throws {
    let banner = Banner(figures)
    try Terminal.output("\(banner.verdict): \(banner.sentence)")
    for fact in banner.facts { try Terminal.output("  \(fact)") }
    for application in banner.applications {
      try Terminal.output("")
      var table = TextTable([application.name, "verdict", "horizon", "reason"])
      for stream in application.streams {
        table.add([stream.name, stream.verdict, stream.horizon, stream.reason])
      }
      for line in table.lines { try Terminal.output(line) }
    }
    for (application, tiles) in figures.headlines {
      try Terminal.output("")
      var table = TextTable([application, "value", ""])
      for tile in tiles { table.add([tile.name, tile.value, tile.detail]) }
      for line in table.lines { try Terminal.output(line) }
    }
    if figures.omittedApplicationCount > 0 {
      try Terminal.output("")
      try Terminal.output(
        "\(counted(figures.omittedApplicationCount, "further application")) with fewer players; "
          + "--app-id shows one of them")
    }
  }
}
