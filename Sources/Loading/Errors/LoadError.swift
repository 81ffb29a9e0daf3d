package import Postgres
internal import RecordPipeline

/// Why a file, or a whole run, could not be loaded.
///
/// Bad lines are no errors: they are rejects.
package struct LoadError: Error, Sendable, CustomStringConvertible {
  package let exitCode: ExitCode
  /// The cause, finer than the exit code.
  package let code: ErrorCode
  /// What a program may want to know of the cause, by name; holds no value of any record.
  package private(set) var detail: [String: String]
  /// What happened and what to do next; holds no value of any record.
  package let message: String
  /// True when the files that follow would fail for the same reason.
  package let endsRun: Bool
  /// True when the same may succeed a little later.
  package let isTransient: Bool

  /// - Parameter code: the cause, where the exit code alone does not tell it.
  package init(
    _ exitCode: ExitCode, _ message: String, endsRun: Bool = false, isTransient: Bool = false,
    code: ErrorCode? = nil, detail: [String: String] = [:]
  ) {
    self.exitCode = exitCode
    self.code = code ?? ErrorCode(exitCode) ?? .defect
    self.detail = detail
    self.message = message
    self.endsRun = endsRun
    self.isTransient = isTransient
  }

  package var description: String { message }

  /// A file that cannot be read fails alone.
  init(_ error: ReadError) {
    self.init(.fileFailed, error.message, code: ErrorCode(error.kind))
  }

  /// What to do when something came between a load and the server.
  static let loadAgain = "Nothing of the file was loaded; run again"

  /// What to do when a role lacks a right.
  package static let missingRight =
    "The role lacks a right: the owner has it, or gamebase-ingest grant gives it, which is to be run "
    + "again after a migration"

  /// What PostgreSQL's answer means for the file in hand and for the run.
  ///
  /// - Parameter remedy: what to do when the trouble is over.
  init(_ error: PostgresError, during stage: String, remedy: String = LoadError.loadAgain) {
    if error.refusal != nil {
      self = .connecting(error)
      return
    }
    let text = "\(stage): \(error)"
    switch error.kind {
    case .unavailable:
      self.init(.temporary, "\(text). \(remedy)", endsRun: true, isTransient: true)
    case .contention:
      self.init(.temporary, "\(text). \(remedy)", isTransient: true)
    case .resources:
      self.init(
        .databaseUnavailable, "\(text). The server needs attention", endsRun: true,
        code: .serverResources)
    case .cancelled:
      self.init(.temporary, "\(text). A timeout or an operator ended the statement", endsRun: true)
    case .row:
      self.init(
        .fileFailed, "\(text). The server refused a row that had passed the checks; please report",
        code: .rowRefused)
    case .internalError:
      self.init(.defect, "\(text). The file was rolled back; please report", endsRun: true)
    case .setup where error.sqlState == .insufficientPrivilege:
      self.init(
        .configuration,
        "\(text). \(Self.missingRight)", endsRun: true, code: .missingRight)
    case .setup:
      self.init(.configuration, text, endsRun: true)
    }
    if let sqlState = error.sqlState { detail["sqlstate"] = "\(sqlState)" }
  }

  /// Any error of a file's load, in one form.
  init(wrapping error: any Error, during stage: String, remedy: String = LoadError.loadAgain) {
    switch error {
    case let error as LoadError: self = error
    case let error as ReadError: self.init(error)
    case let error as PostgresError: self.init(error, during: stage, remedy: remedy)
    default: self.init(.defect, "\(stage): unexpected error \(error)", endsRun: true)
    }
  }

  /// A connection that did not come about: at once and for good, or for now.
  package static func connecting(_ error: PostgresError) -> LoadError {
    guard error.isConnectionLost else {
      return LoadError(.configuration, error.message, endsRun: true)
    }
    let text = "cannot connect to the database: \(error)"
    return error.refusal == nil
      ? LoadError(.databaseUnavailable, text, endsRun: true, isTransient: true)
      : LoadError(.configuration, text, endsRun: true)
  }
}
