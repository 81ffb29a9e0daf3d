internal import Glibc

/// A file that is to be loaded, and the stream that its lines belong to.
package struct Input: Sendable, Equatable {
  /// As it was given; for a folder, the path of the file that was found in it.
  package let path: String
  /// The stream's name.
  package let stream: String
  /// True when it was found in a folder, where anybody may have put it.
  package var isFound = false

  package init(path: String, stream: String, isFound: Bool = false) {
    self.path = path
    self.stream = stream
    self.isFound = isFound
  }
}

/// Inputs that cannot be understood: nothing has been loaded yet.
package struct InputUsageError: Error, Sendable, CustomStringConvertible {
  package let description: String
}

/// Finds the files behind the paths of a command line, and the stream of each.
///
/// The stream comes from names alone: the file's own, else that of the folder it is in. What a file
/// holds is never looked at for that.
package struct InputDiscovery {
  private let stream: RecordStream?

  /// What counts as a data file when a folder is searched; a file that is named outright may be
  /// called anything.
  private static let dataSuffixes = [".jsonl", ".ndjson", ".json"].flatMap {
    [$0, $0 + ".gz", $0 + ".zst"]
  }

  /// - Parameter stream: what every file holds, whatever its name; nil: the name decides.
  package init(stream: RecordStream? = nil) { self.stream = stream }

  /// The files behind the paths: folders are searched to the bottom, in byte order.
  ///
  /// A path that does not exist is returned as it stands; reading it then fails that file.
  /// - Throws: `InputUsageError` when a file's stream cannot be told.
  package func inputs(_ paths: [String]) throws(InputUsageError) -> [Input] {
    var found: [Input] = []
    var unmatched: [String] = []
    for path in paths {
      for (file, root) in try files(behind: path) {
        if let name = streamName(of: file, under: root) {
          found.append(Input(path: file, stream: name, isFound: root != nil))
        } else {
          unmatched.append(file)
        }
      }
    }
    guard let first = unmatched.first else { return found }
    let others = unmatched.count > 1 ? " (and \(unmatched.count - 1) more)" : ""
    let isStandardInput = first == InputFile.standardInputPath
    throw InputUsageError(
      description: (isStandardInput
        ? "standard input has no name to tell its stream by"
        : "cannot tell which stream \(first)\(others) holds: neither the file nor its folder is "
          + "named like one of \(Self.knownNames)")
        + "; add --stream \(StreamCatalog.all.map(\.name).joined(separator: "|"))")
  }

  private static let knownNames = StreamCatalog.all.flatMap(\.fileNamePrefixes)
    .map { "\($0)*" }.joined(separator: ", ")

  // MARK: - Names

  private func streamName(of file: String, under root: String?) -> String? {
    if let stream { return stream.name }
    if file == InputFile.standardInputPath { return nil }
    var names = file.split(separator: "/")
    guard let name = names.popLast() else { return nil }
    if let stream = Self.stream(named: name) { return stream }
    // From the nearest folder up to the one that was given; for a file, just the one it is in.
    let rootDepth = root.map { $0.split(separator: "/").count } ?? names.count
    while !names.isEmpty, names.count >= rootDepth, let folder = names.popLast() {
      if let stream = Self.stream(named: folder) { return stream }
    }
    return nil
  }

  private static func stream(named name: Substring) -> String? {
    let lowercased = name.lowercased()
    return StreamCatalog.all.first { stream in
      stream.fileNamePrefixes.contains { lowercased.hasPrefix($0) }
    }?.name
  }

  // MARK: - Files

  /// The files, each with the folder that it was found under; nil when it was named outright.
  private func files(
    behind path: String
  ) throws(InputUsageError) -> [(file: String, root: String?)] {
    if path == InputFile.standardInputPath { return [(path, nil)] }
    if Self.isFolder(path) { return try Self.dataFiles(in: path).map { ($0, path) } }
    if access(path, F_OK) != 0, path.contains(where: { "*?[".contains($0) }) {
      let matches = Self.glob(path)
      if !matches.isEmpty {
        var found: [(file: String, root: String?)] = []
        for match in matches { found += try files(behind: match) }
        return found
      }
    }
    return [(path, nil)]
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private static func glob(_ pattern: String) -> [String] {
    var matches = glob_t()
    defer { globfree(&matches) }
    guard Glibc.glob(pattern, 0, nil, &matches) == 0 else { return [] }
    return (0..<Int(matches.gl_pathc)).compactMap { index in
      matches.gl_pathv[index].map { String(cString: $0) }
    }.sorted(by: isBefore)
  }

  /// - Throws: when a folder cannot be searched: what is in it must not go missing unnoticed.
  private static func dataFiles(in root: String) throws(InputUsageError) -> [String] {
    var files: [String] = []
    var folders = [root]
    while let folder = folders.popLast() {
      guard let directory = opendir(folder) else {
        throw InputUsageError(description: "cannot search the folder \(folder): \(describe(errno))")
      }
      defer { closedir(directory) }
      while let entry = readdir(directory) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
          String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        // Hidden files are what writers and editors leave; "." and ".." are hidden too.
        if name.hasPrefix(".") { continue }
        let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
        var status = stat()
        guard lstat(path, &status) == 0 else {
          let code = errno
          // The name came from this folder; a writer may have removed it since.
          if code == ENOENT, !name.contains("\u{FFFD}") { continue }
          throw InputUsageError(
            description: name.contains("\u{FFFD}")
              ? "the name of \(path) is not UTF-8; rename the file"
              : "cannot inspect \(path): \(describe(code))")
        }
        if status.st_mode & S_IFMT == S_IFDIR {
          folders.append(path)
        } else if dataSuffixes.contains(where: { name.lowercased().hasSuffix($0) }) {
          files.append(path)
        }
      }
    }
    return files.sorted(by: isBefore)
  }

  private static func isBefore(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }
}
