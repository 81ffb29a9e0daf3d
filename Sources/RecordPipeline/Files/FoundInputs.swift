internal import Glibc

/// A path that fails before it is opened; the other files are still loaded.
package struct FailedInput: Sendable, Equatable {
  package enum Kind: Sendable {
    case missing, unreadableFolder, unreadableEntry, nameIsNotUTF8, ambiguousName
    case storageUnavailable
  }

  package let path: String
  /// nil when the stream is unknown.
  package var stream: String?
  package let kind: Kind
  /// The rest of a message that begins with the path, such as "does not exist".
  package let reason: String
  /// The number of inputs before it, in the order given.
  package var place = 0

  package init(path: String, stream: String? = nil, kind: Kind, reason: String) {
    self.path = path
    self.stream = stream
    self.kind = kind
    self.reason = reason
  }
}

/// A file that is not loaded: it matches no stream, or may still be written.
package struct SkippedInput: Sendable, Equatable {
  package let path: String
  package let reason: String
}

/// The files of a command line's paths, in the order given.
package struct FoundInputs: Sendable, Equatable {
  package var inputs: [Input]
  package var failures: [FailedInput] = []
  package var skipped: [SkippedInput] = []
  /// Files that may still be written, and are left to a later run.
  package var postponed: [SkippedInput] = []

  package init(_ inputs: [Input] = []) { self.inputs = inputs }

  mutating func fail(_ failure: FailedInput) {
    var failure = failure
    failure.place = inputs.count
    failures.append(failure)
  }
}

/// An error in the paths of the command line, because of which nothing is loaded.
package struct InputUsageError: Error, Sendable, CustomStringConvertible {
  package enum Kind: Sendable { case notLocal, missing, unknownStream, ambiguousName, storageSetup }

  package let kind: Kind
  package let description: String
}

extension FoundInputs {
  /// Appends what was found for further paths.
  ///
  /// - Parameter isNew: called with each path; false: it is in the list already.
  package mutating func append(_ other: FoundInputs, where isNew: (String) -> Bool) {
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
    postponed += other.postponed.filter { isNew($0.path) }
  }
}

extension FoundInputs {
  /// Moves the files that were written a short time ago from `inputs` to `postponed`.
  ///
  /// A file that cannot be inspected stays, and fails when it is read. A pipe has no age.
  ///
  /// - Parameters:
  ///   - seconds: the age that a file needs.
  ///   - now: seconds since 1970-01-01 UTC, by this machine's clock.
  package mutating func postpone(youngerThan seconds: Int, now: Int) {
    var kept: [Input] = []
    /// For each number of inputs, how many of them stay; `failures` count the inputs before them.
    var remaining = [0]
    for input in inputs {
      if let age = age(of: input, now: now), age < seconds {
        let written = age < 0 ? "in \(-age) s by its clock" : "\(age) s ago"
        postponed.append(
          SkippedInput(
            path: input.path, reason: "was written \(written), and --min-age is \(seconds) s"))
      } else {
        kept.append(input)
      }
      remaining.append(kept.count)
    }
    for index in failures.indices { failures[index].place = remaining[failures[index].place] }
    inputs = kept
  }

  /// Seconds since the last change of a regular file; nil for any other input.
  private func age(of input: Input, now: Int) -> Int? {
    var status = stat()
    guard !input.isStandardInput, input.object == nil, stat(input.path, &status) == 0,
      status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    return now - status.st_mtim.tv_sec
  }
}
