internal import ArgumentParser
internal import Loading

struct DistributeCommand: ChangingCommand {
  static let help = """
    distribute: Distribute the facts over the servers of a Citus cluster.

    gamebase-ingest distribute --shards <n> [--dry-run] [options]
    gamebase-ingest distribute --shards 8 --database service=games-admin

    Run it on the coordinator after migrate and grant, and grant again afterwards: analysts then need \
    rights on the distributed tables. Each table is a transaction of its own; loads wait for it, and \
    readers go on. After an interruption, run it again. There is no way back but a dump: docs/scale.md \
    tells when a cluster helps, how to prepare it, and what differs on it. Needs the owner's rights.
    """

  @OptionGroup var database: DatabaseOptions

  @Option(
    help: "The shards of each table: two to four for each core of the workers.",
    transform: number(1, 1024))
  var shards: Int

  @Flag(help: "Check the cluster, list the tables to distribute, and distribute none.")
  var dryRun = false

  func run() throws {
    let connection = try database.connectToSchema(asOwnerFor: "distribute")
    let tables = try Distribution.plan(on: connection)
    for table in tables {
      if !dryRun { try Distribution.distribute(table, shards: shards, on: connection) }
      try Terminal.output(
        "\(dryRun ? "would distribute" : "distributed") \(table.name) by \(table.column)"
          + (table.colocatedWith.map { ", beside \($0)" } ?? ""))
    }
    if tables.isEmpty { try Terminal.output("all tables are distributed already") }
  }
}
