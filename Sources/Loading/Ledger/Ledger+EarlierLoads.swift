internal import Postgres
internal import RecordPipeline

extension Ledger {
  /// Finds out whether the bytes of files were loaded before in a stream.
  ///
  /// A run of a night leaves undone bytes alone, if it has no other options than the newest load that was
  /// undone.
  ///
  /// - Parameter files: the SHA-256 of each file's decoded bytes, and its canonical path. A file without a
  ///   record is known by the path, whatever the options.
  /// - Returns: for each file the entry because of which it is not loaded; nil: it is to be loaded.
  /// - Throws: `LoadError` when the same bytes were loaded with another `--app-id` or `--observed-at` and
  ///   `--reload-as` is not given.
  func earlierLoads(
    of files: [(sha256: [UInt8], path: String)], stream: String, options: LoadOptions
  ) throws -> [EarlierEntry?] {
    // "|| ''" keeps the planner off the index on stream: without statistics it prefers that index and
    // reads all files of the stream for each digest.
    let isFile = "f.sha256 = g.sha256 and f.empty_path in ('', g.path) and f.stream || '' = $2"
    let hasApp = "f.app_id is not distinct from $3"
    let hasTime = "f.observed_at is not distinct from \(Self.time("$4"))"
    let found = try connection.rows(
      of: EarlierEntry.self,
      """
      select g.place, f.*, to_char(f.observed at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as observed_at
        from unnest($1::bytea[], $5::text[]) with ordinality g (sha256, path, place)
        cross join lateral (
          (select f.source_file_id, f.load_id, f.path, f.canonical_path, f.app_id, f.observed_at as observed,
              false as is_undone, f.empty_path <> '' or \(hasApp) and \(hasTime) as is_same
            from ingest.source_file f where \(isFile) and f.undone_at is null
            order by is_same desc, f.source_file_id limit 1)
          union all
          (select f.source_file_id, f.load_id, f.path, f.canonical_path, f.app_id, f.observed_at, true,
              (f.empty_path <> '' or \(hasApp)) and \(hasTime) and f.time_unit = $7
                and f.unwrap_field is not distinct from $8 and f.purchase_token_mode = $9
            from ingest.source_file f where $6 and \(isFile) and f.undone_at is not null
            order by f.source_file_id desc limit 1)
          order by is_undone limit 1) f
        where f.is_same or not f.is_undone
      """,
      [
        .byteStrings(files.map(\.sha256)), .text(stream), .text(options.appID),
        .integer(options.observedAt), .texts(files.map(\.path)),
        .boolean(options.isNight), .text(options.rules.timeUnit.rawValue),
        .text(options.rules.unwrapField),
        .text(options.rules.storesPurchaseTokens ? "store" : "hash"),
      ])
    var entries = [EarlierEntry?](repeating: nil, count: files.count)
    for entry in found {
      if entry.isSame {
        entries[entry.place - 1] = entry
      } else if !options.reloadsUnderNewOptions {
        throw entry.refusal(under: options)
      }
    }
    return entries
  }

  /// True when a run has loaded a file and the file is not undone.
  func contains(_ sourceFileID: Int64, sha256: [UInt8], loadID: Int) throws -> Bool {
    try connection.onlyRow(
      of: Bool.self,
      """
      select exists (select from ingest.source_file
        where source_file_id = $1 and sha256 = $2 and load_id = $3 and undone_at is null)
      """, [.integer(Int(sourceFileID)), .bytes(sha256), .integer(loadID)])
  }
}

/// The entry of an earlier load of the same bytes.
struct EarlierEntry: Decodable {
  /// The place of the file that was asked for, from 1.
  fileprivate let place: Int
  fileprivate let isSame: Bool
  /// The bytes were undone, and the run leaves them alone.
  let isUndone: Bool
  let sourceFileID: Int
  let loadID: Int
  /// As given.
  let path: String
  /// nil: an older version loaded the file.
  let canonicalPath: String?
  private let appID: String?
  /// As text, UTC.
  private let observedAt: String?

  /// The error that refuses to load the same bytes with other options.
  ///
  /// - Parameter options: the options of the refused load.
  func refusal(under options: LoadOptions) -> LoadError {
    let given = [
      appID.map { "--app-id \($0)" } ?? "no --app-id",
      observedAt.map { "--observed-at \($0)" } ?? "no --observed-at",
    ].joined(separator: " and ")
    let now =
      options.isAppIDSetting
      ? " Now --app-id \(options.rules.appID) comes from the database's setting: to load the file under it, "
        + "undo \(sourceFileID) first." : ""
    return LoadError(
      .sameBytesOtherOptions,
      "its bytes are loaded already, with other options: as \(path) (file \(sourceFileID) of load "
        + "\(loadID)), with \(given).\(now) With the same options nothing is left to do; --reload-as "
        + "loads the lines again, in addition to the stored ones",
      detail: ["source_file_id": String(sourceFileID), "load_id": String(loadID), "path": path])
  }
}
