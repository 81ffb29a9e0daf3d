/// One line, field by field: what it says, by which rule it is judged, and what becomes of it.
package struct LineExplanation: Sendable {
  /// One field, by one of its spellings.
  package struct Field: Sendable {
    /// As the line spells it; the field's own name when the line has none.
    package let name: String
    /// The JSON as written, a secret as its digest; nil when the line does not have the field.
    package let source: String?
    package let rule: String
    package let result: Result
  }

  package enum Result: Sendable, Equatable {
    /// `column = value` for each column that says something.
    case becomes([String])
    case refused(RejectCode, String)
    /// Another field decides how this one is judged, and was refused itself.
    case notJudged(String)
  }

  package enum Verdict: Sendable, Equatable {
    case row, blank
    /// What `load` records, which is the first thing that is wrong.
    case rejected(Rejection)
  }

  package let verdict: Verdict
  /// Known fields, in the stream's order; empty when the line is no object within the limits.
  package let fields: [Field]
  /// What has no column, as it is kept; nil when there is nothing.
  package let extra: String?
  /// The line as a reject would keep it, without secrets.
  package let masked: [UInt8]
}
