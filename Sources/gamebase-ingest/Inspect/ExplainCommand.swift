internal import ArgumentParser
internal import Foundation
internal import Loading
internal import Postgres
internal import RecordPipeline

struct ExplainCommand: Command {
  static let help = """
    explain: Show one line field by field, and with a database what became of it.

    gamebase-ingest explain <file>:<line> [options]
    gamebase-ingest explain receipts/2026-11-20.jsonl.gz:212
    gamebase-ingest explain receipts/2026-11-20.jsonl.gz:212 --database service=games

    Without --database, --local or a target, the command reads the file; give the options of load.

    With one, it also shows what became of the line: its row, fills, conflicts, or refusal. The line comes \
    from the file on disk, if its bytes are those that were loaded, else from the ledger, which keeps \
    refused lines; the output says which. A loaded file is read with the options of its load. A line is \
    called a duplicate only when the counts of the file allow nothing else.

    Exits with 3 when the line is refused.
    """

  @Argument(
    help: "A line of a file, such as receipts.jsonl:212.", completion: .file(),
    transform: form("must name a line, as in receipts.jsonl:212") { text in
      // The last colon separates them.
      guard let colon = text.lastIndex(of: ":"), colon > text.startIndex,
        let line = Int(text[text.index(after: colon)...]), line >= 1
      else { return nil }
      return (String(text[..<colon]), line)
    })
  var place: (path: String, line: Int)

  @OptionGroup var records: RecordOptions
  @OptionGroup var database: DatabaseOptions

  func run() throws {
    // The variables of libpq alone do not count, so that a shell which has them can check a file before
    // its load.
    let asksLedger =
      database.database != nil || database.local != nil
      || ConfiguredCommandLine.current?.target != nil
    if try asksLedger ? showWithOutcome() : showNamed() {
      throw Terminal.code(.loadedWithFindings)
    }
  }

  /// Prints the line, and what the ledger has of it.
  ///
  /// - Returns: true when the line is refused, as all functions here.
  private func showWithOutcome() throws -> Bool {
    let connection = try database.connectToSchema()
    let digest = digest(of: place.path)
    let known = try connection.transaction(.readOnlySnapshot) {
      try KnownLine(place, sha256: digest, on: connection)
    }
    let isRefused = try known.map { try show($0, digest) } ?? showNamed()
    let outcome = known?.file.outcome ?? "not loaded: the database has no file with these bytes"
    try Terminal.output("\n\(printable(outcome))")
    if let known, known.outcome.rowCount > 0 { try TextTable(known.outcome).show(isApart: true) }
    return isRefused
  }

  private var rules: NormalizationRules {
    records.loadOptions.rules(startOfRun: currentMilliseconds())
  }

  /// The digest of the decoded bytes of a file here; nil: there is none, or it cannot be read.
  private func digest(of path: String) -> String? {
    guard isFile(path), let file = try? InputFile(Input(path: path)) else { return nil }
    return (try? file.digest()).map { hexadecimal($0.sha256) }
  }

  // MARK: - The line

  /// Prints the line of the named file, whose stream its name or the options select.
  private func showNamed() throws -> Bool {
    guard access("\(place.path)/.", F_OK) != 0 else {
      throw LoadError(.usage, "\(place.path) is a folder; name one file in it")
    }
    let found = try InputDiscovery(stream: records.stream, isNight: true).inputs([place.path])
    guard let input = found.inputs.first else {
      let reason = found.failures.first?.error.message ?? "cannot be read"
      throw LoadError(.fileMissing, "\(place.path) \(reason)")
    }
    return try show(input, rules)
  }

  /// Prints the line of a file that the ledger knows, as far as its text can be had.
  private func show(_ known: KnownLine, _ digest: String?) throws -> Bool {
    let (file, rules) = (known.file, known.rules ?? rules)
    func digestHere(_ path: String) -> String? {
      path == place.path ? digest : self.digest(of: path)
    }
    // The named file, or one at the path of the ledger's, if it has these bytes.
    let path = [place.path, file.path].first { path in
      digestHere(path).map { file.sha256 ?? $0 == $0 } ?? false
    }
    if let path {
      return try show(
        Input(path: path, stream: file.stream), rules,
        source: file.sha256 == nil
          ? "from disk; the ledger has no digest of the failed file"
          : "from disk: the file has the digest that the ledger knows")
    }
    let title = "\(printable(file.path)):\(place.line)  \(file.stream)"
    let here = [place.path, file.path].first(where: isFile)
    let reason =
      here.map {
        "the file \(printable($0)) here "
          + (digestHere($0) == nil ? "cannot be read" : "has other bytes")
      } ?? "there is no file \(printable(file.path)) here"
    guard let reject = known.reject else {
      try Terminal.output("\(title)\nno text: \(reason), and the ledger keeps only refused lines")
      return false
    }
    try Terminal.output(
      "\(title), \(reject.byteCount) bytes from byte \(reject.byteOffset)\nfrom the ledger: \(reason)"
    )
    guard reject.isWhole else {
      try Terminal.output(
        reject.raw.isEmpty
          ? "no byte of the line is kept; its file has it"
          : "only the beginning of the line is kept: \(reject.raw.count) bytes")
      return reject.isOpen
    }
    let stream = Input(path: file.path, stream: file.stream).recordStream
    return try InputLine.with(bytes: reject.raw, number: place.line, byteOffset: reject.byteOffset)
    {
      try LineExplanation(of: $0, stream: stream, rules: rules).show()
    }
  }

  private func show(
    _ input: Input, _ rules: NormalizationRules, source: String? = nil
  ) throws -> Bool {
    do {
      var reader = LineReader(try InputFile(input), limit: rules.limits.lineBytes) { _ in }
      while let line = try reader.next() {
        guard line.number == place.line else { continue }
        try Terminal.output(
          "\(printable(input.path)):\(place.line)  \(input.stream), \(line.byteCount) bytes from byte "
            + "\(line.byteOffset)" + (source.map { "\n\($0)" } ?? ""))
        return try LineExplanation(of: line, stream: input.recordStream, rules: rules).show()
      }
    } catch let error as ReadError { throw LoadError(error, path: input.path) }
    throw LoadError(.usage, "\(input.path) has no line \(place.line)")
  }
}

private func isFile(_ path: String) -> Bool { Output.identity(of: path) != nil }

/// The records that the ledger has of a line of a file.
private struct KnownLine {
  struct File: Decodable {
    var sourceFileID: Int?
    var failedFileID: Int?
    let path: String
    let stream: String
    /// Hexadecimal, of the decoded bytes of the file; nil: it failed before its end was read.
    let sha256: String?
    /// One sentence.
    let outcome: String
  }

  /// The stored part of a refused line.
  struct Reject: Decodable {
    let byteOffset: Int
    /// The length of the whole line, even when only a part of it is stored.
    let byteCount: Int
    /// False when only the beginning of the line is stored, or nothing.
    let isWhole: Bool
    /// False after a replay that loaded or suppressed the line.
    let isOpen: Bool
    /// With secrets masked.
    let raw: [UInt8]
  }

  let file: File
  /// The rows of `ingest.trace_line`.
  let outcome: QueryResult
  /// nil: the line was not refused, or the file was undone.
  let reject: Reject?
  /// The options that the file was loaded with; nil: the file failed, or was undone.
  let rules: NormalizationRules?

  /// nil: the ledger has no such file, but there is one here.
  ///
  /// A file with the bytes that the name has on this machine goes before a file that failed, and that
  /// before a loaded file with other bytes.
  ///
  /// - Parameters:
  ///   - sha256: hexadecimal, of the file that has the name on this machine; nil: there is none.
  ///   - connection: inside a transaction, so that records and counts agree.
  init?(_ place: (path: String, line: Int), sha256: String?, on connection: Connection) throws {
    let choice = FileChoice.file(place.path)
    let named = try choice.files(connection)
    var loaded = named.filter { $0.sha256 == sha256 }
    if let sha256, loaded.isEmpty { loaded = try FileChoice.file(sha256).files(connection) }
    // A file that failed and was not loaded since.
    let failed =
      try !loaded.isEmpty
      ? nil
      : connection.row(
        of: File.self,
        """
        select null::bigint as source_file_id, f.failed_file_id, f.path, f.stream, encode(f.sha256, 'hex') as sha256,
            to_char(f.failed_at, '"the file failed at "YYYY-MM-DD HH24:MI:SS" UTC, and nothing of it is loaded: "')
              || f.reason as outcome
          from ingest.failed_file f join ingest.failure_state s using (failed_file_id)
          where f.stream is not null and s.dismissed_at is null
            and ($1::text = f.path or $3::text = f.canonical_path or encode(f.sha256, 'hex') = $2::text
              or right(f.path, length($1::text) + 1) = '/' || $1::text)
          order by coalesce($1::text = f.path or $3::text = f.canonical_path, false) desc, f.failed_file_id desc limit 1
        """, [.text(place.path), .text(sha256), .text(Input(path: place.path).canonicalPath)])
    if let failed {
      file = failed
    } else if let known = try FileChoice.only(of: loaded.isEmpty ? named : loaded) {
      guard place.line <= known.lineCount else {
        throw LoadError(
          .usage, "\(known.path) has \(known.lineCount) lines, and no line \(place.line)")
      }
      file = File(
        sourceFileID: known.undoneAt == nil ? known.sourceFileID : nil, path: known.path,
        stream: known.stream, sha256: known.sha256,
        outcome: "file \(known.sourceFileID) of load \(known.loadID), \(known.loadedAt)"
          + (known.undoneAt.map { "; undone at \($0): nothing of it is left" } ?? ""))
    } else if isFile(place.path) {
      return nil
    } else {
      throw try choice.notFound(connection)
    }
    rules = try file.sourceFileID.flatMap { try FileSettings(of: $0, on: connection)?.rules }
    let parameters: [Parameter] = [
      .integer(file.sourceFileID), .integer(file.failedFileID), .integer(place.line),
    ]
    outcome = try connection.query("select * from ingest.trace_line($1, $2, $3)", parameters)
    reject = try connection.row(
      of: Reject.self,
      """
      select byte_offset, raw_byte_count as byte_count, is_whole, resolved_at is null as is_open, raw
        from ingest.refused_line
        where (source_file_id = $1 or failed_file_id = $2) and line_number = $3 limit 1
      """, parameters)
  }
}

extension LineExplanation {
  /// The most characters of a value that are shown; of a line that is not an object, 20 times as
  /// many bytes.
  private static let widest = 40

  /// Prints a line field by field, and the verdict at the end; true: the line is refused.
  fileprivate func show() throws -> Bool {
    if !fields.isEmpty {
      let rows = fields.map {
        [$0.name, $0.source.map(Self.cut) ?? "(absent)", Self.describe($0.result)]
      }
      let others = extra.map { [["(others)", Self.cut($0), "kept in extra"]] } ?? []
      try TextTable(["field", "as written", "result"], rows + others).show(isApart: true)
    } else if !masked.isEmpty {
      let text = String(decoding: masked.prefix(20 * Self.widest), as: UTF8.self)
      let isCut = masked.count > 20 * Self.widest
      try Terminal.output("\n\(printable(text))\(isCut ? "…" : "")")
    }
    let record = embeddedTable.map { ", and the record in it a row of \($0)" } ?? ""
    switch outcome {
    case .row, .suppressed: try Terminal.output("\naccepted: the line becomes a row\(record)")
    case .blank: try Terminal.output("\nblank: the line is skipped")
    case .rejected(let rejection):
      try Terminal.output("\nrefused: \(rejection.sentence)")
      return true
    }
    return false
  }

  private static func describe(_ result: Result) -> String {
    switch result {
    case .becomes(let values): values.map(cut).joined(separator: ", ")
    case .refused(let code, let reason): "refused: \(code.rawValue): \(reason)"
    case .notChecked(let field): "not checked: it depends on \(field)"
    }
  }

  private static func cut(_ text: String) -> String {
    text.count > widest ? "\(text.prefix(widest - 1))…" : text
  }
}
