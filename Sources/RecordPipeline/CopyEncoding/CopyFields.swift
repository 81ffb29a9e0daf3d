/// Reads fields of rows in PostgreSQL's binary COPY format.
package enum CopyFields {
  /// Calls `body` once for each row.
  ///
  /// - Parameters:
  ///   - rows: whole rows, without header and trailer.
  ///   - columns: the columns to read, as ascending places in the row.
  ///   - body: gets the value of each of these columns, in their order; nil for NULL.
  package static func forEachRow(
    of rows: UnsafeRawBufferPointer, columns: [Int],
    _ body: ([UnsafeRawBufferPointer?]) -> Void
  ) {
    var offset = 0
    var values = [UnsafeRawBufferPointer?](repeating: nil, count: columns.count)
    while offset + 2 <= rows.count {
      let count = Int(Int16(bigEndian: rows.loadUnaligned(fromByteOffset: offset, as: Int16.self)))
      offset += 2
      var wanted = 0
      for column in 0..<count {
        let length = Int(
          Int32(bigEndian: rows.loadUnaligned(fromByteOffset: offset, as: Int32.self)))
        offset += 4
        if wanted < columns.count, columns[wanted] == column {
          values[wanted] =
            length < 0 ? nil : UnsafeRawBufferPointer(rebasing: rows[offset..<offset + length])
          wanted += 1
        }
        offset += max(0, length)
      }
      body(values)
    }
  }
}
