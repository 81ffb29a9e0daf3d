internal import Postgres
internal import RecordPipeline

extension Ledger {
  /// Records the failure of a file; needs a transaction of its own.
  ///
  /// The file's rollback has released the stream's lock, so users may have been erased since their
  /// lines were read. The report keeps no line of an erased user, and no bytes of a line without a
  /// known user.
  ///
  /// If users were erased and the key of the options is missing or wrong, the report keeps no line at
  /// all.
  func record(
    _ failure: FailureReport, loadID: Int, options: LoadOptions, wait: LockWait
  ) throws {
    try Locks(connection: connection, wait: wait).shareErasures()
    var rejects = failure.rejects
    var erased: ErasedUsers?
    do {
      erased = try erasedUsers(key: options.erasureKey)
      if let erased { rejects.removeAll { $0.belongs(to: erased) } }
    } catch is LoadError {
      rejects = []
    }
    let number = try connection.onlyRow(
      of: Int64.self,
      """
      insert into ingest.failed_file
        (load_id, stream, path, sha256, reason, byte_count, line_count, rejected_count,
          canonical_path, error_code, app_id)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
      returning failed_file_id
      """,
      [
        .integer(loadID), .text(failure.stream), .text(failure.path),
        failure.sha256.map { .bytes($0) } ?? .null, .text(failure.reason),
        .integer(failure.byteCount), .integer(failure.lineCount),
        .integer(failure.rejectedCount), .text(failure.canonicalPath),
        .optional(failure.exitCode.map { Int($0.rawValue) }), .optional(options.presumedApp),
      ])
    try clearFailures(
      path: failure.path, canonicalPath: failure.canonicalPath, stream: failure.stream,
      sha256: failure.sha256)
    if rejects.isEmpty { return }
    var rows = RowBuffer()
    for reject in rejects {
      rows.beginRow(columnCount: 10)
      rows.bigint(number)
      rows.encode(reject, followsErasure: erased != nil)
      rows.endRow()
    }
    try connection.copyRows(
      rows,
      with: """
        copy ingest.failed_reject (failed_file_id, line_number, byte_offset, code, field, \
        reason, raw, raw_byte_count, user_id, app_id) from stdin (format binary)
        """)
  }

  /// Finds out for each file whether the stream has a failure report with the file's path or bytes.
  func haveFailed(_ files: [SmallFile], stream: String) throws -> [Bool] {
    let places = try connection.rows(
      of: Int.self,
      """
      select f.place
        from unnest($2::text[], $3::text[], $4::bytea[])
          with ordinality f (path, canonical_path, sha256, place)
        where exists (select from ingest.failed_file where stream = $1)
          and exists (select from ingest.failed_file x
            where x.stream = $1 and (coalesce(x.canonical_path, x.path) in (f.path, f.canonical_path)
              or x.sha256 = f.sha256))
      """,
      [
        .text(stream), .texts(files.map(\.input.path)), .texts(files.map(\.canonicalPath)),
        .byteStrings(files.map(\.sha256)),
      ])
    let failed = Set(places)
    return files.indices.map { failed.contains($0 + 1) }
  }

  /// Deletes the failure reports of a file that was loaded or has failed again: those with its
  /// path, however it was written, and those with its bytes under any path.
  ///
  /// It runs in the caller's transaction. The report of a further failure, written before, gets their
  /// attempts.
  ///
  /// - Parameter path: as given; reports of older versions have only such a path.
  func clearFailures(
    path: String, canonicalPath: String, stream: String?, sha256: [UInt8]?
  ) throws {
    // A database function deletes them, because the loader role cannot.
    try connection.query(
      "select ingest.clear_failures($1, $2, $3, $4)",
      [
        .text(path), .optional(stream), sha256.map { .bytes($0) } ?? .null, .text(canonicalPath),
      ])
  }
}
