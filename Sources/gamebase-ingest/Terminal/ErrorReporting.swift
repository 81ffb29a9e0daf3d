internal import Loading
internal import Postgres

/// Runs `body`, and turns an error of the loader or the database into a message and an exit code.
func reportingErrors<Value>(_ body: () throws -> Value) throws -> Value {
  do { return try body() } catch let error as LoadError {
    throw Terminal.failure(error)
  } catch let error as PostgresError {
    if error.isConnectionLost, error.kind == .setup {
      throw Terminal.failure(LoadError.connecting(error))
    }
    if error.sqlState == .insufficientPrivilege {
      throw Terminal.failure(
        .configuration, "\(error). \(LoadError.missingRight)", cause: .missingRight)
    }
    throw Terminal.failure(exitCode(of: error), error.description)
  }
}

private func exitCode(of error: PostgresError) -> ExitCode {
  switch error.kind {
  case .unavailable, .contention, .cancelled: .temporary
  case .resources: .databaseUnavailable
  case .row, .setup: .configuration
  case .internalError: .defect
  }
}
