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

    The list has all refused lines of loaded files, and the first 1,000 of each failed file. --all \
    adds the lines that a replay has loaded.
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
            (array_agg(path || ':' || line_number order by reject_id, path, line_number))[1] as first_example
          from \(EntryFilter.rejects)
          group by stream, code, field order by count(*) desc, stream, code, field
        """, filter.parameters, empty: "no line was refused")
      // Those of failed files come last.
      try output.add(
        "lines",
        """
        select path || ':' || line_number as line, byte_offset, code, field,
            case when resolved_at is null then status else 'resolved' end as status, reason
          from \(EntryFilter.rejects) order by reject_id, path, line_number limit $9
        """, filter.parameters + [.integer(list.limit)], empty: "")
    }
  }
}

struct RejectsReplayCommand: ChangingCommand {
  static let help = """
    replay: Read refused lines of loaded files again, by the rules of this program.

    Each line is read with the options that its file was loaded with. A line that the rules accept now is \
    loaded as a line of its file, marked as resolved, and counted under its new outcome in the ledger. A \
    second replay changes nothing. The reports are refreshed at the end. Exits with 3 when lines are \
    skipped because they are not kept whole, still refused, or contradict a stored row.
    """

  @OptionGroup var rejects: RejectOptions
  @OptionGroup var change: ChangeOptions
  @OptionGroup var erasureKey: ErasureKeyOptions

  func run() throws {
    let interruption = Interruption.bySignals()
    let files = try Change.replay(
      rejects.filter, key: erasureKey.key(), isDryRun: change.dryRun,
      target: change.database.target(), interruption: interruption)
    try printSummary(files)
    var code = files.contains(where: \.hasFindings) ? ExitCode.loadedWithFindings : .success
    if !change.dryRun, files.contains(where: { $0.resolved > 0 }) {
      // A failed refresh leaves the replayed lines loaded.
      do { try change.database.refresh(interruption) } catch let error as LoadError {
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
    let resolved = counted(files.map(\.resolved).reduce(0, +), "line")
    try change.show(nil, done: "\(resolved) resolved", wouldBe: "\(resolved) would be resolved")
  }
}

struct RejectsExportCommand: Command {
  static let help = """
    export: Write refused lines as JSONL, to correct and load them.

    Tokens are written as their digests, which load like the tokens themselves. One export takes lines of \
    one stream that were read with the same options; standard error names the options that load them \
    again. Lines that are not kept whole are left out and counted.

    Of a failed file nothing is loaded, so it has to be loaded again as a whole. --failed writes the first \
    1,000 refused lines of each, cut at 4 KiB.
    """

  @OptionGroup var rejects: RejectOptions
  @OptionGroup var database: DatabaseOptions

  @Option(name: .shortAndLong, help: "The file to write; standard output if unset.")
  var output: String?

  @Flag(help: "Write lines of failed files instead of those of loaded files.") var failed = false

  func run() throws {
    let connection = try database.connectToSchema()
    var filter = rejects.filter
    filter.status = failed ? .failed : .loaded
    try connection.transaction(.readOnlySnapshot) {
      // The options come first: they throw when no single set of them can load all lines.
      let hint = try options(of: filter, on: connection).map { "; load them with \($0)" } ?? ""
      let (exported, cut) = try Output(output).write { try write(filter, on: connection, to: $0) }
      Terminal.note("\(counted(exported, "line")) exported\(hint)")
      if cut > 0 {
        Terminal.note(
          "\(counted(cut, "line")) left out, because \(RejectOptions.isCut); correct a copy of the file, which "
            + "still has what is missing")
      }
      if failed { return }
      filter.status = .failed
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

  /// The options that the lines need to be loaded with, in words; nil: there is no line.
  ///
  /// - Throws: `LoadError` with exit code 64 when the lines need different options.
  private func options(of filter: EntryFilter, on connection: Connection) throws -> String? {
    // Only those that affect the meaning of lines; of streams without observations no time does.
    let sets = try connection.rows(
      of: String.self,
      #"""
      select distinct concat_ws(' ', '--stream ' || stream,
          '--app-id ''' || replace(app_id, '''', '''\''''') || '''',
          '--unwrap ''' || replace(unwrap_field, '''', '''\''''') || '''',
          case when stream = any ($9)
            then '--observed-at ' || to_char(observed_at, '''YYYY-MM-DD"T"HH24:MI:SS.MS"Z"''') end,
          '--time-unit ' || nullif(time_unit, $10))
        from \#(EntryFilter.rejects)
      """#,
      filter.parameters + [
        .texts(StreamCatalog.all.filter(\.isObserved).map(\.name)),
        .text(TimeUnit.milliseconds.rawValue),
      ])
    guard sets.count <= 1 else {
      throw LoadError(
        .usage,
        "these lines are of several streams, or were read with different options, so one load cannot "
          + "take them all; narrow them with --stream, --load or --file")
    }
    // The ledger does not keep the other options of failed files.
    return sets.first.map { failed ? "the options that their file was loaded with" : printable($0) }
  }

  /// Writes each line with a line break after it, file by file, in line order.
  ///
  /// - Returns: the number of written lines, and the number of lines left out because only their
  ///   beginning is stored.
  private func write(
    _ filter: EntryFilter, on connection: Connection, to write: Output.Writer
  ) throws -> (exported: Int, cut: Int) {
    var counts = (exported: 0, cut: 0)
    try EntryFilter.forEachPart(
      of: """
        select case when is_whole then raw end from \(EntryFilter.rejects)
          order by coalesce(reject_id, 0), path, line_number
        """, filter.parameters, on: connection
    ) { (part: [[UInt8]?]) in
      for line in part {
        guard let line else {
          counts.cut += 1
          continue
        }
        // A reader drops a byte-order mark at the start of a file. After an empty line the mark
        // remains a part of its line.
        let isMarked = counts.exported == 0 && line.starts(with: [0xEF, 0xBB, 0xBF])
        counts.exported += 1
        try write(Data((isMarked ? [0x0A] : []) + line + [0x0A]))
      }
    }
    return counts
  }
}
