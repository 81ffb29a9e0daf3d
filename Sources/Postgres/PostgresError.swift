/// An error of PostgreSQL, libpq or the connection.
///
/// `description` is safe to log: it omits CONTEXT, which can hold values of rows as DETAIL does, and the
/// value at the end of a message about a row. Read `message` and `context` only where their contents are
/// known to be harmless.
package struct PostgresError: Error, Sendable, CustomStringConvertible {
  /// The code; nil for an error that does not come from the server, such as a broken connection.
  package internal(set) var sqlState: SQLState?
  /// The primary message: one sentence, no line break.
  package internal(set) var message: String
  package internal(set) var hint: String?
  /// May hold values of rows.
  package internal(set) var context: String?
  /// True when the connection can no longer be used.
  package internal(set) var isConnectionLost = false
  /// True for a row without a partition in a partitioned table.
  package internal(set) var isMissingPartition = false
  /// The permanent cause of a failed connection; nil for a temporary cause, and for every other
  /// error.
  package internal(set) var refusal: ConnectionRefusal?
  /// The reason why the session cannot write; nil for every other error.
  package internal(set) var readOnlyCause: ReadOnlyCause?

  package var description: String {
    var text = message
    // An example: invalid input syntax for type integer: "value of the row".
    if kind == .row, let colon = text.firstRange(of: ": ") {
      text = String(text[..<colon.lowerBound])
    }
    if let sqlState { text += " (SQLSTATE \(sqlState.rawValue))" }
    if let hint { text += ". Hint: \(hint.hasSuffix(".") ? String(hint.dropLast()) : hint)" }
    if let next = refusal?.rawValue ?? readOnlyCause?.rawValue, next != "" { text += ". \(next)" }
    return text
  }

  /// The class of the error, which decides how the caller reacts.
  package enum Kind: Sendable {
    /// The connection broke, or the server is stopping, starting, full or a standby: retry later.
    case unavailable
    /// A conflict with other transactions: a retry of the same transaction may succeed.
    case contention
    /// Disk, memory or another limit of the server: an operator must act.
    case resources
    /// A timeout or a cancel request ended the statement.
    case cancelled
    /// A row violates a rule that the loader should have checked.
    case row
    /// The server or one of the program's database functions reached an impossible state.
    case internalError
    /// Rights, names, versions or settings: a retry cannot succeed.
    case setup
  }

  /// The kind, decided by the state of the connection and by SQLSTATE class.
  package var kind: Kind {
    if refusal != nil { return .setup }
    if let readOnlyCause { return readOnlyCause == .standby ? .unavailable : .setup }
    guard let sqlState else { return .unavailable }
    // Another session has detached or dropped the partition since the loader looked it up.
    if isMissingPartition { return .contention }
    switch sqlState {
    case .queryCanceled: return .cancelled
    case .lockNotAvailable, .objectInUse: return .contention
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
