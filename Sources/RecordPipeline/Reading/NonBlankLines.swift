internal import SHA256

/// A running count of the lines that are not blank.
///
/// A byte-order mark at the start of the first line is no part of it.
package struct NonBlankLines {
  /// The lines so far, the last one included as soon as it has a byte that is not white space.
  private var count = 0
  private var isCounted = false
  /// The bytes of the mark at the start of the source; nil behind it.
  private var marked: Int? = 0

  private static let readSize = 256 * 1024

  /// True when a source has such a line; it is read no further than needed.
  package static func exist(in source: any ByteSource) throws(ReadError) -> Bool {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: readSize, alignment: 64)
    defer { buffer.deallocate() }
    var lines = NonBlankLines()
    while true {
      let length = try source.read(into: buffer)
      if length == 0 { return lines.countAtEnd > 0 }
      for byte in buffer[..<length] {
        lines.take(byte)
        if lines.count > 0 { return true }
      }
    }
  }

  /// A source that ends within the mark has one line.
  private var countAtEnd: Int { marked ?? 0 > 0 ? 1 : count }

  private mutating func take(_ byte: UInt8) {
    if let position = marked {
      let mark = LineReader.byteOrderMark
      if byte == mark[position] {
        marked = position + 1 < mark.count ? position + 1 : nil
        return
      }
      marked = nil
      // A mark that breaks off belongs to the line.
      if position > 0 { countLine() }
    }
    if byte == UInt8(ascii: "\n") {
      isCounted = false
    } else if !isCounted, !ByteSlice.isWhiteSpace(byte) {
      countLine()
    }
  }

  private mutating func countLine() {
    isCounted = true
    count += 1
  }
}

extension SHA256 {
  /// The digest and the length of a whole source.
  ///
  /// - Parameter check: called before each read; an error that it throws ends the reading.
  package static func digest(
    of source: any ByteSource, checking check: () throws -> Void = {}
  ) throws -> (sha256: [UInt8], byteCount: Int) {
    let hash = SHA256()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 64)
    defer { buffer.deallocate() }
    var total = 0
    while true {
      try check()
      let count = try source.read(into: buffer)
      if count == 0 { return (hash.finish().bytes, total) }
      hash.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      total += count
    }
  }
}
