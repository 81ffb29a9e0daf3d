internal import ArgumentParser
internal import Loading

/// `gamebase-ingest migrate`: brings a database to the schema of this program.
struct MigrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Create or update the schemas ingest, staging, game and report.",
    discussion: "Migrations only go forward, each in its own transaction, and never drop anything."
  )

  @OptionGroup var database: DatabaseOptions

  func run() throws {
    let connection = try database.connect(makesLocal: true)
    let count = try reportingErrors {
      let migrator = Migrator(connection: connection, wait: DatabaseOptions.wait)
      let count = try migrator.migrate { Terminal.note("applied \($0)") }
      for check in try migrator.brokenChecks() { Terminal.warning(check) }
      return count
    }
    try Terminal.output(
      count == 0 ? "the database is up to date" : "the database is up to date; applied \(count)")
  }
}
