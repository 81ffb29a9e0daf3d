internal import Glibc

/// What a folder holds, to the bottom.
struct FolderSearch {
  /// The folder that was named.
  let root: String
  /// Whether links to folders are searched too; each folder is searched once, so a loop ends.
  let followsLinks: Bool
  /// Tells data files by their names.
  let isData: (String) -> Bool

  enum Finding {
    case file(String)
    case failed(FailedInput)

    var path: String {
      switch self {
      case .file(let path): path
      case .failed(let failure): failure.path
      }
    }
  }

  /// Data files, and links to folders where those are not followed, in byte order of their paths:
  /// opening such a link fails by name, and its files do not go missing unnoticed.
  ///
  /// A folder that cannot be read and a name that is not UTF-8 are failures beside the other files.
  func findings() -> [Finding] {
    var findings: [Finding] = []
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
        let code = errno
        if descriptor >= 0 { close(descriptor) }
        // A folder below the one that was named may have been removed since it was listed.
        if code != ENOENT || way.isEmpty { findings.append(.failed(.unreadable(path, code))) }
        continue
      }
      defer { closedir(folder) }
      var status = stat()
      guard fstat(descriptor, &status) == 0, seen.insert([status.st_dev, status.st_ino]).inserted
      else { continue }
      let (entries, code) = self.entries(of: folder)
      if code != 0 { findings.append(.failed(.unreadable(path, code))) }
      for entry in entries { take(entry, of: way, in: descriptor, &findings, &ways) }
    }
    return findings.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  private func take(
    _ entry: Entry, of way: [Substring], in folder: Int32, _ findings: inout [Finding],
    _ ways: inout [[Substring]]
  ) {
    let path = self.path(way + [Substring(entry.shown)])
    let mode: mode_t
    switch entry.mode(in: folder, followsLinks: false) {
    case .success(let found): mode = found
    case .failure(let error):
      // A writer may have removed it since it was listed.
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
    guard mode == S_IFDIR || isLinkToFolder || isData(entry.shown) else { return }
    guard let name = entry.name else {
      findings.append(
        .failed(
          FailedInput(
            path: path, kind: .nameIsNotUTF8, reason: "has a name that is not UTF-8; rename it")))
      return
    }
    if mode == S_IFDIR || (isLinkToFolder && followsLinks) {
      ways.append(way + [Substring(name)])
    } else {
      findings.append(.file(path))
    }
  }

  private func path(_ way: [Substring]) -> String {
    guard !way.isEmpty else { return root }
    return (root.hasSuffix("/") ? root : root + "/") + way.joined(separator: "/")
  }

  /// The names in a folder, and the error that ended the list too early; 0: none.
  private func entries(of folder: OpaquePointer) -> (entries: [Entry], code: Int32) {
    var entries: [Entry] = []
    errno = 0
    while let entry = readdir(folder) {
      let bytes = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      // Hidden files are what writers and editors leave; "." and ".." are hidden too.
      if bytes.first != UInt8(ascii: ".") { entries.append(Entry(bytes: bytes)) }
      errno = 0
    }
    return (entries, errno)
  }
}

/// A name in a folder, in whatever bytes it is spelled.
private struct Entry {
  let bytes: [UInt8]

  struct SystemError: Error { let code: Int32 }

  /// nil when the bytes are not UTF-8.
  var name: String? { String(validating: bytes, as: UTF8.self) }
  /// For messages.
  var shown: String { String(decoding: bytes, as: UTF8.self) }

  /// The kind of the entry itself, or of the one that a link leads to.
  func mode(in folder: Int32, followsLinks: Bool) -> Result<mode_t, SystemError> {
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
