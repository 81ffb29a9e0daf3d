internal import ArgumentParser
internal import Loading

/// `gamebase-ingest distribute`: spreads the facts over the servers of a Citus cluster.
struct DistributeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "distribute",
    abstract: "Distribute the facts over the servers of a Citus cluster.",
    usage: """
      gamebase-ingest distribute --shards <n> [--dry-run] [options]
      gamebase-ingest distribute --shards 8 --database service=games-admin
      """,
    discussion: """
      Run it after migrate and grant on the coordinator, on an empty or a filled database. Receipts, \
      level-ups, game-user snapshots and events are distributed; the ledger, the reports and all \
      other tables stay on the coordinator. Each table is a transaction of its own; loads wait for \
      it, and readers go on. After an interruption, or when everything is distributed already, run \
      it again. Run grant afterwards: analysts then need rights on the distributed tables.

      There is no way back but a dump. docs/scale.md tells when a cluster helps, how to prepare it, \
      and what differs on it. Needs the owner's rights.
      """)

  @OptionGroup var database: DatabaseOptions

  @Option(
    help: ArgumentHelp(
      "The shards of each table: two to four for each core of the workers.", valueName: "n"))
  var shards: Int

  @Flag(help: "Check the cluster, list the tables to distribute, and distribute none.")
  var dryRun = false

  func validate() throws {
    guard (1...1024).contains(shards) else {
      throw ValidationError("--shards must be between 1 and 1024.")
    }
  }

  func run() throws {
    let connection = try database.connect()
    try reportingErrors {
      try Migrator(connection: connection).requireCurrent()
      try connection.requireOwner(for: "distribute")
      let distribution = Distribution(
        connection: connection, shards: shards, wait: DatabaseOptions.wait)
      let tables = try distribution.plan()
      for table in tables {
        if !dryRun { try distribution.distribute(table) }
        try Terminal.output(
          "\(dryRun ? "would distribute" : "distributed") \(table.name) by \(table.column)"
            + (table.colocatedWith.map { ", beside \($0)" } ?? ""))
      }
      if tables.isEmpty { try Terminal.output("all tables are distributed already") }
    }
  }
}
