package import Postgres

extension Connection {
  /// Opens a connection, and reports a failure with the exit code of its cause.
  ///
  /// - Throws: `LoadError` with exit code 78 for a permanent cause, 69 or 75 for a transient one.
  package static func toBegin(_ target: ConnectionTarget) throws(LoadError) -> Connection {
    do { return try Connection(target) } catch let error as PostgresError {
      throw LoadError.connecting(error)
    } catch {
      throw LoadError(wrapping: error, during: "connecting")
    }
  }
}
