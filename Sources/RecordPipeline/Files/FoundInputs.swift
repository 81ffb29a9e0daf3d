/// A path that fails before it is opened; the other files are still loaded.
package struct FailedInput: Sendable, Equatable {
  /// The texts are those of the `ErrorCode`s.
  package enum Kind: String, Sendable, CaseIterable {
    case missing = "path_missing"
    case unreadableFolder = "folder_not_readable"
    case unreadableEntry = "file_not_readable"
    case nameIsNotUTF8 = "name_not_utf8"
    case ambiguousName = "stream_ambiguous"
    case link = "not_a_file"
    case storageUnavailable = "storage_unavailable"
  }

  package let path: String
  /// nil when the stream is unknown.
  package var stream: String?
  package let kind: Kind
  /// The rest of a message that begins with the path, such as "does not exist".
  package var reason: String
  /// The number of inputs before it, in the order given.
  package var place = 0

  package init(path: String, stream: String? = nil, kind: Kind, reason: String) {
    self.path = path
    self.stream = stream
    self.kind = kind
    self.reason = reason
  }
}

/// A file that was found, and is not read.
package struct SkippedInput: Sendable, Equatable {
  package enum Kind: Sendable { case noStream, otherEnding }

  package let path: String
  package let kind: Kind
}

/// Paths behind which fewer files were found than expected.
package struct Shortfall: Sendable, Equatable {
  /// One for each path.
  package let failures: [FailedInput]
  package let fileCount: Int
  package let minFiles: Int
  /// The event, its place, and the next step.
  package let message: String
}

/// The files of a command line's paths, in the order given.
package struct FoundInputs: Sendable, Equatable {
  package var inputs: [Input]
  package var failures: [FailedInput] = []
  package var skipped: [SkippedInput] = []
  package var shortfalls: [Shortfall] = []

  package init(_ inputs: [Input] = []) { self.inputs = inputs }

  mutating func fail(_ failure: FailedInput) {
    var failure = failure
    failure.place = inputs.count
    failures.append(failure)
  }
}

/// An error in the paths of the command line, because of which nothing is loaded.
package struct InputUsageError: Error, Sendable, CustomStringConvertible {
  /// The texts are those of the `ErrorCode`s.
  package enum Kind: String, Sendable, CaseIterable {
    case notLocal = "path_not_local"
    case tooLongPath = "usage"
    case unknownStream = "stream_unknown"
    case ambiguousName = "stream_ambiguous"
    case storageSetup = "configuration"
  }

  package let kind: Kind
  package let description: String
}

extension FoundInputs {
  /// Appends what was found for further paths.
  ///
  /// - Parameter isNew: called with each path; false: it is in the list already.
  package mutating func append(_ other: FoundInputs, where isNew: (String) -> Bool = { _ in true })
  {
    var rest = other.failures[...]
    for (place, input) in other.inputs.enumerated() {
      while let failure = rest.first, failure.place <= place {
        rest.removeFirst()
        if isNew(failure.path) { fail(failure) }
      }
      if isNew(input.path) { inputs.append(input) }
    }
    for failure in rest where isNew(failure.path) { fail(failure) }
    skipped += other.skipped.filter { isNew($0.path) }
    shortfalls += other.shortfalls
  }
}
