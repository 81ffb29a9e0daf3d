internal import Glibc

/// A recursive search of a folder for data files.
struct FolderSearch {
  /// The folder as named on the command line.
  let root: String
  /// True for the names of data files.
  let isData: (String) -> Bool

  enum Finding {
    case file(String)
    /// A link to a folder, or one that is named like a data file.
    case link(String)
    /// A file whose name is not that of a data file.
    case skipped(String)
    case failed(FailedInput)

    var path: String {
      switch self {
      case .file(let path), .link(let path), .skipped(let path): path
      case .failed(let failure): failure.path
      }
    }
  }

  /// All files, links and failures, in byte order of their paths.
  ///
  /// No link is followed. Unreadable folders and names of data files that are not UTF-8 are failures.
  func findings() -> [Finding] {
    var findings: [Finding] = []
    var pending: [[Substring]] = [[]]
    while let components = pending.popLast() {
      let path = self.path(components)
      let descriptor = openBelow(root, components, flags: O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0, let folder = fdopendir(descriptor) else {
        let code = errno
        if descriptor >= 0 { close(descriptor) }
        // It is no failure that a folder below the root was removed after it was listed.
        if code != ENOENT || components.isEmpty {
          findings.append(.failed(.unreadable(path, code)))
        }
        continue
      }
      defer { closedir(folder) }
      let (entries, code) = self.entries(of: folder)
      if code != 0 { findings.append(.failed(.unreadable(path, code))) }
      for entry in entries { take(entry, of: components, in: descriptor, &findings, &pending) }
    }
    return findings.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  private func take(
    _ entry: Entry, of components: [Substring], in folder: Int32, _ findings: inout [Finding],
    _ pending: inout [[Substring]]
  ) {
    let path = self.path(components + [Substring(entry.shown)])
    let mode: mode_t
    switch entry.mode(in: folder) {
    case .success(let found): mode = found
    case .failure(let error):
      // It is no failure that the entry was removed after it was listed.
      if error.code != ENOENT {
        findings.append(
          .failed(
            FailedInput(
              path: path, kind: .unreadableEntry,
              reason: "cannot be inspected: \(describe(error.code))")))
      }
      return
    }
    let isLinkToFolder = mode == S_IFLNK && entry.isLinkToFolder(in: folder)
    guard mode == S_IFDIR || isLinkToFolder || isData(entry.shown) else {
      findings.append(.skipped(path))
      return
    }
    guard let name = entry.name else {
      findings.append(
        .failed(
          FailedInput(
            path: path, kind: .nameIsNotUTF8, reason: "has a name that is not UTF-8; rename it")))
      return
    }
    switch mode {
    case S_IFDIR: pending.append(components + [Substring(name)])
    case S_IFLNK: findings.append(.link(path))
    default: findings.append(.file(path))
    }
  }

  private func path(_ components: [Substring]) -> String {
    guard !components.isEmpty else { return root }
    return (root.hasSuffix("/") ? root : root + "/") + components.joined(separator: "/")
  }

  /// The entries of a folder, and the `errno` that ended the list early; 0 when the list is
  /// complete.
  private func entries(of folder: OpaquePointer) -> (entries: [Entry], code: Int32) {
    var entries: [Entry] = []
    errno = 0
    while let entry = readdir(folder) {
      let bytes = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      // Skips the hidden files of writers and editors, and also "." and "..".
      if bytes.first != UInt8(ascii: ".") { entries.append(Entry(bytes: bytes)) }
      errno = 0
    }
    return (entries, errno)
  }
}

/// A name in a folder, as bytes, which may not be UTF-8.
private struct Entry {
  let bytes: [UInt8]

  struct SystemError: Error { let code: Int32 }

  /// nil when the bytes are not UTF-8.
  var name: String? { String(validating: bytes, as: UTF8.self) }
  /// The name for messages.
  var shown: String { String(decoding: bytes, as: UTF8.self) }

  /// The file type of the entry.
  ///
  /// - Parameter followsLinks: true for that of a link's target.
  func mode(in folder: Int32, followsLinks: Bool = false) -> Result<mode_t, SystemError> {
    var status = stat()
    let name = bytes.map { CChar(bitPattern: $0) } + [0]
    guard fstatat(folder, name, &status, followsLinks ? 0 : AT_SYMLINK_NOFOLLOW) == 0 else {
      return .failure(SystemError(code: errno))
    }
    return .success(status.st_mode & S_IFMT)
  }

  func isLinkToFolder(in folder: Int32) -> Bool {
    if case .success(S_IFDIR) = mode(in: folder, followsLinks: true) { return true }
    return false
  }
}

extension FailedInput {
  fileprivate static func unreadable(_ folder: String, _ code: Int32) -> FailedInput {
    FailedInput(
      path: folder, kind: .unreadableFolder,
      reason: "is a folder that cannot be searched: \(describe(code))")
  }
}
