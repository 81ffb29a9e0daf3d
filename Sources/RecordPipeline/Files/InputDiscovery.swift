internal import Glibc

/// Finds the files of a command line's paths, and the stream of each.
///
/// An option or the names of the file and its folders (`StreamNaming`) select the stream, never the
/// contents of the file. A file on the command line must match a stream. A file that is found in a
/// folder or by a pattern is skipped when it matches none, or has another ending than data files.
package struct InputDiscovery {
  private let stream: RecordStream?
  private let minFiles: Int
  private let isNight: Bool
  private let source: String?
  private let naming = StreamNaming()

  /// The endings of data files that are found; a file named on the command line may have any name.
  private static let dataSuffixes = [".jsonl", ".ndjson", ".json"].flatMap {
    [$0, $0 + ".gz", $0 + ".zst"]
  }

  /// The longest path that is read, in bytes: the ledger has indexes of paths, and an entry of
  /// PostgreSQL's B-tree ends at 2,704 bytes.
  static let maxPathBytes = 1024

  /// - Parameters:
  ///   - stream: the stream of all files; nil to select it by their names.
  ///   - minFiles: the number of files below which some are missing; with 0 each path may find none.
  ///   - isNight: true where a path is missing also when it finds nothing but skipped files.
  ///   - source: the name of the paths' source in messages; nil: they are of the command line.
  package init(
    stream: RecordStream? = nil, minFiles: Int = 1, isNight: Bool = false, source: String? = nil
  ) {
    self.stream = stream
    self.minFiles = minFiles
    self.isNight = isNight
    self.source = source
  }

  /// Standard input under a name, which selects the stream like the name of a file.
  ///
  /// - Throws: `InputUsageError` when the name matches no stream or several.
  package func standardInput(named name: String) throws(InputUsageError) -> FoundInputs {
    try checkLength(of: name)
    var (found, usage) = (FoundInputs(), UsageProblems())
    switch verdict(on: name) {
    case .stream(let stream):
      found.inputs = [Input(path: name, stream: stream, isStandardInput: true)]
    case .none: usage.unknown.append(name)
    case .several(let word, let streams):
      usage.ambiguous.append(
        "\(name) fits \(streams.joined(separator: " and ")) by the words of \(word); add --stream")
    }
    if let error = usage.error { throw error }
    noteShortfall(of: [name], in: &found)
    return found
  }

  /// The files of the paths; folders and storages are searched recursively, in byte order.
  ///
  /// A path that finds no file is a failure.
  /// - Throws: `InputUsageError` when a path is longer than `maxPathBytes`, when it has another scheme than those of
  ///   storages, when storages cannot be read here, and when a named file matches no stream or several.
  package func inputs(_ paths: [String]) throws(InputUsageError) -> FoundInputs {
    var found = FoundInputs()
    var usage = UsageProblems()
    for path in paths {
      try checkLength(of: path)
      if StorageName.isMeant(by: path) || hasScheme(path) {
        guard let name = StorageName(path) else {
          // A remote that is described in its place can hold a password.
          usage.notLocal.append(
            path.hasPrefix("rclone:") ? "a path that begins with rclone:" : path)
          continue
        }
        try checkSetup(for: name)
      }
      var ofPath = FoundInputs()
      for candidate in candidates(behind: path) { classify(candidate, &ofPath, &usage) }
      if let failure = missing(path, ofPath) { ofPath.fail(failure) }
      found.append(ofPath)
    }
    if let error = usage.error { throw error }
    noteShortfall(of: paths, in: &found)
    return found
  }

  /// A path that failed in the search counts as a file, because the report lists its failure.
  private func noteShortfall(of paths: [String], in found: inout FoundInputs) {
    let count = found.inputs.count + found.failures.count
    guard count < minFiles else { return }
    let named = 3
    let message =
      "\(count == 1 ? "1 file" : "\(count) files") in \(paths.prefix(named).joined(separator: " "))"
      + (paths.count > named ? " and \(paths.count - named) more" : "")
      + ", and min-files is \(minFiles); run again when the others are there\(ofSource)"
    found.shortfalls.append(
      Shortfall(
        failures: paths.map { failure($0, message) }, fileCount: count, minFiles: minFiles,
        message: message))
  }

  private var ofSource: String { source.map { " (\($0))" } ?? "" }

  private func failure(_ path: String, _ reason: String) -> FailedInput {
    var failure = FailedInput(path: path, kind: .missing, reason: reason)
    if case .stream(let name) = verdict(on: StorageName(path)?.key ?? path) {
      failure.stream = name
    }
    return failure
  }

  /// The failure of a path that finds no file; nil: it finds some, or need not.
  private func missing(_ path: String, _ found: FoundInputs) -> FailedInput? {
    guard minFiles > 0, found.inputs.isEmpty, found.failures.isEmpty,
      isNight || found.skipped.isEmpty
    else { return nil }
    let reason =
      if let first = found.skipped.first {
        "finds no file that is read: \(first.path)\(more(than: found.skipped.map(\.path))) is skipped, because "
          + first.reason
      } else if let storage = StorageName(path) {
        "finds no object in \(storage.place); check the name, or run again when the object is there"
      } else if isFolder(path) {
        "is a folder without a file"
      } else if PathPattern.isMeant(by: path) {
        "is a pattern that no file matches"
      } else {
        "does not exist"
      }
    return failure(path, reason + ofSource)
  }

  private func checkLength(of path: String) throws(InputUsageError) {
    guard path.utf8.count > Self.maxPathBytes else { return }
    throw InputUsageError(
      kind: .tooLongPath,
      description: "a path of \(path.utf8.count) bytes is longer than \(Self.maxPathBytes): "
        + "\(path.prefix(40))…; go to a folder nearer to it, or move the file")
  }

  private func checkSetup(for name: StorageName) throws(InputUsageError) {
    do throws(Rclone.Missing) { try Rclone.shared.get().check(name) } catch {
      throw InputUsageError(kind: .storageSetup, description: error.message)
    }
  }

  // MARK: - One candidate

  private struct Candidate {
    enum Origin {
      case named, matched, foundBelow(String), link(String), skipped, failed(FailedInput)
    }

    let path: String
    let origin: Origin
    var object: StoredObject?

    func input(ofStream name: String) -> Input {
      if let object { return Input(object, stream: name) }
      return switch origin {
      case .foundBelow(let root), .link(let root): Input(path: path, stream: name, folder: root)
      case .named, .matched, .skipped, .failed: Input(path: path, stream: name)
      }
    }
  }

  private func classify(
    _ candidate: Candidate, _ found: inout FoundInputs, _ usage: inout UsageProblems
  ) {
    let path = candidate.path
    guard path.utf8.count <= Self.maxPathBytes else {
      let start = String(decoding: path.utf8.prefix(Self.maxPathBytes), as: UTF8.self)
      return found.fail(
        FailedInput(
          path: start, kind: .tooLongPath,
          reason: "is the beginning of a path of \(path.utf8.count) bytes, longer than "
            + "\(Self.maxPathBytes); move the file"))
    }
    // The bucket is no folder of the object.
    switch (candidate.origin, verdict(on: candidate.object?.key ?? path)) {
    case (.failed(var failure), let verdict):
      if case .stream(let name) = verdict { failure.stream = name }
      found.fail(failure)
    case (.skipped, _): found.skipped.append(SkippedInput(path: path, kind: .otherEnding))
    case (_, .stream(let name)): found.inputs.append(candidate.input(ofStream: name))
    case (.named, .none): usage.unknown.append(path)
    // The files behind a link must not be missed without a word.
    case (.link, .none):
      found.fail(FailedInput(path: path, kind: .link, reason: refusalOfLink(path)))
    case (_, .none): found.skipped.append(SkippedInput(path: path, kind: .noStream))
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
    if let name = StorageName(path), case .success(let rclone) = Rclone.shared {
      return ObjectSearch(rclone: rclone, isData: Self.isData).findings(at: name).map { finding in
        switch finding {
        case .object(let object, let isNamed):
          Candidate(
            path: object.path,
            origin: isNamed ? .named : Self.isData(object.path) ? .matched : .skipped,
            object: object)
        case .failed(let failure): Candidate(path: failure.path, origin: .failed(failure))
        }
      }
    }
    if isFolder(path) {
      return FolderSearch(root: path, isData: Self.isData).findings().map { finding in
        switch finding {
        case .file(let file): Candidate(path: file, origin: .foundBelow(path))
        case .link(let link): Candidate(path: link, origin: .link(path))
        case .skipped(let file): Candidate(path: file, origin: .skipped)
        case .failed(let failure): Candidate(path: failure.path, origin: .failed(failure))
        }
      }
    }
    if exists(path) { return [Candidate(path: path, origin: .named)] }
    guard PathPattern.isMeant(by: path) else { return [] }
    return PathPattern(path).paths.flatMap { match in
      isFolder(match)
        ? candidates(behind: match)
        : [Candidate(path: match, origin: Self.isData(match) ? .matched : .skipped)]
    }
  }

  private static func isData(_ name: String) -> Bool {
    let name = name.lowercased()
    return dataSuffixes.contains { name.hasSuffix($0) }
  }
}

/// A text without the password of an address that stands in it, such as `https://user:password@host`.
package func withoutPassword(_ text: String) -> String {
  text.replacing(/:\/\/[^\/\s:]*:\S*@/, with: "://…@")
}

/// True for `https://host/name` and other addresses, which are no paths of local files.
private func hasScheme(_ path: String) -> Bool {
  path.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:\/\//) != nil
}

private func isFolder(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

/// The problems of a command line's paths.
///
/// One kind is reported: paths with a scheme, else ambiguous names, else paths without a stream.
private struct UsageProblems {
  /// Paths with a scheme.
  var notLocal: [String] = []
  /// Named paths that exist and match no stream.
  var unknown: [String] = []
  /// Messages for paths whose names have words of several streams.
  var ambiguous: [String] = []

  var error: InputUsageError? {
    if let first = notLocal.first {
      return InputUsageError(
        kind: .notLocal,
        description:
          "\(withoutPassword(first))\(more(than: notLocal)) is neither a local file nor s3://BUCKET/PREFIX nor rclone:REMOTE:PATH with "
          + "a remote of rclone's configuration, and no other address is read: give one of these, or send the bytes, as in curl -sf ADDRESS | "
          + "gamebase-ingest load - --stream NAME")
    }
    if let first = ambiguous.first {
      return InputUsageError(kind: .ambiguousName, description: first + more(than: ambiguous))
    }
    return unknown.isEmpty ? nil : InputUsageError(withoutStream: unknown)
  }
}

private func more(than paths: [String]) -> String {
  paths.count > 1 ? " (and \(paths.count - 1) more)" : ""
}

extension InputUsageError {
  /// - Parameter paths: that match no stream; at least one.
  fileprivate init(withoutStream paths: [String]) {
    let first = paths.first ?? ""
    let cause =
      first == InputFile.standardInputPath
      ? "standard input has no name that selects a stream"
      : "cannot tell which stream \(first)\(more(than: paths)) holds: no word of its name or its folders "
        + "is one of \(StreamNaming.knownWords)"
    let streams = StreamCatalog.all.map(\.name).joined(separator: "|")
    self.init(kind: .unknownStream, description: "\(cause); add --stream \(streams)")
  }
}

extension FoundInputs {
  /// The error of paths behind which nothing but skipped files was found; nil: there are others, or none.
  package var errorOfSkippedAlone: InputUsageError? {
    guard inputs.isEmpty, failures.isEmpty, let first = skipped.first else { return nil }
    let withoutStream = skipped.filter { $0.kind == .noStream }.map(\.path)
    guard withoutStream.isEmpty else { return InputUsageError(withoutStream: withoutStream) }
    return InputUsageError(
      kind: .unknownStream,
      description:
        "\(first.path)\(more(than: skipped.map(\.path))) is skipped: \(first.reason); name a "
        + "file to load it whatever its ending is")
  }
}

extension SkippedInput {
  /// A clause that explains it.
  package var reason: String {
    switch kind {
    case .noStream: "no word of its name or its folders is \(StreamNaming.knownWords)"
    case .otherEnding: "its ending is none of .jsonl, .ndjson and .json, each also with .gz or .zst"
    }
  }
}
