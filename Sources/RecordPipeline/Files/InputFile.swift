internal import CCompression
internal import Glibc

/// An open input: a regular file, standard input, a pipe, or an object of a storage.
///
/// A file is opened once and then accessed by its descriptor, so a later rename has no effect. It is
/// read with `read` and not mapped, because the process would be killed if a mapped file shrank.
package final class InputFile: ByteSource {
  package let path: String
  private let source: any ByteSource
  /// The status of a regular file when it was opened; nil for other inputs.
  private let status: stat?
  /// Bytes that were read and not yet taken.
  private var ahead: ArraySlice<UInt8> = []
  private(set) var bytesRead = 0

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
      self.init(path: object.path, source: ObjectPipe(object))
      return
    }
    let folder = try window.folder(ofCopy: place)
    try self.init(path: "\(folder)/\(object.name)", foundBelow: folder)
  }

  private init(path: String, source: any ByteSource, status: stat? = nil) {
    (self.path, self.source, self.status) = (path, source, status)
  }

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
      self.init(path: path, source: DescriptorSource(STDIN_FILENO))
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
    let source = DescriptorSource(descriptor)
    guard fstat(descriptor, &status) == 0 else {
      throw ReadError(.ioFailure, "cannot be inspected: \(describe(errno))")
    }
    let isFile = status.st_mode & S_IFMT == S_IFREG
    guard isFile || allowsPipes && status.st_mode & S_IFMT == S_IFIFO else {
      throw Self.kindError(status.st_mode)
    }
    self.init(path: path, source: source, status: isFile ? status : nil)
  }

  /// An object that is not copied; nil for other inputs.
  private var pipe: ObjectPipe? { source as? ObjectPipe }

  /// -1 for an object that is not copied.
  private var descriptor: Int32 { (source as? DescriptorSource)?.descriptor ?? -1 }

  /// Bytes as stored; nil for standard input, a pipe, and an object whose listing does not say.
  package var size: Int? { status.map { Int($0.st_size) } ?? pipe?.object.size }

  /// True for bytes that come once, or cost as much again: standard input, a pipe, or an object that is not copied.
  package var isStreamed: Bool { status == nil }

  /// True for standard input or a pipe.
  package var isReadOnce: Bool { status == nil && pipe == nil }

  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadError) -> Int {
    if ahead.isEmpty { return try readOn(into: buffer) }
    let taken = ahead.prefix(buffer.count)
    buffer.copyBytes(from: taken)
    ahead = ahead.dropFirst(taken.count)
    return taken.count
  }

  /// The next bytes, fewer at the end; the next read gives them again.
  func peek(_ count: Int) throws(ReadError) -> [UInt8] {
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    defer { room.deallocate() }
    while ahead.count < count {
      let got = try readOn(into: .init(rebasing: room[..<(count - ahead.count)]))
      if got == 0 { break }
      ahead += room[..<got]
    }
    return Array(ahead.prefix(count))
  }

  private func readOn(into buffer: UnsafeMutableRawBufferPointer) throws(ReadError) -> Int {
    let count = try source.read(into: buffer)
    bytesRead += count
    return count
  }

  /// Waits for the first bytes of a streamed input, or its end.
  ///
  /// - Parameter check: called every 200 ms; an error that it throws ends the wait.
  package func waitUntilReadable(checking check: () throws -> Void) throws {
    var waiting = pollfd(
      fd: try pipe?.start().output.descriptor ?? descriptor, events: Int16(POLLIN), revents: 0)
    while poll(&waiting, 1, 200) <= 0 { try check() }
  }

  /// Goes back to the start for a second pass.
  package func rewind() throws(ReadError) {
    pipe?.restart()
    guard pipe != nil || lseek(descriptor, 0, SEEK_SET) == 0 else {
      throw ReadError(.ioFailure, "cannot be read twice: \(describe(errno))")
    }
    (ahead, bytesRead) = ([], 0)
  }

  /// The bytes at an offset of a regular file, fewer at its end.
  ///
  /// The read position does not move.
  func bytes(at offset: Int, count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      initializedCount = max(0, pread(descriptor, buffer.baseAddress, count, off_t(offset)))
    }
  }

  /// Checks that the file was read to its end and did not change since it was opened.
  ///
  /// An object that is not copied has been compared with its listing at its end.
  package func checkUnchanged() throws(ReadError) {
    guard let status else {
      guard pipe?.hasEnded ?? true else {
        throw ReadError(.changed, "was not read to its end; look at the object, and run again")
      }
      return
    }
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
    case _ where isStreamed: return nil
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

/// A file to load, and the stream of its lines.
package struct Input: Sendable, Equatable {
  /// The path as given, or that of a file found in a folder.
  package let path: String
  /// The stream's name.
  package let stream: String
  /// The searched folder in which the file was found; nil when the file was named.
  ///
  /// Links below such a folder are not trusted, because other users may be able to write to it.
  package var folder: String?
  /// The object of a storage; nil: a file of this machine.
  package internal(set) var object: StoredObject?
  /// The day that a run asked the file for, such as `2026-01-31`; nil: none.
  package var askedOn: String?
  /// True when the bytes come from standard input, and the path is `-` or a name that the caller gave.
  package let isStandardInput: Bool

  package init(
    path: String, stream: String, folder: String? = nil, object: StoredObject? = nil,
    isStandardInput: Bool = false
  ) {
    self.path = path
    self.stream = stream
    self.folder = folder
    self.object = object
    self.isStandardInput = isStandardInput || path == InputFile.standardInputPath
  }

  /// The path by which the file is recognized in later runs, however its path is written.
  ///
  /// It is found out anew at each call: the real path of the file's folder, and its name.
  ///
  /// Standard input is recognized by its name.
  package var canonicalPath: String {
    isStandardInput ? path : RecordPipeline.canonicalPath(path)
  }

  /// Bytes as stored, read anew from the path of a file; 0 for a pipe or a missing file.
  ///
  /// An estimate for the order of work and for progress; it does not limit reading.
  package var sizeOnDisk: Int {
    if let object { return object.size ?? 0 }
    var status = stat()
    return !isStandardInput && stat(path, &status) == 0 ? Int(status.st_size) : 0
  }
}

/// The bytes of an open descriptor, which is closed with the source unless it is standard input.
final class DescriptorSource: ByteSource {
  let descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { if descriptor > STDIN_FILENO { close(descriptor) } }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadError) -> Int {
    while true {
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      switch errno {
      case EINTR: continue
      // The parent process may have made standard input non-blocking.
      case EAGAIN:
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&waiting, 1, -1)
      default: throw ReadError(.ioFailure, "cannot be read: \(describe(errno))")
      }
    }
  }
}
