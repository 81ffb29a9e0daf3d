internal import ArgumentParser
internal import Foundation
internal import Loading
internal import Postgres
internal import RecordPipeline

struct RejectsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rejects",
    abstract: "List, export or replay refused lines.",
    subcommands: [
      RejectsListCommand.self, RejectsExportCommand.self, RejectsReplayCommand.self,
    ])
}

/// The options that select rejects.
struct RejectOptions: ParsableArguments {
  @OptionGroup var entries: EntryOptions

  @Option(
    help: "Only lines with this reject code.",
    transform: form("must be a reject code, which the documentation lists") {
      RejectCode(rawValue: $0)?.rawValue
    })
  var code: String?

  /// The reason why lines are not replayed or exported.
  static let isCut = "not kept whole (cut, or without bytes since a user was erased)"

  var filter: EntryFilter {
    var filter = entries.filter
    filter.code = code
    return filter
  }
}

struct RejectsListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List refused lines: by code and field, then one by one.",
    discussion: """
      The list has all refused lines of loaded files, and the first 1,000 of each failed file. --all \
      adds the lines that a replay has loaded.
      """)

  @OptionGroup var rejects: RejectOptions
  @OptionGroup var database: DatabaseOptions

  @Flag(help: "Also list lines that a replay has loaded.")
  var all = false

  @OptionGroup var list: ListOptions

  func run() throws {
    let connection = try database.connectToSchema()
    var filter = rejects.filter
    filter.includesResolved = all
    try connection.transaction(.readOnlySnapshot) {
      var output = StateOutput(list.format)
      try output.add("groups", .groups(of: filter, on: connection), empty: "no line was refused")
      try output.add(
        "lines", .lines(of: filter, limit: Int(clamping: list.limit), on: connection), empty: "")
      try output.end()
    }
  }
}

struct RejectsReplayCommand: ChangingCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Read refused lines of loaded files again, by the rules of this program.",
    discussion: """
      Each line is read with the options that its file was loaded with. A line that the rules accept now is \
      loaded as a line of its file, marked as resolved, and counted under its new outcome in the ledger. A \
      second replay changes nothing. The reports are refreshed at the end. Exits with 3 when lines are \
      skipped because they are not kept whole, still refused, or contradict a stored row.
      """)

  @OptionGroup var rejects: RejectOptions
  @OptionGroup var change: ChangeOptions
  @OptionGroup var erasureKey: ErasureKeyOptions

  func run() throws {
    let target = try change.database.target()
    let interruption = Interruption.bySignals()
    let files = try RejectReplay(
      rejects.filter, key: erasureKey.key(), isDryRun: change.dryRun, target: target,
      interruption: interruption
    ).replay()
    try printSummary(files)
    var code = files.contains(where: \.hasFindings) ? ExitCode.loadedWithFindings : .success
    if !change.dryRun, files.contains(where: { $0.resolved > 0 }) {
      // A failed refresh leaves the replayed lines loaded.
      let refresh = Refresh(logger: commandLogger(), interruption: interruption)
      do { try Terminal.output(refresh.run(on: target).sentence) } catch let error as LoadError {
        Terminal.problem(error.message)
        code = code.joined(with: error.exitCode)
      }
    }
    if code != .success { throw Terminal.code(code) }
  }

  private func printSummary(_ files: [ReplayedFile]) throws {
    guard !files.isEmpty else {
      return try Terminal.output("nothing to replay: no refused line is open")
    }
    let rows = files.map { file in
      let counts = [
        file.counts.inserted, file.counts.filled, file.counts.duplicates, file.counts.conflicts,
        file.refused, file.cut,
      ]
      return [file.path, file.stream] + counts.map { String($0) }
    }
    let header = [
      "file", "stream", "inserted", "filled", "duplicates", "conflicts", "still refused", "cut",
    ]
    try TextTable(header, rows).show()
    for file in files where file.cut > 0 {
      Terminal.note(
        "\(counted(file.cut, "line")) of \(printable(file.path)) skipped, because \(RejectOptions.isCut); the file "
          + "still has what is missing: correct a copy of it, and load that")
    }
    let suppressed = files.map(\.suppressed).reduce(0, +)
    if suppressed > 0 {
      try Terminal.output("suppressed: \(counted(suppressed, "line")) of erased users")
    }
    let resolved = counted(files.map(\.resolved).reduce(0, +), "line")
    try change.show(nil, done: "\(resolved) resolved", wouldBe: "\(resolved) would be resolved")
  }
}

struct RejectsExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write refused lines as JSONL, to correct and load them.",
    discussion: """
      Tokens are written as their digests, which load like the tokens themselves. One export takes lines of \
      one stream that were read with the same options; standard error names the options that load them \
      again. Lines that are not kept whole are left out and counted.

      Of a failed file nothing is loaded, so it has to be loaded again as a whole. --failed writes the first \
      1,000 refused lines of each, cut at 4 KiB.
      """)

  @OptionGroup var rejects: RejectOptions
  @OptionGroup var database: DatabaseOptions

  @Option(name: .shortAndLong, help: "The file to write; standard output if unset.")
  var output: String?

  @Flag(help: "Write lines of failed files instead of those of loaded files.")
  var failed = false

  func run() throws {
    let connection = try database.connectToSchema()
    var filter = rejects.filter
    filter.status = failed ? .failed : .loaded
    let export = RejectExport(filter, on: connection)
    try connection.transaction(.readOnlySnapshot) {
      // The options come first: they throw when no single set of them can load all lines.
      let hint = try export.loadingOptions().map(hint) ?? ""
      let (exported, cut) = try Output(output).write { write in
        try export.export { try write(Data($0)) }
      }
      Terminal.note("\(counted(exported, "line")) exported\(hint)")
      if cut > 0 {
        Terminal.note(
          "\(counted(cut, "line")) left out, because \(RejectOptions.isCut); correct a copy of the file, which "
            + "still has what is missing")
      }
      let left = try export.failedFiles()
      if !failed, left.lines > 0 {
        Terminal.note(
          "\(left.lines) lines of \(left.files) failed files are left out; nothing of these files is "
            + "loaded, so correct and load the files themselves; --failed exports the lines")
      }
    }
  }

  private func hint(_ options: RejectExport.LoadingOptions) -> String {
    guard options.areKnown else {
      return "; load them with the options that their file was loaded with"
    }
    let words = [
      ("--app-id", options.appID.map(shellQuoted)),
      ("--unwrap", options.unwrapField.map(shellQuoted)),
      ("--observed-at", options.observedAt.map(shellQuoted)), ("--time-unit", options.timeUnit),
    ].compactMap { name, value in value.map { "\(name) \($0)" } }
    return "; load them with " + (["--stream \(options.stream)"] + words).joined(separator: " ")
  }
}
