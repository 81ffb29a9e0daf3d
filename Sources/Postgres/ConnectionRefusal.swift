/// The permanent cause of a failed connection, which stays until an operator changes something.
///
/// It is derived from the SQLSTATE, or from the phase in which the attempt ended, and never from
/// the text of a message. Temporary causes are not refusals: an address that is not found or does
/// not answer, and a server that is starting or full.
package enum ConnectionRefusal: Sendable, Equatable {
  /// libpq cannot use the options: an unknown service, an unknown `sslmode`.
  case options
  /// TLS is required, and the server does not support it.
  case withoutTLS
  /// The server supports TLS, and one side did not accept the other's certificate.
  case certificate
  /// The server requires a password, and libpq found none.
  case passwordMissing
  /// The password is wrong.
  case password
  /// The role does not exist or may not log in, or `pg_hba.conf` has no line for it.
  case login
  /// A worker of a cluster does not let the role in with which the coordinator connects.
  case loginOnWorker
  /// The server requires an authentication method that libpq does not support or the options
  /// forbid.
  case authentication
  /// The database does not exist.
  case database
  /// The role may not connect to the database.
  case right
  /// The server refuses the session for another reason that a retry does not change.
  case session

  /// The refusal for a server's SQLSTATE at login; nil: the cause is temporary.
  ///
  /// - Source: PostgreSQL 15 manual, appendix A.
  init?(_ sqlState: SQLState) {
    switch sqlState {
    case .invalidPassword: self = .password
    case .insufficientPrivilege: self = .right
    // A database that accepts no connections.
    case .objectNotInPrerequisiteState: self = .session
    default:
      switch sqlState.errorClass {
      case "28": self = .login
      case "3D": self = .database
      // The options request a session setting that the server does not know or accept.
      case "0A", "22", "42": self = .session
      default: return nil
      }
    }
  }

  /// The hint: one sentence with the next step, without a final period.
  package var hint: String {
    switch self {
    case .options:
      "Correct the connection string, the service file (~/.pg_service.conf or PGSERVICEFILE) or the "
        + "PG… variable named in the message"
    case .withoutTLS:
      "The server does not support TLS, but sslmode requires it (the default for another machine "
        + "is verify-full). Enable TLS on the server; on a network that only these two machines use, "
        + "such as between containers of one machine, connect without TLS by sslmode=disable in "
        + "the connection string or by PGSSLMODE=disable"
    case .certificate:
      "The server supports TLS, but a certificate was not accepted. Name the server's authority "
        + "with sslrootcert, connect by the name in the server's certificate, and check sslcert and "
        + "sslkey if the server asks for a client certificate; sslmode=require encrypts without "
        + "verifying the server"
    case .passwordMissing:
      "Put the password into ~/.pgpass (with mode 600), the file named by PGPASSFILE, a service "
        + "file, or PGPASSWORD"
    case .password:
      "Check the role's name, and its password in the places that libpq reads: PGPASSWORD, the "
        + "service file, PGPASSFILE or ~/.pgpass"
    case .login:
      "Check the role's name, and that it may log in (alter role … login); the server's pg_hba.conf "
        + "needs a line for this role, database and address, and may ask for TLS (sslmode) or a "
        + "certificate"
    case .loginOnWorker:
      "Let the role in on that server; as a superuser run there set "
        + "citus.enable_alter_role_propagation = off; alter role … login"
    case .authentication:
      "Compare the method that the server's pg_hba.conf requires with the options channel_binding, "
        + "require_auth and gssencmode"
    case .database:
      "Correct the database name, or create the database with encoding UTF8 and run "
        + "gamebase-ingest migrate"
    case .right:
      "Ask the owner to grant the role CONNECT on the database; gamebase-ingest grant does this for "
        + "its own roles"
    case .session:
      "Change the setting that the server names, on the server or in the connection's options"
    }
  }
}

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
