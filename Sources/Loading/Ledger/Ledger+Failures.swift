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
    _ failure: FailureReport, _ error: LoadError, loadID: Int, options: LoadOptions
  ) throws {
    try connection.hold(.erasures, isShared: true)
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
        .integer(loadID), .text(failure.input.stream), .text(failure.input.path),
        .bytes(failure.sha256), .text(error.message),
        .integer(failure.read.bytes), .integer(failure.read.lines),
        .integer(failure.read.rejected), .text(failure.canonicalPath),
        .integer(Int(error.exitCode.rawValue)), .text(options.presumedApp),
      ])
    try clearFailures(
      of: [(failure.input.stream, failure.input.path, failure.canonicalPath, failure.sha256)])
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

  /// Deletes the failure reports of files that are loaded or have failed again: those with their paths,
  /// however they were written, and those with their bytes under any path.
  ///
  /// It runs in the caller's transaction. The report of a further failure, written before, gets their
  /// attempts.
  ///
  /// - Parameter files: with each path as given, because reports of older versions have only such a one.
  func clearFailures(
    of files: [(stream: String?, path: String, canonicalPath: String, sha256: [UInt8]?)]
  ) throws {
    if files.isEmpty { return }
    // A database function deletes them, because the loader role cannot.
    try connection.query(
      """
      with failed as materialized (select distinct stream from ingest.failed_file)
      select ingest.clear_failures(f.path, f.stream, decode(f.sha256, 'hex'), f.canonical_path)
        from unnest($1::text[], $2::text[], $3::text[], $4::text[]) f (stream, path, canonical_path, sha256)
        where exists (select from failed o where o.stream is not distinct from f.stream)
      """,
      [
        .texts(files.map(\.stream)), .texts(files.map(\.path)),
        .texts(files.map(\.canonicalPath)), .texts(files.map { $0.sha256.map(hexadecimal) }),
      ])
  }
}
