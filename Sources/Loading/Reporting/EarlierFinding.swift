package import Postgres

/// A file that an earlier run loaded with refused lines or conflicts, and that a run found again.
///
/// A second run of a night loads nothing, so its own outcome would hide what the first one found.
package struct EarlierFinding: Codable, Sendable, Equatable {
  /// The run that loaded the file.
  package let loadID: Int
  package let path: String
  package let stream: String
  package let lines: Int
  /// Refused lines that no replay has resolved.
  package let rejected: Int
  /// Lines with a conflict that is not accepted, also of records within them.
  package let conflicts: Int

  enum CodingKeys: String, CodingKey {
    case path, stream, lines, rejected, conflicts
    case loadID = "load_id"
  }

  /// The findings of the files that a run has found loaded already.
  package static func all(
    of files: [FileReport], on connection: Connection
  ) throws -> [EarlierFinding] {
    let known = files.filter { $0.status == .alreadyLoaded }
    guard !known.isEmpty else { return [] }
    return try connection.rows(
      of: EarlierFinding.self,
      """
      select f.load_id, f.path, f.stream, f.line_count as lines, f.rejected_count as rejected,
          c.line_count as conflicts
        from (select distinct * from unnest($1::text[], $2::text[]) k (stream, sha256)) k
        join ingest.source_file f
          on f.stream = k.stream and f.sha256 = decode(k.sha256, 'hex') and f.undone_at is null
        cross join lateral (
          select count(distinct (x.stream, x.line_number)) as line_count
            from ingest.conflict x
            where x.source_file_id = f.source_file_id and x.acceptance_id is null
        ) c
        where f.rejected_count > 0 or c.line_count > 0
        order by f.load_id, f.source_file_id
      """,
      [.texts(known.map { $0.stream ?? "" }), .texts(known.map { $0.sha256 ?? "" })])
  }
}
