/// A gzip member with its content uncompressed, built without zlib.
func gzipMember(_ content: [UInt8], name: String? = nil, checksum: UInt32? = nil) -> [UInt8] {
  var member: [UInt8] = [0x1F, 0x8B, 8, name == nil ? 0 : 8, 0, 0, 0, 0, 0, 3]
  if let name { member += Array(name.utf8) + [0] }
  var rest = content[...]
  repeat {
    let block = rest.prefix(65_535)
    rest = rest.dropFirst(block.count)
    let length = UInt16(block.count)
    member += [rest.isEmpty ? 1 : 0] + littleEndian(length) + littleEndian(~length) + block
  } while !rest.isEmpty
  return member + littleEndian(checksum ?? crc32(content)) + littleEndian(UInt32(content.count))
}

/// A zstd frame of raw blocks, without a checksum.
///
/// - Parameter windowLog: the base-2 logarithm of the window that the header asks for.
func zstdFrame(_ content: [UInt8], windowLog: UInt8 = 17) -> [UInt8] {
  var frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0, (windowLog - 10) << 3]
  var rest = content[...]
  repeat {
    let block = rest.prefix(64 * 1024)
    rest = rest.dropFirst(block.count)
    frame += blockHeader(size: block.count, type: 0, isLast: rest.isEmpty) + block
  } while !rest.isEmpty
  return frame
}

/// A zstd frame that repeats one byte many times, in blocks of 128 KiB.
func zstdFrame(repeating byte: UInt8, blocks: Int) -> [UInt8] {
  var frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0, 7 << 3]
  for index in 1...blocks {
    frame += blockHeader(size: 128 * 1024, type: 1, isLast: index == blocks) + [byte]
  }
  return frame
}

/// A skippable zstd frame.
func zstdSkippableFrame(_ content: [UInt8], kind: UInt8 = 0) -> [UInt8] {
  [0x50 | kind, 0x2A, 0x4D, 0x18] + littleEndian(UInt32(content.count)) + content
}

private func blockHeader(size: Int, type: UInt32, isLast: Bool) -> [UInt8] {
  Array(littleEndian(UInt32(size) << 3 | type << 1 | (isLast ? 1 : 0)).prefix(3))
}

private func littleEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
  withUnsafeBytes(of: number.littleEndian) { Array($0) }
}

private func crc32(_ bytes: [UInt8]) -> UInt32 {
  var checksum = UInt32.max
  for byte in bytes {
    checksum ^= UInt32(byte)
    for _ in 0..<8 { checksum = checksum >> 1 ^ (checksum & 1 == 1 ? 0xEDB8_8320 : 0) }
  }
  return ~checksum
}
