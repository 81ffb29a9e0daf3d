package import Postgres
package import RecordPipeline

/// The failure of a file or of a whole run.
///
/// A bad line does not fail: it is stored as a reject.
package struct LoadError: Error, Sendable, CustomStringConvertible {
  package let code: ErrorCode
  package let exitCode: ExitCode
  /// Facts about the cause for programs, by name; of a record's values at most its application.
  package private(set) var detail: [String: String]
  /// The event and the next step; of a record's values at most its application.
  package let message: String
  /// True when the following files would fail for the same reason.
  package let endsRun: Bool
  /// True when a retry may succeed.
  package let isTransient: Bool

  /// - Parameters:
  ///   - endsRun: nil: a lock was waited for too long, or the error has an exit code from 64 on and no retry
  ///     may succeed.
  ///   - exitCode: nil: that of the code.
  package init(
    _ code: ErrorCode, _ message: String, endsRun: Bool? = nil, isTransient: Bool = false,
    detail: [String: String] = [:], exitCode: ExitCode? = nil
  ) {
    (self.code, self.exitCode) = (code, exitCode ?? code.exitCode)
    (self.message, self.detail, self.isTransient) = (message, detail, isTransient)
    self.endsRun = endsRun ?? (code == .locked || self.exitCode >= .usage && !isTransient)
  }

  package var description: String { message }

  /// A file that cannot be read; the run goes on with the next file.
  ///
  /// - Parameter path: begins the message; nil: the caller's message has it.
  package init(_ error: ReadError, path: String? = nil) {
    self.init(
      ErrorCode(error.kind), (path.map { "\($0) " } ?? "") + error.message, endsRun: false,
      detail: error.detail)
  }

  /// The user's next step after a failure on the server's side rolled a file back.
  static let loadAgain = "Nothing of the file was loaded; run again"

  /// The user's next step when the role lacks a right.
  private static let missingRight =
    "The role lacks a right: connect as the owner, or run gamebase-ingest grant, which is needed again "
    + "after a migration"

  /// Translates PostgreSQL's error into its consequence for the current file and the run, or for a
  /// command.
  ///
  /// - Parameters:
  ///   - stage: the work in progress on a file or a change; nil: a query of a command.
  ///   - remedy: the next step after a transient failure.
  package init(
    _ error: PostgresError, during stage: String? = nil, remedy: String? = nil
  ) {
    if error.refusal != nil || error.isConnectionLost && error.kind == .setup {
      self = .connecting(error)
      return
    }
    // A function of the database has raised it for the user: GI and the exit code in three digits, 064 or 078.
    if let state = error.sqlState, state.errorClass == "GI" {
      self.init(state.rawValue == "GI064" ? .usage : .configuration, error.message)
      return
    }
    let text = (stage.map { "\($0): " } ?? "") + "\(error)"
    let remedy = remedy.map { ". \($0)" } ?? ""
    switch error.kind {
    case .unavailable:
      self.init(.temporary, text + remedy, endsRun: true, isTransient: true)
    case .contention:
      self.init(.temporary, text + remedy, isTransient: true)
    case .resources:
      self.init(.serverResources, "\(text). The server needs attention")
    case .cancelled:
      self.init(
        .temporary, "\(text). A timeout or an operator ended the statement\(remedy)")
    case .row where stage == nil: self.init(.configuration, text)
    case .row where error.sqlState == .invalidParameterValue:
      // A server's update can take a time zone away.
      self.init(
        .configuration,
        "\(text). Set a time zone that the server knows by gamebase-ingest settings set time-zone ZONE, "
          + "and run again")
    case .row:
      self.init(
        .rowRefused, "\(text). The server refused a row that had passed the checks; please report")
    case .internalError:
      self.init(.defect, "\(text). It was rolled back; please report")
    case .setup where error.sqlState == .insufficientPrivilege:
      self.init(.missingRight, "\(text). \(Self.missingRight)")
    case .setup
    where [.undefinedFunction, .undefinedTable, .undefinedColumn, .invalidSchemaName]
      .contains(error.sqlState):
      self.init(
        .configuration,
        "\(text). The database is not at the schema of this program; run gamebase-ingest migrate")
    case .setup:
      self.init(.configuration, text)
    }
    if let sqlState = error.sqlState { detail["sqlstate"] = sqlState.rawValue }
  }

  /// Wraps any error of a load; a `LoadError` stays as it is.
  init(wrapping error: any Error, during stage: String, remedy: String = LoadError.loadAgain) {
    switch error {
    case let error as LoadError: self = error
    case let error as ReadError: self.init(error)
    case let error as PostgresError: self.init(error, during: stage, remedy: remedy)
    default: self.init(.defect, "\(stage): unexpected error \(error)")
    }
  }

  /// The error of a failed connection attempt: exit code 78 for a permanent cause, 75 when no
  /// reached server accepts changes for now, and 69 for every other transient cause.
  package static func connecting(_ error: PostgresError) -> LoadError {
    guard error.isConnectionLost || error.refusal != nil else {
      return LoadError(.configuration, error.message)
    }
    let text = "cannot connect to the database: \(error)"
    if error.kind == .setup { return LoadError(.configuration, text) }
    return LoadError(
      error.readOnlyCause == .standby ? .temporary : .databaseUnavailable, text, endsRun: true,
      isTransient: true)
  }
}
