/// Why no session comes about, for causes that stay as they are until somebody changes something.
///
/// Decided by SQLSTATE, or by the phase in which the attempt ended, never by a message's text. Causes
/// that may pass by themselves are none of these: an address that is not found or does not answer, a
/// server that starts or is full.
package enum ConnectionRefusal: Sendable, Equatable {
  /// libpq cannot use what it was given: an unknown service, an unknown `sslmode`.
  case options
  /// TLS is required, and the server does not speak it.
  case withoutTLS
  /// The server speaks TLS, and one side did not accept the other's certificate.
  case certificate
  /// The server asks for a password, and none was found.
  case passwordMissing
  /// The password is wrong.
  case password
  /// The role does not exist, may not log in, or `pg_hba.conf` has no line for it.
  case login
  /// The server wants a kind of login that libpq cannot do, or that the options forbid.
  case authentication
  /// The database does not exist.
  case database
  /// The role may not connect to the database.
  case right
  /// The server refuses the session for another reason that trying again does not change.
  case session

  /// What a server's answer to a login means; nil: it may pass.
  ///
  /// - Source: PostgreSQL 15 manual, appendix A.
  init?(_ sqlState: SQLState) {
    switch sqlState {
    case .invalidPassword: self = .password
    case .insufficientPrivilege: self = .right
    // A database that takes no connections.
    case .objectNotInPrerequisiteState: self = .session
    default:
      switch sqlState.errorClass {
      case "28": self = .login
      case "3D": self = .database
      // What the options ask of a session is unknown to the server, or wrong.
      case "0A", "22", "42": self = .session
      default: return nil
      }
    }
  }

  /// What to do about it, as a sentence.
  package var cure: String {
    switch self {
    case .options:
      "Correct the connection string, the service file (~/.pg_service.conf or PGSERVICEFILE) or the "
        + "PG… variable that this names"
    case .withoutTLS:
      "The server does not speak TLS, and sslmode requires it (verify-full, where another machine is "
        + "named and nothing else is said). Turn TLS on at the server; in a network that belongs to "
        + "these two alone, as between containers of one machine, sslmode=disable in the connection "
        + "string or PGSSLMODE=disable goes without"
    case .certificate:
      "The server speaks TLS, but a certificate was not accepted. Name the server's authority with "
        + "sslrootcert, connect by the name that its certificate has, and check sslcert and sslkey "
        + "where the server asks for a certificate of yours; sslmode=require encrypts without knowing "
        + "the server"
    case .passwordMissing:
      "Put the password into ~/.pgpass (of mode 600) or the file of PGPASSFILE, a service file, or "
        + "PGPASSWORD"
    case .password:
      "Check the role's name, and its password where libpq finds it: PGPASSWORD, the service file, "
        + "PGPASSFILE or ~/.pgpass"
    case .login:
      "Check the role's name; the server's pg_hba.conf needs a line for this role, database and "
        + "address, and may ask for TLS (sslmode) or a certificate"
    case .authentication:
      "Compare what the server's pg_hba.conf asks for with the options channel_binding, "
        + "require_auth and gssencmode"
    case .database:
      "Correct its name, or create it with encoding UTF8 and run gamebase-ingest migrate"
    case .right:
      "Have the owner grant the role CONNECT on the database; gamebase-ingest grant does that for its "
        + "own roles"
    case .session: "Change what the server names, in its settings or in the connection's options"
    }
  }
}
