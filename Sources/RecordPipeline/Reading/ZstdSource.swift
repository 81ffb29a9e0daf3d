internal import CCompression

/// Decompresses all frames of a Zstandard file, and verifies their checksums; skips skippable frames.
final class ZstdSource: ByteSource {
  private let compressed: any ByteSource
  private let stream: OpaquePointer
  private let input: UnsafeMutableRawBufferPointer
  private var available = ZSTD_inBuffer(src: nil, size: 0, pos: 0)
  /// The decoder's hint for its next input, in bytes; 0 between frames.
  private var bytesWanted = 0

  /// The base-2 logarithm of the largest accepted window: 8 MiB.
  ///
  /// A frame may demand a window of many GiB.
  ///
  /// The command line tool accepts 2^27 (128 MiB) by default, which exceeds the memory budget.
  /// Compression levels below 20 need at most 2^23.
  private static let windowLogLimit: Int32 = 23

  init(_ compressed: any ByteSource) throws(ReadError) {
    self.compressed = compressed
    input = .allocate(byteCount: ZSTD_DStreamInSize(), alignment: 16)
    guard let stream = ZSTD_createDStream() else {
      input.deallocate()
      throw ReadError(.ioFailure, "cannot be decompressed: out of memory")
    }
    self.stream = stream
    ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, Self.windowLogLimit)
  }

  deinit {
    ZSTD_freeDStream(stream)
    input.deallocate()
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadError) -> Int {
    var output = ZSTD_outBuffer(dst: buffer.baseAddress, size: buffer.count, pos: 0)
    while output.pos == 0 {
      if available.pos == available.size {
        let count = try compressed.read(into: input)
        if count == 0 {
          guard bytesWanted == 0 else {
            throw ReadError(.truncated, "is a zstd file that ends too early")
          }
          return 0
        }
        available = ZSTD_inBuffer(src: input.baseAddress, size: count, pos: 0)
      }
      let result = ZSTD_decompressStream(stream, &output, &available)
      guard ZSTD_isError(result) == 0 else { throw Self.error(result) }
      bytesWanted = result
    }
    return output.pos
  }

  private static func error(_ code: Int) -> ReadError {
    switch ZSTD_getErrorCode(code) {
    case ZSTD_error_frameParameter_windowTooLarge:
      ReadError(
        .corrupt,
        "is a zstd file with a window above 8 MiB; compress it without --long and below --ultra")
    case ZSTD_error_memory_allocation:
      ReadError(.ioFailure, "cannot be decompressed: out of memory")
    default:
      ReadError(.corrupt, "is a corrupt zstd file: \(String(cString: ZSTD_getErrorName(code)))")
    }
  }
}
