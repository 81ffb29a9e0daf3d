internal import Foundation
internal import Loading
internal import RecordPipeline

/// Prints the end of a load: a table of the files, warnings, and a hint about refused lines.
struct LoadSummary {
  let report: RunReport
  /// Called with each line of the summary.
  let output: (String) throws -> Void

  /// The most files that the table lists one by one; `--report` lists all.
  private static let listedFiles = 20
  /// The most new names of a file that are listed; further ones are only counted.
  private static let listedNames = 10

  func show() throws {
    if !report.files.isEmpty {
      for line in table.lines { try output(line) }
      let more = report.files.count(where: \.needsAttention) - Self.listedFiles
      if isLong, more > 0 {
        try output(
          "and \(counted(more, "more file")) with a failure, refused lines or conflicts; --report lists all"
        )
      }
    } else if report.exitCode == 0 {
      try output("nothing to do: no data files were found")
    }
    // The table counts lines.
    let embedded = report.files.compactMap(\.embedded)
    func sum(_ count: (OutcomeCounts) -> Int) -> Int { embedded.map(count).reduce(0, +) }
    let (inserted, filled) = (sum(\.inserted), sum(\.filled))
    let (duplicates, conflicts) = (sum(\.duplicates), sum(\.conflicts))
    if inserted + filled + duplicates + conflicts > 0 {
      try output(
        "receipts in events: \(inserted) inserted, \(filled) filled, "
          + "\(counted(duplicates, "duplicate")), \(counted(conflicts, "conflict"))")
    }
    let suppressed = report.files.map(\.suppressed).reduce(0, +)
    if suppressed > 0 { try output("suppressed: \(counted(suppressed, "line")) of erased users") }
    if let refresh = report.refresh, refresh.error == nil { try output(refresh.sentence) }
    let elapsed = report.durationSeconds.map { ", \(elapsedText($0))" } ?? ""
    if report.dryRun {
      return try output("dry run: nothing was kept; exit \(report.exitCode)\(elapsed)")
    }
    guard let loadID = report.loadID else { return }
    try output("load \(loadID), exit \(report.exitCode)\(elapsed)")
    if let refreshExitCode = report.refreshExitCode, refreshExitCode != 0 {
      try output(
        "the files ended with exit \(report.loadExitCode ?? 0), the refresh of the reports with "
          + "\(refreshExitCode)")
    }
    if report.files.contains(where: { $0.rejected > 0 }) {
      Terminal.note("refused lines: gamebase-ingest rejects list --load \(loadID)")
    }
    if report.files.contains(where: { $0.conflicts > 0 }) {
      Terminal.note("conflicts: gamebase-ingest conflicts list --load \(loadID)")
    }
  }

  /// True when the table shows sums, and one by one only files that need attention.
  private var isLong: Bool { report.files.count > Self.listedFiles }

  private var table: TextTable {
    var table = TextTable([
      "file", "stream", "status", "lines", "inserted", "filled", "duplicates", "conflicts",
      "rejected", "blank",
    ])
    func add(_ name: String, _ stream: String?, _ status: String, _ files: [FileReport]) {
      let counts: [KeyPath<FileReport, Int>] = [
        \.lines, \.inserted, \.filled, \.duplicates, \.conflicts, \.rejected, \.blank,
      ]
      let sums = counts.map { count in files.map { $0[keyPath: count] }.reduce(0, +) }
      table.add([name, stream ?? "-", status] + sums.map { String($0) })
    }
    let listed = isLong ? report.files.filter(\.needsAttention) : report.files
    for file in listed.prefix(Self.listedFiles) {
      add(file.path, file.stream, file.status.rawValue, [file])
    }
    for stream in isLong ? StreamCatalog.all.map({ Optional($0.name) }) + [nil] : [] {
      for status in FileReport.Status.allCases {
        let files = report.files.filter { $0.stream == stream && $0.status == status }
        if !files.isEmpty { add(counted(files.count, "file"), stream, status.rawValue, files) }
      }
    }
    if report.files.count > 1 { add("total", nil, "-", report.files) }
    return table
  }

  // MARK: - Warnings

  /// Warns of files that end within a line, of field names that are new in the database, and of columns
  /// that files lack.
  ///
  /// A name is new only once, so later loads do not print it again.
  func warn() {
    warn(of: "a cut end", \.looksTruncated) { "\(printable($0.path)) \(FileDiagnosis.truncation)" }
    warn(of: "new fields", { !$0.newFields.isEmpty }) { file in
      let names = file.newFields.prefix(Self.listedNames).map(printable).joined(separator: ", ")
      let more = file.newFields.count - Self.listedNames
      return "new fields of \(file.stream ?? "-"), kept in extra: \(names)"
        + (more > 0 ? " and \(more) more" : "") + " (first in \(printable(file.path)))"
    }
    warn(of: "vanished fields", { !$0.vanishedFields.isEmpty }) { file in
      "vanished fields of \(file.stream ?? "-"), which the last five files had: "
        + "\(file.vanishedFields.joined(separator: ", ")) (\(printable(file.path)))"
    }
  }

  /// Prints a line for each of the first loaded files, and the number of the others.
  private func warn(
    of what: String, _ condition: (FileReport) -> Bool, line: (FileReport) -> String
  ) {
    let files = report.files.filter { $0.status == .loaded && condition($0) }
    for file in files.prefix(Self.listedFiles) { Terminal.warning(line(file)) }
    let more = files.count - Self.listedFiles
    if more > 0 { Terminal.warning("\(what) in \(more) more files; --report lists them") }
  }
}

extension FileReport {
  /// True when the file failed, or has refused lines or conflicts.
  fileprivate var needsAttention: Bool { status == .failed || hasFindings }
}

extension FoundInputs {
  /// The most names of skipped files in a line.
  private static let listedNames = 3

  /// Reports the files that were found and are not read, a line for each folder.
  func noteSkipped() {
    let folders = Dictionary(grouping: skipped) { ($0.path as NSString).deletingLastPathComponent }
    for (folder, files) in folders.sorted(by: { $0.key < $1.key }) {
      let names = files.prefix(Self.listedNames).map { ($0.path as NSString).lastPathComponent }
      let others = files.count > names.count ? " and \(files.count - names.count) more" : ""
      let reasons = [
        files.contains { $0.kind == .otherEnding } ? "an ending that is not read" : nil,
        files.contains { $0.kind == .noStream } ? "no word that selects a stream" : nil,
      ].compactMap(\.self)
      Terminal.warning(
        "skipped \(counted(files.count, "file")) in \(folder.isEmpty ? "." : folder) with "
          + reasons.joined(separator: " or ") + ": " + names.joined(separator: ", ") + others)
    }
  }
}
