package import Postgres

/// A file of the ledger, as far as people tell one from another.
package struct LedgerFile: Sendable, Equatable {
  package let sourceFileID: Int
  package let loadID: Int
  package let stream: String
  package let path: String
  /// Hexadecimal.
  package let sha256: String
  package let lineCount: Int
  /// As text, UTC.
  package let loadedAt: String
  /// As text, UTC; nil: its rows are there.
  package let undoneAt: String?

  /// What `init` reads, in its order, of `ingest.source_file f`.
  static let columns = """
    f.source_file_id, f.load_id, f.stream, f.path, encode(f.sha256, 'hex'), f.line_count,
    to_char(f.loaded_at, 'YYYY-MM-DD HH24:MI:SS "UTC"'),
    to_char(f.undone_at, 'YYYY-MM-DD HH24:MI:SS "UTC"')
    """

  init?(_ result: QueryResult, row: Int) {
    guard let sourceFileID = result.integer(row: row, column: 0),
      let loadID = result.integer(row: row, column: 1), let stream = result[row, 2],
      let path = result[row, 3], let sha256 = result[row, 4],
      let lineCount = result.integer(row: row, column: 5), let loadedAt = result[row, 6]
    else { return nil }
    self.sourceFileID = sourceFileID
    self.loadID = loadID
    self.stream = stream
    self.path = path
    self.sha256 = sha256
    self.lineCount = lineCount
    self.loadedAt = loadedAt
    undoneAt = result[row, 7]
  }

  static func all(in result: QueryResult) -> [LedgerFile] {
    (0..<result.rowCount).compactMap { LedgerFile(result, row: $0) }
  }
}

/// Which files of the ledger somebody means.
package enum FileChoice: Sendable {
  /// One file: its number, the beginning of its digest, or its path as the ledger has it, or the end
  /// of that path from a `/` on.
  case file(String)
  /// All files of a run.
  case load(Int)

  /// So few digits of a digest are no name: they would hit a path or a word by chance.
  private static let shortestDigest = 8

  /// The files that are meant, undone ones too, oldest first.
  ///
  /// A number means the file of that number when there is one, so that every file can be named.
  package func files(_ connection: Connection) throws -> [LedgerFile] {
    switch self {
    case .load(let loadID):
      return LedgerFile.all(
        in: try connection.query(
          """
          select \(LedgerFile.columns) from ingest.source_file f where f.load_id = $1
            order by f.source_file_id
          """, [.integer(loadID)]))
    case .file(let name):
      if let number = Int(name) {
        let found = LedgerFile.all(
          in: try connection.query(
            "select \(LedgerFile.columns) from ingest.source_file f where f.source_file_id = $1",
            [.integer(number)]))
        if !found.isEmpty { return found }
      }
      let named = try fileCalled(name, connection)
      return named.isEmpty ? try filesEnding(in: name, connection) : named
    }
  }

  private func fileCalled(_ name: String, _ connection: Connection) throws -> [LedgerFile] {
    let isDigest = name.utf8.count >= Self.shortestDigest && name.allSatisfy(\.isHexDigit)
    return LedgerFile.all(
      in: try connection.query(
        """
        select \(LedgerFile.columns) from ingest.source_file f
          where f.path = $1 or starts_with(encode(f.sha256, 'hex'), $2)
          order by f.source_file_id
        """, [.text(name), .optional(isDigest ? name.lowercased() : nil)]))
  }

  private func filesEnding(in end: String, _ connection: Connection) throws -> [LedgerFile] {
    LedgerFile.all(
      in: try connection.query(
        """
        select \(LedgerFile.columns) from ingest.source_file f
          where right(f.path, length($1::text) + 1) = '/' || $1::text order by f.source_file_id
        """, [.text(end)]))
  }

  /// The one file that is meant; of those that a path names, the one whose rows are there.
  ///
  /// - Throws: `LoadError` with exit code 64 when there is none, or when there are several.
  package func onlyFile(_ connection: Connection) throws -> LedgerFile {
    let found = try files(connection)
    let loaded = found.filter { $0.undoneAt == nil }
    if loaded.count > 1 { throw ambiguous(loaded) }
    guard let file = loaded.first ?? found.last else { throw try notFound(connection) }
    return file
  }

  func notFound(_ connection: Connection) throws -> LoadError {
    switch self {
    case .load(let loadID):
      return LoadError(
        .usage, "load \(loadID) has loaded no file; report.load_history lists what each load did")
    case .file(let name):
      let similar = try similarFiles(name, connection)
      return LoadError(
        .usage,
        "no loaded file is called \(name): give its path as report.load_history has it or the end of it "
          + "from a / on, its source_file_id, or at least \(Self.shortestDigest) digits of its sha256"
          + (similar.isEmpty ? "" : "; it could be \(Self.list(similar))"))
    }
  }

  /// Files of the same name in another folder, or else of a name that is nearly the same; the newest
  /// of each path.
  private func similarFiles(_ name: String, _ connection: Connection) throws -> [LedgerFile] {
    let found = LedgerFile.all(
      in: try connection.query(
        """
        select \(LedgerFile.columns) from ingest.source_file f
          join (select max(source_file_id) as source_file_id from ingest.source_file
            where undone_at is null group by path order by 1 desc limit \(Self.searchedPaths)) newest
            using (source_file_id)
          order by f.source_file_id desc
        """))
    let last = lastComponent(name)
    let same = found.filter { lastComponent($0.path) == last }
    guard same.isEmpty else { return same }
    var seen = Set<String>()
    let names = found.map { lastComponent($0.path) }.filter { seen.insert($0).inserted }
    let near = nearestNames(to: last, among: names, atMost: Self.listedFiles)
    return near.flatMap { name in found.filter { lastComponent($0.path) == name } }
  }

  /// A name is looked for among so many paths, the newest ones.
  private static let searchedPaths = 5000
  /// More files than this are counted.
  private static let listedFiles = 5

  private static func list(_ files: [LedgerFile]) -> String {
    let more = files.count - listedFiles
    return files.prefix(listedFiles).map {
      "\($0.sourceFileID) (\($0.stream) \($0.path), \($0.lineCount) lines, load \($0.loadID) of "
        + "\($0.loadedAt))"
    }.joined(separator: "; ") + (more > 0 ? "; and \(more) more" : "")
  }

  func ambiguous(_ files: [LedgerFile]) -> LoadError {
    LoadError(
      .usage, "several loaded files are meant; name one by its number: \(Self.list(files))")
  }
}

private func lastComponent(_ path: String) -> String {
  path.split(separator: "/").last.map { String($0) } ?? path
}
