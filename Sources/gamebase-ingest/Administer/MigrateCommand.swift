internal import ArgumentParser
internal import Loading

/// `gamebase-ingest migrate`: brings a database to this program's schema.
struct MigrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Create or update the schemas ingest, staging, game and report.",
    discussion: "Forward only; each migration in a transaction of its own. Nothing is ever dropped."
  )

  @OptionGroup var database: DatabaseOptions

  func run() throws {
    let connection = try database.connect(makesLocal: true)
    let count = try reportingErrors {
      try Migrator(connection: connection).migrate { Terminal.note("applied \($0)") }
    }
    try Terminal.output(
      count == 0 ? "the database is up to date" : "the database is up to date; applied \(count)")
  }
}
