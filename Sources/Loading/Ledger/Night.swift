package import Postgres

/// The files that a night expects under one path, and what is wrong with them.
package struct ExpectedFiles: Sendable {
  package let path: String
  /// nil: the names of the files tell.
  package let stream: String?
  /// nil: the files are complete, and loaded.
  package let problem: String?

  package init(path: String, stream: String?, problem: String?) {
    self.path = path
    self.stream = stream
    self.problem = problem
  }
}

/// The target and the days that a run is recorded for in `ingest.load`.
package struct Night: Sendable, Equatable {
  /// The target of the configuration file; nil: none.
  package var target: String?
  /// The days whose files are expected, such as `2026-01-31`, in their order; empty for other commands
  /// than `run`.
  package var days: [String]

  package init(target: String? = nil, days: [String] = []) {
    self.target = target
    self.days = days
  }

  /// Records a night that ended before its load.
  ///
  /// - Parameter connection: outside of a transaction.
  /// - Returns: the run's number.
  package func start(version: String, on connection: Connection) throws -> Int {
    try connection.transaction {
      try Ledger(connection: connection).startLoad(version: version, night: self).loadID
    }
  }

  /// Records which files a night lacks or has refused, as failures of their paths, and ends the
  /// failures of those that are there now.
  ///
  /// So `report.health` knows of them until they are loaded, or the failure is dismissed.
  package static func record(
    _ files: [ExpectedFiles], of loadID: Int, on connection: Connection
  ) throws {
    try connection.transaction {
      let failures = MissingPatterns(connection)
      for one in files {
        if let problem = one.problem {
          try failures.record(
            one.path, stream: one.stream, reason: problem, exitCode: .incomplete, loadID: loadID)
        } else {
          try failures.clear(one.path, stream: one.stream)
        }
      }
    }
  }

  /// Records how a run ended.
  package static func recordEnd(
    of loadID: Int, _ exitCode: ExitCode, on connection: Connection
  ) throws {
    try connection.transaction {
      try Ledger(connection: connection).finishLoad(loadID, exitCode: exitCode)
    }
  }

  /// True when the stream of every file has these bytes loaded.
  package static func areLoaded(
    _ files: [(stream: String, sha256: [UInt8])], on connection: Connection
  ) throws -> Bool {
    try connection.onlyRow(
      of: Bool.self,
      """
      select not exists (
        select from unnest($1::text[], $2::bytea[]) k (stream, sha256)
          where not exists (
            select from ingest.source_file f
              where f.stream = k.stream and f.sha256 = k.sha256 and f.undone_at is null))
      """, [.texts(files.map(\.stream)), .byteStrings(files.map(\.sha256))])
  }
}
