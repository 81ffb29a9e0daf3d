internal import Glibc

/// A private folder for the objects that a lane has copied, which is locked as long as its process lives.
final class ObjectFolder: Sendable {
  let path: String
  private let lock: Int32

  private static let prefix = "gamebase-ingest-objects-"

  private init(path: String, lock: Int32) { (self.path, self.lock) = (path, lock) }

  deinit {
    Self.remove(path)
    close(lock)
  }

  /// - Throws: `ReadError` when `TMPDIR` has no place for it.
  static func make() throws(ReadError) -> ObjectFolder {
    while true {
      var name = Array("\(temporary)/\(prefix)XXXXXX".utf8CString)
      guard mkdtemp(&name) != nil, let path = realpath(name, nil) else { throw failure(errno) }
      defer { free(path) }
      // Until it is locked, another run can take the folder for one that nobody uses.
      if let folder = locked(String(cString: path)) { return folder }
    }
  }

  /// The folder that a process of this user made; nil: that process lives, or it is no such folder.
  private static func locked(_ path: String) -> ObjectFolder? {
    let lock = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard lock >= 0 else { return nil }
    var status = stat()
    if fstat(lock, &status) == 0, status.st_uid == geteuid(), flock(lock, LOCK_EX | LOCK_NB) == 0,
      access(path, F_OK) == 0
    {
      return ObjectFolder(path: path, lock: lock)
    }
    close(lock)
    return nil
  }

  /// Removes the folders of this user's processes that were killed.
  static func removeAbandoned() {
    for path in PathPattern("\(temporary)/\(prefix)*").paths { _ = locked(path) }
  }

  static func failure(_ code: Int32) -> ReadError {
    ReadError(
      .ioFailure,
      "cannot be copied to \(temporary): \(describe(code)); set TMPDIR to a folder with room for 128 MiB"
    )
  }

  /// The folder for files that live as long as their process.
  private static var temporary: String { Rclone.variable("TMPDIR") ?? "/tmp" }

  /// Removes a folder with all that it holds, and follows no link.
  private static func remove(_ path: String) {
    guard let folder = opendir(path) else { return }
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name != ".", name != ".." else { continue }
      if unlink("\(path)/\(name)") != 0, errno == EISDIR { remove("\(path)/\(name)") }
    }
    closedir(folder)
    rmdir(path)
  }
}
