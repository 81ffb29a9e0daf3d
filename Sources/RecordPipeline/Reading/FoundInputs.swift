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

  /// Bytes on disk, by the path: what a pipe holds or a missing file would have held counts as 0.
  ///
  /// An estimate for the order of work and for progress, never for what is read.
  package var sizeOnDisk: Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }
}

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
