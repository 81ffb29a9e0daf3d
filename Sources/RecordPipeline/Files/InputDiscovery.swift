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
  private let askedOn: String?

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
  ///   - askedOn: the day that the paths are for, such as `2026-01-31`; nil: none.
  package init(
    stream: RecordStream? = nil, minFiles: Int = 1, isNight: Bool = false, source: String? = nil,
    askedOn: String? = nil
  ) {
    (self.stream, self.minFiles, self.isNight) = (stream, minFiles, isNight)
    (self.source, self.askedOn) = (source, askedOn)
  }

  /// The files of the paths; folders and storages are searched recursively, in byte order.
  ///
  /// A path that finds no file is a failure.
  /// - Parameter name: of standard input, the only path, whose stream it selects like the name of a file; nil: it
  ///   has none.
  /// - Throws: `ReadError` when a path is longer than `maxPathBytes`, when it has another scheme than those of
  ///   storages, when storages cannot be read here, and when a named file matches no stream or several.
  package func inputs(
    _ paths: [String], standardInput name: String? = nil
  ) throws(ReadError) -> FoundInputs {
    var found = FoundInputs()
    let paths = name.map { [$0] } ?? paths
    for path in paths {
      try checkLength(of: path)
      if name == nil { try checkScheme(of: path) }
    }
    for path in paths {
      var ofPath = FoundInputs()
      let candidates =
        name == nil
        ? candidates(behind: path) : [Candidate(path: path, kind: .named, isStandardInput: true)]
      for candidate in candidates { try classify(candidate, &ofPath) }
      if let failure = missing(path, ofPath) { ofPath.add(.failure(failure)) }
      found.append(ofPath)
    }
    noteShortfall(of: paths, in: &found)
    return found
  }

  /// A path that failed in the search counts as a file, because the report lists its failure.
  private func noteShortfall(of paths: [String], in found: inout FoundInputs) {
    let count = found.entries.count
    guard count < minFiles else { return }
    let named = 3
    let message =
      "\(count == 1 ? "1 file" : "\(count) files") in \(paths.prefix(named).joined(separator: " "))"
      + (paths.count > named ? " and \(paths.count - named) more" : "")
      + ", and min-files is \(minFiles); run again when the others are there\(ofSource)"
    found.shortfalls.append(
      Shortfall(
        failures: paths.map { missing($0, because: message) }, fileCount: count,
        minFiles: minFiles, message: message))
  }

  private var ofSource: String { source.map { " (\($0))" } ?? "" }

  private func missing(_ path: String, because reason: String) -> FailedInput {
    FailedInput(
      path: path, stream: verdict(on: StorageName(path)?.key ?? path).stream, kind: .pathMissing,
      reason: reason)
  }

  /// The failure of a path that finds no file; nil: it finds some, or need not.
  private func missing(_ path: String, _ found: FoundInputs) -> FailedInput? {
    guard minFiles > 0, found.entries.isEmpty, isNight || found.skipped.isEmpty else { return nil }
    let reason =
      if let first = found.skipped.first {
        "finds no file that is read: \(first.path)\(more(than: found.skipped)) is skipped, because "
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
    return missing(path, because: reason + ofSource)
  }

  private func checkLength(of path: String) throws(ReadError) {
    guard path.utf8.count > Self.maxPathBytes else { return }
    throw ReadError(
      .usage,
      "a path of \(path.utf8.count) bytes is longer than \(Self.maxPathBytes): "
        + "\(path.prefix(40))…; go to a folder nearer to it, or move the file")
  }

  /// Refuses addresses such as `https://host/name`, and storages that cannot be read here.
  private func checkScheme(of path: String) throws(ReadError) {
    let isAddress = path.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:\/\//) != nil
    guard isAddress || StorageName.isMeant(by: path) else { return }
    guard let name = StorageName(path) else {
      // A remote that is described in its place can hold a password.
      let shown =
        path.hasPrefix("rclone:") ? "a path that begins with rclone:" : withoutPassword(path)
      throw ReadError(
        .notLocal,
        "\(shown) is neither a local file nor s3://BUCKET/PREFIX nor rclone:REMOTE:PATH with "
          + "a remote of rclone's configuration, and no other address is read: give one of these, or send the bytes, as in curl -sf ADDRESS | "
          + "gamebase-ingest load - --stream NAME")
    }
    do throws(ReadError) { try Rclone.shared.get().check(name) } catch {
      throw ReadError(.configuration, error.message)
    }
  }

  // MARK: - One candidate

  private func classify(
    _ candidate: Candidate, _ found: inout FoundInputs
  ) throws(ReadError) {
    let path = candidate.path
    guard path.utf8.count <= Self.maxPathBytes else {
      let start = String(decoding: path.utf8.prefix(Self.maxPathBytes), as: UTF8.self)
      let reason =
        "is the beginning of a path of \(path.utf8.count) bytes, longer than \(Self.maxPathBytes); "
        + "move the file"
      return found.add(
        .failure(FailedInput(path: start, kind: .notReadable, reason: reason)))
    }
    // The bucket is no folder of the object.
    let verdict = verdict(on: candidate.object?.key ?? path)
    func fail(_ kind: InputFault, _ reason: String) {
      found.add(
        .failure(FailedInput(path: path, stream: verdict.stream, kind: kind, reason: reason)))
    }
    switch (candidate.kind, verdict) {
    case (.failed(let kind, let reason), _): fail(kind, reason)
    case (.found, _) where !Self.isData(path):
      found.skipped.append(SkippedInput(path: path, kind: .otherEnding))
    case (_, .stream(let name)):
      found.add(
        .input(
          Input(
            path: path, stream: name, folder: candidate.folder, object: candidate.object,
            askedOn: askedOn, isStandardInput: candidate.isStandardInput)))
    case (.named, .none): throw ReadError(withoutStream: path)
    // The files behind a link must not be missed without a word.
    case (.link, .none): fail(.notAFile, refusalOfLink(path))
    case (.found, .none): found.skipped.append(SkippedInput(path: path, kind: .noStream))
    case (let kind, .several(let name, let streams)):
      let remedy = candidate.isStandardInput ? "add --stream" : "rename it or add --stream"
      let reason = "fits \(streams.joined(separator: " and ")) by the words of \(name); \(remedy)"
      if case .named = kind {
        throw ReadError(.ambiguousName, "\(path) \(reason)")
      }
      fail(.ambiguousName, reason)
    }
  }

  private func verdict(on path: String) -> StreamNaming.Verdict {
    if let stream { return .stream(stream.name) }
    return path == InputFile.standardInputPath ? .none : StreamNaming.verdict(onPath: path)
  }

  // MARK: - Files

  private func candidates(behind path: String) -> [Candidate] {
    if let name = StorageName(path) { return name.candidates() }
    if isFolder(path) { return FolderSearch(root: path).candidates() }
    if path == InputFile.standardInputPath || exists(path) {
      return [Candidate(path: path, kind: .named)]
    }
    guard PathPattern.isMeant(by: path) else { return [] }
    return PathPattern(path).paths.flatMap { match in
      isFolder(match) ? candidates(behind: match) : [Candidate(path: match, kind: .found)]
    }
  }

  /// True for the names of data files.
  static func isData(_ name: String) -> Bool {
    let name = name.lowercased()
    return dataSuffixes.contains { name.hasSuffix($0) }
  }
}

/// A path that was named or found, before its stream is selected.
struct Candidate {
  enum Kind {
    case named, found
    /// A link in a folder, to a folder or with the name of a data file.
    case link
    case failed(InputFault, reason: String)
  }

  let path: String
  let kind: Kind
  /// The searched folder in which the path was found.
  var folder: String?
  var object: StoredObject?
  var isStandardInput = false
}

/// A text without the password of an address that stands in it, such as `https://user:password@host`.
package func withoutPassword(_ text: String) -> String {
  text.replacing(/:\/\/[^\/\s:]*:\S*@/, with: "://…@")
}

private func isFolder(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

private func more(than paths: [SkippedInput]) -> String {
  paths.count > 1 ? " (and \(paths.count - 1) more)" : ""
}

extension ReadError {
  fileprivate init(withoutStream path: String) {
    let cause =
      path == InputFile.standardInputPath
      ? "standard input has no name that selects a stream"
      : "cannot tell which stream \(path) holds: no word of its name or its folders "
        + "is one of \(StreamNaming.knownWords)"
    let streams = StreamCatalog.all.map(\.name).joined(separator: "|")
    self.init(.unknownStream, "\(cause); add --stream \(streams)")
  }
}

extension FoundInputs {
  /// The error of paths behind which nothing but skipped files was found; nil: there are others, or none.
  package var errorOfSkippedAlone: ReadError? {
    guard entries.isEmpty, let first = skipped.first else { return nil }
    if let other = skipped.first(where: { $0.kind == .noStream }) {
      return ReadError(withoutStream: other.path)
    }
    return ReadError(
      .unknownStream,
      "\(first.path)\(more(than: skipped)) is skipped: \(first.reason); name a "
        + "file to load it whatever its ending is")
  }
}
