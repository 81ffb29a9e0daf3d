internal import Loading
internal import Postgres

/// Prints the failures that wait for something to be done, newest first, and how many more there are.
func showFailures(_ connection: Connection, limit: Int, empty: String) throws {
  let open = """
    from ingest.failed_file f where not exists (
      select from ingest.failure_dismissal d where d.failed_file_id = f.failed_file_id)
    """
  try show(
    try connection.query(
      """
      select path as failed_file, failed_file_id::text as failure, stream as stream,
        to_char(failed_at, 'YYYY-MM-DD HH24:MI:SS "UTC"') as failed, reason as reason
      \(open) order by failed_at desc, failed_file_id desc limit $1
      """, [.integer(limit)]), empty: empty)
  let count = try connection.query("select count(*) \(open)").integer(row: 0, column: 0) ?? 0
  if count > limit {
    try Terminal.output("and \(count - limit) more: gamebase-ingest failures list")
  }
}
