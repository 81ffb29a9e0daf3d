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

/// What an errno means, in words.
func describe(_ code: Int32) -> String { String(cString: strerror(code)) }
