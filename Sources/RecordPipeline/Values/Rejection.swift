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

  init(_ problem: ValueProblem, field: String) {
    self.init(problem.code, field: field, problem.reason)
  }
}
