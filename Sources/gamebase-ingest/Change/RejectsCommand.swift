internal import ArgumentParser
internal import Foundation
internal import Loading
internal import Postgres
internal import RecordPipeline

struct RejectsCommand: Command {
  static let help = "rejects: List, export or replay refused lines."
  static let subcommands: Commands = [
    RejectsListCommand.self, RejectsExportCommand.self, RejectsReplayCommand.self,
  ]
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

  var filter: EntryFilter { entries.filter(code: code) }
}

struct RejectsListCommand: Command {
  static let help = """
    list: List refused lines: by code and field, then one by one.

    The list has all refused lines of loaded files, and the first 1,000 of each failed file.
    """

  @OptionGroup var rejects: RejectOptions
  @OptionGroup var database: DatabaseOptions
  @Flag(help: "Also list lines that a replay has loaded.") var all = false
  @OptionGroup var list: ListOptions

  func run() throws {
    var filter = rejects.filter
    filter.includesResolved = all
    try database.show(list.format) { output in
      try output.add(
        "groups",
        """
        select stream, code, field, count(*) as lines,
            (array_agg(line order by reject_id, path, line_number))[1] as first_example
          from \(EntryFilter.rejects)
          group by stream, code, field order by count(*) desc, stream, code, field
        """, filter.parameters, empty: "no line was refused")
      // Those of failed files come last.
      try output.add(
        "lines",
        """
        select line, byte_offset, code, field,
            case when resolved_at is null then status else 'resolved' end as status, reason
          from \(EntryFilter.rejects) order by reject_id, path, line_number limit $9
        """, filter.parameters + [.integer(list.limit)], empty: "")
    }
  }
}

struct RejectsReplayCommand: ChangingCommand {
  static let help = """
    replay: Read refused lines of loaded files again, by the rules of this program.

    A line that the rules accept now is loaded as a line of its file, with the options of that load, and \
    marked as resolved. The reports are refreshed at the end. Exits with 3 when lines are not kept whole, \
    still refused, or contradict a stored row.
    """

  @OptionGroup var rejects: RejectOptions
  @OptionGroup var change: ChangeOptions
  @OptionGroup var erasureKey: ErasureKeyOptions

  func run() throws {
    let interruption = Interruption.bySignals()
    let files = try Change.replay(
      rejects.filter, key: erasureKey.key(), isDryRun: change.dryRun,
      target: change.database.target(), interruption: interruption)
    guard !files.isEmpty else {
      return try Terminal.output("nothing to replay: no refused line is open")
    }
    let rows = files.map { file -> [TextTable.Cell] in
      [
        file.path, file.stream, file.counts.inserted, file.counts.filled, file.counts.duplicates,
        file.counts.conflicts, file.refused, file.cut,
      ]
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
    let resolved = files.map(\.resolved).reduce(0, +)
    let lines = counted(resolved, "line")
    try change.show(nil, done: "\(lines) resolved", wouldBe: "\(lines) would be resolved")
    var code = files.contains(where: \.hasFindings) ? ExitCode.loadedWithFindings : .success
    if !change.dryRun, resolved > 0 {
      // A failed refresh leaves the replayed lines loaded.
      do { try change.database.refresh(interruption) } catch let error as LoadError {
        Terminal.problem(error.message)
        code = code.joined(with: error.exitCode)
      }
    }
    if code != .success { throw Terminal.code(code) }
  }
}

struct RejectsExportCommand: Command {
  static let help = """
    export: Write refused lines as JSONL, to correct and load them.

    One export takes lines of one stream that were read with the same options; standard error names the \
    options that load them again. Lines that are not kept whole are left out and counted. Tokens are \
    written as their digests, which load like the tokens themselves.

    Of a failed file nothing is loaded, so it has to be loaded again as a whole. --failed writes the first \
    1,000 refused lines of each, cut at 4 KiB.
    """

  @OptionGroup var rejects: RejectOptions
  @OptionGroup var database: DatabaseOptions

  @Option(name: .shortAndLong, help: "The file to write; standard output if unset.")
  var output: String?

  @Flag(help: "Write lines of failed files instead of those of loaded files.") var failed = false

  /// The lines to write.
  private struct Chosen: Decodable {
    /// The number of different options that they need to be loaded with.
    let optionSets: Int
    /// nil: there is no line.
    let loadOptions: String?
    let whole: Int
    let cut: Int
  }

  func run() throws {
    let connection = try database.connectToSchema()
    var filter = rejects.filter
    filter.status = failed ? "failed" : "loaded"
    try connection.transaction(.readOnlySnapshot) {
      let chosen = try connection.onlyRow(
        of: Chosen.self,
        """
        select count(distinct load_options) as option_sets, min(load_options) as load_options,
            count(*) filter (where is_whole) as whole, count(*) filter (where not is_whole) as cut
          from \(EntryFilter.rejects)
        """, filter.parameters)
      guard chosen.optionSets <= 1 else {
        throw LoadError(
          .usage,
          "these lines are of several streams, or were read with different options, so one load cannot "
            + "take them all; narrow them with --stream, --load or --file")
      }
      try Output(output).write { write in
        // A reader drops a byte-order mark at the start of a file, but not after an empty line.
        try EntryFilter.forEachPart(
          of: #"""
            select case when substr(raw, 1, 3) = '\xefbbbf'::bytea then '\x0a'::bytea else '' end || raw
              from \#(EntryFilter.rejects) and is_whole order by coalesce(reject_id, 0), path, line_number
            """#, filter.parameters, on: connection
        ) { (part: [[UInt8]]) in
          for line in part { try write(Data(line + [0x0A])) }
        }
      }
      let hint = chosen.loadOptions.map {
        // The ledger does not keep the other options of failed files.
        "; load them with "
          + (failed ? "the options that their file was loaded with" : printable($0))
      }
      Terminal.note("\(counted(chosen.whole, "line")) exported\(hint ?? "")")
      if chosen.cut > 0 {
        Terminal.note(
          "\(counted(chosen.cut, "line")) left out, because \(RejectOptions.isCut); correct a copy of the file, "
            + "which still has what is missing")
      }
      if failed { return }
      filter.status = "failed"
      let left = try connection.row(
        of: String.self,
        """
        select format('%s lines of %s failed files are left out; nothing of these files is loaded, so correct and load '
            'the files themselves; --failed exports the lines', count(*), count(distinct path))
          from \(EntryFilter.rejects) having count(*) > 0
        """, filter.parameters)
      if let left { Terminal.note(left) }
    }
  }
}
