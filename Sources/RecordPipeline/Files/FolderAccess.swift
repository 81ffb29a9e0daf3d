internal import Glibc

/// Opens a file or folder below a root, component by component, and follows no link below the root.
///
/// A user with write access to an inbox therefore cannot redirect a load to another place, not even
/// between the search and the opening.
///
/// - Parameters:
///   - root: a folder; it may itself be a link.
///   - components: the names below the root, without slashes; empty for the root itself.
/// - Returns: a descriptor, or -1 with `errno` set; `ELOOP` or `ENOTDIR` when a component is a link.
func openBelow(_ root: String, _ components: [Substring], flags: Int32) -> Int32 {
  let step = O_RDONLY | O_DIRECTORY | O_CLOEXEC
  var descriptor = openRepeatedly { open(root, components.isEmpty ? flags : step) }
  for (place, name) in components.enumerated() where descriptor >= 0 {
    let flags = place == components.count - 1 ? flags : step
    let next = openRepeatedly { openat(descriptor, String(name), flags | O_NOFOLLOW) }
    let code = errno
    close(descriptor)
    errno = code
    descriptor = next
  }
  return descriptor
}

/// The components of a path, without those of a folder that the path begins with.
///
/// It splits bytes, not characters, because a combining mark at the start of a name forms one
/// character with the slash before it.
func pathParts(_ path: String, after folder: String = "") -> [Substring] {
  path.utf8.dropFirst(folder.utf8.count).split(separator: UInt8(ascii: "/")).map { Substring($0) }
}

/// The reason why a link that was found in a folder is not read, with its target.
func refusalOfLink(_ path: String) -> String {
  "is a symbolic link found in a folder, which is not followed; to read it, name its target: "
    + (realPath(path) ?? linkText(path) ?? "it is gone")
}

/// The target as a link has it; nil when the path is no link.
private func linkText(_ path: String) -> String? {
  var text = [CChar](repeating: 0, count: Int(PATH_MAX))
  let count = readlink(path, &text, text.count)
  return count > 0
    ? String(decoding: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
}

/// Repeats an `open` that a signal interrupts, as it can on a network file system.
private func openRepeatedly(_ body: () -> Int32) -> Int32 {
  var descriptor = body()
  while descriptor < 0, errno == EINTR { descriptor = body() }
  return descriptor
}

/// The message of an errno.
func describe(_ code: Int32) -> String { String(cString: strerror(code)) }

/// The kind of a file, such as `S_IFDIR`; 0: it is not known; nil: the file certainly does not exist.
func fileKind(_ path: String) -> mode_t? {
  var status = stat()
  if stat(path, &status) == 0 { return status.st_mode & S_IFMT }
  return errno == ENOENT || errno == ENOTDIR ? nil : 0
}

/// The path by which a file is recognized, however its path was written: the real path of its
/// folder, and its name.
///
/// The file need not exist, and neither need the last folders of its path. A link in the place of
/// the file is not resolved, because the file is delivered under the link's name. Standard input has
/// no path and stays `-`, and the name of an object stays as it is.
func canonicalPath(_ path: String) -> String {
  if path == InputFile.standardInputPath || StorageName.isMeant(by: path) { return path }
  let root = path.utf8.first == UInt8(ascii: "/") ? "/" : "./"
  var folder = pathParts(path).filter { $0 != "." }
  var rest: [Substring] = []
  if let name = folder.last, name != ".." { rest = [folder.removeLast()] }
  while true {
    if let real = realPath(root + folder.joined(separator: "/")) {
      // Without `..` and the names that it takes back.
      let names: [Substring] = (pathParts(real) + rest).reduce(into: []) { kept, name in
        if name == ".." { _ = kept.popLast() } else { kept.append(name) }
      }
      return "/" + names.joined(separator: "/")
    }
    // A folder that does not exist becomes a part of the rest; without a current folder nothing does.
    guard let missing = folder.popLast() else { return path }
    rest.insert(missing, at: 0)
  }
}

private func realPath(_ path: String) -> String? {
  guard let real = realpath(path, nil) else { return nil }
  defer { free(real) }
  return String(cString: real)
}
