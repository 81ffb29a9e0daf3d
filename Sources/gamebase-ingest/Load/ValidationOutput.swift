internal import Loading
internal import RecordPipeline

/// Prints the verdicts of `validate`: as lines of text with a table at the end, or as one JSON document.
///
/// Each call prints at once, so memory does not grow with the number of refused lines.
final class ValidationOutput {
  private let isJSON: Bool
  /// The most refused lines to print per file.
  private let show: Int
  private var shown = 0
  private var separator = ""
  private static let listedFields = 10
  private var table = TextTable(["file", "stream", "status", "lines", "good", "rejected", "blank"])

  /// - Parameter show: nil: all in JSON, 20 in text.
  init(_ format: OutputFormat, show: Int?) throws {
    isJSON = format == .json
    self.show = show ?? (isJSON ? .max : 20)
    if isJSON { try Terminal.output(#"{"files":["#) }
  }

  func begin() throws {
    shown = 0
    if isJSON { try Terminal.output("\(separator){\"rejects\":[") }
    separator = ","
  }

  func reject(_ line: RejectedLine, of path: String) throws {
    guard shown < show else { return }
    shown += 1
    try Terminal.output(
      isJSON
        ? (shown > 1 ? "," : "") + jsonText(RefusedLine(line))
        : "\(printable(path)):\(line.lineNumber): \(line.rejection.sentence)")
  }

  func end(_ file: FileVerdict) throws {
    // The members follow those lines that are printed already.
    if isJSON { return try Terminal.output("],\(jsonText(file).dropFirst())") }
    let path = printable(file.path)
    if let error = file.error { Terminal.problem("\(file.path): \(error)") }
    if file.rejected > shown, show > 0 {
      try Terminal.output(
        "\(path): \(file.rejected - shown) more refused lines; --show N prints more")
    }
    if file.looksTruncated, file.status != .failed {
      Terminal.note("\(path) \(FileDiagnosis.truncation)")
    }
    if !file.unknownFields.isEmpty {
      // They do not affect the verdict.
      let listed = file.unknownFields.prefix(Self.listedFields).map { field in
        "\(field.field.map { printable($0) } ?? "further names") (\(field.lines))"
      }
      let more = file.unknownFields.count - listed.count
      Terminal.note(
        "\(path): unknown fields, kept in extra: " + listed.joined(separator: ", ")
          + (more > 0 ? ", and \(more) more" : ""))
    }
    let counts = [file.lines, file.good, file.rejected, file.blank].map { String($0) }
    table.add(
      [file.path, file.stream ?? "-", file.status.rawValue.replacing("_", with: " ")] + counts)
  }

  /// - Parameter skipped: the files that were found and not read.
  func end(_ exitCode: Loading.ExitCode, skipped: [SkippedInput]) throws {
    guard isJSON else { return try table.show() }
    let skipped = try jsonText(skipped.map(SkippedReport.init))
    try Terminal.output(#"],"skipped":\#(skipped),"exit_code":\#(exitCode.rawValue)}"#)
  }
}

extension Rejection {
  /// `code [field]: reason`, safe to print.
  var sentence: String {
    "\(code.rawValue)\(field.map { " \(printable($0))" } ?? ""): \(printable(reason))"
  }
}
