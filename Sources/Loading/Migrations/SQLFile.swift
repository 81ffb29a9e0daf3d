internal import Crypto
internal import Foundation
internal import Postgres

/// A file of `sql/`, embedded in the program when it was built.
package struct SQLFile: Sendable, Equatable {
  /// The file's name without `.sql`.
  package let name: String
  package let text: String

  package var checksum: [UInt8] { Array(SHA256.hash(data: Data(text.utf8))) }

  /// Runs all statements of the file.
  ///
  /// - Throws: `LoadError` that names the file, or a `PostgresError` when a retry may succeed.
  func run(on connection: Connection) throws {
    try reporting { try connection.execute(text) }
  }

  /// Runs `body`, and turns a server's error into one that names the file, unless a retry may
  /// succeed.
  func reporting<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as PostgresError
      where ![.contention, .unavailable].contains(error.kind) && !error.isConnectionLost
    {
      throw LoadError(
        .configuration, "\(name).sql: \(error). It was rolled back as a whole", endsRun: true)
    }
  }
}
