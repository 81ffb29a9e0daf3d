package import RecordPipeline

/// The cause of a failed file or run, for programs to branch on.
///
/// It is finer than the exit code. New versions can add codes, but never rename one or change its
/// meaning.
package enum ErrorCode: String, Codable, Sendable, CaseIterable {
  // The command line
  case usage
  case pathNotLocal = "path_not_local"
  case pathMissing = "path_missing"
  case streamUnknown = "stream_unknown"
  case streamAmbiguous = "stream_ambiguous"

  // A file that cannot be read
  case fileMissing = "file_missing"
  case fileNotReadable = "file_not_readable"
  case folderNotReadable = "folder_not_readable"
  case nameNotUTF8 = "name_not_utf8"
  case notAFile = "not_a_file"
  case fileTruncated = "file_truncated"
  case fileCorrupt = "file_corrupt"
  case fileChanged = "file_changed"
  case fileTooLarge = "file_too_large"
  case inputOutput = "input_output"
  case storageUnavailable = "storage_unavailable"
  case outOfMemory = "out_of_memory"

  // A file that must not be loaded
  case noGoodLine = "no_good_line"
  case rejectLimitPassed = "reject_limit_passed"
  case unknownField = "unknown_field"
  case sameBytesOtherOptions = "same_bytes_other_options"
  case otherApplication = "other_application"
  case rowRefused = "row_refused"
  case fileFailed = "file_failed"
  case notReached = "not_reached"

  // Data that is expected and not there
  case tooFewFiles = "too_few_files"
  case incomplete

  // The run
  case locked
  case databaseUnavailable = "database_unavailable"
  case serverResources = "server_resources"
  case temporary
  case configuration
  case missingRight = "missing_right"
  case outputFailed = "output_failed"
  case defect
  case interrupted
  case terminated

  /// The code of a failed input, which has the same text.
  package init(_ fault: InputFault) { self = ErrorCode(rawValue: fault.rawValue) ?? .fileFailed }

  /// The exit code of a command that it ends, and of a run with a file or path that fails for it.
  package var exitCode: ExitCode {
    switch self {
    case .usage, .pathNotLocal, .streamUnknown: .usage
    case .noGoodLine, .rejectLimitPassed, .otherApplication: .rejectLimitPassed
    case .locked: .locked
    case .tooFewFiles, .incomplete: .incomplete
    case .databaseUnavailable, .serverResources: .databaseUnavailable
    case .temporary, .storageUnavailable: .temporary
    case .configuration, .missingRight: .configuration
    case .outputFailed: .outputFailed
    case .defect: .defect
    case .interrupted: .interrupted
    case .terminated: .terminated
    default: .fileFailed
    }
  }
}
