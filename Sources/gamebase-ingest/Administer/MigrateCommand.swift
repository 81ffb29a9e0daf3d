internal import ArgumentParser
internal import Loading
internal import Postgres

struct MigrateCommand: ChangingCommand {
  static let help = """
    migrate: Create or update the schemas ingest, staging, game and report.

    gamebase-ingest migrate [options]
    gamebase-ingest migrate --check [options]
    gamebase-ingest migrate --print [options] > migrate.sql

    Migrations only go forward, each in its own transaction, and keep all facts. --print writes the \
    statements that this database lacks, for a review or for psql as a role that owns the schemas.
    """

  @OptionGroup var database: DatabaseOptions
  @Flag(help: "Say whether anything is to do, and exit with 78 if so.") var check = false
  @Flag(help: "Print the statements, and run none of them.") var print = false

  func validate() throws {
    if check, print { throw ValidationError("Use only one of --check and --print.") }
  }

  func run() throws {
    let connection = try database.connect(makesLocal: !check && !print)
    let migrator = Migrator(connection: connection)
    if check {
      let status = try migrator.status()
      try Terminal.output("schema      \(status.sentence)")
      for name in status.pending { try Terminal.output("pending     \(name)") }
      if !status.isCurrent { throw Terminal.code(.configuration) }
      return
    }
    if print { return try Terminal.output(try migrator.script()) }
    let count = try migrator.migrate { name in
      Terminal.note("applied \(name)")
      for line in connection.takeNotes() { Terminal.note(printable(line)) }
    }
    if try migrator.needsRebuild() {
      Terminal.note("the next refresh makes all reports anew: about 15 s for a million rows")
    }
    try Terminal.output(
      count == 0 ? "the database is up to date" : "the database is up to date; applied \(count)")
  }
}
