internal import Glibc

/// A recursive search of a folder for data files.
struct FolderSearch {
  /// The folder as named on the command line.
  let root: String

  /// All files, links and failures, in byte order of their paths.
  ///
  /// No link is followed. Unreadable folders and names of data files that are not UTF-8 are failures.
  func entries() -> [FoundInputs.Entry] {
    var found: [FoundInputs.Entry] = []
    var pending: [[Substring]] = [[]]
    func fail(_ components: [Substring], _ kind: InputFault, _ reason: String) {
      found.append(.failure(FailedInput(path: path(components), error: ReadError(kind, reason))))
    }
    func failSearch(of components: [Substring]) {
      fail(
        components, .unreadableFolder, "is a folder that cannot be searched: \(describe(errno))")
    }
    while let components = pending.popLast() {
      let descriptor = openBelow(root, components, flags: O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0, let folder = fdopendir(descriptor) else {
        // It is no failure that a folder below the root was removed after it was listed.
        if errno != ENOENT || components.isEmpty { failSearch(of: components) }
        if descriptor >= 0 { close(descriptor) }
        continue
      }
      defer { closedir(folder) }
      errno = 0
      while let entry = readdir(folder) {
        defer { errno = 0 }
        // The name may not be UTF-8.
        let bytes = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
        // The hidden files of writers and editors are skipped.
        if bytes.first == UInt8(ascii: ".") { continue }
        let name = bytes.map { CChar(bitPattern: $0) } + [0]
        let file = components + [Substring(decoding: bytes, as: UTF8.self)]
        var (status, target) = (stat(), stat())
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
          // It is no failure that the entry was removed after it was listed.
          if errno != ENOENT { fail(file, .notReadable, "cannot be inspected: \(describe(errno))") }
          continue
        }
        let isLink = status.st_mode & S_IFMT == S_IFLNK
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        // Other files are skipped for their ending, whatever they are.
        let isSearched =
          isFolder || InputDiscovery.isData(String(file[components.count]))
          || isLink && fstatat(descriptor, name, &target, 0) == 0
            && target.st_mode & S_IFMT == S_IFDIR
        if isSearched, String(validating: bytes, as: UTF8.self) == nil {
          fail(file, .nameIsNotUTF8, "has a name that is not UTF-8; rename it")
        } else if isFolder {
          pending.append(file)
        } else {
          let origin = isLink && isSearched ? Input.Origin.link : .found
          found.append(.success(Input(path: path(file), origin: origin, folder: root)))
        }
      }
      if errno != 0 { failSearch(of: components) }
    }
    return found.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  private func path(_ components: [Substring]) -> String {
    guard !components.isEmpty else { return root }
    return (root.hasSuffix("/") ? root : root + "/") + components.joined(separator: "/")
  }
}
