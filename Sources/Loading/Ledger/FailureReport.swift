internal import Postgres
internal import RecordPipeline

/// The story of a file that failed: none of its rows is kept, but what happened is.
struct FailedFile: Sendable {
  let path: String
  let stream: String
  var reason: String
  var sha256: [UInt8]?
  var byteCount = 0
  var lineCount = 0
  var rejectedCount = 0
  /// The first of them, at most `keptRejects`.
  var rejects: [RejectedLine] = []
  /// A sample of the refused lines, to guess at the cause by.
  private(set) var sample = RejectSample()

  static let keptRejects = 1000
  /// A thousand lines of 64 KiB would be a file of their own.
  static let keptRawBytes = 4 * 1024

  /// Notes how far the file has been read, and its rejects as they come.
  mutating func note(_ batch: Batch) {
    (lineCount, byteCount) = batch.position
    rejectedCount += batch.rejects.count
    sample.note(batch.rejects)
    rejects += batch.rejects.prefix(max(0, Self.keptRejects - rejects.count)).map {
      $0.cut(to: Self.keptRawBytes)
    }
  }
}

extension Ledger {
  /// Writes a failure; belongs into a transaction of its own.
  ///
  /// By then the lock of the stream has been given back, and users may have been erased whose lines
  /// were good to keep when they were read.
  /// - Parameter key: by which erased users are recognized; without it no line is kept once there are
  ///   erased users.
  func record(_ failure: FailedFile, loadID: Int, key: ErasureKey?) throws {
    try Locks(connection: connection).shareErasures()
    let rejects: [RejectedLine]
    do {
      let erased = try erasedUsers(key: key)
      rejects = failure.rejects.filter { reject in
        erased.map { reject.mayBelong(to: $0) } != true
      }
    } catch is LoadError {
      rejects = []
    }
    try clearFailures(path: failure.path, stream: failure.stream, sha256: failure.sha256)
    let result = try connection.query(
      """
      insert into ingest.failed_file
        (load_id, stream, path, sha256, reason, byte_count, line_count, rejected_count)
      values ($1, $2, $3, $4, $5, $6, $7, $8) returning failed_file_id
      """,
      [
        .integer(loadID), .text(failure.stream), .text(failure.path),
        failure.sha256.map { .bytes($0) } ?? .null, .text(failure.reason),
        .integer(failure.byteCount), .integer(failure.lineCount),
        .integer(failure.rejectedCount),
      ])
    guard !rejects.isEmpty, let number = result.integer(row: 0, column: 0) else { return }
    var rows = RowBuffer()
    for reject in rejects {
      rows.beginRow(columnCount: 10)
      rows.bigint(Int64(number))
      rows.encode(reject)
      rows.endRow()
    }
    try connection.copyRows(
      rows,
      with: """
        copy ingest.failed_reject (failed_file_id, line_number, byte_offset, code, field, \
        reason, raw, raw_byte_count, user_id, app_id) from stdin (format binary)
        """)
  }

  /// Which of these files have a failure that is not cleared: of their path, or of their bytes.
  func haveFailed(_ files: [SmallFile], stream: String) throws -> [Bool] {
    let result = try connection.query(
      """
      select f.place from unnest($2::text[], $3::bytea[]) with ordinality f (path, sha256, place)
        where exists (select from ingest.failed_file where stream = $1)
          and exists (select from ingest.failed_file x
            where x.stream = $1 and (x.path = f.path or x.sha256 = f.sha256))
      """,
      [.text(stream), .texts(files.map(\.input.path)), .byteStrings(files.map(\.sha256))])
    let places = Set((0..<result.rowCount).compactMap { result.integer(row: $0, column: 0) })
    return files.indices.map { places.contains($0 + 1) }
  }

  /// Forgets the failures of a file that has been loaded, or has failed anew: those of its path,
  /// and those of its bytes under any path.
  ///
  /// Part of the caller's transaction.
  func clearFailures(path: String, stream: String, sha256: [UInt8]?) throws {
    // Through a function: the loader itself has no right to delete.
    try connection.query(
      "select ingest.clear_failures($1, $2, $3)",
      [.text(path), .text(stream), sha256.map { .bytes($0) } ?? .null])
  }
}
