internal import Foundation

/// A file that a command was asked to write.
struct OutputFile {
  private let url: URL

  init(_ path: String) { url = URL(fileURLWithPath: path).resolvingSymlinksInPath() }

  /// Writes beside the file and renames, so that nobody reads half of it; a pipe or a device that
  /// has the name already is written to.
  ///
  /// - Throws: `CocoaError` when it cannot be written, and what `body` throws; nothing is left then.
  func write<Value>(_ body: (FileHandle) throws -> Value) throws -> Value {
    var status = stat()
    let exists = stat(url.path, &status) == 0
    if exists, status.st_mode & S_IFMT != S_IFREG {
      let file = try FileHandle(forWritingTo: url)
      defer { try? file.close() }
      return try body(file)
    }
    let part = url.appendingPathExtension("part-\(getpid())")
    guard FileManager.default.createFile(atPath: part.path, contents: nil) else {
      throw CocoaError(.fileWriteNoPermission)
    }
    var isInPlace = false
    defer { if !isInPlace { unlink(part.path) } }
    let file = try FileHandle(forWritingTo: part)
    let value = try body(file)
    try file.close()
    if exists { chmod(part.path, status.st_mode & 0o7777) }
    guard rename(part.path, url.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
    isInPlace = true
    return value
  }
}
