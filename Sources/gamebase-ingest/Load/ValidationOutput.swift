internal import ArgumentParser
internal import Foundation
internal import Loading
internal import RecordPipeline

/// The values of `validate --format`.
enum ValidationFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json

  /// - Parameter show: the most refused lines to print per file; nil: all in JSON, 20 in text.
  func output(show: Int?) -> any ValidationOutput {
    switch self {
    case .text: TextValidationOutput(show: show ?? 20)
    case .json: JSONValidationOutput(show: show ?? .max)
    }
  }
}

/// Prints the verdicts of `validate` in one format.
///
/// Each call prints at once, so memory does not grow with the number of refused lines.
protocol ValidationOutput: AnyObject {
  func begin() throws
  func begin(_ file: CheckedFile) throws
  func reject(_ reject: RejectedLine, of file: CheckedFile) throws
  func end(_ file: CheckedFile, _ result: ValidationResult) throws
  /// - Parameter skipped: the files that were found and not read.
  func end(_ exitCode: Loading.ExitCode, skipped: [SkippedInput]) throws
}

/// Prints one line of text for each refused line, and a table of the files at the end.
final class TextValidationOutput: ValidationOutput {
  private let show: Int
  private var shown = 0
  private static let listedFields = 10
  private var table = TextTable(["file", "stream", "status", "lines", "good", "rejected", "blank"])

  init(show: Int) { self.show = show }

  func begin() throws {}

  func begin(_ file: CheckedFile) throws { shown = 0 }

  func reject(_ reject: RejectedLine, of file: CheckedFile) throws {
    guard shown < show else { return }
    shown += 1
    try Terminal.output(
      "\(printable(file.path)):\(reject.lineNumber): \(reject.rejection.sentence)")
  }

  func end(_ file: CheckedFile, _ result: ValidationResult) throws {
    if let error = result.error { Terminal.problem("\(file.path): \(error)") }
    let totals = result.totals
    if totals.rejectedCount > shown, show > 0 {
      try Terminal.output(
        "\(printable(file.path)): \(totals.rejectedCount - shown) more refused lines; "
          + "--show N prints more")
    }
    if result.looksTruncated, result.status != .failed {
      Terminal.note("\(printable(file.path)) \(FileDiagnosis.truncation)")
    }
    note(totals.unknownFields, of: file)
    let counts = [totals.lineCount, totals.rowCount, totals.rejectedCount, totals.blankCount]
    table.add(
      [printable(file.path), file.stream ?? "-", result.status.rawValue.replacing("_", with: " ")]
        + counts.map { String($0) })
  }

  /// Prints unknown fields to standard error, because they do not affect the verdict.
  private func note(_ unknown: [UnknownField], of file: CheckedFile) {
    guard !unknown.isEmpty else { return }
    let listed = unknown.prefix(Self.listedFields).map { field in
      "\(field.name.map { printable($0) } ?? "further names") (\(field.lineCount))"
    }
    let more = unknown.count > listed.count ? ", and \(unknown.count - listed.count) more" : ""
    Terminal.note(
      "\(printable(file.path)): unknown fields, kept in extra: "
        + listed.joined(separator: ", ") + more)
  }

  func end(_ exitCode: Loading.ExitCode, skipped: [SkippedInput]) throws {
    for line in table.lines { try Terminal.output(line) }
  }
}

/// Prints the verdicts as one JSON document, piece by piece, for programs.
final class JSONValidationOutput: ValidationOutput {
  private let show: Int
  private var shown = 0
  private var isFirstFile = true

  init(show: Int) { self.show = show }

  func begin() throws { try Terminal.output(#"{"files":["#) }

  func begin(_ file: CheckedFile) throws {
    try Terminal.output(
      #"\#(isFirstFile ? "" : ",\n"){"path":\#(try json(file.path)),"#
        + #""stream":\#(try json(file.stream)),"rejects":["#)
    isFirstFile = false
    shown = 0
  }

  func reject(_ reject: RejectedLine, of file: CheckedFile) throws {
    guard shown < show else { return }
    let rejection = reject.rejection
    // A null field means that the line as a whole is at fault.
    try Terminal.output(
      (shown == 0 ? "" : ",")
        + #"{"byte_offset":\#(reject.byteOffset),"code":\#(try json(rejection.code.rawValue)),"#
        + #""field":\#(try json(rejection.field)),"line":\#(reject.lineNumber),"#
        + #""reason":\#(try json(rejection.reason))}"#)
    shown += 1
  }

  func end(_ file: CheckedFile, _ result: ValidationResult) throws {
    let totals = result.totals
    let unknown = try totals.unknownFields.map {
      #"{"field":\#(try json($0.name)),"lines":\#($0.lineCount),"first_line":\#($0.firstLine)}"#
    }
    let digest = totals.sha256.isEmpty ? nil : hexadecimal(totals.sha256)
    try Terminal.output(
      #"],"status":\#(try json(result.status.rawValue)),"sha256":\#(try json(digest)),"#
        + #""lines":\#(totals.lineCount),"good":\#(totals.rowCount),"#
        + #""rejected":\#(totals.rejectedCount),"blank":\#(totals.blankCount),"#
        + #""looks_truncated":\#(result.looksTruncated),"#
        + #""unknown_fields":[\#(unknown.joined(separator: ","))],"#
        + #""error":\#(try json(result.error))}"#)
  }

  func end(_ exitCode: Loading.ExitCode, skipped: [SkippedInput]) throws {
    let files = try skipped.map {
      #"{"path":\#(try json($0.path)),"reason":\#(try json($0.reason))}"#
    }
    try Terminal.output(
      #"],"skipped":[\#(files.joined(separator: ","))],"exit_code":\#(exitCode.rawValue)}"#)
  }

  private func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return printableJSON(String(decoding: try encoder.encode(value), as: UTF8.self))
  }
}
