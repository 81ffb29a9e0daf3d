internal import Glibc

/// An open input, which gives its decoded bytes: a regular file, standard input, a pipe, or an object of a storage.
///
/// A file is opened once and then accessed by its descriptor, so a later rename has no effect. It is
/// read with `read` and not mapped, because the process would be killed if a mapped file shrank.
package final class InputFile: ByteSource {
  private let path: String
  /// An open file or pipe; -1 for an object that is not copied.
  private let descriptor: Int32
  /// The status of a regular file when it was opened; nil for other inputs.
  private let status: stat?
  /// The object that is not copied, and rclone, which writes its bytes once they are asked for.
  private let object: StoredObject?
  private var rclone: Rclone?
  /// Bytes that were read and not yet taken.
  private var ahead = MemorySource([])
  /// The bytes as stored that have been read; those of an archive are compressed.
  package private(set) var bytesRead = 0
  /// nil until the compression is looked for, which may have to wait for a pipe.
  private var decompressor: Decompressor?

  /// The path that stands for standard input.
  package static let standardInputPath = "-"

  /// Opens an input; an object is copied or waited for, or asked for when its first byte is read.
  ///
  /// - Parameter allowsPipes: true to read a named pipe, too. The call does not wait for its other end.
  /// - Throws: `ReadError` when the file is missing, unreadable, or no regular file.
  package init(_ input: Input, allowsPipes: Bool = false) throws(ReadError) {
    object = input.object?.window == nil ? input.object : nil
    if let object = input.object, let window = object.window {
      let folder = try window.folder(of: object)
      path = "\(folder)/\(object.name)"
      (descriptor, status) = try Self.open(path, foundBelow: folder)
    } else {
      path = input.path
      (descriptor, status) =
        try input.isStandardInput
        ? (STDIN_FILENO, nil)
        : input.object != nil
          ? (-1, nil) : Self.open(path, foundBelow: input.folder, allowsPipes: allowsPipes)
    }
  }

  deinit { if descriptor > STDIN_FILENO { close(descriptor) } }

  /// - Parameter folder: the searched folder in which the file was found; no link is followed below it.
  /// - Returns: the descriptor, and the status of a regular file.
  private static func open(
    _ path: String, foundBelow folder: String?, allowsPipes: Bool = false
  ) throws(ReadError) -> (Int32, stat?) {
    // Opening a device can have side effects, so a path to a device is refused unopened. A path
    // that changes after this check is refused by the second check, of the open file.
    var status = stat()
    if fstatat(AT_FDCWD, path, &status, folder == nil ? 0 : AT_SYMLINK_NOFOLLOW) == 0,
      [S_IFCHR, S_IFBLK, S_IFSOCK].contains(status.st_mode & S_IFMT)
    {
      throw kindError(status.st_mode)
    }
    // O_NONBLOCK, because opening a pipe without a writer would block.
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let descriptor = openBelow(
      folder ?? path, folder.map { pathParts(path, after: $0) } ?? [], flags: flags)
    guard descriptor >= 0 else { throw openError(errno, path: path, isFound: folder != nil) }
    let isKnown = fstat(descriptor, &status) == 0
    let kind = status.st_mode & S_IFMT
    if isKnown, kind == S_IFREG { return (descriptor, status) }
    if isKnown, kind == S_IFIFO, allowsPipes { return (descriptor, nil) }
    let error =
      isKnown
      ? kindError(status.st_mode)
      : ReadError(.ioFailure, "cannot be inspected: \(describe(errno))")
    close(descriptor)
    throw error
  }

  /// Bytes as stored; nil for standard input, a pipe, and an object whose listing does not say.
  package var size: Int? { status.map { Int($0.st_size) } ?? object?.size }

  /// True for bytes that come once, or cost as much again: standard input, a pipe, or an object that is not copied.
  package var isStreamed: Bool { status == nil }

  /// True for standard input or a pipe.
  package var isReadOnce: Bool { status == nil && object == nil }

  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadError) -> Int {
    try decoder().read(into: buffer) { buffer throws(ReadError) in
      let count = ahead.read(into: buffer)
      return count > 0 ? count : try readOn(into: buffer)
    }
  }

  /// The decoder for the compression that the first bytes show, which the first read gives again.
  private func decoder() throws(ReadError) -> Decompressor {
    if let decompressor { return decompressor }
    let room = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Compression.magicLength, alignment: 1)
    defer { room.deallocate() }
    var count = 0
    while count < room.count {
      let got = try readOn(into: .init(rebasing: room[count...]))
      if got == 0 { break }
      count += got
    }
    let magic = Array(room[..<count])
    ahead = MemorySource(magic)
    let decoder = try Decompressor(Compression(magic: magic, path: path))
    decompressor = decoder
    return decoder
  }

  /// The decoded length of a file before it is read, which an archive may state wrongly; nil when it states none.
  package func claimedLength() throws(ReadError) -> Int? {
    guard let size else { return nil }
    // The read position does not move; there is nothing to read of an object that is not copied.
    return try decoder().compression.claimedLength(ofSize: size) { offset, count in
      [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
        initializedCount = max(0, pread(descriptor, buffer.baseAddress, count, off_t(offset)))
      }
    }
  }

  private func readOn(into buffer: UnsafeMutableRawBufferPointer) throws(ReadError) -> Int {
    let count = try readBytes(of: source(), into: buffer)
    bytesRead += count
    if let rclone { try object?.check(bytesRead, isAtEnd: count == 0, of: rclone) }
    return count
  }

  /// The descriptor of the bytes; asks for an object, once.
  private func source() throws(ReadError) -> Int32 {
    if rclone == nil { rclone = try object?.open() }
    return rclone?.output ?? descriptor
  }

  /// Waits for the first bytes of a streamed input, or its end.
  ///
  /// - Parameter check: called every 200 ms; an error that it throws ends the wait.
  package func waitUntilReadable(checking check: () throws -> Void) throws {
    var waiting = pollfd(fd: try source(), events: Int16(POLLIN), revents: 0)
    while poll(&waiting, 1, 200) <= 0 { try check() }
  }

  /// Goes back to the start for a second pass.
  package func rewind() throws(ReadError) {
    guard object != nil || lseek(descriptor, 0, SEEK_SET) == 0 else {
      throw ReadError(.ioFailure, "cannot be read twice: \(describe(errno))")
    }
    (rclone, ahead, bytesRead, decompressor) = (nil, MemorySource([]), 0, nil)
  }

  /// Checks that the file was read to its end and did not change since it was opened.
  ///
  /// An object that is not copied has been compared with its listing at its end.
  package func checkUnchanged() throws(ReadError) {
    guard object == nil || rclone?.exitCode == 0 else {
      throw ReadError(.changed, "was not read to its end; look at the object, and run again")
    }
    guard let status else { return }
    func version(_ status: stat) -> [Int] {
      let (modified, changed) = (status.st_mtim, status.st_ctim)
      return [
        Int(status.st_size), modified.tv_sec, modified.tv_nsec, changed.tv_sec, changed.tv_nsec,
      ]
    }
    var now = stat()
    guard fstat(descriptor, &now) == 0, version(now) == version(status), bytesRead == now.st_size
    else {
      throw ReadError(
        .changed, "changed while it was read; load it again when its writer has finished")
    }
  }

  private static func openError(_ code: Int32, path: String, isFound: Bool) -> ReadError {
    var status = stat()
    return switch code {
    case ENOENT: ReadError(.missing, "does not exist")
    case EACCES, EPERM: ReadError(.notReadable, "may not be read: \(describe(code))")
    case ELOOP where stat(path, &status) != 0 && errno == ELOOP:
      ReadError(.notAFile, "is a loop of symbolic links")
    // Below a searched folder, ELOOP means that the file is a link, and ENOTDIR that a folder of
    // its path has become one since the search.
    case ELOOP: ReadError(.notAFile, refusalOfLink(path))
    case ENOTDIR where isFound: ReadError(.notAFile, refusalOfLink(path))
    default: ReadError(.ioFailure, "cannot be opened: \(describe(code))")
    }
  }

  private static func kindError(_ mode: mode_t) -> ReadError {
    let kind =
      switch mode & S_IFMT {
      case S_IFDIR: "a folder"
      case S_IFIFO: "a pipe, which is read as standard input: load - --name NAME < PIPE"
      case S_IFSOCK: "a socket"
      case S_IFCHR, S_IFBLK: "a device"
      default: "something else"
      }
    return ReadError(.notAFile, "is not a regular file but \(kind)")
  }
}
