internal import ArgumentParser
internal import Foundation
internal import Loading
internal import Postgres
internal import RecordPipeline

/// `gamebase-ingest explain`: shows one line of a file, field by field, and what became of it.
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
      Without --database, --local or a target, the command reads the file; the options are those of \
      load, so give the ones that the file is loaded with.

      With one, it also shows what became of the line: its row, fills, conflicts, or refusal. Name the \
      file by the path that report.load_history shows, the end of that path from a / on, the \
      source_file_id, or the first digits of the sha256 (at least 8). The line comes from the file on \
      disk, if its bytes are those that were loaded, else from the ledger, which keeps refused lines; \
      the output says which. A loaded file is read with the options that it was loaded with. \
      The only record of a duplicate line is the count of its file, so a line is called a duplicate \
      only when the counts of the file allow nothing else.

      Tokens appear as their digests. Exits with 3 when the line is refused.
      """)

  @OptionGroup var records: RecordOptions
  @OptionGroup var database: DatabaseOptions

  func validate() throws {
    guard records.paths.count == 1, place != nil else {
      throw ValidationError("Name one line, as in receipts.jsonl:212.")
    }
  }

  private var place: LinePlace? { records.paths.first.flatMap { LinePlace(argument: $0) } }

  /// The variables of libpq alone do not count, so that a shell which has them can check a file before
  /// its load.
  private var asksLedger: Bool {
    database.database != nil || database.local != nil
      || ConfiguredCommandLine.current?.target != nil
  }

  func run() throws {
    guard let place else { return }
    guard asksLedger else {
      let input = try input(at: place.path)
      try finish(show(place.line, of: input, stream: input.stream, rules))
      return
    }
    let connection = try database.connectToSchema()
    let isHere = isFile(place.path)
    let digest =
      isHere ? ExplainedLine.digest(of: Input(path: place.path, stream: "")) : nil
    let trace: LineTrace? = try reportingErrors {
      try connection.transaction(.readOnlySnapshot) {
        let tracing = LineTracing(connection)
        guard let file = try tracing.file(called: place.path, sha256: digest) else {
          guard isHere else { throw try tracing.notFound(place.path) }
          return nil
        }
        return try tracing.trace(line: place.line, of: file)
      }
    }
    if let trace {
      let isRefused = try show(trace, line: place.line, source(of: trace, digest))
      try show(trace)
      try finish(isRefused)
    } else {
      let input = try input(at: place.path)
      let isRefused = try show(place.line, of: input, stream: input.stream, rules)
      try Terminal.output("\nnot loaded: the database has no file with these bytes")
      try finish(isRefused)
    }
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

  /// The file with the stream that its name or the options select.
  private func input(at path: String) throws -> Input {
    var isFolder = ObjCBool(false)
    _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    guard !isFolder.boolValue else {
      throw Terminal.failure(.usage, "\(path) is a folder; name one file in it")
    }
    let found = try records.inputs([path])
    guard let input = found.inputs.first else {
      let reason = found.failures.first?.reason ?? "cannot be read"
      throw Terminal.failure(.fileFailed, "\(path) \(reason)", cause: .fileMissing)
    }
    return input
  }

  // MARK: - The line

  /// The place that the text of a line comes from.
  private enum Source {
    case disk(String)
    /// The reason why the file on disk is not it.
    case ledger(String)
  }

  /// - Parameter digest: of the named file on disk; nil: there is none.
  private func source(of trace: LineTrace, _ digest: String?) -> Source {
    guard let place else { return .ledger("") }
    let path = trace.file.path
    if let known = trace.file.sha256 {
      if digest == known { return .disk(place.path) }
      if isFile(path), ExplainedLine.digest(of: Input(path: path, stream: "")) == known {
        return .disk(path)
      }
    } else if digest != nil {
      return .disk(place.path)
    }
    return .ledger(
      digest == nil && !isFile(path)
        ? "there is no file \(printable(path)) here"
        : "the file \(printable(digest == nil ? path : place.path)) here has other bytes")
  }

  /// Prints the line of a file that the ledger knows, as far as its text can be had.
  ///
  /// - Returns: true when the line is refused.
  private func show(_ trace: LineTrace, line: Int, _ source: Source) throws -> Bool {
    let file = trace.file
    let rules = trace.rules ?? rules
    let place = "\(printable(file.path)):\(line)  \(file.stream)"
    switch source {
    case .disk(let path):
      let input = Input(path: path, stream: file.stream)
      return try show(
        line, of: input, stream: file.stream, rules,
        source: file.sha256 == nil
          ? "from disk; the ledger has no digest of the failed file"
          : "from disk: the file has the digest that the ledger knows")
    case .ledger(let reason):
      guard let reject = trace.reject else {
        try Terminal.output("\(place)\nno text: \(reason), and the ledger keeps only refused lines")
        return false
      }
      try Terminal.output(
        "\(place), \(reject.byteCount) bytes from byte \(reject.byteOffset)\nfrom the ledger: \(reason)"
      )
      guard reject.isWhole, let stream = StreamCatalog.stream(named: file.stream) else {
        try Terminal.output(
          reject.raw.isEmpty
            ? "no byte of the line is kept; its file has it"
            : "only the beginning of the line is kept: \(reject.raw.count) bytes")
        return reject.isOpen
      }
      let explained = try reportingErrors {
        try ExplainedLine(line, storedAs: reject, stream: stream, rules: rules)
      }
      try explained.explanation.show()
      return explained.explanation.isRefused
    }
  }

  /// Prints a line of a file on disk.
  ///
  /// - Returns: true when the line is refused.
  private func show(
    _ line: Int, of input: Input, stream: String, _ rules: NormalizationRules,
    source: String? = nil
  ) throws -> Bool {
    guard let stream = StreamCatalog.stream(named: stream) else {
      throw Terminal.failure(.usage, "this program does not know the stream \(stream)")
    }
    let explained = try reportingErrors {
      try ExplainedLine(line, of: input, stream: stream, rules: rules)
    }
    try Terminal.output(
      "\(printable(input.path)):\(line)  \(stream.name), \(explained.byteCount) bytes from byte "
        + "\(explained.byteOffset)")
    if let source { try Terminal.output(source) }
    try explained.explanation.show()
    return explained.explanation.isRefused
  }

  // MARK: - What became of it

  private func show(_ trace: LineTrace) throws {
    switch trace.file {
    case .loaded(let file):
      try Terminal.output(
        "\nfile \(file.sourceFileID) of load \(file.loadID), \(file.loadedAt)"
          + (file.undoneAt.map { "; undone at \($0): nothing of it is left" } ?? ""))
    case .failed(let file):
      try Terminal.output(
        "\nthe file failed at \(file.failedAt), and nothing of it is loaded: "
          + printable(file.reason))
    }
    switch trace.outcome {
    case .none: return
    case .recorded(let records): try gamebase_ingest.show(records, empty: "")
    case .unrecorded(let possible): try Terminal.output(text(of: possible))
    }
  }

  private func text(of possible: [LineTrace.PossibleOutcome]) -> String {
    if possible.count == 1, let only = possible.first {
      return "the line was \(words(for: only.kind)): nothing else of it is kept"
    }
    return "nothing is kept of the line; it was one of these: "
      + possible.map { "\(words(for: $0.kind)) (\(counted($0.lineCount, "line")))" }.joined(
        separator: "; ")
  }

  private func words(for kind: LineTrace.PossibleOutcome.Kind) -> String {
    switch kind {
    case .duplicate: "a duplicate"
    case .blank: "blank"
    case .suppressed: "suppressed, because its user was erased"
    case .erased: "erased with its user"
    }
  }
}

extension LineExplanation {
  fileprivate var isRefused: Bool {
    if case .rejected = verdict { true } else { false }
  }
}
