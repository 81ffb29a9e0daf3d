internal import Postgres
internal import RecordPipeline

/// Creates the monthly partitions that rows are about to be copied into.
///
/// It uses a second connection, outside the file's transaction, as a cluster needs it. If the file is
/// rolled back, the partition stays empty, which does no harm, and a later file uses it.
final class Partitions {
  private let second: SecondConnection
  /// In a dry run, which keeps no month: the connection with the open transaction of a file.
  private let dryRun: Connection?
  /// The months with a partition, by stream, counted from January 1970; valid while the stream's
  /// lock is held.
  private var known: [String: Set<Int>] = [:]

  /// The longest wait for the table's lock, which ends a deadlock that the server cannot detect.
  ///
  /// A session that changes the table waits for the file's transaction, and the second connection
  /// waits for that session. The server does not know that the file's transaction waits for the
  /// second connection, because the client does that waiting.
  private static let lockTimeout = "30s"
  /// The internal errors after which a month is given up, because so many have another cause.
  private static let mostRefusals = 20

  /// The months that the last attempt could not create; nil: none.
  private var missing: (months: Set<Int>, stream: RecordStream)?

  init(_ target: ConnectionTarget, within dryRun: Connection?) {
    second = SecondConnection(target)
    self.dryRun = dryRun
  }

  /// Lets an interruption cancel statements of the connection of the files and of the second one.
  func watch(_ connection: Connection, by interruption: Interruption, worker: Int = 0) {
    interruption.watch([connection, second.connection].compactMap(\.self), worker: worker)
    second.opened = { interruption.watch([connection, $0], worker: worker) }
  }

  /// Reads which months the tables of a stream have, its own and that of records within its lines.
  ///
  /// The caller holds the stream's lock and does this for each file, because `retention` may drop
  /// months between two files.
  func lookUp(_ stream: RecordStream, on connection: Connection) throws {
    missing = nil
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
  /// On a cluster, no month of a table can be created while its shards move, and a move waits for
  /// the file's transaction. The file is then rolled back, and waits before its next attempt.
  ///
  /// - Parameter months: counted from January 1970.
  func ensure(_ months: Set<Int>, of stream: RecordStream) throws {
    let new = months.subtracting(known[stream.name] ?? [])
    guard !new.isEmpty else { return }
    missing = (new, stream)
    try create(new, of: stream)
    missing = nil
  }

  /// Creates the months that an attempt lacked, however long shards move.
  ///
  /// - Parameter connection: tells of the wait.
  func ensureMissing(on connection: Connection, checking check: () throws -> Void) throws {
    guard let missing else { return }
    var isTold = false
    var refusals = 0
    while true {
      do {
        try create(missing.months, of: missing.stream)
        self.missing = nil
        return
      } catch let error as PostgresError where error.sqlState == .objectInUse {
        if !isTold {
          connection.tell("waiting until no shard of \(missing.stream.targetTable) moves")
        }
        isTold = true
      } catch let error as PostgresError
        where error.kind == .internalError && refusals < Self.mostRefusals
      {
        // The next move began just before the month was attached.
        refusals += 1
      }
      try check()
    }
  }

  private func create(_ months: Set<Int>, of stream: RecordStream) throws {
    for month in months.sorted() {
      func create(on connection: Connection) throws {
        try connection.execute("set local lock_timeout = '\(Self.lockTimeout)'")
        try connection.waiting(for: [.named(LockName.migrations)]) {
          try connection.query(
            """
            select ingest.ensure_partition($1,
              (date '1970-01-01' + $2::integer * interval '1 month')::date)
            """, [.text(stream.name), .integer(month)])
        }
        // The transaction of a dry run goes on, and its other statements need no timeout.
        try connection.execute("set local lock_timeout = 0")
      }
      if let dryRun { try create(on: dryRun) } else { try second.transaction(create) }
      known[stream.name, default: []].insert(month)
    }
  }
}
