internal import Postgres
internal import RecordPipeline

/// Makes the months that rows are about to go to.
///
/// On a connection of its own, outside the file's transaction: a partition that stays empty because
/// the file was rolled back does no harm, and the next file finds it.
final class Partitions {
  private let connection: Connection
  private var known: Set<String> = []

  init(connection: Connection) { self.connection = connection }

  /// - Parameter months: counted from January 1970.
  func ensure(_ months: Set<Int>, of stream: RecordStream) throws {
    for month in months.sorted() {
      let name = "\(stream.name) \(month)"
      guard !known.contains(name) else { continue }
      try connection.transaction {
        try connection.query(
          """
          select ingest.ensure_partition($1,
            (date '1970-01-01' + $2::integer * interval '1 month')::date)
          """, [.text(stream.name), .integer(month)])
      }
      known.insert(name)
    }
  }
}
