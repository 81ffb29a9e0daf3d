/// What is wrong with one value, before it is known which field holds it.
///
/// `reason` is a short sentence for people; it never repeats the value.
package struct ValueProblem: Error, Sendable, Equatable {
  package let code: RejectCode
  package let reason: String

  package init(_ code: RejectCode, _ reason: String) {
    self.code = code
    self.reason = reason
  }
}

/// Why a line was refused, and the field at fault as the line spells it; nil: the whole line.
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
