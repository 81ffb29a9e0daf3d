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

/// The decoded bytes of a file.
///
/// Its lines and its identity come from these bytes.
package final class DecodedSource: ByteSource {
  private let file: InputFile
  private let source: any ByteSource
  package let compression: Compression
  private let maxBytes: Int?
  private var byteCount = 0

  /// Detects the compression, and inserts its decompressor.
  ///
  /// - Throws: `ReadError` when the file cannot be read, or when a file named `.gz` or `.zst` ends before its
  ///   magic number is complete, because no compressed file is that short.
  package init(_ file: InputFile) throws(ReadError) {
    var magic = [UInt8](repeating: 0, count: Compression.magicLength)
    var count = 0
    while count < magic.count {
      let got = try Self.read(file, into: &magic, from: count)
      if got == 0 { break }
      count += got
    }
    magic.removeLast(magic.count - count)
    let name = file.path.lowercased()
    if magic.isEmpty, name.hasSuffix(".gz") || name.hasSuffix(".zst") {
      throw ReadError(.truncated, "is empty, but its name says that it is compressed")
    }
    if name.hasSuffix(".gz") && magic == [0x1F]
      || name.hasSuffix(".zst") && magic.count < 4 && Compression.zstdMagic.starts(with: magic)
    {
      throw ReadError(.truncated, "is a compressed file that ends too early")
    }
    self.file = file
    maxBytes = file.options.maxBytes
    let whole = PrefixedSource(prefix: magic, rest: file)
    compression = Compression(magic: magic)
    switch compression {
    case .none: source = whole
    case .gzip: source = try GzipSource(whole)
    case .zstd: source = try ZstdSource(whole)
    }
  }

  /// The bytes read from the file so far; those of an archive are compressed.
  package var bytesOnDisk: Int { file.bytesRead }

  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadError) -> Int {
    let count = try source.read(into: buffer)
    byteCount += count
    if let maxBytes, byteCount > maxBytes {
      throw ReadError(
        .tooLarge, "has more than \(maxBytes) bytes when decoded; --max-bytes allows no more")
    }
    return count
  }

  private static func read(
    _ file: InputFile, into bytes: inout [UInt8], from start: Int
  ) throws(ReadError) -> Int {
    let room = UnsafeMutableRawBufferPointer.allocate(
      byteCount: bytes.count - start, alignment: 1)
    defer { room.deallocate() }
    let count = try file.read(into: room)
    for index in 0..<count { bytes[start + index] = room[index] }
    return count
  }
}

/// The bytes that were read for the detection, followed by the rest of the source.
private final class PrefixedSource: ByteSource {
  private var prefix: ArraySlice<UInt8>
  private let rest: any ByteSource

  init(prefix: [UInt8], rest: any ByteSource) {
    self.prefix = prefix[...]
    self.rest = rest
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadError) -> Int {
    if prefix.isEmpty { return try rest.read(into: buffer) }
    let taken = prefix.prefix(buffer.count)
    buffer.copyBytes(from: taken)
    prefix = prefix.dropFirst(taken.count)
    return taken.count
  }
}
