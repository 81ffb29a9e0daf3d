package import Postgres

extension Change {
  /// Accepts conflicting lines: their values lie over the loaded ones from then on.
  ///
  /// A line is accepted as a whole: its values replace those of the stored row, and fill absent ones.
  /// Lines of one key are applied in the order in which they were refused. A line that is older than
  /// an accepted line of its key is accepted only when the filter names its file, run or key. Keys
  /// and the row's user never change.
  ///
  /// - Parameters:
  ///   - filter: not empty.
  ///   - listedChanges: the number of changes to list.
  /// - Returns: also the first changes, in the order in which they were made: `line` (`path:line`), `stream`,
  ///   `key` (a JSON array), `column`, `before`, `after`.
  package func accept(
    _ filter: EntryFilter, listedChanges: Int
  ) throws(LoadError) -> (result: Acceptance, changes: QueryResult?) {
    try run(
      during: "accepting conflicts",
      remedy: "Run again: lines that are accepted already are left alone",
      isDone: { $0.result.acceptanceID != nil }
    ) {
      try connection.holdAllStreamsAndRefresh()
      // Chosen under the locks, because another command may have changed the conflicts.
      let accepted = try connection.onlyRow(
        of: Acceptance.self,
        """
        select a.acceptance_id, a.line_count, a.row_count, a.value_count,
            a.rowless_count + a.foreign_count + a.incomplete_count > 0 as needs_decision, (
              select json_agg(format('%s lines were left: %s', r.line_count, r.reason) order by r.place)
                from (values
                  (1, a.rowless_count, 'their row is no longer stored'),
                  (2, a.foreign_count, 'they name another user or application than the stored row, or another currency '
                    'and no price; undo the file of the stored row and load the new file'),
                  (3, a.incomplete_count, 'an older version of this program kept only a part of them; undo their file '
                    'and load it again'),
                  (4, a.superseded_count, 'a later line with the same key is accepted already; --file, --load or --key '
                    'accepts them anyway')) r (place, line_count, reason)
                where r.line_count > 0) as left
          from ingest.accept_conflicts(array(select conflict_id from \(EntryFilter.conflicts)),
            $2, $1, $4, $5, $6 is not null) a
        """, filter.parameters)
      guard let number = accepted.acceptanceID else { return (accepted, nil) }
      try refresh()
      let changes = try connection.query(
        """
        select f.path || ':' || v.line_number as line, v.stream, v.natural_key as key,
            v.field as column, v.before, v.after
          from ingest.accepted_changes(array(
              select conflict_id from ingest.conflict
                where acceptance_id = $1 and refused_row is not null)) with ordinality v
            join ingest.source_file f using (source_file_id)
          order by v.ordinality limit $2
        """, [.integer(number), .integer(listedChanges)])
      return (accepted, changes)
    }
  }
}

/// The result of an acceptance.
package struct Acceptance: Decodable {
  /// nil: no line could be accepted.
  package let acceptanceID: Int?
  /// The number of accepted lines.
  package let lineCount: Int
  /// The number of stored rows that the accepted lines belong to.
  package let rowCount: Int
  /// The number of changed values.
  package let valueCount: Int
  /// True when lines that were not accepted need a decision, because accepting them would be wrong.
  package let needsDecision: Bool
  /// One for each reason why lines were not accepted.
  package let left: Sentences?
}
