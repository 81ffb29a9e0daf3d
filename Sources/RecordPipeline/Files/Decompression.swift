internal import CCompression

/// The compression of a file, detected by its first bytes and never by its name.
package enum Compression: Sendable {
  case none, gzip, zstd

  /// The number of bytes that the detection needs.
  static let magicLength = 4
  static let zstdMagic: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]

  init(magic: [UInt8]) {
    if magic.starts(with: [0x1F, 0x8B]) {
      self = .gzip
    } else if magic.starts(with: Self.zstdMagic) {
      self = .zstd
    } else if magic.count == 4, magic[0] & 0xF0 == 0x50, magic[1...] == [0x2A, 0x4D, 0x18] {
      self = .zstd  // a skippable frame may come first
    } else {
      self = .none
    }
  }
}

extension InputFile {
  /// The compression, which the first bytes tell.
  ///
  /// - Throws: `ReadError` when the file cannot be read, or when a file named `.gz` or `.zst` ends before its
  ///   magic number is complete, because no compressed file is that short.
  package func compression() throws(ReadError) -> Compression {
    let magic = try peek(Compression.magicLength)
    let name = path.lowercased()
    if magic.isEmpty, name.hasSuffix(".gz") || name.hasSuffix(".zst") {
      throw ReadError(.truncated, "is empty, but its name says that it is compressed")
    }
    if name.hasSuffix(".gz") && magic == [0x1F]
      || name.hasSuffix(".zst") && magic.count < 4 && Compression.zstdMagic.starts(with: magic)
    {
      throw ReadError(.truncated, "is a compressed file that ends too early")
    }
    return Compression(magic: magic)
  }
}

/// The decoded bytes of a file.
///
/// Its lines and its identity come from these bytes.
package final class DecodedSource: ByteSource {
  private let file: InputFile
  /// nil before the first read: the caller may have to react to a signal while a pipe is slow.
  private var decoder: (any ByteSource)?

  package init(_ file: InputFile) { self.file = file }

  /// The bytes read from the file so far; those of an archive are compressed.
  package var bytesOnDisk: Int { file.bytesRead }

  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadError) -> Int {
    if let decoder { return try decoder.read(into: buffer) }
    let decoder: any ByteSource =
      switch try file.compression() {
      case .none: file
      case .gzip: try GzipSource(file)
      case .zstd: try ZstdSource(file)
      }
    self.decoder = decoder
    return try decoder.read(into: buffer)
  }
}

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
      throw ReadError.noMemory
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
      case Z_MEM_ERROR: throw ReadError.noMemory
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
      throw ReadError.noMemory
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
    case ZSTD_error_memory_allocation: .noMemory
    default:
      ReadError(.corrupt, "is a corrupt zstd file: \(String(cString: ZSTD_getErrorName(code)))")
    }
  }
}
