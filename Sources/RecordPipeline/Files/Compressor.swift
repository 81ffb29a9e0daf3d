internal import CCompression

/// Compresses a stream of bytes a part at a time.
package final class Compressor {
  private enum Stream {
    case none
    case gzip(UnsafeMutablePointer<z_stream>)
    case zstd(OpaquePointer)
  }

  private let stream: Stream
  private let write: (UnsafeRawBufferPointer) throws -> Void
  private let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)

  /// The compression that the end of a file's name tells: `.gz`, `.zst`, or none.
  package static func compression(ofName name: String) -> Compression {
    let name = name.lowercased()
    return name.hasSuffix(".gz") ? .gzip : name.hasSuffix(".zst") ? .zstd : .none
  }

  /// - Parameter write: takes compressed bytes, which are valid during the call.
  package init(_ compression: Compression, write: @escaping (UnsafeRawBufferPointer) throws -> Void)
  {
    self.write = write
    switch compression {
    case .none: stream = .none
    case .gzip:
      let deflation = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
      deflation.initialize(to: z_stream())
      guard gbi_deflate_init_gzip(deflation) == Z_OK else { preconditionFailure("out of memory") }
      stream = .gzip(deflation)
    case .zstd:
      guard let context = ZSTD_createCCtx() else { preconditionFailure("out of memory") }
      ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
      stream = .zstd(context)
    }
  }

  deinit {
    switch stream {
    case .none: break
    case .gzip(let deflation):
      deflateEnd(deflation)
      deflation.deallocate()
    case .zstd(let context): ZSTD_freeCCtx(context)
    }
    room.deallocate()
  }

  /// - Throws: any error of `write`.
  package func add(_ bytes: UnsafeRawBufferPointer) throws { try compress(bytes, isLast: false) }

  /// Writes the end of the stream; must be called once, after the last bytes.
  package func finish() throws {
    try compress(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true)
  }

  private func compress(_ bytes: UnsafeRawBufferPointer, isLast: Bool) throws {
    switch stream {
    case .none: if !bytes.isEmpty { try write(bytes) }
    case .gzip(let deflation):
      deflation.pointee.next_in = UnsafeMutablePointer(
        mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
      deflation.pointee.avail_in = UInt32(bytes.count)
      repeat {
        deflation.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
        deflation.pointee.avail_out = UInt32(room.count)
        guard deflate(deflation, isLast ? Z_FINISH : Z_NO_FLUSH) != Z_STREAM_ERROR else {
          preconditionFailure("zlib refused its own state")
        }
        try write(
          UnsafeRawBufferPointer(rebasing: room[..<(room.count - Int(deflation.pointee.avail_out))])
        )
      } while deflation.pointee.avail_out == 0
    case .zstd(let context):
      var input = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
      var remaining = 0
      repeat {
        var output = ZSTD_outBuffer(dst: room.baseAddress, size: room.count, pos: 0)
        remaining = ZSTD_compressStream2(
          context, &output, &input, isLast ? ZSTD_e_end : ZSTD_e_continue)
        guard ZSTD_isError(remaining) == 0 else {
          preconditionFailure("zstd refused its own state")
        }
        try write(UnsafeRawBufferPointer(rebasing: room[..<output.pos]))
      } while isLast ? remaining > 0 : input.pos < input.size
    }
  }
}
