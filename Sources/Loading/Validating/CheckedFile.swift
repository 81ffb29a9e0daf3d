package import RecordPipeline

/// A file that `validate` reads, or a path that it cannot read.
package enum CheckedFile: Sendable {
  case input(Input)
  /// A path that failed in the search for files.
  case failure(FailedInput)

  package var path: String {
    switch self {
    case .input(let input): input.path
    case .failure(let failure): failure.path
    }
  }

  /// nil: the stream is not known.
  package var stream: String? {
    switch self {
    case .input(let input): input.stream
    case .failure(let failure): failure.stream
    }
  }
}

extension FoundInputs {
  /// The files to read and the paths that failed, in the order of the command line.
  package var inOrder: [CheckedFile] {
    var files = inputs.map { CheckedFile.input($0) }
    for failure in failures.reversed() { files.insert(.failure(failure), at: failure.place) }
    return files
  }
}
