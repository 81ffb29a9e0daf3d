internal import CCompression

/// The compression of a file, detected by its first bytes and never by its name.
enum Compression {
  case none, gzip, zstd

  /// The number of bytes that the detection needs.
  static let magicLength = 4
  private static let zstdMagic: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]

  /// - Parameters:
  ///   - magic: the first bytes of the file, all of a shorter one.
  ///   - path: names the compression of a file that is too short to show it.
  /// - Throws: `ReadError` when a file named `.gz` or `.zst` ends before its magic number is complete, because no
  ///   compressed file is that short.
  init(magic: [UInt8], path: String) throws(ReadError) {
    let name = path.lowercased()
    if magic.isEmpty, name.hasSuffix(".gz") || name.hasSuffix(".zst") {
      throw ReadError(.truncated, "is empty, but its name says that it is compressed")
    }
    if name.hasSuffix(".gz") && magic == [0x1F]
      || name.hasSuffix(".zst") && magic.count < 4 && Self.zstdMagic.starts(with: magic)
    {
      throw ReadError(.truncated, "is a compressed file that ends too early")
    }
    // A skippable frame of zstd may come first.
    let isSkippable =
      magic.count == 4 && magic[0] & 0xF0 == 0x50 && magic[1...] == [0x2A, 0x4D, 0x18]
    self =
      magic.starts(with: [0x1F, 0x8B])
      ? .gzip : isSkippable || magic.starts(with: Self.zstdMagic) ? .zstd : .none
  }

  /// The decoded length that a compressed file states about itself; nil when it states none.
  ///
  /// The file is not decoded, so the length is only a hint. A gzip file ends with the length of its
  /// last member modulo 2^32, and a Zstandard file may begin with the length of its first frame.
  /// Either can have more members or frames.
  /// - Parameters:
  ///   - size: the length of the file.
  ///   - bytes: the bytes at an offset, fewer at the end of the file.
  /// - Source: RFC 1952, 2.3.1 (ISIZE); RFC 8878, 3.1.1.1.4 (Frame_Content_Size).
  func claimedLength(ofSize size: Int, _ bytes: (_ offset: Int, _ count: Int) -> [UInt8]) -> Int? {
    switch self {
    case .none: return size
    case .gzip:
      let last = bytes(size - 4, 4)
      return last.count == 4 ? last.reversed().reduce(0) { $0 << 8 | Int($1) } : nil
    case .zstd:
      // A header has 18 bytes at most.
      let length = bytes(0, 18).withUnsafeBytes {
        ZSTD_getFrameContentSize($0.baseAddress, $0.count)
      }
      // The two largest numbers mean "unknown" and "invalid". 0 is no hint, because zstd also
      // returns it for a skippable frame.
      return Int(exactly: length).flatMap { $0 > 0 ? $0 : nil }
    }
  }
}

/// Decompresses a file: all members of a gzip file or all frames of a Zstandard file, whose checksums it verifies; a
/// file without compression is passed on.
final class Decompressor {
  let compression: Compression
  private let gzip: UnsafeMutablePointer<z_stream>?
  private let zstd: OpaquePointer?
  private let input: UnsafeMutableRawBufferPointer
  /// The part of the input that has not been decoded.
  private var rest = UnsafeRawBufferPointer(start: nil, count: 0)
  /// True between the start and the end of a member or frame.
  private var isInside = false

  /// The base-2 logarithm of the largest accepted window: 8 MiB.
  ///
  /// A frame may demand a window of many GiB. The command line tool accepts 2^27 (128 MiB) by default, which exceeds the
  /// memory budget. Compression levels below 20 need at most 2^23.
  private static let windowLogLimit: Int32 = 23

  init(_ compression: Compression) throws(ReadError) {
    self.compression = compression
    switch compression {
    case .none: (gzip, zstd) = (nil, nil)
    case .gzip:
      let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
      stream.initialize(to: z_stream())
      guard gbi_inflate_init_gzip(stream) == Z_OK else { throw ReadError.noMemory }
      (gzip, zstd) = (stream, nil)
    case .zstd:
      guard let stream = ZSTD_createDStream() else { throw ReadError.noMemory }
      ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, Self.windowLogLimit)
      (gzip, zstd) = (nil, stream)
    }
    // Last, since an init that ends before has no deinit.
    input = .allocate(byteCount: compression == .none ? 0 : 128 * 1024, alignment: 16)
  }

  deinit {
    if let gzip { inflateEnd(gzip) }
    gzip?.deallocate()
    ZSTD_freeDStream(zstd)
    input.deallocate()
  }

  /// Reads decoded bytes, as `ByteSource.read` does.
  ///
  /// - Parameter compressed: reads compressed bytes in the same way.
  func read(
    into buffer: UnsafeMutableRawBufferPointer,
    from compressed: (UnsafeMutableRawBufferPointer) throws(ReadError) -> Int
  ) throws(ReadError) -> Int {
    if compression == .none { return try compressed(buffer) }
    while true {
      if rest.isEmpty {
        let count = try compressed(input)
        rest = UnsafeRawBufferPointer(rebasing: input[..<count])
        if rest.isEmpty, isInside {
          throw ReadError(.truncated, "is a \(compression) file that ends too early")
        }
        if rest.isEmpty { return 0 }
      }
      let count =
        if let gzip { try decode(gzip, into: buffer) } else { try decodeZstd(into: buffer) }
      if count > 0 { return count }
    }
  }

  private func decode(
    _ stream: UnsafeMutablePointer<z_stream>, into buffer: UnsafeMutableRawBufferPointer
  ) throws(ReadError) -> Int {
    if !isInside {
      // zlib stops after each member. Then comes another member, or zeros that pad the file to a whole block.
      rest = UnsafeRawBufferPointer(rebasing: rest.drop { $0 == 0 })
      if rest.isEmpty { return 0 }
      inflateReset(stream)
      isInside = true
    }
    let next = rest.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.next_in = UnsafeMutablePointer(mutating: next)
    stream.pointee.avail_in = UInt32(rest.count)
    stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = UInt32(clamping: buffer.count)
    let room = stream.pointee.avail_out
    switch inflate(stream, Z_NO_FLUSH) {
    case Z_OK, Z_BUF_ERROR: break
    case Z_STREAM_END: isInside = false
    case Z_MEM_ERROR: throw ReadError.noMemory
    default:
      let reason = stream.pointee.msg.map { String(cString: $0) } ?? "invalid data"
      throw ReadError(.corrupt, "is a corrupt gzip file: \(reason)")
    }
    rest = UnsafeRawBufferPointer(rebasing: rest.suffix(Int(stream.pointee.avail_in)))
    return Int(room - stream.pointee.avail_out)
  }

  private func decodeZstd(into buffer: UnsafeMutableRawBufferPointer) throws(ReadError) -> Int {
    var source = ZSTD_inBuffer(src: rest.baseAddress, size: rest.count, pos: 0)
    var target = ZSTD_outBuffer(dst: buffer.baseAddress, size: buffer.count, pos: 0)
    let result = ZSTD_decompressStream(zstd, &target, &source)
    switch ZSTD_getErrorCode(result) {
    case ZSTD_error_no_error: break
    case ZSTD_error_frameParameter_windowTooLarge:
      throw ReadError(
        .corrupt,
        "is a zstd file with a window above 8 MiB; compress it without --long and below --ultra")
    case ZSTD_error_memory_allocation: throw ReadError.noMemory
    default:
      throw ReadError(
        .corrupt, "is a corrupt zstd file: \(String(cString: ZSTD_getErrorName(result)))")
    }
    isInside = result != 0
    rest = UnsafeRawBufferPointer(rebasing: rest[source.pos...])
    return target.pos
  }
}
