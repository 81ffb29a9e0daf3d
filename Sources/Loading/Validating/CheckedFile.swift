package import RecordPipeline

/// A file of `validate`.
package enum CheckedFile: Sendable {
  case input(Input)
  /// The search for files already found that the path cannot be read.
  case failure(FailedInput)

  package var path: String {
    switch self {
    case .input(let input): input.path
    case .failure(let failure): failure.path
    }
  }

  /// nil where the stream is not known.
  package var stream: String? {
    switch self {
    case .input(let input): input.stream
    case .failure(let failure): failure.stream
    }
  }
}

extension FoundInputs {
  /// The files and the failures of the search, in the order of the command line.
  package var inOrder: [CheckedFile] {
    var files = inputs.map { CheckedFile.input($0) }
    for failure in failures.reversed() { files.insert(.failure(failure), at: failure.place) }
    return files
  }
}
