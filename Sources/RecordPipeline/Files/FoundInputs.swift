internal import Glibc

/// A file to load, and the stream of its lines.
package struct Input: Sendable {
  /// How the search came upon a path.
  package enum Origin: Sendable {
    case named, found
    /// A link in a folder, to a folder or with the name of a data file.
    case link
  }

  /// The path as given, or that of a file found in a folder.
  package let path: String
  /// The stream's name; empty until it is selected.
  package internal(set) var stream: String
  let origin: Origin
  /// The searched folder in which the file was found; nil when the file was named.
  ///
  /// Links below such a folder are not trusted, because other users may be able to write to it.
  package let folder: String?
  /// The object of a storage; nil: a file of this machine.
  package internal(set) var object: StoredObject?
  /// The day that a run asked the file for, such as `2026-01-31`; nil: none.
  package internal(set) var askedOn: String?
  /// True when the bytes come from standard input, and the path is `-` or a name that the caller gave.
  package let isStandardInput: Bool

  package init(
    path: String, stream: String = "", origin: Origin = .named, folder: String? = nil,
    object: StoredObject? = nil, isStandardInput: Bool = false
  ) {
    (self.path, self.stream, self.origin) = (path, stream, origin)
    (self.folder, self.object) = (folder, object)
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
package struct FailedInput: Error {
  package let path: String
  /// nil when the stream is unknown.
  package internal(set) var stream: String?
  /// Its message follows the path.
  package let error: ReadError
}

/// A file that was found, and is not read; programs read it as JSON.
package struct SkippedInput: Encodable, Sendable, Equatable {
  package let path: String
  /// A clause that explains it, one of the two below.
  package let reason: String

  package static let noStream = "no word of its name or its folders is \(StreamNaming.knownWords)"
  package static let otherEnding =
    "its ending is none of .jsonl, .ndjson and .json, each also with .gz or .zst"
}

/// Paths behind which fewer files were found than expected.
package struct Shortfall: Sendable {
  /// One for each path.
  package let failures: [FailedInput]
  /// The event, its place, and the next step.
  package let error: ReadError
}

/// The files of a command line's paths.
package struct FoundInputs: Sendable {
  package typealias Entry = Result<Input, FailedInput>

  /// The files and the failed paths, in the order given.
  package internal(set) var entries: [Entry] = []
  package internal(set) var skipped: [SkippedInput] = []
  package internal(set) var shortfalls: [Shortfall] = []

  package init() {}

  package var inputs: [Input] { entries.compactMap { try? $0.get() } }

  package var failures: [FailedInput] {
    entries.compactMap { if case .failure(let failure) = $0 { failure } else { nil } }
  }

  /// Appends what was found for further paths.
  ///
  /// - Parameter isNew: called with each path; false: it is in the list already.
  package mutating func append(_ other: FoundInputs, where isNew: (String) -> Bool = { _ in true })
  {
    entries += other.entries.filter { isNew($0.path) }
    skipped += other.skipped.filter { isNew($0.path) }
    shortfalls += other.shortfalls
  }
}

extension FoundInputs.Entry {
  var path: String {
    switch self {
    case .success(let input): input.path
    case .failure(let failure): failure.path
    }
  }
}
