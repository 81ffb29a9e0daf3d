internal import Glibc
internal import Postgres
internal import RecordPipeline

/// The failures of paths in the search for files: of those that found none, or that could not be searched.
///
/// Such a failure has the path as it was given, and ends when a file that the path stands for is loaded.
extension Ledger {
  /// Records paths that failed, each as one more attempt.
  ///
  /// - Parameter options: those of the run, with the settings of the database.
  func record(_ failures: [FailedInput], loadID: Int, options: LoadOptions) throws {
    guard !failures.isEmpty else { return }
    let canonicalPaths = failures.map { Input(path: $0.path).canonicalPath }
    let codes = failures.map {
      $0.error.kind == .pathMissing ? .incomplete : ErrorCode($0.error.kind).exitCode
    }
    try connection.query(
      """
      insert into ingest.failed_file
        (load_id, app_id, kind, stream, path, canonical_path, reason, error_code)
        select $1, $2, p.*
          from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::integer[]) p
      """,
      [
        .integer(loadID), .text(options.presumedApp),
        .texts(failures.map { $0.error.kind == .pathMissing ? "missing" : "failed" }),
        .texts(failures.map(\.stream)), .texts(failures.map(\.path)), .texts(canonicalPaths),
        .texts(failures.map(\.error.message)), .integers(codes.map { Int($0.rawValue) }),
      ])
    try clearFailures(of: zip(failures, canonicalPaths).map { ($0.stream, $0.path, $1, nil) })
  }

  /// Ends the failures of paths that stand for one of the files.
  ///
  /// - Parameter loadID: of a run whose own failures stay.
  func clearFailures(matchedBy inputs: [Input], besides loadID: Int) throws {
    guard !inputs.isEmpty else { return }
    let open = try connection.rows(
      of: FailedPath.self,
      """
      select distinct canonical_path as path, stream from ingest.failed_file
        where canonical_path is not null and sha256 is null and line_count = 0 and load_id <> $1
      """, [.integer(loadID)])
    // Most runs have none, so the paths of the files are found out only then.
    if open.isEmpty { return }
    let files = inputs.map(\.canonicalPath)
    try clearFailures(
      of: open.filter { Self.path($0.path, standsForOneOf: files) }
        .map { ($0.stream, $0.path, $0.path, nil) })
  }

  private struct FailedPath: Decodable {
    let path: String
    let stream: String?
  }

  /// True when a path, canonical like those of the files, is one of them, a folder above one, the beginning
  /// of names in a storage, or a pattern.
  private static func path(_ path: String, standsForOneOf files: [String]) -> Bool {
    let isStorage = path.hasPrefix("s3:") || path.hasPrefix("rclone:")
    // Bytes, because texts that differ only in their normal form are equal.
    let beginning = Array(path.utf8)
    let isBeginning = files.contains { file in
      guard file.utf8.starts(with: beginning) else { return false }
      let next = file.utf8.dropFirst(beginning.count).first
      return isStorage || next == nil || next == UInt8(ascii: "/")
    }
    // The characters of a pattern can stand in the name of a file.
    guard !isBeginning, isStorage || PathPattern.isMeant(by: path) && access(path, F_OK) != 0 else {
      return isBeginning
    }
    let pattern = PathPattern(path)
    return files.contains(where: pattern.matches)
  }
}
