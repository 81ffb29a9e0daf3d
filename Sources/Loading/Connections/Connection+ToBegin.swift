package import Postgres

extension Connection {
  /// A connection for a command that has done nothing yet.
  ///
  /// - Throws: `LoadError` with exit code 78 for a cause that stays, 69 for one that may pass.
  package static func toBegin(_ target: ConnectionTarget) throws(LoadError) -> Connection {
    do { return try Connection(target) } catch let error as PostgresError {
      throw LoadError.connecting(error)
    } catch {
      throw LoadError(wrapping: error, during: "connecting")
    }
  }
}
