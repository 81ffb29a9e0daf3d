internal import Glibc

/// An open input: a regular file, or standard input.
///
/// It is opened once and acted on by its descriptor, so that a name that is given to another file
/// meanwhile does not matter. It is read with `read`, not mapped: a mapped file that shrinks kills
/// the process.
package final class InputFile: ByteSource {
  package let path: String
  private let descriptor: Int32
  private let isStandardInput: Bool
  private let status: FileStatus?
  private var bytesRead = 0

  /// The path that stands for standard input.
  package static let standardInputPath = "-"

  /// What a file looked like when it was opened; nothing of it may change while it is read.
  private struct FileStatus: Equatable {
    let device: UInt64
    let inode: UInt64
    let size: Int
    let modified: [Int]
    let changed: [Int]

    init(_ status: stat) {
      device = UInt64(status.st_dev)
      inode = UInt64(status.st_ino)
      size = Int(status.st_size)
      modified = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
      changed = [status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
    }
  }

  /// Opens a file, or standard input for `-`.
  ///
  /// - Throws: when it is not there, may not be read, or is no regular file. A pipe, device or
  ///   socket is refused by name and never waited for.
  package init(path: String) throws(ReadError) {
    self.path = path
    if path == Self.standardInputPath {
      descriptor = STDIN_FILENO
      isStandardInput = true
      status = nil
      return
    }
    isStandardInput = false
    // O_NONBLOCK: opening a pipe that nobody writes to would wait for ever.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw Self.openError(errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let code = errno
      close(descriptor)
      throw ReadError(.ioFailure, "cannot be inspected: \(describe(code))")
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw ReadError(.notAFile, "is no regular file but \(Self.kindName(status.st_mode))")
    }
    self.descriptor = descriptor
    self.status = FileStatus(status)
  }

  deinit { if !isStandardInput { close(descriptor) } }

  /// Bytes on disk; nil for standard input.
  package var size: Int? { status?.size }

  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadError) -> Int {
    while true {
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 {
        bytesRead += count
        return count
      }
      let code = errno
      if code == EINTR { continue }
      if code == EAGAIN {
        // Standard input may have been made non-blocking by whoever started us.
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&waiting, 1, -1)
        continue
      }
      throw ReadError(.ioFailure, "cannot be read: \(describe(code))")
    }
  }

  /// Waits for the first bytes of a pipe, or its end.
  ///
  /// - Parameter check: called now and then meanwhile; ends the wait by throwing.
  package func waitUntilReadable(checking check: () throws -> Void) throws {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while poll(&waiting, 1, 200) <= 0 { try check() }
  }

  /// Goes back to the start for a second pass.
  package func rewind() throws(ReadError) {
    guard lseek(descriptor, 0, SEEK_SET) == 0 else {
      throw ReadError(.ioFailure, "cannot be read twice: \(describe(errno))")
    }
    bytesRead = 0
  }

  /// Checks that the file is still what was opened, and that all of it has been read.
  package func checkUnchanged() throws(ReadError) {
    guard let status else { return }
    var now = stat()
    guard fstat(descriptor, &now) == 0, FileStatus(now) == status, bytesRead == status.size else {
      throw ReadError(
        .changed, "changed while it was read; load it again when its writer has finished")
    }
  }

  private static func openError(_ code: Int32) -> ReadError {
    switch code {
    case ENOENT: ReadError(.missing, "does not exist")
    case EACCES, EPERM: ReadError(.notReadable, "may not be read: \(describe(code))")
    case ELOOP: ReadError(.notAFile, "is a loop of symbolic links")
    case ENXIO: ReadError(.notAFile, "is no regular file but a socket")
    default: ReadError(.ioFailure, "cannot be opened: \(describe(code))")
    }
  }

  private static func kindName(_ mode: mode_t) -> String {
    switch mode & S_IFMT {
    case S_IFDIR: "a folder"
    case S_IFIFO: "a pipe"
    case S_IFSOCK: "a socket"
    case S_IFCHR, S_IFBLK: "a device"
    default: "something else"
    }
  }
}

/// What an errno means, in words.
func describe(_ code: Int32) -> String { String(cString: strerror(code)) }
