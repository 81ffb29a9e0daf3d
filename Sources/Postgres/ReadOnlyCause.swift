/// The reason why a session cannot write, found from the state of the connection.
package enum ReadOnlyCause: Sendable, Equatable {
  /// The server is a standby, or was one when the transaction began. A promotion ends this state.
  case standby
  /// `default_transaction_read_only` is on.
  case setting
  /// `target_session_attrs` asks for a standby.
  case option

  /// The explanation: one sentence with the next step, without a final period.
  package var hint: String {
    switch self {
    case .standby:
      "The server is a standby, which accepts changes only after its promotion. During a failover "
        + "this passes; otherwise connect to the primary server, or list all servers in host with "
        + "target_session_attrs=read-write"
    case .setting:
      "default_transaction_read_only is on for this role, database or server. Turn it off, or connect "
        + "as a role that may write"
    case .option:
      "The connection asks for a standby by target_session_attrs. Set it to read-write"
    }
  }
}
