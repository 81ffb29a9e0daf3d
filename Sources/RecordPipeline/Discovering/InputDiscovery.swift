internal import Glibc

/// Finds the files behind the paths of a command line, and the stream of each.
///
/// The stream comes from names alone (`StreamNaming`), or is given. What a file holds is never looked
/// at for that. A name that was written on the command line must fit a stream; a file that was found
/// in a folder or by a pattern is skipped when it fits none.
package struct InputDiscovery {
  private let stream: RecordStream?
  private let followsLinks: Bool
  private let isStrict: Bool
  private let naming = StreamNaming()

  /// The names that count as data when a folder is searched; a file that is named outright may be
  /// called anything.
  private static let dataSuffixes = [".jsonl", ".ndjson", ".json"].flatMap {
    [$0, $0 + ".gz", $0 + ".zst"]
  }

  /// - Parameters:
  ///   - stream: what every file holds, whatever its name; nil: the name decides.
  ///   - followsLinks: whether links to folders that are found in folders are searched too.
  ///   - isStrict: whether a file that is found and fits no stream is an error.
  package init(stream: RecordStream? = nil, followsLinks: Bool = false, isStrict: Bool = false) {
    self.stream = stream
    self.followsLinks = followsLinks
    self.isStrict = isStrict
  }

  /// The files behind the paths: folders are searched to the bottom, in byte order.
  ///
  /// A named file that does not exist and has a stream's name is returned; reading it then fails it.
  /// - Throws: `InputUsageError` when a named path fits no stream or several, and when nothing but
  ///   files of no stream was found.
  package func inputs(_ paths: [String]) throws(InputUsageError) -> FoundInputs {
    var found = FoundInputs()
    var usage = UsageProblems()
    for path in paths {
      for candidate in candidates(behind: path) { judge(candidate, &found, &usage) }
    }
    if isStrict || (found.inputs.isEmpty && found.failures.isEmpty) {
      usage.strays += found.skipped.map(\.path)
    }
    if let error = usage.error(isStrict: isStrict) { throw error }
    return found
  }

  // MARK: - One candidate

  private struct Candidate {
    enum Origin { case named, matched, foundBelow(String), failed(FailedInput) }

    let path: String
    let origin: Origin
  }

  private func judge(
    _ candidate: Candidate, _ found: inout FoundInputs, _ usage: inout UsageProblems
  ) {
    let path = candidate.path
    switch (candidate.origin, verdict(on: path)) {
    case (.failed(var failure), let verdict):
      if case .stream(let name) = verdict { failure.stream = name }
      // A pattern without any match is like a path that does not exist.
      if failure.kind == .missing, failure.stream == nil {
        usage.missing.append("no file matches the pattern \(path)")
      } else {
        found.fail(failure)
      }
    case (.foundBelow(let root), .stream(let name)):
      found.inputs.append(Input(path: path, stream: name, folder: root))
    case (_, .stream(let name)): found.inputs.append(Input(path: path, stream: name))
    case (.named, .none):
      if path == InputFile.standardInputPath || exists(path) {
        usage.unknown.append(path)
      } else {
        usage.missing.append("\(path) does not exist")
      }
    case (_, .none):
      found.skipped.append(
        SkippedInput(
          path: path, reason: "no word of its name or its folders is \(StreamNaming.knownWords)"))
    case (let origin, .several(let name, let streams)):
      let reason =
        "fits \(streams.joined(separator: " and ")) by the words of \(name); rename it or add --stream"
      if case .named = origin {
        usage.ambiguous.append("\(path) \(reason)")
      } else {
        found.fail(FailedInput(path: path, kind: .ambiguousName, reason: reason))
      }
    }
  }

  private func verdict(on path: String) -> StreamNaming.Verdict {
    if let stream { return .stream(stream.name) }
    return path == InputFile.standardInputPath ? .none : naming.verdict(onPath: path)
  }

  // MARK: - Files

  private func candidates(behind path: String) -> [Candidate] {
    if path == InputFile.standardInputPath { return [Candidate(path: path, origin: .named)] }
    if isFolder(path) {
      return FolderSearch(root: path, followsLinks: followsLinks, isData: Self.isData).findings()
        .map { finding in
          switch finding {
          case .file(let file): Candidate(path: file, origin: .foundBelow(path))
          case .failed(let failure): Candidate(path: failure.path, origin: .failed(failure))
          }
        }
    }
    guard !exists(path), path.contains(where: { "*?[".contains($0) }) else {
      return [Candidate(path: path, origin: .named)]
    }
    let matches = Self.glob(path)
    guard !matches.isEmpty else {
      let failure = FailedInput(
        path: path, kind: .missing, reason: "is a pattern that no file matches")
      return [Candidate(path: path, origin: .failed(failure))]
    }
    return matches.flatMap { match in
      isFolder(match) ? candidates(behind: match) : [Candidate(path: match, origin: .matched)]
    }
  }

  private static func glob(_ pattern: String) -> [String] {
    var matches = glob_t()
    defer { globfree(&matches) }
    guard Glibc.glob(pattern, 0, nil, &matches) == 0 else { return [] }
    return (0..<Int(matches.gl_pathc)).compactMap { index in
      matches.gl_pathv[index].map { String(cString: $0) }
    }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private static func isData(_ name: String) -> Bool {
    let name = name.lowercased()
    return dataSuffixes.contains { name.hasSuffix($0) }
  }
}

private func isFolder(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

/// False when there is certainly nothing of this name.
private func exists(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) == 0 || (errno != ENOENT && errno != ENOTDIR)
}

/// The faults of a command line's paths, the first of which is told.
private struct UsageProblems {
  /// Sentences on paths that are not there.
  var missing: [String] = []
  /// Named paths whose stream cannot be told.
  var unknown: [String] = []
  /// Files that were found and fit no stream, where that is an error.
  var strays: [String] = []
  /// Sentences on names with the words of several streams.
  var ambiguous: [String] = []

  func error(isStrict: Bool) -> InputUsageError? {
    if let first = missing.first {
      return InputUsageError(kind: .missing, description: first + Self.more(missing))
    }
    if let first = ambiguous.first {
      return InputUsageError(kind: .ambiguousName, description: first + Self.more(ambiguous))
    }
    let all = unknown + strays
    guard let first = all.first else { return nil }
    let cause =
      first == InputFile.standardInputPath
      ? "standard input has no name to tell its stream by"
      : "cannot tell which stream \(first)\(Self.more(all)) holds: no word of its name or its folders "
        + "is one of \(StreamNaming.knownWords)"
    let streams = StreamCatalog.all.map(\.name).joined(separator: "|")
    let cure = unknown.isEmpty && isStrict ? ", or leave out --strict-files to skip it" : ""
    return InputUsageError(
      kind: .unknownStream, description: "\(cause); add --stream \(streams)\(cure)")
  }

  private static func more(_ all: [String]) -> String {
    all.count > 1 ? " (and \(all.count - 1) more)" : ""
  }
}
