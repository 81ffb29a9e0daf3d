internal import Postgres
internal import RecordPipeline

/// Makes the months that rows are about to go to.
///
/// On a connection of its own, outside the file's transaction: a partition that stays empty because
/// the file was rolled back does no harm, and the next file finds it.
final class Partitions {
  private let control: ControlConnection
  /// The months of each stream, counted from January 1970; true until the stream's lock is given back.
  private var known: [String: Set<Int>] = [:]

  /// Who changes the table meanwhile waits for the file's transaction, and we would wait for him.
  ///
  /// The server sees no deadlock there, for the two transactions are held by one client.
  private static let lockTimeout = "30s"

  init(control: ControlConnection) { self.control = control }

  /// Lets an interruption cancel what is done here, too.
  func watch(_ connections: [Connection], by interruption: Interruption, lane: Int = 0) {
    interruption.watch(connections + [control.connection].compactMap(\.self), lane: lane)
    control.opened = { interruption.watch(connections + [$0], lane: lane) }
  }

  /// Finds out which months a stream's table has.
  ///
  /// Behind the stream's lock, for each file anew: between two files a retention may have dropped some.
  func lookUp(_ stream: RecordStream, on connection: Connection) throws {
    let result = try connection.query(
      """
      select (extract(year from month) - 1970) * 12 + extract(month from month) - 1
        from ingest.month_partitions($1)
      """, [.text(stream.name)])
    known[stream.name] = Set(
      (0..<result.rowCount).compactMap { result.integer(row: $0, column: 0) })
  }

  /// - Parameter months: counted from January 1970.
  func ensure(_ months: Set<Int>, of stream: RecordStream) throws {
    for month in months.subtracting(known[stream.name] ?? []).sorted() {
      try control.transaction { connection in
        try connection.execute("set local lock_timeout = '\(Self.lockTimeout)'")
        try connection.query(
          """
          select ingest.ensure_partition($1,
            (date '1970-01-01' + $2::integer * interval '1 month')::date)
          """, [.text(stream.name), .integer(month)])
        // In a dry run the transaction goes on.
        try connection.execute("set local lock_timeout to default")
      }
      known[stream.name, default: []].insert(month)
    }
  }
}
