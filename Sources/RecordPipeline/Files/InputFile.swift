internal import Glibc

/// An open input, which gives its decoded bytes: a regular file, standard input, a pipe, or an object of a storage.
///
/// A file is opened once and then accessed by its descriptor, so a later rename has no effect. It is
/// read with `read` and not mapped, because the process would be killed if a mapped file shrank.
package final class InputFile: ByteSource {
  package let path: String
  /// An open file or pipe; -1 for an object that is not copied.
  private let descriptor: Int32
  /// The status of a regular file when it was opened; nil for other inputs.
  private let status: stat?
  /// The object that is not copied, and rclone, which writes its bytes once they are asked for.
  private let object: StoredObject?
  private var process: ChildProcess?
  /// Bytes that were read and not yet taken.
  private var ahead: ArraySlice<UInt8> = []
  /// The bytes as stored that have been read; those of an archive are compressed.
  package private(set) var bytesRead = 0
  private var decompressor: Decompressor?
  /// True once the compression is known; it is looked for by the first read, which may have to wait for a pipe.
  private var isBegun = false

  /// The path that stands for standard input.
  package static let standardInputPath = "-"

  /// Opens an input; an object is copied or waited for, or asked for when its first byte is read.
  ///
  /// - Throws: `ReadError` when the file is missing, unreadable, or no regular file.
  package convenience init(_ input: Input) throws(ReadError) {
    guard let object = input.object else {
      try self.init(
        path: input.path, foundBelow: input.folder, isStandardInput: input.isStandardInput)
      return
    }
    guard let (window, place) = object.copy else {
      self.init(path: object.path, descriptor: -1, object: object)
      return
    }
    let folder = try window.folder(ofCopy: place)
    try self.init(path: "\(folder)/\(object.name)", foundBelow: folder)
  }

  private init(path: String, descriptor: Int32, status: stat? = nil, object: StoredObject? = nil) {
    (self.path, self.descriptor, self.status, self.object) = (path, descriptor, status, object)
  }

  deinit { if descriptor > STDIN_FILENO { close(descriptor) } }

  /// Opens a file, or standard input for `-`.
  ///
  /// - Parameters:
  ///   - folder: the searched folder in which the file was found; no link is followed below it.
  ///   - isStandardInput: true when the path is only a name for standard input.
  ///   - allowsPipes: true to read a named pipe, too. The call does not wait for its other end.
  package convenience init(
    path: String, foundBelow folder: String? = nil, isStandardInput: Bool = false,
    allowsPipes: Bool = false
  ) throws(ReadError) {
    if isStandardInput || path == Self.standardInputPath {
      self.init(path: path, descriptor: STDIN_FILENO)
      return
    }
    // Opening a device can have side effects, so a path to a device is refused unopened. A path
    // that changes after this check is refused by the second check, of the open file.
    var status = stat()
    if fstatat(AT_FDCWD, path, &status, folder == nil ? 0 : AT_SYMLINK_NOFOLLOW) == 0,
      [S_IFCHR, S_IFBLK, S_IFSOCK].contains(status.st_mode & S_IFMT)
    {
      throw Self.kindError(status.st_mode)
    }
    // O_NONBLOCK, because opening a pipe without a writer would block.
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let descriptor =
      if let folder {
        openBelow(folder, pathParts(path, after: folder), flags: flags)
      } else {
        openRepeatedly { open(path, flags) }
      }
    guard descriptor >= 0 else { throw Self.openError(errno, path: path, isFound: folder != nil) }
    let isKnown = fstat(descriptor, &status) == 0
    let isFile = status.st_mode & S_IFMT == S_IFREG
    guard isKnown, isFile || allowsPipes && status.st_mode & S_IFMT == S_IFIFO else {
      let error =
        isKnown
        ? Self.kindError(status.st_mode)
        : ReadError(.ioFailure, "cannot be inspected: \(describe(errno))")
      close(descriptor)
      throw error
    }
    self.init(path: path, descriptor: descriptor, status: isFile ? status : nil)
  }

  /// Bytes as stored; nil for standard input, a pipe, and an object whose listing does not say.
  package var size: Int? { status.map { Int($0.st_size) } ?? object?.size }

  /// True for bytes that come once, or cost as much again: standard input, a pipe, or an object that is not copied.
  package var isStreamed: Bool { status == nil }

  /// True for standard input or a pipe.
  package var isReadOnce: Bool { status == nil && object == nil }

  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadError) -> Int {
    if !isBegun {
      decompressor = try Decompressor(compression())
      isBegun = true
    }
    guard let decompressor else { return try readStored(into: buffer) }
    return try decompressor.read(into: buffer, from: readStored)
  }

  private func readStored(into buffer: UnsafeMutableRawBufferPointer) throws(ReadError) -> Int {
    if ahead.isEmpty { return try readOn(into: buffer) }
    let taken = ahead.prefix(buffer.count)
    buffer.copyBytes(from: taken)
    ahead = ahead.dropFirst(taken.count)
    return taken.count
  }

  /// The compression, by the first bytes, which the first read gives again.
  private func compression() throws(ReadError) -> Compression {
    let count = Compression.magicLength
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    defer { room.deallocate() }
    while ahead.count < count {
      let got = try readOn(into: .init(rebasing: room[..<(count - ahead.count)]))
      if got == 0 { break }
      ahead += room[..<got]
    }
    return try Compression(magic: Array(ahead), path: path)
  }

  /// The decoded length of a file before it is read, which an archive may state wrongly; nil when it states none.
  package func claimedLength() throws(ReadError) -> Int? {
    guard let size else { return nil }
    let compression = try compression()
    if isStreamed { return compression == .none ? size : nil }
    return compression.claimedLength(ofSize: size, bytes(at:count:))
  }

  private func readOn(into buffer: UnsafeMutableRawBufferPointer) throws(ReadError) -> Int {
    let count = try readBytes(of: source(), into: buffer)
    bytesRead += count
    if let process { try object?.check(bytesRead, isAtEnd: count == 0, of: process) }
    return count
  }

  /// The descriptor of the bytes; asks for an object, once.
  private func source() throws(ReadError) -> Int32 {
    if process == nil { process = try object?.open() }
    return process?.output ?? descriptor
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
    process = nil
    guard object != nil || lseek(descriptor, 0, SEEK_SET) == 0 else {
      throw ReadError(.ioFailure, "cannot be read twice: \(describe(errno))")
    }
    (ahead, bytesRead, decompressor, isBegun) = ([], 0, nil, false)
  }

  /// The bytes at an offset of a regular file, fewer at its end.
  ///
  /// The read position does not move.
  private func bytes(at offset: Int, count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      initializedCount = max(0, pread(descriptor, buffer.baseAddress, count, off_t(offset)))
    }
  }

  /// Checks that the file was read to its end and did not change since it was opened.
  ///
  /// An object that is not copied has been compared with its listing at its end.
  package func checkUnchanged() throws(ReadError) {
    guard object == nil || process?.exitCode == 0 else {
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
    switch code {
    case ENOENT: ReadError(.missing, "does not exist")
    case EACCES, EPERM: ReadError(.notReadable, "may not be read: \(describe(code))")
    case ELOOP where isLoop(path): ReadError(.notAFile, "is a loop of symbolic links")
    // Below a searched folder, ELOOP means that the file is a link, and ENOTDIR that a folder of
    // its path has become one since the search.
    case ELOOP: ReadError(.notAFile, refusalOfLink(path))
    case ENOTDIR where isFound: ReadError(.notAFile, refusalOfLink(path))
    case ENXIO:
      ReadError(.notAFile, "is not a regular file but a socket, or a device without a driver")
    default: ReadError(.ioFailure, "cannot be opened: \(describe(code))")
    }
  }

  private static func isLoop(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) != 0 && errno == ELOOP
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
