/// A source of bytes that is read once, from start to end.
package protocol ByteSource: AnyObject {
  /// Reads up to the buffer's size, and returns the number of bytes; 0 means the end.
  ///
  /// - Throws: `ReadError` when the bytes cannot be read or are corrupt.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadError) -> Int
}

/// The reason why a file cannot be read or must not be loaded; only that file fails.
package struct ReadError: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Kind: Sendable {
    case missing, notReadable, notAFile, truncated, corrupt, changed, stalled, tooLarge
    case ioFailure, outOfMemory, otherApplication
    case checksumMismatch, lineCountMismatch, sidecarInvalid
  }

  package let kind: Kind
  package let message: String
  /// Facts about the reason for programs, by name.
  package let detail: [String: String]

  package init(_ kind: Kind, _ message: String, detail: [String: String] = [:]) {
    self.kind = kind
    self.message = message
    self.detail = detail
  }

  package var description: String { message }
}
