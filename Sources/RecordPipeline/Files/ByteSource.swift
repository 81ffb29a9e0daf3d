internal import Glibc
internal import SHA256

/// A source of bytes that is read once, from start to end.
package protocol ByteSource: AnyObject {
  /// Reads up to the buffer's size, and returns the number of bytes; 0 means the end.
  ///
  /// - Throws: `ReadError` when the bytes cannot be read or are corrupt.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadError) -> Int
}

extension ByteSource {
  /// Reads up to the end.
  ///
  /// - Parameters:
  ///   - check: called before each read; an error that it throws ends the reading.
  ///   - take: gets the next bytes, valid during the call; false ends the reading.
  package func forEachPart(
    checking check: () throws -> Void = {}, _ take: (UnsafeRawBufferPointer) -> Bool
  ) throws {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      try check()
      let count = try read(into: buffer)
      guard count > 0, take(UnsafeRawBufferPointer(rebasing: buffer[..<count])) else { return }
    }
  }

  /// The digest and the number of the bytes up to the end.
  package func digest(
    checking check: () throws -> Void = {}
  ) throws -> (sha256: [UInt8], byteCount: Int) {
    let hash = SHA256()
    var total = 0
    try forEachPart(checking: check) {
      hash.update($0)
      total += $0.count
      return true
    }
    return (hash.finish().bytes, total)
  }
}

/// A source of bytes in memory.
package final class MemorySource: ByteSource {
  private var bytes: ArraySlice<UInt8>

  package init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

  package func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let taken = bytes.prefix(buffer.count)
    buffer.copyBytes(from: taken)
    bytes = bytes.dropFirst(taken.count)
    return taken.count
  }
}

/// Reads from an open file or pipe, and waits where it has nothing yet.
///
/// - Returns: the number of bytes; 0: the end.
func readBytes(
  of descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
) throws(ReadError) -> Int {
  while true {
    let count = read(descriptor, buffer.baseAddress, buffer.count)
    if count >= 0 { return count }
    if errno == EAGAIN {
      // The parent process may have made standard input non-blocking.
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      poll(&waiting, 1, -1)
    } else if errno != EINTR {
      throw ReadError(.ioFailure, "cannot be read: \(describe(errno))")
    }
  }
}

/// The cause of a failed path or file, by the code that reports give.
package enum InputFault: String, Sendable, CaseIterable {
  // A path
  case notLocal = "path_not_local"
  case pathMissing = "path_missing"
  case unknownStream = "stream_unknown"
  case ambiguousName = "stream_ambiguous"
  case unreadableFolder = "folder_not_readable"
  case nameIsNotUTF8 = "name_not_utf8"
  case tooFewFiles = "too_few_files"
  case usage, configuration

  // A file
  case missing = "file_missing"
  case notReadable = "file_not_readable"
  case notAFile = "not_a_file"
  case truncated = "file_truncated"
  case corrupt = "file_corrupt"
  case changed = "file_changed"
  case ioFailure = "input_output"
  case storageUnavailable = "storage_unavailable"
  case outOfMemory = "out_of_memory"
  case otherApplication = "other_application"
}

/// The reason why a file cannot be read or must not be loaded; only that file fails, unless the search for files
/// throws it because of a path that was given: then nothing is loaded.
package struct ReadError: Error, Sendable, Equatable, CustomStringConvertible {
  package let kind: InputFault
  package let message: String
  /// Facts about the reason for programs, by name.
  package let detail: [String: String]

  package init(_ kind: InputFault, _ message: String, detail: [String: String] = [:]) {
    self.kind = kind
    self.message = message
    self.detail = detail
  }

  package var description: String { message }

  static let noMemory = ReadError(.ioFailure, "cannot be decompressed: out of memory")
}
