internal import Foundation
internal import Loading
internal import RecordPipeline

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
