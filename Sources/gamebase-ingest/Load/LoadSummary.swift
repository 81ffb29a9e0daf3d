internal import Foundation
internal import Loading
internal import RecordPipeline

/// The most files that a table or a warning lists one by one; `--report` lists all.
private let listedFiles = 20
/// The most new names of a file that are listed; further ones are only counted.
private let listedNames = 10

/// The end of a load for a person.
extension RunReport {
  /// Prints a table of the files, and hints about refused lines and conflicts.
  ///
  /// - Parameter output: called with each line.
  func show(to output: (String) throws -> Void) throws {
    if !files.isEmpty {
      try showTable(to: output)
    } else if exitCode == 0 {
      try output("nothing to do: no data files were found")
    }
    // The table counts lines.
    let records = files.compactMap(\.embedded).reduce(into: OutcomeCounts(), +=)
    if records != OutcomeCounts() {
      try output(
        "receipts in events: \(records.inserted) inserted, \(records.filled) filled, "
          + "\(counted(records.duplicates, "duplicate")), \(counted(records.conflicts, "conflict"))"
      )
    }
    let all = total
    if all.suppressed > 0 {
      try output("suppressed: \(counted(all.suppressed, "line")) of erased users")
    }
    if let refresh, refresh.error == nil { try output(refresh.sentence) }
    let elapsed = durationSeconds.map { ", \(elapsedText($0))" } ?? ""
    if dryRun {
      return try output("dry run: nothing was kept; exit \(exitCode)\(elapsed)")
    }
    guard let loadID else { return }
    try output("load \(loadID), exit \(exitCode)\(elapsed)")
    if let refreshExitCode, refreshExitCode != 0 {
      try output(
        "the files ended with exit \(loadExitCode ?? 0), the refresh of the reports with "
          + "\(refreshExitCode)")
    }
    if all.rejected > 0 {
      Terminal.note("refused lines: gamebase-ingest rejects list --load \(loadID)")
    }
    if all.conflicts > 0 {
      Terminal.note("conflicts: gamebase-ingest conflicts list --load \(loadID)")
    }
  }

  /// Prints the files; of many files those that need attention, and the sums of each stream.
  private func showTable(to output: (String) throws -> Void) throws {
    let isLong = files.count > listedFiles
    let listed = isLong ? files.filter(\.needsAttention) : files
    var table = TextTable([
      "file", "stream", "status", "lines", "inserted", "filled", "duplicates", "conflicts",
      "rejected", "blank",
    ])
    func add(_ name: String, _ status: String, _ sums: StreamTotals) {
      table.add([
        name, sums.stream, status, sums.lines, sums.inserted, sums.filled, sums.duplicates,
        sums.conflicts, sums.rejected, sums.blank,
      ])
    }
    for file in listed.prefix(listedFiles) {
      add(file.path, file.status.rawValue, StreamTotals(file.stream, [file]))
    }
    for sums in isLong ? totals : [] {
      add(counted(sums.files, "file"), sums.statuses, sums)
    }
    if files.count > 1 { add("total", "-", total) }
    for line in table.lines { try output(line) }
    let more = listed.count - listedFiles
    if more > 0 {
      try output(
        "and \(counted(more, "more file")) with a failure, refused lines or conflicts; --report lists all"
      )
    }
  }

  // MARK: - Warnings

  /// Warns of files that end within a line, of field names that are new in the database, and of columns
  /// that files lack.
  ///
  /// A name is new only once, so later loads do not print it again.
  func warn() {
    warn(of: "a cut end", \.looksTruncated) { "\(printable($0.path)) \(FileDiagnosis.truncation)" }
    warn(of: "new fields", { !$0.newFields.isEmpty }) { file in
      let names = file.newFields.prefix(listedNames).map(printable).joined(separator: ", ")
      let more = file.newFields.count - listedNames
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
    let files = files.filter { $0.status == .loaded && condition($0) }
    for file in files.prefix(listedFiles) { Terminal.warning(line(file)) }
    let more = files.count - listedFiles
    if more > 0 { Terminal.warning("\(what) in \(more) more files; --report lists them") }
  }
}

extension FileReport {
  /// True when the file failed, or has refused lines or conflicts.
  fileprivate var needsAttention: Bool { status == .failed || hasFindings }
}

extension StreamTotals {
  /// The files by their status, such as `24 loaded, 1 failed`.
  fileprivate var statuses: String {
    zip([loaded, alreadyLoaded, undone, failed], FileReport.Status.allCases).filter { $0.0 > 0 }
      .map { "\($0) \($1.rawValue)" }.joined(separator: ", ")
  }
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
