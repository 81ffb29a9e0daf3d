internal import Glibc

/// A recursive search of a folder for data files.
struct FolderSearch {
  /// The folder as named on the command line.
  let root: String

  /// All files, links and failures, in byte order of their paths.
  ///
  /// No link is followed. Unreadable folders and names of data files that are not UTF-8 are failures.
  func candidates() -> [Candidate] {
    var found: [Candidate] = []
    var pending: [[Substring]] = [[]]
    while let components = pending.popLast() {
      let descriptor = openBelow(root, components, flags: O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0, let folder = fdopendir(descriptor) else {
        let code = errno
        if descriptor >= 0 { close(descriptor) }
        // It is no failure that a folder below the root was removed after it was listed.
        if code != ENOENT || components.isEmpty { found.append(unreadable(components, code)) }
        continue
      }
      defer { closedir(folder) }
      errno = 0
      while let entry = readdir(folder) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
        // The hidden files of writers and editors are skipped.
        if name.first != UInt8(ascii: ".") {
          take(name, of: components, in: descriptor, &found, &pending)
        }
        errno = 0
      }
      if errno != 0 { found.append(unreadable(components, errno)) }
    }
    return found.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  /// - Parameter bytes: a name in the folder, which may not be UTF-8.
  private func take(
    _ bytes: [UInt8], of components: [Substring], in folder: Int32, _ found: inout [Candidate],
    _ pending: inout [[Substring]]
  ) {
    let name = Substring(decoding: bytes, as: UTF8.self)
    let path = self.path(components + [name])
    func add(_ kind: Candidate.Kind) {
      found.append(Candidate(path: path, kind: kind, folder: root))
    }
    let entry = bytes.map { CChar(bitPattern: $0) } + [0]
    var (status, target) = (stat(), stat())
    guard fstatat(folder, entry, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      // It is no failure that the entry was removed after it was listed.
      if errno != ENOENT {
        add(.failed(.notReadable, reason: "cannot be inspected: \(describe(errno))"))
      }
      return
    }
    let (isFolder, isLink) = (isFolder(status), status.st_mode & S_IFMT == S_IFLNK)
    let leadsToFolder = isLink && fstatat(folder, entry, &target, 0) == 0 && self.isFolder(target)
    // Other files are skipped for their ending, whatever they are.
    let isSearched = isFolder || leadsToFolder || InputDiscovery.isData(String(name))
    if isSearched, String(validating: bytes, as: UTF8.self) == nil {
      return add(.failed(.nameIsNotUTF8, reason: "has a name that is not UTF-8; rename it"))
    }
    if isFolder {
      pending.append(components + [name])
    } else {
      add(isLink && isSearched ? .link : .found)
    }
  }

  private func isFolder(_ status: stat) -> Bool { status.st_mode & S_IFMT == S_IFDIR }

  private func path(_ components: [Substring]) -> String {
    guard !components.isEmpty else { return root }
    return (root.hasSuffix("/") ? root : root + "/") + components.joined(separator: "/")
  }

  private func unreadable(_ components: [Substring], _ code: Int32) -> Candidate {
    let reason = "is a folder that cannot be searched: \(describe(code))"
    return Candidate(path: path(components), kind: .failed(.unreadableFolder, reason: reason))
  }
}
