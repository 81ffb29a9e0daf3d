/// The outcome of one line, and of each of its fields.
package struct LineExplanation: Sendable {
  /// One field, by one of its spellings.
  package struct Field: Sendable {
    /// The spelling in the line; the field's first spelling when it is absent.
    package let name: String
    /// The JSON as written, but a secret as its digest; nil when the field is absent.
    package let source: String?
    package let rule: String
    package let result: Result
  }

  package enum Result: Sendable, Equatable {
    /// `column = value` for the first column, and for each further one that is neither NULL nor false.
    case becomes([String])
    case refused(RejectCode, String)
    /// Not checked, because the check needs the field with this name, which was refused.
    case notChecked(String)
  }

  package enum Verdict: Sendable, Equatable {
    case row, blank
    /// The first problem of the line, which is the one that `load` records.
    case rejected(Rejection)
  }

  package let verdict: Verdict
  /// The table that gets a row for the record within the line, such as `game.receipt`; nil when the
  /// line brings no second row.
  package let embeddedTable: String?
  /// Known fields, in the stream's order; empty when the line is not one object within the limits.
  package let fields: [Field]
  /// The JSON object of the members without a column; nil when there are none.
  package let extra: String?
  /// The line with its secrets masked, as a reject stores it.
  package let masked: [UInt8]

  init(
    verdict: Verdict, embeddedTable: String? = nil, fields: [Field] = [], extra: String? = nil,
    masked: [UInt8] = []
  ) {
    self.verdict = verdict
    self.embeddedTable = embeddedTable
    self.fields = fields
    self.extra = extra
    self.masked = masked
  }
}
