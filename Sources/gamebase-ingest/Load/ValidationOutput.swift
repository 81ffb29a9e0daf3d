internal import ArgumentParser
internal import Foundation
internal import Loading
internal import RecordPipeline

/// The values of `validate --format`.
enum ValidationFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json, github

  /// - Parameter show: the most refused lines to print per file; nil: all in JSON, 20 in other
  ///   formats.
  func output(show: Int?) -> any ValidationOutput {
    switch self {
    case .text: TextValidationOutput(show: show ?? 20)
    case .json: JSONValidationOutput(show: show ?? .max)
    case .github: GitHubValidationOutput(show: show ?? 20)
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
class TextValidationOutput: ValidationOutput {
  private let show: Int
  private var shown = 0
  private static let listedFields = 10
  private var table = TextTable(["file", "stream", "status", "lines", "good", "rejected", "blank"])

  init(show: Int) { self.show = show }

  func begin() throws {}

  func begin(_ file: CheckedFile) throws { shown = 0 }

  /// Makes the name or the content of a file safe to print in this format.
  func safe(_ text: String) -> String { printable(text) }

  final func reject(_ reject: RejectedLine, of file: CheckedFile) throws {
    guard shown < show else { return }
    shown += 1
    try write(reject, of: file)
  }

  func write(_ reject: RejectedLine, of file: CheckedFile) throws {
    try Terminal.output(
      "\(printable(file.path)):\(reject.lineNumber): \(reject.rejection.sentence)")
  }

  func end(_ file: CheckedFile, _ result: ValidationResult) throws {
    if let error = result.error { write(failure: error, of: file) }
    let totals = result.totals
    if totals.rejectedCount > shown, show > 0 {
      try Terminal.output(
        "\(safe(file.path)): \(totals.rejectedCount - shown) more refused lines; "
          + "--show N prints more")
    }
    if result.looksTruncated, result.status != .failed {
      Terminal.note("\(safe(file.path)) \(FileDiagnosis.truncation)")
    }
    note(totals.unknownFields, of: file)
    let counts = [totals.lineCount, totals.rowCount, totals.rejectedCount, totals.blankCount]
    table.add(
      [safe(file.path), file.stream ?? "-", result.status.rawValue.replacing("_", with: " ")]
        + counts.map { String($0) })
  }

  /// Prints unknown fields to standard error, because they do not affect the verdict.
  private func note(_ unknown: [UnknownField], of file: CheckedFile) {
    guard !unknown.isEmpty else { return }
    let listed = unknown.prefix(Self.listedFields).map { field in
      "\(field.name.map(safe) ?? "further names") (\(field.lineCount))"
    }
    let more = unknown.count > listed.count ? ", and \(unknown.count - listed.count) more" : ""
    Terminal.note(
      "\(safe(file.path)): unknown fields, kept in extra: "
        + listed.joined(separator: ", ") + more)
  }

  func write(failure: String, of file: CheckedFile) {
    Terminal.problem("\(file.path): \(failure)")
  }

  func end(_ exitCode: Loading.ExitCode, skipped: [SkippedInput]) throws {
    for line in table.lines { try Terminal.output(line) }
  }
}

/// Prints the verdicts as workflow commands, which GitHub shows beside the lines of a pull request.
///
/// - Source: GitHub's documentation, "Workflow commands for GitHub Actions".
final class GitHubValidationOutput: TextValidationOutput {
  /// Keeps other output from being read as a command.
  ///
  /// A command begins a line with two colons; its older form has `##[` anywhere in a line.
  override func safe(_ text: String) -> String {
    let text = super.safe(text).replacing("##[", with: "# #[")
    return text.hasPrefix("::") ? "./\(text)" : text
  }

  override func write(_ reject: RejectedLine, of file: CheckedFile) throws {
    let rejection = reject.rejection
    let place = "file=\(property(file.path)),line=\(reject.lineNumber)"
    let field = rejection.field.map { "\($0): " } ?? ""
    try Terminal.output(
      "::error \(place),title=\(rejection.code.rawValue)::\(message(field + rejection.reason))")
  }

  override func write(failure: String, of file: CheckedFile) {
    // GitHub reads annotations from standard output. A failed write is ignored here; the table at
    // the end fails, too, and reports it.
    try? Terminal.output("::error file=\(property(file.path))::\(message(failure))")
  }

  private func message(_ text: String) -> String {
    printable(text).replacing("%", with: "%25")
  }

  private func property(_ text: String) -> String {
    message(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}

/// Prints the verdicts as one JSON document, piece by piece, for programs.
final class JSONValidationOutput: ValidationOutput {
  private let show: Int
  private var shown = 0
  private var isFirstFile = true

  private struct Reject: Encodable {
    let line: Int
    let byteOffset: Int
    let code: String
    let field: String?
    let reason: String

    private enum CodingKeys: String, CodingKey {
      case line, code, field, reason
      case byteOffset = "byte_offset"
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(line, forKey: .line)
      try container.encode(byteOffset, forKey: .byteOffset)
      try container.encode(code, forKey: .code)
      // Every object has every key; null means that the line as a whole is at fault.
      try container.encode(field, forKey: .field)
      try container.encode(reason, forKey: .reason)
    }
  }

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
    let value = Reject(
      line: reject.lineNumber, byteOffset: reject.byteOffset, code: rejection.code.rawValue,
      field: rejection.field, reason: rejection.reason)
    try Terminal.output((shown == 0 ? "" : ",") + json(value))
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
