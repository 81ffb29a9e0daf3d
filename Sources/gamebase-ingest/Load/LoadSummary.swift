internal import Foundation
internal import Loading
internal import RecordPipeline

/// The most files that a table or a warning lists one by one; `--report` lists all.
private let listedFiles = 20

/// The end of a load for a person.
extension RunReport {
  /// A table of the files, and what came of them.
  var summary: [String] {
    var lines = files.isEmpty ? [] : table
    if files.isEmpty, exitCode == 0 { lines.append("nothing to do: no data files were found") }
    // The table counts lines.
    let records = files.compactMap(\.embedded).reduce(into: OutcomeCounts(), +=)
    if records != OutcomeCounts() {
      lines.append(
        "receipts in events: \(records.inserted) inserted, \(records.filled) filled, "
          + "\(counted(records.duplicates, "duplicate")), \(counted(records.conflicts, "conflict"))"
      )
    }
    if total.suppressed > 0 {
      lines.append("suppressed: \(counted(total.suppressed, "line")) of erased users")
    }
    if let refresh, refresh.error == nil { lines.append(refresh.sentence(isOfRun: true)) }
    let elapsed = durationSeconds.map { ", \(elapsedText($0))" } ?? ""
    if dryRun { lines.append("dry run: nothing was kept; exit \(exitCode)\(elapsed)") }
    if let loadID { lines.append("load \(loadID), exit \(exitCode)\(elapsed)") }
    if loadID != nil, let refreshExitCode, refreshExitCode != 0 {
      lines.append(
        "the files ended with exit \(loadExitCode ?? 0), the refresh of the reports with "
          + "\(refreshExitCode)")
    }
    return lines
  }

  /// The commands that list refused lines and conflicts.
  var hints: [String] {
    guard let loadID else { return [] }
    return
      (total.rejected > 0
      ? ["refused lines: gamebase-ingest rejects list --load \(loadID)"] : [])
      + (total.conflicts > 0 ? ["conflicts: gamebase-ingest conflicts list --load \(loadID)"] : [])
  }

  /// The files; of many files those that need attention, and the sums of each stream.
  private var table: [String] {
    let isLong = files.count > listedFiles
    let shown = isLong ? files.filter { $0.status == .failed || $0.hasFindings } : files
    func row(_ name: String, _ status: String, _ sums: StreamTotals) -> [TextTable.Cell] {
      [
        name, sums.stream, status, sums.lines, sums.inserted, sums.filled, sums.duplicates,
        sums.conflicts, sums.rejected, sums.blank,
      ]
    }
    let header = [
      "file", "stream", "status", "lines", "inserted", "filled", "duplicates", "conflicts",
      "rejected", "blank",
    ]
    let rows =
      shown.prefix(listedFiles).map {
        row($0.path, $0.status.rawValue, StreamTotals($0.stream, [$0]))
      }
      + (isLong ? totals : []).map { row(counted($0.files, "file"), $0.statuses, $0) }
      + (files.count > 1 ? [row("total", "-", total)] : [])
    let more = counted(shown.count - listedFiles, "more file")
    return TextTable(header, rows).lines
      + (shown.count > listedFiles
        ? ["and \(more) with a failure, refused lines or conflicts; --report lists all"] : [])
  }

  /// Warnings of files that end within a line, of field names that are new in the database, and of columns
  /// that files lack.
  ///
  /// A name is new only once, so later loads do not have it again.
  var warnings: [String] {
    warnings(of: "a cut end", \.looksTruncated) {
      "\(printable($0.path)) \(FileDiagnosis.truncation)"
    }
      + warnings(of: "new fields", { !$0.newFields.isEmpty }) { file in
        let names = listed(file.newFields.map(printable), atMost: 10)
        return "new fields of \(file.stream ?? "-"), kept in extra: \(names) "
          + "(first in \(printable(file.path)))"
      }
      + warnings(of: "vanished fields", { !$0.vanishedFields.isEmpty }) { file in
        "vanished fields of \(file.stream ?? "-"), which the last five files had: "
          + "\(file.vanishedFields.joined(separator: ", ")) (\(printable(file.path)))"
      }
  }

  /// A line for each of the first loaded files, and the number of the others.
  private func warnings(
    of what: String, _ condition: (FileReport) -> Bool, line: (FileReport) -> String
  ) -> [String] {
    let files = files.filter { $0.status == .loaded && condition($0) }
    let more = files.count - listedFiles
    return files.prefix(listedFiles).map(line)
      + (more > 0 ? ["\(what) in \(more) more files; --report lists them"] : [])
  }
}

extension StreamTotals {
  /// The files by their status, such as `24 loaded, 1 failed`.
  fileprivate var statuses: String {
    zip([loaded, alreadyLoaded, undone, failed], FileReport.Status.allCases).filter { $0.0 > 0 }
      .map { "\($0) \($1.rawValue)" }.joined(separator: ", ")
  }
}

extension FoundInputs {
  /// Reports the files that were found and are not read, a line for each folder.
  func noteSkipped() {
    let folders = Dictionary(grouping: skipped) { ($0.path as NSString).deletingLastPathComponent }
    for (folder, files) in folders.sorted(by: { $0.key < $1.key }) {
      let names = files.map { ($0.path as NSString).lastPathComponent }
      let reasons = [
        files.contains { $0.reason == SkippedInput.otherEnding }
          ? "an ending that is not read" : nil,
        files.contains { $0.reason == SkippedInput.noStream }
          ? "no word that selects a stream" : nil,
      ].compactMap(\.self)
      Terminal.warning(
        "skipped \(counted(files.count, "file")) in \(folder.isEmpty ? "." : folder) with "
          + reasons.joined(separator: " or ") + ": " + listed(names, atMost: 3))
    }
  }
}
