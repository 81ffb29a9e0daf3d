internal import Loading
internal import RecordPipeline

/// What a load prints at its end: a table of files, and what is worth a look.
struct LoadSummary {
  let report: RunReport
  /// Takes the lines of the result.
  let output: (String) throws -> Void

  /// More files than this are summed up; `--report` has them all.
  private static let listedFiles = 20
  /// More names than this are counted.
  private static let listedNames = 10

  func show() throws {
    let table = self.table
    if !report.files.isEmpty {
      for line in table.lines { try output(line) }
    } else if report.exitCode == 0 {
      try output("nothing to do: no data files were found")
    }
    try showNewFields()
    let suppressed = report.files.map(\.suppressed).reduce(0, +)
    if suppressed > 0 { try output("\(suppressed) lines of erased users were suppressed") }
    if report.isDryRun {
      try output("dry run: nothing was kept; exit \(report.exitCode)\(elapsed)")
    }
    if let loadID = report.loadID {
      try output("load \(loadID), exit \(report.exitCode)\(elapsed)")
    }
    if !report.isDryRun, report.files.contains(where: { $0.rejected > 0 }) {
      Terminal.note("refused lines: gamebase-ingest rejects list --load \(report.loadID ?? 0)")
    }
  }

  private var elapsed: String {
    guard let seconds = report.durationSeconds else { return "" }
    let tenths = Int((seconds * 10).rounded())
    return seconds < 100
      ? ", \(tenths / 10).\(tenths % 10) s" : ", \(tenths / 600) min \(tenths / 10 % 60) s"
  }

  // MARK: - Files

  private var table: TextTable {
    var table = TextTable([
      "file", "stream", "status", "lines", "inserted", "filled", "duplicates", "conflicts",
      "rejected", "blank",
    ])
    func add(_ name: String, _ stream: String, _ status: String, _ files: [FileReport]) {
      let counts: [KeyPath<FileReport, Int>] = [
        \.lines, \.inserted, \.filled, \.duplicates, \.conflicts, \.rejected, \.blank,
      ]
      table.add(
        [name, stream, status]
          + counts.map { count in
            String(files.map { $0[keyPath: count] }.reduce(0, +))
          })
    }
    // A month of days is told by its sums and by the files that somebody must look at.
    let isLong = report.files.count > Self.listedFiles
    let listed = isLong ? report.files.filter(\.needsALook) : report.files
    for file in listed.prefix(Self.listedFiles) {
      add(file.path, file.stream ?? "-", file.status.rawValue, [file])
    }
    if isLong {
      for stream in StreamCatalog.all.map({ Optional($0.name) }) + [nil] {
        for status in FileReport.Status.allCases {
          let files = report.files.filter { $0.stream == stream && $0.status == status }
          if !files.isEmpty {
            add("\(files.count) files", stream ?? "-", status.rawValue, files)
          }
        }
      }
    }
    if report.files.count > 1 { add("total", "-", "-", report.files) }
    return table
  }

  // MARK: - Field names

  /// A name is new once in a database, so this is told once.
  private func showNewFields() throws {
    let files = report.files.filter { !$0.newFields.isEmpty }
    for file in files.prefix(Self.listedFiles) {
      let names = file.newFields.prefix(Self.listedNames).map(printable).joined(separator: ", ")
      let more = file.newFields.count - Self.listedNames
      try output(
        "new fields of \(file.stream ?? "-"), kept in extra: \(names)"
          + (more > 0 ? " and \(more) more" : "") + " (first in \(printable(file.path)))")
    }
    if files.count > Self.listedFiles {
      try output("new fields in \(files.count - Self.listedFiles) more files; --report lists them")
    }
  }
}

extension FileReport {
  /// True when the file failed, or some of its lines were not taken as they were.
  fileprivate var needsALook: Bool { status == .failed || rejected > 0 || conflicts > 0 }
}
