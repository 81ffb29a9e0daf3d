package import Postgres

/// Exposes a field to analysts or hides it, records who did, and brings `report.exposed_field` up to date in the
/// same transaction.
package struct FieldExposureChange {
  private let exposure: FieldExposure
  private let isExposed: Bool
  private let connection: Connection
  private let wait: LockWait
  private let interruption: Interruption

  /// - Parameters:
  ///   - isExposed: false to hide the field.
  ///   - connection: to a database at this program's schema.
  package init(
    _ exposure: FieldExposure, isExposed: Bool, connection: Connection,
    wait: LockWait = .silent, interruption: Interruption = Interruption()
  ) {
    self.exposure = exposure
    self.isExposed = isExposed
    self.connection = connection
    self.wait = wait
    self.interruption = interruption
  }

  private static let interrupted = "interrupted; no field was changed"

  package struct Outcome: Sendable {
    /// The recorded time and role, as text; nil: the field was exposed, or hidden, already.
    package let record: String?
    /// The rows that show the field now.
    package let rows: Int
  }

  /// - Throws: `LoadError`, with exit code 64 for an unknown stream. Nothing was changed then, unless
  ///   the connection broke after COMMIT was sent and before the answer arrived.
  package func apply() throws(LoadError) -> Outcome {
    let stage = "\(isExposed ? "exposing" : "hiding") \(exposure.name)"
    do {
      return try interruption.cancelling([connection], message: Self.interrupted) {
        try RetryPolicy().throughContention(during: stage, interruption: interruption) {
          try connection.refreshTransaction(wait) {
            try requireStream()
            let record = try isExposed ? expose() : hide()
            if record != nil { try connection.refreshReports() }
            let rows = try connection.onlyRow(
              of: Int.self,
              "select count(*) from rollup.exposed_field where stream = $1 and field = $2",
              [.text(exposure.stream), .text(exposure.field)])
            return Outcome(record: record, rows: rows)
          }
        }
      }
    } catch {
      throw LoadError(wrapping: error, during: stage, remedy: "No field was changed; run again")
    }
  }

  private func requireStream() throws {
    let known = try connection.rows(
      of: String.self, "select stream from ingest.stream order by stream")
    guard known.contains(exposure.stream) else {
      throw LoadError(
        .usage,
        "\(printable(exposure.stream)) is no stream; the streams are "
          + known.joined(separator: ", "))
    }
  }

  private func expose() throws -> String? {
    try record(
      """
      insert into ingest.field_exposure as e (stream, field) values ($1, $2)
        on conflict (stream, field) where hidden_at is null do nothing
        returning \(Self.shown("exposed"))
      """)
  }

  private func hide() throws -> String? {
    try record(
      """
      update ingest.field_exposure e set hidden_at = now(), hidden_by = session_user
        where stream = $1 and field = $2 and hidden_at is null
        returning \(Self.shown("hidden"))
      """)
  }

  private func record(_ statement: String) throws -> String? {
    try connection.row(
      of: String.self, statement, [.text(exposure.stream), .text(exposure.field)])
  }

  /// The time and the role of a change, as an SQL expression.
  private static func shown(_ verb: String) -> String {
    "to_char(e.\(verb)_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS \"UTC\"') || ' by ' || e.\(verb)_by"
  }

  /// The exposed fields, each with the time and the role that exposed it.
  package static func all(on connection: Connection) throws -> [(name: String, record: String)] {
    try connection.rows(
      of: Exposed.self,
      """
      select e.stream || '.' || e.field as name, \(shown("exposed")) as record
        from ingest.field_exposure e where e.hidden_at is null order by 1
      """
    ).map { ($0.name, $0.record) }
  }

  private struct Exposed: Decodable {
    let name: String
    let record: String
  }
}
