internal import RecordPipeline

extension RowBuffer {
  /// Adds the nine columns of a reject that `ingest.reject` and `ingest.failed_reject` share.
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
