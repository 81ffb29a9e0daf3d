internal import ArgumentParser
internal import Foundation
internal import Loading
internal import Postgres
internal import RecordPipeline

/// `gamebase-ingest rejects`: lists, exports or replays stored rejects.
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

  @Option(help: "Only lines with this reject code.")
  var code: String?

  func validate() throws {
    if let code, RejectCode(rawValue: code) == nil {
      throw ValidationError("There is no reject code \(code); the documentation lists all codes.")
    }
  }

  /// The reason why lines are not replayed or exported.
  static let isCut = "not kept whole (cut, or without bytes since a user was erased)"

  var filter: EntryFilter {
    var filter = entries.filter
    filter.code = code
    return filter
  }
}

/// `gamebase-ingest rejects list`: lists refused lines, by code and field and one by one.
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
    try reportingErrors {
      try connection.transaction(.readOnlySnapshot) {
        var output = StateOutput(list.format)
        try output.add("groups", .groups(of: filter, on: connection), empty: "no line was refused")
        try output.add(
          "lines", .lines(of: filter, limit: list.limit, on: connection), empty: "")
        try output.end()
      }
    }
  }
}

/// `gamebase-ingest rejects replay`: applies the rules of this program to stored rejects again.
struct RejectsReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Read refused lines of loaded files again, by the rules of this program.",
    discussion: """
      Each line is read with the options that its file was loaded with. A line that the rules accept \
      now is loaded as a line of its file, marked as resolved, and counted under its new outcome in \
      the ledger. A second replay changes nothing. The reports are refreshed at the end. Lines that are \
      not kept whole are skipped: their file has them. Exits with 3 when lines are skipped, still \
      refused or contradict a stored row.
      """)

  @OptionGroup var rejects: RejectOptions
  @OptionGroup var database: DatabaseOptions
  @OptionGroup var erasureKey: ErasureKeyOptions

  @Flag(help: "Do everything in the database, show the result, and roll it back.")
  var dryRun = false

  func run() throws {
    let target = try database.existingTarget()
    let key = try erasureKey.key()
    let interruption = Interruption.bySignals()
    let files = try reportingErrors {
      try RejectReplay(
        rejects.filter, key: key, isDryRun: dryRun, target: target, wait: DatabaseOptions.wait,
        interruption: interruption
      ).replay()
    }
    try printSummary(files)
    var code = files.contains(where: \.hasFindings) ? ExitCode.loadedWithFindings : .success
    if !dryRun, files.contains(where: { $0.resolved > 0 }) {
      // A failed refresh leaves the replayed lines loaded.
      let refresh = Refresh(logger: commandLogger(), interruption: interruption)
      do { try Terminal.output(try refresh.run(on: target).sentence) } catch let error as LoadError
      {
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
    var table = TextTable([
      "file", "stream", "inserted", "filled", "duplicates", "conflicts", "still refused", "cut",
    ])
    for file in files {
      table.add(
        [file.path, file.stream]
          + [
            file.counts.inserted, file.counts.filled, file.counts.duplicates, file.counts.conflicts,
            file.refused, file.cut,
          ].map { String($0) })
    }
    try table.show()
    for file in files where file.cut > 0 {
      Terminal.note(
        "\(counted(file.cut, "line")) of \(printable(file.path)) skipped, because \(RejectOptions.isCut); the file "
          + "still has what is missing: correct a copy of it, and load that")
    }
    let suppressed = files.map(\.suppressed).reduce(0, +)
    if suppressed > 0 {
      try Terminal.output("suppressed: \(counted(suppressed, "line")) of erased users")
    }
    let resolved = files.map(\.resolved).reduce(0, +)
    try Terminal.output(
      dryRun
        ? "dry run: nothing was kept; \(counted(resolved, "line")) would be resolved"
        : "\(counted(resolved, "line")) resolved")
  }
}

/// `gamebase-ingest rejects export`: writes refused lines as JSONL, to be corrected and loaded.
struct RejectsExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write refused lines as JSONL, to correct and load them.",
    discussion: """
      Tokens are written as their digests, which load like the tokens themselves. One export takes lines of one \
      stream that were read with the same options; standard error names the options that load them \
      again. Lines that are not kept whole are left out and counted.

      Lines of failed files are left out too: nothing of such a file is loaded, so the file itself has \
      to be loaded again. --failed writes those lines instead: the first 1,000 of each file, each cut \
      at 4 KiB.
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
    try reportingErrors {
      try connection.transaction(.readOnlySnapshot) {
        // The options come first: they throw when no single set of them can load all lines.
        let hint = try export.loadingOptions().map(hint) ?? ""
        let (exported, cut) = try Output(output).write { file in
          try export.export { try file.writeAll(Data($0)) }
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
