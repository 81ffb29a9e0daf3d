internal import Foundation
internal import RecordPipeline

extension Change {
  /// Reads a small file as a whole, plain or compressed; `-` is standard input.
  ///
  /// - Parameters:
  ///   - maxBytes: the most bytes of the file, decompressed.
  ///   - state: the state of the database after a failure, for messages, such as `no rate was changed`.
  /// - Returns: the bytes without a byte-order mark.
  /// - Throws: `LoadError` with exit code 5 when the file cannot be read or is larger; the interruption of a
  ///   pipe that is slow.
  package func read(_ path: String, maxBytes: Int, ifNot state: String) throws(LoadError) -> [UInt8]
  {
    func check() throws { try interruption.check(message: "interrupted; \(state)") }
    let name = path == InputFile.standardInputPath ? "standard input" : path
    var bytes: [UInt8] = []
    do {
      let file = try InputFile(path: path, allowsPipes: true)
      try DecodedSource(file).forEachPart(checking: {
        if file.isReadOnce { try file.waitUntilReadable(checking: check) }
      }) {
        bytes += $0
        return bytes.count <= maxBytes
      }
      if bytes.count <= maxBytes { try file.checkUnchanged() }
    } catch let error as ReadError {
      throw LoadError(
        ErrorCode(error.kind), "\(name) \(error.message); \(state)", exitCode: .fileFailed)
    } catch {
      throw LoadError(wrapping: error, during: "reading \(name)")
    }
    guard bytes.count <= maxBytes else {
      throw LoadError(
        .fileTooLarge, "\(name) has more than \(maxBytes) bytes; \(state)")
    }
    return bytes.starts(with: ByteSlice.byteOrderMark) ? Array(bytes.dropFirst(3)) : bytes
  }
}
