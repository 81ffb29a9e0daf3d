internal import Postgres
internal import RecordPipeline

/// Makes the months that rows are about to go to.
///
/// On a connection of its own, outside the file's transaction: a partition that stays empty because
/// the file was rolled back does no harm, and the next file finds it.
final class Partitions {
  private let control: ControlConnection
  private var known: Set<String> = []

  /// Who changes the table meanwhile waits for the file's transaction, and we would wait for him.
  ///
  /// The server sees no deadlock there, for the two transactions are held by one client.
  private static let lockTimeout = "30s"

  init(control: ControlConnection) { self.control = control }

  /// For whoever wants to cancel what it does.
  var connection: Connection { control.connection }

  /// Believes in no month any more: a dry run takes them back with the file that needed them.
  func forget() { known.removeAll() }

  /// - Parameter months: counted from January 1970.
  func ensure(_ months: Set<Int>, of stream: RecordStream) throws {
    for month in months.sorted() {
      let name = "\(stream.name) \(month)"
      guard !known.contains(name) else { continue }
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
      known.insert(name)
    }
  }
}
