internal import Postgres

/// The identity of a file: loading it a second time changes nothing.
struct FileIdentity: Sendable {
  let stream: String
  let appID: String?
  /// Epoch milliseconds.
  let observedAt: Int64?
  let sha256: [UInt8]
}

/// What the ledger has of a file's bytes.
enum EarlierLoad {
  case none
  /// The bytes were loaded with the same options: there is nothing left to do.
  case same
  /// The bytes were loaded in the same stream, but with another `--app-id` or `--observed-at`.
  case otherwise(LoadedOtherwise)
}

/// A file of the ledger that has the bytes of another, and other options.
struct LoadedOtherwise {
  let sourceFileID: Int
  let loadID: Int
  let path: String
  let appID: String?
  /// As text, UTC.
  let observedAt: String?

  /// The refusal of the same bytes.
  ///
  /// - Parameter options: those that the bytes were to be loaded with now.
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
        + "\(loadID)), with \(given).\(now) Give the same options, and nothing is left to do; --reload-as "
        + "loads the lines once more, beside those that are stored", code: .sameBytesOtherOptions,
      detail: ["source_file_id": String(sourceFileID), "load_id": String(loadID), "path": path])
  }
}

extension Ledger {
  /// What the ledger has of the bytes of a stream's files, undone ones left out.
  ///
  /// - Parameters:
  ///   - appID: the one that the files are to be loaded with.
  ///   - observedAt: likewise, epoch milliseconds.
  ///   - loadID: only of this run; nil: of any.
  /// - Returns: one for each digest, in their order.
  func earlierLoads(
    ofStream stream: String, appID: String?, observedAt: Int64?, digests: [[UInt8]],
    loadID: Int? = nil
  ) throws -> [EarlierLoad] {
    let result = try connection.query(
      """
      select g.place, f.is_same, f.source_file_id, f.load_id, f.path, f.app_id,
          to_char(f.observed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        from unnest($1::bytea[]) with ordinality g (sha256, place)
        cross join lateral (
          select f.source_file_id, f.load_id, f.path, f.app_id, f.observed_at,
              f.app_id is not distinct from $3
                and f.observed_at is not distinct from \(Self.time("$4")) as is_same
            from ingest.source_file f
            -- Not to be found by its stream: that is what the planner takes, as long as it knows
            -- nothing of the table, and then reads all files of the stream for each of these.
            where f.sha256 = g.sha256 and f.stream || '' = $2 and f.undone_at is null
              and ($5::bigint is null or f.load_id = $5)
            order by is_same desc, f.source_file_id limit 1) f
      """,
      [
        .byteStrings(digests), .text(stream), .optional(appID),
        .optional(observedAt.map { Int($0) }), .optional(loadID),
      ])
    var loads = [EarlierLoad](repeating: .none, count: digests.count)
    for row in 0..<result.rowCount {
      guard let place = result.integer(row: row, column: 0), loads.indices.contains(place - 1)
      else { continue }
      loads[place - 1] =
        result[row, 1] == "t"
        ? .same
        : .otherwise(
          LoadedOtherwise(
            sourceFileID: result.integer(row: row, column: 2) ?? 0,
            loadID: result.integer(row: row, column: 3) ?? 0, path: result[row, 4] ?? "",
            appID: result[row, 5], observedAt: result[row, 6]))
    }
    return loads
  }

  /// What the ledger has of one file's bytes.
  func earlierLoad(of identity: FileIdentity, loadID: Int? = nil) throws -> EarlierLoad {
    try earlierLoads(
      ofStream: identity.stream, appID: identity.appID, observedAt: identity.observedAt,
      digests: [identity.sha256], loadID: loadID
    ).first ?? .none
  }

  /// True when a file with this identity has been loaded by a run and not been undone.
  func contains(_ identity: FileIdentity, loadID: Int) throws -> Bool {
    if case .same = try earlierLoad(of: identity, loadID: loadID) { return true }
    return false
  }
}
