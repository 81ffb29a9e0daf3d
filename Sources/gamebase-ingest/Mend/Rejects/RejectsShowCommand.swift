internal import ArgumentParser
internal import Loading
internal import Postgres

/// `gamebase-ingest rejects show`: shows one refused line and the reason.
struct RejectsShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show one refused line, field by field, by the rules of this program.",
    usage: """
      gamebase-ingest rejects show <file>:<line> [options]
      gamebase-ingest rejects show receipts/2026-11-20.jsonl:212 --database service=games
      """,
    discussion: """
      The command reads the line from the database and does not need the file. Tokens appear as their \
      digests.
      """)

  @Argument(help: "The path of the file, or its end, and the line, as rejects list prints them.")
  var place: LinePlace

  @OptionGroup var database: DatabaseOptions

  func run() throws {
    let connection = try database.connectToSchema()
    try reportingErrors {
      try connection.transaction {
        let found = try RejectDetail.all(ofLine: place.line, path: place.path, on: connection)
        guard !found.isEmpty else {
          throw Terminal.failure(
            .usage, "no refused line is stored for \(place.path):\(place.line)")
        }
        for reject in found {
          try show(reject)
          guard reject.isWhole, !reject.isSuppressed else { continue }
          try reject.explanation(on: connection, startOfRun: currentMilliseconds())?.show()
        }
      }
    }
  }

  private func show(_ reject: RejectDetail) throws {
    try Terminal.output(
      """
      \(printable(reject.path)):\(reject.lineNumber)  \(reject.stream), \(reject.byteCount) bytes from \
      byte \(reject.byteOffset)
      recorded: \(reject.code) \(printable(reject.field ?? "-")): \(printable(reject.reason))
      """)
    if let resolvedAt = reject.resolvedAt {
      try Terminal.output(
        "resolved: \(reject.isSuppressed ? "suppressed" : "loaded") by a replay at \(resolvedAt)")
    }
    if reject.isOfFailedFile { try Terminal.output("the file failed; nothing of it is loaded") }
    if let raw = reject.raw, !reject.isWhole, !reject.isSuppressed {
      try Terminal.output("only the beginning of the line is kept: \(raw.count) bytes")
    }
  }
}
