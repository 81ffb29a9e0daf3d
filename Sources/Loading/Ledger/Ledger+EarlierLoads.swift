internal import Postgres
internal import RecordPipeline

extension Ledger {
  /// Finds out whether the bytes of files were loaded before in a stream.
  ///
  /// - Parameters:
  ///   - appID: the `--app-id` of the files to load.
  ///   - observedAt: their `--observed-at`, epoch milliseconds.
  ///   - digests: the SHA-256 of each file's decoded bytes.
  ///   - paths: the canonical path of each file. A file without a record is known by it, whatever
  ///     the options.
  ///   - loadID: considers only files of this run; nil: files of any run.
  ///   - options: those of a run, which leaves undone bytes alone if it is one of a night and has no
  ///     other options than the newest load that was undone; nil: undone files do not count.
  /// - Returns: one answer for each digest, in the order of the digests.
  func earlierLoads(
    ofStream stream: String, appID: String?, observedAt: Int64?, digests: [[UInt8]],
    paths: [String], loadID: Int? = nil, options: LoadOptions? = nil
  ) throws -> [EarlierLoad] {
    let found = try connection.rows(
      of: EarlierEntry.self,
      """
      select g.place, f.is_same, f.is_undone, f.source_file_id, f.load_id, f.path, f.canonical_path, f.app_id,
          to_char(f.observed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
            as observed_at
        from unnest($1::bytea[], $6::text[]) with ordinality g (sha256, path, place)
        cross join lateral (
          (select f.source_file_id, f.load_id, f.path, f.canonical_path, f.app_id, f.observed_at, false as is_undone,
              f.empty_path <> '' or f.app_id is not distinct from $3
                and f.observed_at is not distinct from \(Self.time("$4")) as is_same
            from ingest.source_file f
            -- "|| ''" keeps the planner off the index on stream: without statistics it prefers that
            -- index and reads all files of the stream for each digest.
            where f.sha256 = g.sha256 and f.empty_path in ('', g.path) and f.stream || '' = $2
              and f.undone_at is null and ($5::bigint is null or f.load_id = $5)
            order by is_same desc, f.source_file_id limit 1)
          union all
          (select f.source_file_id, f.load_id, f.path, f.canonical_path, f.app_id, f.observed_at, true,
              (f.empty_path <> '' or f.app_id is not distinct from $3)
                and f.observed_at is not distinct from \(Self.time("$4")) and f.time_unit = $8
                and f.unwrap_field is not distinct from $9 and f.purchase_token_mode = $10
            from ingest.source_file f
            where $7 and f.sha256 = g.sha256 and f.empty_path in ('', g.path)
              and f.stream || '' = $2 and f.undone_at is not null
            order by f.source_file_id desc limit 1)
          order by is_undone limit 1) f
      """,
      [
        .byteStrings(digests), .text(stream), .optional(appID),
        .optional(observedAt.map { Int($0) }), .optional(loadID), .texts(paths),
        .boolean(options?.isNight ?? false), .optional(options?.timeUnit.rawValue),
        .optional(options?.unwrapField),
        .optional(options.map { $0.storesPurchaseTokens ? "store" : "hash" }),
      ])
    var loads = [EarlierLoad](repeating: .none, count: digests.count)
    for entry in found {
      loads[entry.place - 1] =
        switch (entry.isUndone, entry.isSame) {
        case (false, true): .same(entry)
        case (false, false): .otherwise(entry)
        case (true, true): .undone(entry)
        case (true, false): .none
        }
    }
    return loads
  }

  /// Finds out whether the bytes of one file were loaded before.
  func earlierLoad(
    of identity: FileIdentity, loadID: Int? = nil, options: LoadOptions? = nil
  ) throws -> EarlierLoad {
    try earlierLoads(
      ofStream: identity.stream, appID: identity.appID, observedAt: identity.observedAt,
      digests: [identity.sha256], paths: [identity.path], loadID: loadID, options: options
    ).first ?? .none
  }

  /// True when the run loaded a file with this identity and the file is not undone.
  func contains(_ identity: FileIdentity, loadID: Int) throws -> Bool {
    if case .same = try earlierLoad(of: identity, loadID: loadID) { return true }
    return false
  }
}

/// The ledger's answer to the question whether a file's bytes were loaded before.
enum EarlierLoad {
  case none
  /// The bytes were loaded with the same options, so there is nothing to do.
  case same(EarlierEntry)
  /// The bytes were loaded in the same stream, but with another `--app-id` or `--observed-at`.
  case otherwise(EarlierEntry)
  /// The bytes were loaded with the same options, and undone, and the run leaves such bytes alone.
  case undone(EarlierEntry)

  /// True when the bytes are new, or were loaded with other options and `--reload-as` is given.
  func allowsLoad(_ options: LoadOptions) -> Bool {
    switch self {
    case .none: true
    case .same, .undone: false
    case .otherwise: options.reloadsUnderNewOptions
    }
  }
}

/// The entry of an earlier load of the same bytes.
struct EarlierEntry: Decodable {
  /// The place of the digest that was asked for, from 1.
  fileprivate let place: Int
  fileprivate let isSame: Bool
  fileprivate let isUndone: Bool
  let sourceFileID: Int
  let loadID: Int
  /// As given.
  let path: String
  /// nil: an older version loaded the file.
  let canonicalPath: String?
  let appID: String?
  /// As text, UTC.
  let observedAt: String?

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
      ? " Now --app-id \(options.appID ?? "") comes from the database's setting: to load the file under it, "
        + "undo \(sourceFileID) first." : ""
    return LoadError(
      .fileFailed,
      "its bytes are loaded already, with other options: as \(path) (file \(sourceFileID) of load "
        + "\(loadID)), with \(given).\(now) With the same options nothing is left to do; --reload-as "
        + "loads the lines again, in addition to the stored ones", code: .sameBytesOtherOptions,
      detail: ["source_file_id": String(sourceFileID), "load_id": String(loadID), "path": path])
  }
}

/// The identity of a file: of two files with the same identity only the first is loaded.
///
/// Files without a record are the same if they have the same stream, bytes and path.
struct FileIdentity: Sendable {
  let stream: String
  let appID: String?
  /// Epoch milliseconds.
  let observedAt: Int64?
  let sha256: [UInt8]
  /// The canonical path, which tells files without a record apart.
  let path: String
}
