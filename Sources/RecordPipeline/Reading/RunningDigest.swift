internal import Crypto

/// An incremental SHA-256.
package final class RunningDigest {
  private var hash = SHA256()

  package init() {}

  package func update(_ bytes: UnsafeRawBufferPointer) { hash.update(bufferPointer: bytes) }

  package var value: [UInt8] { Array(hash.finalize()) }

  /// The digest and the length of a whole source.
  ///
  /// - Parameter check: called before each read; an error that it throws ends the reading.
  package static func digest(
    of source: any ByteSource, checking check: () throws -> Void = {}
  ) throws -> (sha256: [UInt8], byteCount: Int) {
    let digest = RunningDigest()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 64)
    defer { buffer.deallocate() }
    var total = 0
    while true {
      try check()
      let count = try source.read(into: buffer)
      if count == 0 { return (digest.value, total) }
      digest.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      total += count
    }
  }
}
