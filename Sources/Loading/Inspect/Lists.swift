package import Postgres

extension Listing {
  /// The refused lines by stream, code and field, the most frequent first.
  ///
  /// Columns: `stream`, `code`, `field`, `lines`, `first_example` (`path:line`).
  ///
  /// - Parameter connection: for this and the lists below inside a transaction, so that they agree.
  package static func groups(of filter: EntryFilter, on connection: Connection) -> Listing {
    Listing(
      """
      select stream, code, field, count(*) as lines,
        (array_agg(path || ':' || line_number order by reject_id, path, line_number))[1]
          as first_example
      from \(EntryFilter.rejects)
      group by stream, code, field order by count(*) desc, stream, code, field
      """, filter.parameters, on: connection)
  }

  /// One row per refused line, the oldest first; those of failed files come last.
  ///
  /// Columns: `line` (`path:line`), `byte_offset`, `code`, `field`, `status`, `reason`.
  package static func lines(
    of filter: EntryFilter, limit: Int, on connection: Connection
  ) -> Listing {
    Listing(
      """
      select path || ':' || line_number as line, byte_offset, code, field,
        case when resolved_at is null then status else 'resolved' end as status, reason
      from \(EntryFilter.rejects) order by reject_id, path, line_number limit $9
      """, filter.parameters + [.integer(limit)], on: connection)
  }

  /// The conflicts by stream and column, the most frequent first.
  ///
  /// Columns: `stream`, `field`, `lines`, `first_example` (`path:line`).
  ///
  /// - Parameter accepted: true to list accepted conflicts, false to list open ones.
  package static func conflictGroups(
    of filter: EntryFilter, accepted: Bool, on connection: Connection
  ) -> Listing {
    Listing(
      """
      select stream, field, count(*) as lines,
        (array_agg(path || ':' || line_number order by conflict_id))[1] as first_example
      from \(EntryFilter.conflicts) and (acceptance_id is not null) = $9
      group by stream, field order by count(*) desc, stream, field
      """, filter.parameters + [.boolean(accepted)], on: connection)
  }

  /// One row per conflict, the oldest first.
  ///
  /// Columns: `line` (`path:line`), `stream`, `key` (a JSON array), `field`, `kept`, `refused`; for
  /// accepted conflicts also `acceptance`, `accepted_by`, `accepted_at`.
  package static func conflicts(
    of filter: EntryFilter, accepted: Bool, limit: Int, on connection: Connection
  ) -> Listing {
    Listing(
      """
      select line, stream, key, field, kept, refused\(accepted ? ", acceptance, accepted_by, accepted_at" : "")
      from (
        select conflict_id, path || ':' || line_number as line, stream, natural_key as key, field, kept, refused,
          acceptance_id as acceptance
        from \(EntryFilter.conflicts) and (acceptance_id is not null) = $9
      ) c left join ingest.acceptance a on a.acceptance_id = c.acceptance
      order by conflict_id limit $10
      """, filter.parameters + [.boolean(accepted), .integer(limit)], on: connection)
  }
}

extension Listing {
  /// All settings, for `settings show`, with those of single applications and streams that have a
  /// value.
  package static func settings(on connection: Connection) -> Listing {
    Listing(
      """
      select n.name as setting,
          coalesce(s.value, case when n.name = k.name then k.default_value end || ' (default)', '(none)') as value,
          coalesce(to_char(s.set_at, 'YYYY-MM-DD HH24:MI:SS "UTC"') || ' by ' || s.set_by, '-') as set, k.meaning
        from ingest.setting_kind k
        cross join lateral (
          select k.name union all select name from ingest.setting where starts_with(name, k.name || '.')
        ) n
        left join ingest.setting s on s.name = n.name
        order by n.name <> k.name, case when n.name = k.name then k.place end, n.name
      """, on: connection)
  }
}

extension Listing {
  /// The lines that gave a row its values, for `trace`.
  ///
  /// - Parameters:
  ///   - naturalKey: a JSON array with one element for each key column.
  ///   - stream: the name of a stream of the catalog.
  /// - Throws: when it is read, `PostgresError` with SQLSTATE GI064 when the text is not a key of the
  ///   stream, or no row has it.
  package static func lines(
    ofRow naturalKey: String, stream: String, on connection: Connection
  ) -> Listing {
    Listing(
      "select * from ingest.trace_row($1, $2)", [.text(stream), .text(naturalKey)], on: connection)
  }
}
