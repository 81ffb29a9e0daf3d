import Foundation
import TestSupport
import Testing

/// The real program with a database of its own and a folder for its files.
struct CommandFixture {
  let database: TestDatabase
  let folder: TemporaryFolder
  let program: Command

  init() throws {
    database = try .current
    folder = try TemporaryFolder()
    program = try .gamebaseIngest
    try database.recreate(asCopyOf: Self.migrated.get())
  }

  /// A database that the program has migrated; a copy takes a fifth of the time of a migration.
  private static let migrated: Result<TestDatabase, any Error> = Result {
    let database = try TestDatabase()
    let result = try Command.gamebaseIngest.run(["migrate", "--database", database.conninfo])
    try #require(result.exitCode == 0, "\(result.errors)")
    atexit { try? CommandFixture.migrated.get().drop() }
    return database
  }

  /// Runs a command on the database.
  func run(_ arguments: [String]) throws -> Command.Result {
    try program.run(arguments + ["--database", database.conninfo])
  }

  static let asOf = ["--as-of", "2026-01-01T00:00:00Z"]

  static func receipt(_ number: Int) -> String {
    #"{"userId":"u","paymentSeq":"p\#(number)","purchaseTime":1751328000000,"price":1.5,"#
      + #""currency":"USD"}"#
  }
}
