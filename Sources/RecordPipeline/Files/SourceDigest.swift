internal import SHA256

extension SHA256 {
  /// The digest and the length of a whole source.
  ///
  /// - Parameter check: called before each read; an error that it throws ends the reading.
  package static func digest(
    of source: any ByteSource, checking check: () throws -> Void = {}
  ) throws -> (sha256: [UInt8], byteCount: Int) {
    let hash = SHA256()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 16)
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
