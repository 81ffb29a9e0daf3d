internal import Foundation
internal import Postgres
internal import RecordPipeline
internal import Synchronization

/// The fields that files of each stream have had in this database.
///
/// Names are compared by their bytes, as the ledger compares them. The run reads them once for each
/// stream, when a file first has such a name. A name is reported as new only once: when a file with
/// it is committed, the name counts as known.
final class FieldHistory: Sendable {
  private let known = Mutex<[String: Set<[UInt8]>]>([:])
  /// By stream and applications: the last files that were loaded, the newest last.
  private let recent = Mutex<[String: [String: [FieldCounts]]]>([:])

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

  /// Adds what committed files had to the history.
  func note(_ names: [String], _ files: [Compared], of stream: RecordStream) {
    if !names.isEmpty {
      known.withLock { $0[stream.name]?.formUnion(names.map { Array($0.utf8) }) }
    }
    for file in files where file.counts != nil {
      recent.withLock { recent in
        let earlier = recent[stream.name]?[file.apps] ?? []
        recent[stream.name]?[file.apps] = Array(
          (earlier + [file.counts].compactMap(\.self)).suffix(Self.comparedFiles))
      }
    }
  }

  // MARK: - Fields that vanish

  private static let comparedFiles = 5

  /// The rows of a file, and how many of them have each field.
  struct FieldCounts: Decodable, Sendable {
    let lines: Int
    let fields: [String: Int]
  }

  /// A file that is about to be committed, compared with the files before it.
  struct Compared {
    /// nil: the file has too few rows.
    var counts: FieldCounts?
    /// The applications of its lines, as one text.
    var apps = ""
    /// The columns that stand in nine tenths of the lines of the last five files of the stream with
    /// the same applications, and in none of this one.
    var vanished: [String] = []
  }

  /// Compares files with those that were loaded before them.
  ///
  /// - Parameter connection: in the transaction that has written the ledger entries of the files.
  func compare(
    _ files: [Ledger.FileResult], of stream: RecordStream, on connection: Connection
  ) throws -> [Compared] {
    let large = files.filter { $0.totals.rowCount >= Ledger.comparedRows }.map(\.sourceFileID)
    guard !large.isEmpty else { return files.map { _ in Compared() } }
    let apps = try connection.rows(
      of: Apps.self,
      """
      select source_file_id, array_agg(app_id order by app_id)::text as apps
        from ingest.file_app where source_file_id = any ($1::bigint[]) group by source_file_id
      """, [.integers(large.map { Int($0) })])
    var earlier = try recentFiles(of: stream, on: connection)
    return files.map { file in
      var compared = Compared()
      guard file.totals.rowCount >= Ledger.comparedRows else { return compared }
      let counts = FieldCounts(
        lines: file.totals.rowCount,
        fields: Dictionary(
          file.totals.knownFields.map { ($0.name, $0.lineCount) }, uniquingKeysWith: +))
      compared.apps = apps.first { $0.sourceFileID == Int(file.sourceFileID) }?.apps ?? ""
      let last = earlier[compared.apps] ?? []
      if last.count == Self.comparedFiles {
        let lines = last.map(\.lines).reduce(0, +)
        let usual = Dictionary(last.flatMap(\.fields), uniquingKeysWith: +)
        compared.vanished = usual.filter {
          counts.fields[$0.key] == nil && $0.value * 10 >= lines * 9
        }
        .keys.sorted()
      }
      earlier[compared.apps] = (last + [counts]).suffix(Self.comparedFiles)
      compared.counts = counts
      return compared
    }
  }

  private struct Apps: Decodable {
    let sourceFileID: Int
    let apps: String
  }

  private struct RecentFile: Decodable {
    let apps: String
    let lines: Int
    let fields: String
  }

  /// The last files of each set of applications, the newest last.
  private func recentFiles(
    of stream: RecordStream, on connection: Connection
  ) throws -> [String: [FieldCounts]] {
    if let remembered = recent.withLock({ $0[stream.name] }) { return remembered }
    // The newest hundred files, so that a large ledger costs no more than a small one.
    let files = try connection.rows(
      of: RecentFile.self,
      """
      select coalesce(a.apps, '') as apps, f.lines, k.fields
        from (
          select source_file_id, line_count - blank_count - rejected_count - suppressed_count as lines
            from ingest.source_file f
            where stream = $1 and undone_at is null
              and exists (select from ingest.known_field k where k.source_file_id = f.source_file_id)
            order by source_file_id desc limit 100
        ) f
        cross join lateral (
          select json_object_agg(field, line_count)::text as fields
            from ingest.known_field k where k.source_file_id = f.source_file_id
        ) k
        cross join lateral (
          select array_agg(app_id order by app_id)::text as apps
            from ingest.file_app a where a.source_file_id = f.source_file_id
        ) a
        where not exists (select from ingest.source_file o
          where o.source_file_id = f.source_file_id and o.opened_by = pg_current_xact_id())
        order by f.source_file_id
      """, [.text(stream.name)])
    var found: [String: [FieldCounts]] = [:]
    for file in files {
      let fields = try JSONDecoder().decode([String: Int].self, from: Data(file.fields.utf8))
      found[file.apps] =
        ((found[file.apps] ?? []) + [FieldCounts(lines: file.lines, fields: fields)])
        .suffix(Self.comparedFiles)
    }
    recent.withLock { $0[stream.name] = found }
    return found
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
  /// - Throws: `LoadError` when there are such names and the policy is `.fail`, but for the first file of
  ///   the stream: without a file no field is known.
  func newFields(
    _ fields: [UnknownField], of stream: RecordStream, history: FieldHistory,
    on connection: Connection
  ) throws -> [String] {
    guard unknownFields != .ignore else { return [] }
    let names = try history.newNames(among: fields, of: stream, on: connection)
    guard unknownFields == .fail, !names.isEmpty, try hasFile(of: stream, on: connection) else {
      return names
    }
    let listed = names.prefix(Self.listedNames).joined(separator: ", ")
    let more = names.count > Self.listedNames ? " and \(names.count - Self.listedNames) more" : ""
    throw LoadError(
      .fileFailed,
      "fields that \(stream.name) never had in this database: \(listed)\(more). Nothing was loaded; "
        + "--unknown-fields warn loads the file, keeps the fields in extra and counts them as known",
      code: .unknownField, detail: ["fields": listed + more])
  }

  /// True when an earlier transaction has loaded a file of the stream.
  private func hasFile(of stream: RecordStream, on connection: Connection) throws -> Bool {
    try connection.onlyRow(
      of: Bool.self,
      """
      select exists (select from ingest.source_file
        where stream = $1 and undone_at is null and opened_by <> pg_current_xact_id())
      """, [.text(stream.name)])
  }
}
