package import Postgres
internal import RecordPipeline

/// The user's choice of files in the ledger.
package enum FileChoice: Sendable {
  /// One file: its number, the start of its digest, its path as it was given or its canonical one, or the
  /// end of that path after a `/`.
  case file(String)
  /// All files of a run.
  case load(Int)

  /// The chosen files, including undone ones, oldest first; `ingest.files_called` says which a name
  /// means.
  package func files(_ connection: Connection) throws -> [LedgerFile] {
    let (condition, parameters): (String, [Parameter]) =
      switch self {
      case .load(let number): ("f.load_id = $1", [.integer(number)])
      case .file(let name):
        (
          "f.source_file_id in (select ingest.files_called($1, $2))",
          [.text(name), .text(Input(path: name).canonicalPath)]
        )
      }
    return try connection.rows(
      of: LedgerFile.self,
      "select \(LedgerFile.columns) from ingest.source_file f where \(condition) order by f.source_file_id",
      parameters)
  }

  /// The single one of chosen files that is not undone; if all are undone, the newest one; nil: none is
  /// chosen.
  ///
  /// - Throws: `LoadError` with exit code 64 when several are not undone.
  package static func only(of found: [LedgerFile]) throws -> LedgerFile? {
    let loaded = found.filter { $0.undoneAt == nil }
    if loaded.count > 1 { throw ambiguous(loaded) }
    return loaded.first ?? found.last
  }

  package func notFound(_ connection: Connection) throws -> LoadError {
    switch self {
    case .load(let loadID):
      return LoadError(
        .usage, "load \(loadID) has loaded no file; report.load_history lists what each load did")
    case .file(let name):
      let similar = try similarFiles(name, connection)
      return LoadError(
        .usage,
        "no loaded file is called \(name): give its path as report.load_history has it or the end of it "
          + "from a / on, its source_file_id, or at least 8 digits of its sha256"
          + (similar.isEmpty ? "" : "; it could be \(Self.list(similar))"))
    }
  }

  /// The newest file of each path that has the same file name in another folder, or else a similar
  /// file name.
  private func similarFiles(_ name: String, _ connection: Connection) throws -> [LedgerFile] {
    let found = try connection.rows(
      of: LedgerFile.self,
      """
      select \(LedgerFile.columns) from ingest.source_file f
        join (select max(source_file_id) as source_file_id from ingest.source_file
          where undone_at is null group by path order by 1 desc limit \(Self.searchedPaths)) newest
          using (source_file_id)
        order by f.source_file_id desc
      """)
    let byName = Dictionary(grouping: found) { lastComponent($0.path) }
    let last = lastComponent(name)
    return byName[last]
      ?? nearestNames(to: last, among: byName.keys.sorted(), atMost: Self.listedFiles)
      .flatMap { byName[$0] ?? [] }
  }

  /// The number of newest paths among which similar names are searched.
  private static let searchedPaths = 5000
  /// The number of files in a message; further files are only counted.
  private static let listedFiles = 5

  private static func list(_ files: [LedgerFile]) -> String {
    let more = files.count - listedFiles
    return files.prefix(listedFiles).map {
      "\($0.sourceFileID) (\($0.stream) \($0.path), \($0.lineCount) lines, load \($0.loadID) of "
        + "\($0.loadedAt))"
    }.joined(separator: "; ") + (more > 0 ? "; and \(more) more" : "")
  }

  static func ambiguous(_ files: [LedgerFile]) -> LoadError {
    LoadError(
      .usage, "several loaded files match; name one by its number: \(list(files))")
  }
}

private func lastComponent(_ path: String) -> String {
  path.split(separator: "/").last.map { String($0) } ?? path
}
