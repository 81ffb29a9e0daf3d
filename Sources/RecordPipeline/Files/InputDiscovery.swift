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
  /// The source of the paths, as a message ends with it.
  private let ofSource: String
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
    (ofSource, self.askedOn) = (source.map { " (\($0))" } ?? "", askedOn)
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
      guard path.utf8.count <= Self.maxPathBytes else {
        throw ReadError(
          .usage,
          "a path of \(path.utf8.count) bytes is longer than \(Self.maxPathBytes): "
            + "\(path.prefix(40))…; go to a folder nearer to it, or move the file")
      }
      if name == nil { try checkScheme(of: path) }
    }
    for path in paths {
      var ofPath = FoundInputs()
      let entries =
        name == nil
        ? entries(behind: path) : [.success(Input(path: path, isStandardInput: true))]
      for entry in entries { try take(entry, &ofPath) }
      if let failure = missing(path, ofPath) { ofPath.entries.append(.failure(failure)) }
      found.append(ofPath)
    }
    // A path that failed in the search counts as a file, because the report lists its failure.
    if found.entries.count < minFiles {
      found.shortfalls = [shortfall(of: paths, fileCount: found.entries.count)]
    }
    return found
  }

  // MARK: - Missing files

  private func shortfall(of paths: [String], fileCount: Int) -> Shortfall {
    let named = 3
    let message =
      "\(fileCount == 1 ? "1 file" : "\(fileCount) files") in "
      + paths.prefix(named).joined(separator: " ")
      + (paths.count > named ? " and \(paths.count - named) more" : "")
      + ", and min-files is \(minFiles); run again when the others are there\(ofSource)"
    let detail = ["files": String(fileCount), "min_files": String(minFiles)]
    return Shortfall(
      failures: paths.map { missing($0, because: message) },
      error: ReadError(.tooFewFiles, message, detail: detail))
  }

  private func missing(_ path: String, because reason: String) -> FailedInput {
    FailedInput(path: path, stream: stream(of: path), error: ReadError(.pathMissing, reason))
  }

  /// The failure of a path that finds no file; nil: it finds some, or need not.
  private func missing(_ path: String, _ found: FoundInputs) -> FailedInput? {
    guard minFiles > 0, found.entries.isEmpty, isNight || found.skipped.isEmpty else { return nil }
    let reason =
      if let first = found.skipped.first {
        "finds no file that is read: \(first.path)\(found.moreSkipped) is skipped, because "
          + first.reason
      } else if let storage = StorageName(path) {
        "finds no object in \(storage.place); check the name, or run again when the object is there"
      } else if fileKind(path) == S_IFDIR {
        "is a folder without a file"
      } else if PathPattern.isMeant(by: path) {
        "is a pattern that no file matches"
      } else {
        "does not exist"
      }
    return missing(path, because: reason + ofSource)
  }

  /// Refuses addresses such as `https://host/name`, and storages that cannot be read here.
  private func checkScheme(of path: String) throws(ReadError) {
    if let name = StorageName(path) { return try Rclone.check(name) }
    let isAddress = path.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:\/\//) != nil
    guard isAddress || StorageName.isMeant(by: path) else { return }
    // A remote that is described in its place can hold a password.
    let shown =
      path.hasPrefix("rclone:") ? "a path that begins with rclone:" : withoutPassword(path)
    throw ReadError(
      .notLocal,
      "\(shown) is neither a local file nor s3://BUCKET/PREFIX nor rclone:REMOTE:PATH with "
        + "a remote of rclone's configuration, and no other address is read: give one of these, or send the bytes, as in curl -sf ADDRESS | "
        + "gamebase-ingest load - --stream NAME")
  }

  // MARK: - One path that is named or found

  private func take(
    _ entry: FoundInputs.Entry, _ found: inout FoundInputs
  ) throws(ReadError) {
    var path = entry.path
    func fail(_ kind: InputFault, _ reason: String) {
      found.entries.append(.failure(FailedInput(path: path, error: ReadError(kind, reason))))
    }
    switch entry {
    case _ where path.utf8.count > Self.maxPathBytes:
      let reason =
        "is the beginning of a path of \(path.utf8.count) bytes, longer than \(Self.maxPathBytes); "
        + "move the file"
      path = String(decoding: path.utf8.prefix(Self.maxPathBytes), as: UTF8.self)
      fail(.notReadable, reason)
    case .failure(var failure):
      failure.stream = stream(of: path)
      found.entries.append(.failure(failure))
    case .success(let input) where input.origin == .found && !Self.isData(path):
      found.skipped.append(SkippedInput(path: path, reason: SkippedInput.otherEnding))
    case .success(var input):
      // The bucket is no folder of the object.
      let (name, streams) = selection(by: input.object?.key ?? path)
      switch (streams.count, input.origin) {
      case (1, _):
        (input.stream, input.askedOn) = (streams[0], askedOn)
        found.entries.append(.success(input))
      case (0, .named): throw ReadError(withoutStream: path)
      // The files behind a link must not be missed without a word.
      case (0, .link): fail(.notAFile, refusalOfLink(path))
      case (0, .found):
        found.skipped.append(SkippedInput(path: path, reason: SkippedInput.noStream))
      case (_, let origin):
        let remedy = input.isStandardInput ? "add --stream" : "rename it or add --stream"
        let reason = "fits \(streams.joined(separator: " and ")) by the words of \(name); \(remedy)"
        if origin == .named { throw ReadError(.ambiguousName, "\(path) \(reason)") }
        fail(.ambiguousName, reason)
      }
    }
  }

  private func selection(by path: String) -> (name: String, streams: [String]) {
    if let stream { return ("", [stream.name]) }
    return StreamNaming.selection(byPath: path)
  }

  /// The stream of a path that fails; nil: it selects none or several.
  private func stream(of path: String) -> String? {
    let streams = selection(by: StorageName(path)?.key ?? path).streams
    return streams.count == 1 ? streams[0] : nil
  }

  // MARK: - Files

  private func entries(behind path: String) -> [FoundInputs.Entry] {
    if let name = StorageName(path) { return name.entries() }
    let kind = fileKind(path)
    if kind == S_IFDIR { return FolderSearch(root: path).entries() }
    if path == InputFile.standardInputPath || kind != nil { return [.success(Input(path: path))] }
    guard PathPattern.isMeant(by: path) else { return [] }
    return PathPattern(path).paths.flatMap { match in
      fileKind(match) == S_IFDIR
        ? entries(behind: match) : [.success(Input(path: match, origin: .found))]
    }
  }

  /// True for the names of data files.
  static func isData(_ name: String) -> Bool {
    let name = name.lowercased()
    return dataSuffixes.contains { name.hasSuffix($0) }
  }
}

/// A text without the password of an address that stands in it, such as `https://user:password@host`.
package func withoutPassword(_ text: String) -> String {
  text.replacing(/:\/\/[^\/\s:]*:\S*@/, with: "://…@")
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
  fileprivate var moreSkipped: String {
    skipped.count > 1 ? " (and \(skipped.count - 1) more)" : ""
  }

  /// The error of paths behind which nothing but skipped files was found; nil: there are others, or none.
  package var errorOfSkippedAlone: ReadError? {
    guard entries.isEmpty, let first = skipped.first else { return nil }
    if let other = skipped.first(where: { $0.reason == SkippedInput.noStream }) {
      return ReadError(withoutStream: other.path)
    }
    return ReadError(
      .unknownStream,
      "\(first.path)\(moreSkipped) is skipped: \(first.reason); name a "
        + "file to load it whatever its ending is")
  }
}
