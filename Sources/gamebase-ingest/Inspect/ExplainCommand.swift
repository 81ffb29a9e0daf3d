internal import ArgumentParser
internal import Foundation
internal import Loading
internal import Postgres
internal import RecordPipeline

struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Show one line field by field, and with a database what became of it.",
    usage: """
      gamebase-ingest explain <file>:<line> [options]
      gamebase-ingest explain receipts/2026-11-20.jsonl.gz:212
      gamebase-ingest explain receipts/2026-11-20.jsonl.gz:212 --database service=games
      """,
    discussion: """
      Without --database, --local or a target, the command reads the file; give the options of load that the \
      file is loaded with.

      With one, it also shows what became of the line: its row, fills, conflicts, or refusal. Name the file \
      as undo does. The line comes from the file on disk, if its bytes are those that were loaded, else from \
      the ledger, which keeps refused lines; the output says which. A loaded file is read with the options \
      that it was loaded with. A line is called a duplicate only when the counts of the file allow nothing \
      else, because the ledger keeps no more of it.

      Tokens appear as their digests. Exits with 3 when the line is refused.
      """)

  @Argument(
    help: "A line of a file, such as receipts.jsonl:212.", completion: .file(),
    transform: form("must name a line, as in receipts.jsonl:212", LinePlace.init))
  var place: LinePlace

  @OptionGroup var records: RecordOptions
  @OptionGroup var database: DatabaseOptions

  /// The variables of libpq alone do not count, so that a shell which has them can check a file before
  /// its load.
  private var asksLedger: Bool {
    database.database != nil || database.local != nil || ConfiguredCommandLine.target != nil
  }

  func run() throws {
    guard asksLedger else { return try finish(showNamed()) }
    let connection = try database.connectToSchema()
    let digest = digest(of: place.path)
    let trace = try connection.transaction(.readOnlySnapshot) {
      let trace = try LineTrace(
        line: place.line, ofFileCalled: place.path, sha256: digest, on: connection)
      if trace == nil, !isFile(place.path) {
        throw try LineTrace.notFound(place.path, on: connection)
      }
      return trace
    }
    let isRefused = try trace.map { try show($0, digest) } ?? showNamed()
    try Terminal.output(
      "\n"
        + (trace.map { printable($0.fileOutcome) }
          ?? "not loaded: the database has no file with these bytes"))
    if let outcome = trace?.outcome { try TextTable(outcome).show(isApart: true) }
    try finish(isRefused)
  }

  private func finish(_ isRefused: Bool) throws {
    if isRefused { throw Terminal.code(.loadedWithFindings) }
  }

  private var rules: NormalizationRules {
    records.loadOptions.rules(startOfRun: currentMilliseconds())
  }

  private func isFile(_ path: String) -> Bool {
    var isFolder = ObjCBool(false)
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && !isFolder.boolValue
  }

  /// The digest of the decoded bytes of a file here; nil: there is none, or it cannot be read.
  private func digest(of path: String) -> String? {
    isFile(path) ? ExplainedLine.digest(of: Input(path: path, stream: "")) : nil
  }

  // MARK: - The line

  /// Prints the line of the named file, whose stream its name or the options select.
  ///
  /// - Returns: true when the line is refused, as all functions here.
  private func showNamed() throws -> Bool {
    guard !FileManager.default.fileExists(atPath: place.path) || isFile(place.path) else {
      throw LoadError(.usage, "\(place.path) is a folder; name one file in it")
    }
    let found = try InputDiscovery(stream: records.stream, isNight: true).inputs([place.path])
    guard let input = found.inputs.first else {
      let reason = found.failures.first?.reason ?? "cannot be read"
      throw LoadError(.fileFailed, "\(place.path) \(reason)", code: .fileMissing)
    }
    return try show(input, rules)
  }

  /// Prints the line of a file that the ledger knows, as far as its text can be had.
  private func show(_ trace: LineTrace, _ digest: String?) throws -> Bool {
    let rules = trace.rules ?? rules
    if let path = fileOnDisk(of: trace, digest) {
      return try show(
        Input(path: path, stream: trace.stream), rules,
        source: trace.sha256 == nil
          ? "from disk; the ledger has no digest of the failed file"
          : "from disk: the file has the digest that the ledger knows")
    }
    let title = "\(printable(trace.path)):\(place.line)  \(trace.stream)"
    let reason =
      digest == nil && !isFile(trace.path)
      ? "there is no file \(printable(trace.path)) here"
      : "the file \(printable(digest == nil ? trace.path : place.path)) here has other bytes"
    guard let reject = trace.reject else {
      try Terminal.output("\(title)\nno text: \(reason), and the ledger keeps only refused lines")
      return false
    }
    try Terminal.output(
      "\(title), \(reject.byteCount) bytes from byte \(reject.byteOffset)\nfrom the ledger: \(reason)"
    )
    guard reject.isWhole, let stream = StreamCatalog.stream(named: trace.stream) else {
      try Terminal.output(
        reject.raw.isEmpty
          ? "no byte of the line is kept; its file has it"
          : "only the beginning of the line is kept: \(reject.raw.count) bytes")
      return reject.isOpen
    }
    return try ExplainedLine(place.line, storedAs: reject, stream: stream, rules: rules)
      .explanation.show()
  }

  /// The path of a file here that has the bytes of the ledger's file.
  private func fileOnDisk(of trace: LineTrace, _ digest: String?) -> String? {
    guard let known = trace.sha256 else { return digest == nil ? nil : place.path }
    if digest == known { return place.path }
    return self.digest(of: trace.path) == known ? trace.path : nil
  }

  /// Prints the line of a file on disk.
  private func show(
    _ input: Input, _ rules: NormalizationRules, source: String? = nil
  ) throws -> Bool {
    guard let stream = StreamCatalog.stream(named: input.stream) else {
      throw LoadError(.usage, "this program does not know the stream \(input.stream)")
    }
    let line = try ExplainedLine(place.line, of: input, stream: stream, rules: rules)
    try Terminal.output(
      "\(printable(input.path)):\(place.line)  \(stream.name), \(line.byteCount) bytes from byte "
        + "\(line.byteOffset)" + (source.map { "\n\($0)" } ?? ""))
    return try line.explanation.show()
  }
}

extension LineExplanation {
  /// The most characters of a value that are shown; of a line that is not an object, 20 times as
  /// many bytes.
  private static let widest = 40

  /// Prints a line field by field, and the verdict at the end.
  ///
  /// - Returns: true when the line is refused.
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
    try Terminal.output("\n\(verdictText)")
    return if case .rejected = verdict { true } else { false }
  }

  private var verdictText: String {
    switch verdict {
    case .row:
      "accepted: the line becomes a row"
        + (embeddedTable.map { ", and the record in it a row of \($0)" } ?? "")
    case .blank: "blank: the line is skipped"
    case .rejected(let rejection): "refused: \(rejection.sentence)"
    }
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
