internal import Glibc
internal import Postgres
internal import RecordPipeline

/// The failures of paths in the search for files: of those that found none, or that could not be searched.
///
/// Such a failure has the path as it was given, and ends when a file that the path stands for is loaded.
struct SearchFailures {
  private let connection: Connection

  /// - Parameter connection: in a transaction.
  init(_ connection: Connection) { self.connection = connection }

  /// Records paths that failed, each as one more attempt.
  ///
  /// - Parameter options: those of the run, with the settings of the database.
  func record(_ failures: [FailedInput], loadID: Int, options: LoadOptions) throws {
    guard !failures.isEmpty else { return }
    let paths = failures.map(\.path)
    let canonicalPaths = failures.map { Input(path: $0.path, stream: "").canonicalPath }
    let streams = failures.map(\.stream)
    try connection.query(
      """
      insert into ingest.failed_file
        (load_id, app_id, kind, stream, path, canonical_path, reason, error_code)
        select $1, $2, p.*
          from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::integer[]) p
      """,
      [
        .integer(loadID), .optional(options.presumedApp),
        .texts(failures.map { $0.kind == .missing ? "missing" : "failed" }),
        .texts(streams), .texts(paths), .texts(canonicalPaths),
        .texts(failures.map(\.reason)),
        .integers(
          failures.map {
            Int(
              ($0.kind == .missing ? .incomplete : ErrorCode($0.kind).ofUnreadInput).rawValue)
          }),
      ])
    try clear(zip(streams, zip(paths, canonicalPaths)).map { ($0, $1.0, $1.1) })
  }

  /// Ends the failures of paths that stand for one of the files.
  ///
  /// - Parameter loadID: of a run whose own failures stay.
  func clear(matchedBy inputs: [Input], besides loadID: Int) throws {
    guard !inputs.isEmpty else { return }
    let open = try connection.rows(
      of: FailedPath.self,
      """
      select distinct canonical_path as path, stream from ingest.failed_file
        where canonical_path is not null and sha256 is null and line_count = 0 and load_id <> $1
      """, [.integer(loadID)])
    // Most runs have none, so the paths of the files are found out only then.
    if open.isEmpty { return }
    let loaded = LoadedPaths(inputs)
    try clear(open.filter { loaded.include($0.path) }.map { ($0.stream, $0.path, $0.path) })
  }

  private func clear(
    _ failures: [(stream: String?, path: String, canonicalPath: String)]
  ) throws {
    for (stream, failures) in Dictionary(grouping: failures, by: \.stream) {
      try Ledger(connection: connection).clearFailures(
        of: failures.map { ($0.path, $0.canonicalPath, nil) }, stream: stream)
    }
  }

  private struct FailedPath: Decodable {
    let path: String
    let stream: String?
  }
}

/// The canonical paths of loaded files, and of the folders above them.
private struct LoadedPaths {
  private let files: [String]
  /// Bytes, because texts that differ only in their normal form are equal.
  private var places: Set<[UInt8]> = []

  init(_ inputs: [Input]) {
    files = inputs.map(\.canonicalPath)
    for file in files {
      var place = Array(file.utf8)
      while places.insert(place).inserted, let slash = place.lastIndex(of: UInt8(ascii: "/")) {
        place.removeSubrange(slash...)
      }
    }
  }

  /// True when a path, canonical, stands for one of the files.
  func include(_ path: String) -> Bool {
    if places.contains(Array(path.utf8)) { return true }
    let isStorage = path.hasPrefix("s3:") || path.hasPrefix("rclone:")
    // The characters of a pattern can stand in the name of a file.
    guard isStorage || PathPattern.isMeant(by: path) && access(path, F_OK) != 0 else {
      return false
    }
    let pattern = PathPattern(path)
    return files.contains {
      isStorage && $0.utf8.starts(with: path.utf8) || pattern.matches($0)
    }
  }
}
