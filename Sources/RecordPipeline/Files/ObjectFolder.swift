internal import Glibc

/// A private folder for the objects that a lane has copied, which is locked as long as its process lives.
final class ObjectFolder {
  private var made: (path: String, lock: Int32)?

  private static let prefix = "gamebase-ingest-objects-"

  /// The path of the folder, which the first call makes.
  ///
  /// - Throws: `ReadError` when `TMPDIR` has no place for it.
  func path() throws(ReadError) -> String {
    while true {
      if let made { return made.path }
      var name = Array("\(Self.temporary)/\(Self.prefix)XXXXXX".utf8CString)
      guard mkdtemp(&name) != nil, let path = realpath(name, nil) else { throw Self.failure(errno) }
      defer { free(path) }
      let lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      // Until it is locked, another run can take the folder for one that nobody uses.
      if lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0, access(path, F_OK) == 0 {
        made = (String(cString: path), lock)
      } else if lock >= 0 {
        close(lock)
      }
    }
  }

  deinit {
    guard let made else { return }
    Self.remove(made.path)
    close(made.lock)
  }

  static func failure(_ code: Int32) -> ReadError {
    ReadError(
      .ioFailure,
      "cannot be copied to \(temporary): \(describe(code)); set TMPDIR to a folder with room for 128 MiB"
    )
  }

  /// The folder for files that live as long as their process.
  private static var temporary: String {
    let named = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    return named.isEmpty ? "/tmp" : named
  }

  /// Removes the folders of this user's processes that were killed.
  static func removeAbandoned() {
    for path in PathPattern("\(temporary)/\(prefix)*").paths {
      let lock = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard lock >= 0 else { continue }
      defer { close(lock) }
      var status = stat()
      if fstat(lock, &status) == 0, status.st_uid == geteuid(), flock(lock, LOCK_EX | LOCK_NB) == 0
      {
        remove(path)
      }
    }
  }

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
