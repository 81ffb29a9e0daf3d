internal import Glibc

/// A file to load, and the stream of its lines.
package struct Input: Sendable {
  /// The path as given, or that of a file found in a folder.
  package let path: String
  /// The stream's name.
  package let stream: String
  /// The searched folder in which the file was found; nil when the file was named.
  ///
  /// Links below such a folder are not trusted, because other users may be able to write to it.
  package let folder: String?
  /// The object of a storage; nil: a file of this machine.
  package internal(set) var object: StoredObject?
  /// The day that a run asked the file for, such as `2026-01-31`; nil: none.
  package let askedOn: String?
  /// True when the bytes come from standard input, and the path is `-` or a name that the caller gave.
  package let isStandardInput: Bool

  package init(
    path: String, stream: String, folder: String? = nil, object: StoredObject? = nil,
    askedOn: String? = nil, isStandardInput: Bool = false
  ) {
    self.path = path
    self.stream = stream
    self.folder = folder
    self.object = object
    self.askedOn = askedOn
    self.isStandardInput = isStandardInput || path == InputFile.standardInputPath
  }

  /// The path by which the file is recognized in later runs, however its path is written.
  ///
  /// It is found out anew at each call: the real path of the file's folder, and its name.
  ///
  /// Standard input is recognized by its name.
  package var canonicalPath: String {
    isStandardInput ? path : RecordPipeline.canonicalPath(path)
  }

  /// Bytes as stored, read anew from the path of a file; 0 for a pipe or a missing file.
  ///
  /// An estimate for the order of work and for progress; it does not limit reading.
  package var sizeOnDisk: Int {
    if let object { return object.size ?? 0 }
    var status = stat()
    return !isStandardInput && stat(path, &status) == 0 ? Int(status.st_size) : 0
  }
}

/// A path that fails before it is opened; the other files are still loaded.
package struct FailedInput: Sendable {
  package let path: String
  /// nil when the stream is unknown.
  package var stream: String?
  package let kind: InputFault
  /// The rest of a message that begins with the path, such as "does not exist".
  package let reason: String
}

/// A file that was found, and is not read; programs read its path and reason as JSON.
package struct SkippedInput: Encodable, Sendable, Equatable {
  package enum Kind: Sendable { case noStream, otherEnding }

  package let path: String
  package let kind: Kind
  /// A clause that explains it.
  package let reason: String

  init(path: String, kind: Kind) {
    (self.path, self.kind) = (path, kind)
    reason =
      switch kind {
      case .noStream: "no word of its name or its folders is \(StreamNaming.knownWords)"
      case .otherEnding:
        "its ending is none of .jsonl, .ndjson and .json, each also with .gz or .zst"
      }
  }

  private enum CodingKeys: CodingKey { case path, reason }
}

/// Paths behind which fewer files were found than expected.
package struct Shortfall: Sendable {
  /// One for each path.
  package let failures: [FailedInput]
  package let fileCount: Int
  package let minFiles: Int
  /// The event, its place, and the next step.
  package let message: String
}

/// The files of a command line's paths.
package struct FoundInputs: Sendable {
  package enum Entry: Sendable {
    case input(Input)
    case failure(FailedInput)
  }

  /// The files and the failed paths, in the order given.
  package private(set) var entries: [Entry] = []
  package internal(set) var skipped: [SkippedInput] = []
  package internal(set) var shortfalls: [Shortfall] = []

  package init() {}

  package var inputs: [Input] {
    entries.compactMap { if case .input(let input) = $0 { input } else { nil } }
  }

  package var failures: [FailedInput] {
    entries.compactMap { if case .failure(let failure) = $0 { failure } else { nil } }
  }

  mutating func add(_ entry: Entry) { entries.append(entry) }

  /// Appends what was found for further paths.
  ///
  /// - Parameter isNew: called with each path; false: it is in the list already.
  package mutating func append(_ other: FoundInputs, where isNew: (String) -> Bool = { _ in true })
  {
    entries += other.entries.filter { entry in
      switch entry {
      case .input(let input): isNew(input.path)
      case .failure(let failure): isNew(failure.path)
      }
    }
    skipped += other.skipped.filter { isNew($0.path) }
    shortfalls += other.shortfalls
  }
}
