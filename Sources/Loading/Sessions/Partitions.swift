internal import Postgres
internal import RecordPipeline

/// Creates the monthly partitions that rows are about to be copied into.
///
/// It uses the control connection, outside the file's transaction. If the file is rolled back, the
/// partition stays empty, which does no harm, and a later file uses it.
final class Partitions {
  private let control: ControlConnection
  /// Says for whom the creation of a month waits.
  var wait = LockWait.silent
  /// The months with a partition, by stream, counted from January 1970; valid while the stream's
  /// lock is held.
  private var known: [String: Set<Int>] = [:]

  /// The longest wait for the table's lock, which ends a deadlock that the server cannot detect.
  ///
  /// A session that changes the table waits for the file's transaction, and the control connection
  /// waits for that session. The server does not know that the file's transaction waits for the
  /// control connection, because the client does that waiting.
  private static let lockTimeout = "30s"

  init(control: ControlConnection) { self.control = control }

  /// Lets an interruption cancel statements of these connections and of the control connection.
  func watch(_ connections: [Connection], by interruption: Interruption, worker: Int = 0) {
    interruption.watch(connections + [control.connection].compactMap(\.self), worker: worker)
    control.opened = { interruption.watch(connections + [$0], worker: worker) }
  }

  /// Reads which months the tables of a stream have, its own and that of records within its lines.
  ///
  /// The caller holds the stream's lock and does this for each file, because `retention` may drop
  /// months between two files.
  func lookUp(_ stream: RecordStream, on connection: Connection) throws {
    if let embedded = stream.embedded { try lookUp(embedded, on: connection) }
    guard stream.isPartitionedByMonth else { return }
    let months = try connection.rows(
      of: Int.self,
      """
      select (extract(year from month) - 1970) * 12 + extract(month from month) - 1
        from ingest.month_partitions($1)
      """, [.text(stream.name)])
    known[stream.name] = Set(months)
  }

  /// Creates the missing ones of these months.
  ///
  /// - Parameter months: counted from January 1970.
  func ensure(_ months: Set<Int>, of stream: RecordStream) throws {
    for month in months.subtracting(known[stream.name] ?? []).sorted() {
      try control.transaction { connection in
        try connection.execute("set local lock_timeout = '\(Self.lockTimeout)'")
        _ = try wait(for: [.named(LockName.migrations)], on: connection) {
          try connection.query(
            """
            select ingest.ensure_partition($1,
              (date '1970-01-01' + $2::integer * interval '1 month')::date)
            """, [.text(stream.name), .integer(month)])
        }
        // In a dry run the transaction goes on, and its other statements need no timeout.
        try connection.execute("set local lock_timeout to default")
      }
      known[stream.name, default: []].insert(month)
    }
  }
}
