internal import Glibc

/// Opens a file or folder below a root, component by component, and follows no link below the root.
///
/// A user with write access to an inbox therefore cannot redirect a load to another place, not even
/// between the search and the opening.
///
/// - Parameters:
///   - root: a folder; it may itself be a link.
///   - components: the names below the root, without slashes.
/// - Returns: a descriptor, or -1 with `errno` set; `ELOOP` or `ENOTDIR` when a component is a link.
func openBelow(_ root: String, _ components: [Substring], flags: Int32) -> Int32 {
  let step = O_RDONLY | O_DIRECTORY | O_CLOEXEC
  guard let last = components.last else { return openRepeatedly { open(root, step) } }
  var folder = openRepeatedly { open(root, step) }
  for name in components.dropLast() where folder >= 0 {
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

/// The components of a path, without those of a folder that the path begins with.
///
/// It splits bytes, not characters, because a combining mark at the start of a name forms one
/// character with the slash before it.
func pathParts(_ path: String, after folder: String = "") -> [Substring] {
  path.utf8.dropFirst(folder.utf8.count).split(separator: UInt8(ascii: "/")).map { Substring($0) }
}

/// Repeats an `open` that a signal interrupts, as it can on a network file system.
func openRepeatedly(_ body: () -> Int32) -> Int32 {
  var descriptor = body()
  while descriptor < 0, errno == EINTR { descriptor = body() }
  return descriptor
}

/// The message of an errno.
func describe(_ code: Int32) -> String { String(cString: strerror(code)) }

/// False when the path certainly does not exist.
func exists(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) == 0 || (errno != ENOENT && errno != ENOTDIR)
}
