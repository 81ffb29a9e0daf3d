internal import CCompression

extension InputFile {
  /// The decoded length that a file states about itself; nil when it states none.
  ///
  /// The file is not decoded, so the length is only a hint. A gzip file ends with the length of its
  /// last member modulo 2^32, and a Zstandard file may begin with the length of its first frame.
  /// Either can have more members or frames.
  /// - Source: RFC 1952, 2.3.1 (ISIZE); RFC 8878, 3.1.1.1.4 (Frame_Content_Size).
  package func claimedLength(_ compression: Compression) -> Int? {
    guard let size else { return nil }
    switch compression {
    case .none: return size
    case .gzip:
      let last = bytes(at: size - 4, count: 4)
      return last.count == 4 ? last.reversed().reduce(0) { $0 << 8 | Int($1) } : nil
    case .zstd:
      // A header has 18 bytes at most.
      let first = bytes(at: 0, count: 18)
      let length = first.withUnsafeBytes { ZSTD_getFrameContentSize($0.baseAddress, $0.count) }
      // The two largest numbers mean "unknown" and "invalid". 0 is no hint, because zstd also
      // returns it for a skippable frame.
      return Int(exactly: length).flatMap { $0 > 0 ? $0 : nil }
    }
  }
}
