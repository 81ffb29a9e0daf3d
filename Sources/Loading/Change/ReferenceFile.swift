internal import Foundation
internal import RecordPipeline

/// The bytes of a file of reference data, which is read as a whole.
struct ReferenceFile {
  let path: String
  /// The most bytes of the file, decompressed.
  let maxBytes: Int
  /// The state of the database after a failure, for messages, such as `no rate was changed`.
  let consequence: String
  let interruption: Interruption

  /// Reads the file, plain or compressed; `-` is standard input.
  ///
  /// - Throws: `LoadError` with exit code 5 when the file cannot be read or is larger; the interruption of a
  ///   pipe that is slow.
  func read() throws(LoadError) -> [UInt8] {
    func check() throws { try interruption.check(message: "interrupted; \(consequence)") }
    var bytes: [UInt8] = []
    do {
      let file = try InputFile(path: path, allowsPipes: true)
      let source = DecodedSource(file)
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 64)
      defer { buffer.deallocate() }
      while bytes.count <= maxBytes {
        if file.isReadOnce { try file.waitUntilReadable(checking: check) }
        let count = try source.read(into: buffer)
        if count == 0 { break }
        bytes.append(contentsOf: buffer[..<count])
      }
      if bytes.count <= maxBytes { try file.checkUnchanged() }
    } catch let error as ReadError {
      throw LoadError(
        .fileFailed, "\(path) \(error.message); \(consequence)", code: ErrorCode(error.kind))
    } catch {
      throw LoadError(wrapping: error, during: "reading \(path)")
    }
    guard bytes.count <= maxBytes else {
      throw LoadError(
        .fileFailed, "\(path) has more than \(maxBytes) bytes; \(consequence)", code: .fileTooLarge
      )
    }
    return bytes.starts(with: Self.byteOrderMark) ? Array(bytes.dropFirst(3)) : bytes
  }

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
}
