extension RecordStream {
  /// The last columns of every row, in all streams.
  package static let commonColumns = [
    Column("text_repaired", .boolean, .remark),
    Column("extra", .json, .remark, isPrivate: true),
    Column("source_file_id", .bigint, .remark), Column("line_number", .bigint, .remark),
    Column("row_digest", .uuid, .remark),
  ]
}

extension RowBuffer {
  /// Writes the common columns and ends the row.
  ///
  /// The digest covers the stream's own columns, because the merge compares only these.
  mutating func finishRow(
    _ line: inout DecodedLine, sourceFileID: Int64, lineNumber: Int
  ) -> RowPlace {
    let digest = line.rules.rowDigestKey.map { RowDigest(of: openRow, key: $0) }
    boolean(line.isTextRepaired || line.extra.isRepaired)
    line.extra.withObject { text($0) }
    bigint(sourceFileID)
    bigint(Int64(lineNumber))
    markDigest()
    uuid(digest)
    return endRow()
  }
}
