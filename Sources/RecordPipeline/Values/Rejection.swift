/// A problem of one value, without the field that holds it.
///
/// `reason` is a short text for messages. It never contains the value.
package struct ValueProblem: Error, Sendable, Equatable {
  package let code: RejectCode
  package let reason: String

  package init(_ code: RejectCode, _ reason: String) {
    self.code = code
    self.reason = reason
  }
}

/// The reason why a line was refused.
///
/// `field` is the field at fault, as spelled in the line; nil when the whole line is at fault.
package struct Rejection: Error, Sendable, Equatable {
  package let code: RejectCode
  package let field: String?
  package let reason: String

  package init(_ code: RejectCode, field: String? = nil, _ reason: String) {
    self.code = code
    self.field = field
    self.reason = reason
  }

  /// The rejection of a line that cannot be read as JSON and has no line feed, as the last line of a
  /// truncated file; any other rejection stays as it is.
  var ofLastLine: Rejection {
    switch code {
    case .malformedJSON where field == nil, .invalidUTF8 where field == nil:
      Rejection(.truncatedLine, "\(reason), and no line feed ends it: the file looks truncated")
    default: self
    }
  }

  init(_ problem: ValueProblem, field: String) {
    self.init(problem.code, field: field, problem.reason)
  }
}
