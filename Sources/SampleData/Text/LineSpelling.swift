/// The spelling of a line's record.
enum LineSpelling: Sendable {
  /// The spelling of the record's own writer.
  case original
  /// The spelling of the record's own writer, or that of a client SDK if the writer is a server.
  case plain
  /// The spelling of another writer, chosen by random bits.
  case other(UInt64)
}
