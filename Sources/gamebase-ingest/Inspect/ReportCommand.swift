internal import ArgumentParser
internal import Foundation
internal import Loading
internal import Postgres
internal import ReportPage

struct ReportCommand: Command {
  static let help = """
    report: Show the main figures, or write them as a page with charts.

    Shows whether the feeds can be trusted, and for each application revenue, payers and \
    subscriptions of the newest complete week. The page of --html is one file that needs no network and no \
    script, and holds no user id; it replaces an older one only when it is complete, with the mode 0640.
    """

  @OptionGroup var database: DatabaseOptions

  @Option(
    help: "Write a page with charts into this file and print no figures; - is standard output.",
    transform: filledText)
  var html: String?

  @Option(
    help:
      "Only this application; may be repeated; if unset, the \(Report.largestApplicationCount) with most players."
  )
  var appId: [String] = []

  func run() throws {
    let page = html.map {
      Output($0, "the page", mode: 0o640, state: "an existing page is unchanged")
    }
    try page?.check()
    let connection = try database.connect()
    let report = try connection.transaction(.readOnlySnapshot) {
      try Report(from: connection, applications: appId, hasSections: html != nil)
    }
    guard let page else { return try report.show() }
    try page.write(Data("\(report.page)\n".utf8))
    if page.path != "-" { Terminal.note("wrote \(printable(page.path))") }
  }
}

extension Report {
  /// Prints the verdicts of the feeds, and the figures of each application.
  fileprivate func show() throws {
    try Terminal.output("\(banner.verdict): \(banner.sentence)")
    for fact in banner.facts { try Terminal.output("  \(fact)") }
    for application in banner.applications {
      try TextTable([application.name, "verdict", "horizon", "reason"], application.feeds)
        .show(isApart: true)
    }
    for application in applications {
      let rows = application.tiles.map { [$0.name, $0.value, $0.detail] }
      try TextTable([application.name, "value", ""], rows).show(isApart: true)
    }
    if omittedApplicationCount > 0 {
      try Terminal.output(
        "\n\(counted(omittedApplicationCount, "further application")) with fewer players; "
          + "--app-id shows one of them")
    }
  }
}
