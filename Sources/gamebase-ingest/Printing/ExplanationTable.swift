internal import Loading
internal import RecordPipeline

extension LineExplanation {
  /// The most characters of a value that are shown; of a line that is not an object, 20 times as
  /// many bytes.
  private static let widest = 40

  /// Prints a line field by field, and the verdict at the end.
  func show() throws {
    if !fields.isEmpty {
      var table = TextTable(["field", "as written", "rule", "result"])
      for field in fields {
        table.add([
          field.name, field.source.map(Self.cut) ?? "(absent)", field.rule,
          Self.describe(field.result),
        ])
      }
      if let extra { table.add(["(others)", Self.cut(extra), "no column", "kept in extra"]) }
      try Terminal.output("")
      for line in table.lines { try Terminal.output(line) }
    } else if !masked.isEmpty {
      let text = String(decoding: masked.prefix(20 * Self.widest), as: UTF8.self)
      let isCut = masked.count > 20 * Self.widest
      try Terminal.output("\n\(printable(text))\(isCut ? "…" : "")")
    }
    try Terminal.output("\n\(verdictText)")
  }

  private var verdictText: String {
    switch verdict {
    case .row:
      "accepted: the line becomes a row"
        + (embeddedTable.map { ", and the record in it a row of \($0)" } ?? "")
    case .blank: "blank: the line is skipped"
    case .rejected(let rejection): "refused: \(rejection.sentence)"
    }
  }

  private static func describe(_ result: Result) -> String {
    switch result {
    case .becomes(let values): values.map(cut).joined(separator: ", ")
    case .refused(let code, let reason): "refused: \(code.rawValue): \(reason)"
    case .notChecked(let field): "not checked: it depends on \(field)"
    }
  }

  private static func cut(_ text: String) -> String {
    text.count > widest ? "\(text.prefix(widest - 1))…" : text
  }
}

extension Rejection {
  /// `code [field]: reason`, safe to print.
  var sentence: String {
    "\(code.rawValue)\(field.map { " \(printable($0))" } ?? ""): \(printable(reason))"
  }
}
