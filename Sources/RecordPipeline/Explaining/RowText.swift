extension RowBuffer {
  /// The values of a row in readable form; nil for NULL.
  ///
  /// Times are in RFC 3339 and UTC, digests in hexadecimal.
  func texts(of row: RowPlace, columns: [Column]) -> [String?] {
    var position = row.keyStart
    return columns.map { column in
      let length = Int(
        Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: position, as: Int32.self)))
      position += MemoryLayout<Int32>.size
      guard length >= 0 else { return nil }
      defer { position += length }
      return text(UnsafeRawBufferPointer(rebasing: bytes[position..<position + length]), column)
    }
  }

  private func text(_ value: UnsafeRawBufferPointer, _ column: Column) -> String {
    switch column.type {
    case .text, .json:
      String(decoding: value, as: UTF8.self)
    case .boolean:
      value.first == 1 ? "true" : "false"
    case .integer:
      String(Int32(bigEndian: value.loadUnaligned(as: Int32.self)))
    case .bigint:
      String(Int64(bigEndian: value.loadUnaligned(as: Int64.self)))
    case .timestamptz:
      instant(
        Int64(bigEndian: value.loadUnaligned(as: Int64.self)) / 1000 + TimeRule.earliestPossible)
    case .bytea, .uuid:
      value.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
  }
}
