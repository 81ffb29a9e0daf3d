/// A path that fails before it is opened, while the other files go on.
package struct FailedInput: Sendable, Equatable {
  package enum Kind: Sendable {
    case missing, unreadableFolder, unreadableEntry, nameIsNotUTF8, ambiguousName
  }

  package let path: String
  /// nil where the stream is not known.
  package var stream: String?
  package let kind: Kind
  /// A clause that follows the path in a message.
  package let reason: String
  /// The number of inputs that stand before it in the order given.
  package var place = 0

  package init(path: String, stream: String? = nil, kind: Kind, reason: String) {
    self.path = path
    self.stream = stream
    self.kind = kind
    self.reason = reason
  }
}

/// A file that was found, fits no stream, and is left alone.
package struct SkippedInput: Sendable, Equatable {
  package let path: String
  package let reason: String
}

/// The files behind the paths of a command line, in the order given.
package struct FoundInputs: Sendable, Equatable {
  package var inputs: [Input]
  package var failures: [FailedInput] = []
  package var skipped: [SkippedInput] = []

  package init(_ inputs: [Input] = []) { self.inputs = inputs }

  mutating func fail(_ failure: FailedInput) {
    var failure = failure
    failure.place = inputs.count
    failures.append(failure)
  }
}

/// Inputs that cannot be understood: nothing has been loaded yet.
package struct InputUsageError: Error, Sendable, CustomStringConvertible {
  package enum Kind: Sendable { case missing, unknownStream, ambiguousName }

  package let kind: Kind
  package let description: String
}
