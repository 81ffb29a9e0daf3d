/// What PostgreSQL, or the connection to it, answered instead of a result.
///
/// `description` is safe to log: it leaves out DETAIL and CONTEXT, which can hold the values of
/// rows, and of a message about a row the value that it ends in. Ask for those by name where they are
/// known to be harmless.
package struct PostgresError: Error, Sendable, CustomStringConvertible {
  /// The code; nil when the server could not say anything, as when the connection broke.
  package let sqlState: SQLState?
  /// The primary message: one sentence, no line break.
  package let message: String
  /// May hold values of rows.
  package let detail: String?
  package let hint: String?
  /// May hold values of rows.
  package let context: String?
  /// The name of the constraint that a row broke; nil: none has to do with it.
  package let constraint: String?
  /// True when the connection can no longer be used.
  package internal(set) var isConnectionLost: Bool
  /// Why no session came about and none will; nil for every other error.
  package internal(set) var refusal: ConnectionRefusal?

  package init(
    sqlState: SQLState? = nil, message: String, detail: String? = nil, hint: String? = nil,
    context: String? = nil, constraint: String? = nil, isConnectionLost: Bool = false
  ) {
    self.sqlState = sqlState
    self.message = message
    self.detail = detail
    self.hint = hint
    self.context = context
    self.constraint = constraint
    self.isConnectionLost = isConnectionLost
  }

  package var description: String {
    var text = message
    // "invalid input syntax for type integer: "what the row said"".
    if kind == .row, let colon = text.firstRange(of: ": ") {
      text = String(text[..<colon.lowerBound])
    }
    if let sqlState { text += " (SQLSTATE \(sqlState))" }
    if let hint { text += ". Hint: \(hint.hasSuffix(".") ? String(hint.dropLast()) : hint)" }
    if let refusal { text += ". \(refusal.cure)" }
    return text
  }

  /// What whoever gets the error can do about it.
  package enum Kind: Sendable {
    /// The connection broke or the server is stopping, starting or full: try again later.
    case unavailable
    /// Other transactions were in the way: the same transaction may pass next time.
    case contention
    /// Disk, memory or another limit of the server: somebody must look.
    case resources
    /// A timeout or somebody's cancel request ended the statement.
    case cancelled
    /// A row broke a rule that the loader should have checked.
    case row
    /// The server, or a function of ours in it, found itself in a state that cannot be.
    case internalError
    /// Rights, names, versions, settings: retrying cannot help.
    case setup
  }

  /// True for a row for which a partitioned table has no partition: a broken check without a name.
  package var isMissingPartition: Bool { sqlState == .checkViolation && constraint == nil }

  /// The kind, decided by the state of the connection and by SQLSTATE class.
  package var kind: Kind {
    if refusal != nil { return .setup }
    guard let sqlState else { return .unavailable }
    switch sqlState {
    case .queryCanceled: return .cancelled
    case .lockNotAvailable: return .contention
    // Another session has detached or dropped it since it was looked for.
    case .checkViolation where isMissingPartition: return .contention
    case .tooManyConnections: return .unavailable
    default: break
    }
    switch sqlState.errorClass {
    case "08": return .unavailable
    case "57": return .unavailable
    case "40": return .contention
    case "53", "54": return .resources
    case "21", "22", "23": return .row
    case "XX": return .internalError
    default: return isConnectionLost ? .unavailable : .setup
    }
  }
}
