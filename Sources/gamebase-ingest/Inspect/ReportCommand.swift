internal import ArgumentParser
internal import Foundation
internal import Loading
internal import Postgres
internal import ReportPage

/// `gamebase-ingest report`: shows the main figures, and writes them as a page.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Show the main figures, or write them as a page with charts.",
    discussion: """
      Shows whether the feeds can be trusted, and for each application revenue, payers and \
      subscriptions of the newest complete week. The views of schema report have all figures; the \
      analyst role can run this command.

      The page of --html is one file that needs no network and no script, and holds no user id. It \
      replaces an existing file only when it is complete; the new file has the mode 0640.
      """)

  @OptionGroup var database: DatabaseOptions

  @Option(
    help: ArgumentHelp(
      "Write a page with charts into this file and print no figures; - is standard output.",
      valueName: "file"))
  var html: String?

  @Option(
    help: ArgumentHelp(
      "Show only this application; can be repeated.",
      discussion: """
        Without this option, all are shown, up to the \(Report.largestApplicationCount) with most \
        players.
        """,
      valueName: "id"))
  var appId: [String] = []

  func validate() throws {
    if html?.isEmpty == true { throw ValidationError("--html needs the name of a file.") }
  }

  func run() throws {
    let page = html.map { Output($0, "the page", mode: 0o640) }
    try page?.check(Self.unchanged)
    let connection = try database.connect()
    let report = try reportingErrors { try read(from: connection) }
    if let page {
      try page.write(Data("\(Page(report).html)\n".utf8), Self.unchanged)
      if let html, !page.isStandardOutput { Terminal.note("wrote \(printable(html))") }
    } else {
      try ReportSummary(report).show()
    }
  }

  private static let unchanged = "an existing page is unchanged"

  private func read(from connection: Connection) throws -> Report {
    do {
      return try Report(
        from: connection, applications: appId, hasSections: html != nil)
    } catch let error as UnknownApplication {
      let known = error.known.map { $0.isEmpty ? "\"\"" : $0 }
      throw Terminal.failure(
        .usage,
        "no accepted line belongs to the application \(error.appID); the reports have "
          + (known.isEmpty ? "none yet" : enumeration(known, with: "and")))
    } catch let error as PostgresError
      where [.undefinedTable, .undefinedColumn].contains(error.sqlState)
    {
      throw Terminal.failure(
        .configuration,
        "the database lacks a view of the reports: \(error); run gamebase-ingest migrate")
    }
  }
}
