internal import Glibc
internal import Postgres
internal import RecordPipeline

/// The failures of patterns that no file matched, and of storages' names that found no object or no answer.
///
/// Such a failure has the pattern or the name as its path, and ends when a file that it stands for is loaded.
struct MissingPatterns {
  private let connection: Connection

  /// - Parameter connection: in a transaction.
  init(_ connection: Connection) { self.connection = connection }

  /// Records patterns without a match, each as one more attempt.
  func record(_ failures: [FailedInput], loadID: Int) throws {
    for failure in failures {
      try record(
        failure.path, stream: failure.stream, reason: failure.reason,
        exitCode: ErrorCode(failure.kind).ofUnreadInput, loadID: loadID)
    }
  }

  /// Records that the files of a path are missing or were not loaded, as one more attempt.
  func record(
    _ path: String, stream: String?, reason: String, exitCode: ExitCode, loadID: Int
  ) throws {
    let earlier = try clear(path, stream: stream)
    try connection.query(
      """
      insert into ingest.failed_file
        (load_id, stream, path, reason, canonical_path, first_failed_at, attempt_count, error_code)
      values ($1, $2, $3, $4, $5, coalesce($6::timestamptz, now()), $7, $8)
      """,
      [
        .integer(loadID), .optional(stream), .text(path), .text(reason),
        .text(Input(path: path, stream: "").canonicalPath), .optional(earlier.firstFailedAt),
        .integer(earlier.attemptCount + 1), .integer(Int(exitCode.rawValue)),
      ])
  }

  /// Deletes the failures of a path itself.
  @discardableResult func clear(_ path: String, stream: String?) throws -> Ledger.FailedAttempts {
    try Ledger(connection: connection).clearFailures(
      path: path, canonicalPath: Input(path: path, stream: "").canonicalPath, stream: stream,
      sha256: nil)
  }

  /// Deletes the failures of patterns that one of the files matches.
  func clear(matchedBy inputs: [Input]) throws {
    guard !inputs.isEmpty else { return }
    let open = try connection.rows(
      of: FailedPattern.self,
      """
      select distinct canonical_path, stream from ingest.failed_file
        where canonical_path ~ '[*?[]|^(s3|rclone):' and sha256 is null and line_count = 0
      """)
    // Most runs have none, so the paths of the files are found out only then.
    if open.isEmpty { return }
    let paths = inputs.map(\.canonicalPath)
    for failure in open {
      let pattern = failure.canonicalPath
      guard !exists(pattern),
        paths.contains(where: {
          isStorage(pattern) && $0.utf8.starts(with: pattern.utf8)
            || PathPattern(canonical: pattern).matches($0)
        })
      else { continue }
      try Ledger(connection: connection).clearFailures(
        path: pattern, canonicalPath: pattern, stream: failure.stream, sha256: nil)
    }
  }

  private struct FailedPattern: Decodable {
    let canonicalPath: String
    let stream: String?
  }

  private func isStorage(_ path: String) -> Bool {
    path.hasPrefix("s3:") || path.hasPrefix("rclone:")
  }

  /// True for a file whose name has the characters of a pattern.
  private func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
}
