/// The permanent cause of a failed connection, which stays until an operator changes something.
///
/// It is derived from the SQLSTATE, or from the phase in which the attempt ended, and never from
/// the text of a message. Temporary causes are not refusals: an address that is not found or does
/// not answer, and a server that is starting or full.
///
/// The raw value is the next step where the message does not tell it: one sentence without a final
/// period.
package enum ConnectionRefusal: String, Sendable {
  /// TLS is required, and the server does not support it.
  case withoutTLS = """
    Enable TLS on the server, which sslmode requires (verify-full is the default for another machine); \
    on a network that only these two machines use, such as between containers of one machine, connect \
    without TLS by sslmode=disable in the connection string or by PGSSLMODE=disable
    """
  /// The server supports TLS, and one side did not accept the other's certificate.
  case certificate = """
    Name the server's authority with sslrootcert, connect by the name in the server's certificate, and \
    check sslcert and sslkey if the server asks for a client certificate; sslmode=require encrypts \
    without verifying the server
    """
  /// The password is missing or wrong.
  case password = """
    Check the role's name, and put its password into ~/.pgpass (with mode 600), the file named by \
    PGPASSFILE, a service file, or PGPASSWORD
    """
  case database = """
    Correct the database name, or create the database with encoding UTF8 and run gamebase-ingest migrate
    """
  /// The role may not connect to the database.
  case right = """
    Ask the owner to grant the role CONNECT on the database; gamebase-ingest grant does this for its own \
    roles
    """
  /// A worker of a cluster does not let the role in with which the coordinator connects.
  case loginOnWorker = """
    Let the role in on that server; as a superuser run there set citus.enable_alter_role_propagation = \
    off; alter role … login
    """
  /// Another cause, which the message tells: an option that libpq cannot use, a role, `pg_hba.conf`,
  /// a method of authentication, a setting.
  case other = ""

  /// The refusal for a server's SQLSTATE at login; nil: the cause is temporary.
  ///
  /// - Source: PostgreSQL 15 manual, appendix A.
  init?(_ sqlState: SQLState) {
    switch sqlState {
    case .invalidPassword: self = .password
    case .insufficientPrivilege: self = .right
    // A database that accepts no connections.
    case .objectNotInPrerequisiteState: self = .other
    default:
      switch sqlState.errorClass {
      case "3D": self = .database
      // A login, or a session setting that the server does not know or accept.
      case "28", "0A", "22", "42": self = .other
      default: return nil
      }
    }
  }
}

/// The reason why a session cannot write, found from the state of the connection.
///
/// The raw value is the explanation: one sentence with the next step, without a final period.
package enum ReadOnlyCause: String, Sendable {
  /// The server is a standby, or was one when the transaction began. A promotion ends this state.
  case standby = """
    The server is a standby, which accepts changes only after its promotion. During a failover this \
    passes; otherwise connect to the primary server, or list all servers in host with \
    target_session_attrs=read-write
    """
  case setting = """
    default_transaction_read_only is on for this role, database or server. Turn it off, or connect as a \
    role that may write
    """
}
