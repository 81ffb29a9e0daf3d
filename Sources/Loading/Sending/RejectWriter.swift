internal import Postgres
internal import RecordPipeline

/// Writes refused lines into `ingest.reject`, in the transaction of their files.
final class RejectWriting {
  private let connection: Connection
  private let stream: String
  private var rows = RowBuffer()

  private static let statement = """
    copy ingest.reject (source_file_id, stream, line_number, byte_offset, code, field, reason, \
    raw, raw_byte_count, user_id, app_id) from stdin (format binary)
    """
  /// Rejects are few as a rule, and a COPY each would cost a round trip.
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

extension RowBuffer {
  /// A reject's nine columns, as both tables of rejects have them.
  mutating func encode(_ reject: RejectedLine) {
    bigint(Int64(reject.lineNumber))
    bigint(Int64(reject.byteOffset))
    text(reject.rejection.code.rawValue)
    if let field = reject.rejection.field { text(field) } else { null() }
    text(reject.rejection.reason)
    bytes(reject.raw)
    bigint(Int64(reject.rawByteCount))
    if let user = reject.owner?.user { bytes(user) } else { null() }
    if let app = reject.owner?.app { bytes(app) } else { null() }
  }
}
