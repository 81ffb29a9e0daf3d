internal import CCompression

/// Decompresses all members of a gzip file, and verifies the checksum and the length of each.
final class GzipSource: ByteSource {
  private let compressed: any ByteSource
  private let stream: UnsafeMutablePointer<z_stream>
  private let input: UnsafeMutableRawBufferPointer
  private var isInsideMember = false
  private var isAtEnd = false

  init(_ compressed: any ByteSource) throws(ReadError) {
    self.compressed = compressed
    input = .allocate(byteCount: 128 * 1024, alignment: 16)
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard gbi_inflate_init_gzip(stream) == Z_OK else {
      throw ReadError(.ioFailure, "cannot be decompressed: out of memory")
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
    input.deallocate()
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadError) -> Int {
    stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = UInt32(clamping: buffer.count)
    let wanted = Int(stream.pointee.avail_out)
    while Int(stream.pointee.avail_out) == wanted, !isAtEnd {
      if stream.pointee.avail_in == 0, try !refill() {
        guard !isInsideMember else {
          throw ReadError(.truncated, "is a gzip file that ends too early")
        }
        isAtEnd = true
        break
      }
      if !isInsideMember {
        // zlib stops after each member. Then comes another member, or zeros that pad the file to a
        // whole block.
        if try skipPadding() { continue }
        inflateReset(stream)
        isInsideMember = true
      }
      switch inflate(stream, Z_NO_FLUSH) {
      case Z_OK, Z_BUF_ERROR: break
      case Z_STREAM_END: isInsideMember = false
      case Z_MEM_ERROR: throw ReadError(.ioFailure, "cannot be decompressed: out of memory")
      default:
        let reason = stream.pointee.msg.map { String(cString: $0) } ?? "invalid data"
        throw ReadError(.corrupt, "is a corrupt gzip file: \(reason)")
      }
    }
    return wanted - Int(stream.pointee.avail_out)
  }

  private func refill() throws(ReadError) -> Bool {
    let count = try compressed.read(into: input)
    stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_in = UInt32(count)
    return count > 0
  }

  /// Skips zeros between members.
  ///
  /// - Returns: true when the input buffer is empty afterwards.
  private func skipPadding() throws(ReadError) -> Bool {
    while stream.pointee.avail_in > 0, let next = stream.pointee.next_in, next.pointee == 0 {
      stream.pointee.next_in = next + 1
      stream.pointee.avail_in -= 1
    }
    return stream.pointee.avail_in == 0
  }
}
