internal import Postgres
internal import RecordPipeline

/// Writes refused lines to `ingest.reject` in the transaction of their files.
final class RejectWriter {
  private let connection: Connection
  private let stream: String
  private var rows = RowBuffer()

  private static let statement = """
    copy ingest.reject (source_file_id, stream, line_number, byte_offset, code, field, reason, \
    raw, raw_byte_count, user_id, app_id) from stdin (format binary)
    """
  /// The bytes collected for one COPY, because each COPY costs a round trip.
  private static let flushThreshold = 1024 * 1024

  init(connection: Connection, stream: String) {
    self.connection = connection
    self.stream = stream
  }

  func add(_ rejects: ArraySlice<RejectedLine>, of sourceFileID: Int64) throws {
    for reject in rejects {
      rows.beginRow(columnCount: 11)
      rows.bigint(sourceFileID)
      rows.text(stream)
      rows.encode(reject)
      rows.endRow()
    }
    if rows.count >= Self.flushThreshold { try flush() }
  }

  func flush() throws {
    guard rows.rowCount > 0 else { return }
    try connection.copyRows(rows, with: Self.statement)
    rows.removeAll()
  }
}
