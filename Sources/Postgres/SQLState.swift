/// A five-character SQLSTATE, PostgreSQL's error code.
///
/// Errors are matched by this code, never by their text, which depends on the server's language.
///
/// - Source: PostgreSQL 15 manual, appendix A.
package struct SQLState: Sendable, Hashable, RawRepresentable {
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }

  /// The first two characters: the class of the error, such as "08" for connection failures.
  package var errorClass: Substring { rawValue.prefix(2) }

  package static let undefinedTable = SQLState(rawValue: "42P01")
  package static let undefinedColumn = SQLState(rawValue: "42703")
  package static let undefinedFunction = SQLState(rawValue: "42883")
  package static let invalidSchemaName = SQLState(rawValue: "3F000")
  package static let uniqueViolation = SQLState(rawValue: "23505")
  package static let checkViolation = SQLState(rawValue: "23514")
  package static let insufficientPrivilege = SQLState(rawValue: "42501")
  package static let queryCanceled = SQLState(rawValue: "57014")
  package static let lockNotAvailable = SQLState(rawValue: "55P03")
  package static let objectInUse = SQLState(rawValue: "55006")
  package static let tooManyConnections = SQLState(rawValue: "53300")
  package static let readOnlyTransaction = SQLState(rawValue: "25006")
  package static let dataCorrupted = SQLState(rawValue: "XX001")
  package static let invalidParameterValue = SQLState(rawValue: "22023")
  package static let invalidPassword = SQLState(rawValue: "28P01")
  package static let objectNotInPrerequisiteState = SQLState(rawValue: "55000")
  package static let inFailedTransaction = SQLState(rawValue: "25P02")
  package static let internalError = SQLState(rawValue: "XX000")
}
