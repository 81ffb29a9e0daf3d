internal import Postgres
internal import RecordPipeline
internal import Synchronization

/// The field names without a column that files of each stream have had in this database.
///
/// Names are compared by their bytes, as the ledger compares them. The run reads them once for each
/// stream, when a file first has such a name. A name is reported as new only once: when a file with
/// it is committed, the name counts as known.
final class FieldHistory: Sendable {
  private let known = Mutex<[String: Set<[UInt8]>]>([:])

  /// The names of a file that its stream never had, in the order of their first lines.
  ///
  /// A file counts only a limited number of names individually; the names beyond that number are
  /// left out.
  func newNames(
    among fields: [UnknownField], of stream: RecordStream, on connection: Connection
  ) throws -> [String] {
    let names = fields.compactMap(\.name)
    guard !names.isEmpty else { return [] }
    let known: Set<[UInt8]>
    if let remembered = self.known.withLock({ $0[stream.name] }) {
      known = remembered
    } else {
      known = try stored(of: stream, on: connection)
      self.known.withLock { $0[stream.name] = known }
    }
    return names.filter { !known.contains(Array($0.utf8)) }
  }

  /// Adds the names of a committed file to the known names.
  func note(_ names: [String], of stream: RecordStream) {
    guard !names.isEmpty else { return }
    known.withLock { $0[stream.name]?.formUnion(names.map { Array($0.utf8) }) }
  }

  /// Names of undone files count as known, because they were reported already.
  private func stored(of stream: RecordStream, on connection: Connection) throws -> Set<[UInt8]> {
    let names = try connection.rows(
      of: String.self,
      """
      select distinct u.field from ingest.unknown_field u
        join ingest.source_file f using (source_file_id)
        where f.stream = $1 and u.field is not null
      """, [.text(stream.name)])
    return Set(names.map { Array($0.utf8) })
  }
}

extension LoadOptions {
  /// The most names in an error; further names are only counted.
  private static let listedNames = 10

  /// The field names of a file that its stream never had in the database, in the order of their
  /// first lines.
  ///
  /// - Throws: `LoadError` when there are such names and the policy is `.fail`.
  func newFields(
    _ fields: [UnknownField], of stream: RecordStream, history: FieldHistory,
    on connection: Connection
  ) throws -> [String] {
    guard unknownFields != .ignore else { return [] }
    let names = try history.newNames(among: fields, of: stream, on: connection)
    guard unknownFields == .fail, !names.isEmpty else { return names }
    let listed = names.prefix(Self.listedNames).joined(separator: ", ")
    let more = names.count > Self.listedNames ? " and \(names.count - Self.listedNames) more" : ""
    throw LoadError(
      .fileFailed,
      "fields that \(stream.name) never had in this database: \(listed)\(more). Nothing was loaded; "
        + "--unknown-fields warn loads the file, keeps the fields in extra and counts them as known",
      code: .unknownField, detail: ["fields": listed + more])
  }
}
