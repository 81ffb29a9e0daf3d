internal import Glibc

/// A file that is to be loaded, and the stream that its lines belong to.
package struct Input: Sendable, Equatable {
  /// As it was given; for a folder, the path of the file that was found in it.
  package let path: String
  /// The stream's name.
  package let stream: String
  /// The folder below which it was found, where anybody may have put it; nil when it was named.
  package var folder: String?

  package init(path: String, stream: String, folder: String? = nil) {
    self.path = path
    self.stream = stream
    self.folder = folder
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
  private let followsLinks: Bool

  /// What counts as a data file when a folder is searched; a file that is named outright may be
  /// called anything.
  private static let dataSuffixes = [".jsonl", ".ndjson", ".json"].flatMap {
    [$0, $0 + ".gz", $0 + ".zst"]
  }

  /// - Parameters:
  ///   - stream: what every file holds, whatever its name; nil: the name decides.
  ///   - followsLinks: whether links to folders that are found in folders are searched too.
  package init(stream: RecordStream? = nil, followsLinks: Bool = false) {
    self.stream = stream
    self.followsLinks = followsLinks
  }

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
          found.append(Input(path: file, stream: name, folder: root))
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
    var names = pathParts(file)
    guard let name = names.popLast() else { return nil }
    if let stream = Self.stream(named: name) { return stream }
    // From the nearest folder up to the one that was given; for a file, just the one it is in.
    let rootDepth = root.map { pathParts($0).count } ?? names.count
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
    if Self.isFolder(path) {
      return try FolderSearch(root: path, followsLinks: followsLinks, isData: Self.isData).files()
        .sorted(by: Self.isBefore).map { ($0, path) }
    }
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

  private static func isData(_ name: String) -> Bool {
    let name = name.lowercased()
    return dataSuffixes.contains { name.hasSuffix($0) }
  }

  private static func isBefore(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }
}
