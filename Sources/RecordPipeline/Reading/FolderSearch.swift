internal import Glibc

/// Opens what lies below a folder, step by step, so that no part of the way is a link: who may write
/// into an inbox must not lead a load elsewhere, neither before the search nor after it.
///
/// - Parameter root: named by the caller, and may be a link itself.
/// - Parameter way: names from there, none of them with a slash.
/// - Returns: a descriptor, or -1 with `errno` set: `ELOOP` or `ENOTDIR` where the way has a link.
func openBelow(_ root: String, _ way: [Substring], flags: Int32) -> Int32 {
  let step = O_RDONLY | O_DIRECTORY | O_CLOEXEC
  guard let last = way.last else { return openRepeatedly { open(root, step) } }
  var folder = openRepeatedly { open(root, step) }
  for name in way.dropLast() where folder >= 0 {
    let next = openRepeatedly { openat(folder, String(name), step | O_NOFOLLOW) }
    let code = errno
    close(folder)
    errno = code
    folder = next
  }
  guard folder >= 0 else { return -1 }
  let descriptor = openRepeatedly { openat(folder, String(last), flags | O_NOFOLLOW) }
  let code = errno
  close(folder)
  errno = code
  return descriptor
}

/// The names that a path is made of, below a folder that it begins with.
///
/// By bytes: a name that begins with a combining mark makes one character with the slash before it.
func pathParts(_ path: String, after folder: String = "") -> [Substring] {
  path.utf8.dropFirst(folder.utf8.count).split(separator: UInt8(ascii: "/")).map { Substring($0) }
}

/// On a network's file system even opening can be interrupted.
func openRepeatedly(_ body: () -> Int32) -> Int32 {
  var descriptor = body()
  while descriptor < 0, errno == EINTR { descriptor = body() }
  return descriptor
}

/// What a folder holds, to the bottom.
struct FolderSearch {
  /// The folder that was named.
  let root: String
  /// Whether links to folders are searched too; each folder is searched once, so a loop ends.
  let followsLinks: Bool
  /// Tells data files by their names.
  let isData: (String) -> Bool

  /// Paths of data files, and of links to folders where those are not followed: opening those fails
  /// by name, and what they hide does not go missing unnoticed.
  ///
  /// - Throws: when a folder cannot be searched, for the same reason.
  func files() throws(InputUsageError) -> [String] {
    var files: [String] = []
    var seen: Set<[UInt]> = []
    var ways: [[Substring]] = [[]]
    while let way = ways.popLast() {
      let path = self.path(way)
      // A link's place may be anywhere, so where links are followed the system finds the way.
      let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
      let descriptor =
        followsLinks
        ? openRepeatedly { open(path, flags) } : openBelow(root, way, flags: flags)
      guard descriptor >= 0, let folder = fdopendir(descriptor) else {
        throw InputUsageError(
          description: "cannot search the folder \(path): \(describe(errno))")
      }
      defer { closedir(folder) }
      var status = stat()
      guard fstat(descriptor, &status) == 0, seen.insert([status.st_dev, status.st_ino]).inserted
      else { continue }
      for entry in try entries(of: folder, path: path) {
        switch try kind(of: entry, in: descriptor, path: path) {
        case S_IFDIR: ways.append(way + [Substring(entry)])
        case nil: continue
        case S_IFLNK where isFolder(entry, in: descriptor):
          if followsLinks {
            ways.append(way + [Substring(entry)])
          } else {
            files.append(self.path(way + [Substring(entry)]))
          }
        default: if isData(entry) { files.append(self.path(way + [Substring(entry)])) }
        }
      }
    }
    return files
  }

  private func path(_ way: [Substring]) -> String {
    guard !way.isEmpty else { return root }
    return (root.hasSuffix("/") ? root : root + "/") + way.joined(separator: "/")
  }

  private func entries(
    of folder: OpaquePointer, path: String
  ) throws(InputUsageError) -> [String] {
    var names: [String] = []
    while let entry = readdir(folder) {
      let bytes = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      // Hidden files are what writers and editors leave; "." and ".." are hidden too.
      if bytes.first == UInt8(ascii: ".") { continue }
      guard let name = String(validating: bytes, as: UTF8.self) else {
        throw InputUsageError(
          description:
            "the name of \(path)/\(String(decoding: bytes, as: UTF8.self)) is not UTF-8; "
            + "rename the file")
      }
      names.append(name)
    }
    // Last first: what is put on the pile last is searched first, the same way every time.
    return names.sorted { $1.utf8.lexicographicallyPrecedes($0.utf8) }
  }

  /// The kind of an entry itself, a link being a link; nil when a writer has just removed it.
  private func kind(
    of entry: String, in folder: Int32, path: String
  ) throws(InputUsageError) -> mode_t? {
    var status = stat()
    if fstatat(folder, entry, &status, AT_SYMLINK_NOFOLLOW) == 0 { return status.st_mode & S_IFMT }
    guard errno != ENOENT else { return nil }
    throw InputUsageError(description: "cannot inspect \(path)/\(entry): \(describe(errno))")
  }

  private func isFolder(_ entry: String, in folder: Int32) -> Bool {
    var status = stat()
    return fstatat(folder, entry, &status, 0) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
