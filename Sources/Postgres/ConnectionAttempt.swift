internal import CLibpq
internal import Glibc

/// An attempt to connect, made step by step so that a failure has its phase; the connection once it is
/// complete.
final class ConnectionAttempt {
  let handle: OpaquePointer
  /// The phase before the last step, and the next byte from the server then; nil: it had sent nothing.
  private var phase: ConnStatusType
  private var answer: UInt8?

  /// Returns when the attempt has succeeded or failed.
  ///
  /// - Throws: `PostgresError` when memory is exhausted.
  init(_ parameters: [(keyword: String, value: String)]) throws {
    guard let handle = startConnection(parameters) else {
      throw PostgresError(message: "out of memory", isConnectionLost: true)
    }
    self.handle = handle
    phase = PQstatus(handle)
    // libpq would write the server's notices to a new connection, such as a changed collation version, to
    // standard error; the server's log has them, too.
    PQsetNoticeProcessor(handle, { _, _ in }, nil)
    // Otherwise libpq keeps the text of a server's error, but not its SQLSTATE.
    PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
    defer { PQsetErrorVerbosity(handle, PQERRORS_DEFAULT) }
    guard phase != CONNECTION_BAD else { return }
    let deadline = ContinuousClock.now + Self.usualTime
    var awaits = PGRES_POLLING_WRITING
    while awaits != PGRES_POLLING_OK, awaits != PGRES_POLLING_FAILED {
      let left = (deadline - .now) / .milliseconds(1)
      guard left > 0 else {
        // libpq's own loop waits for each host as long as the options say, and goes on with the next.
        PQreset(handle)
        answer = nil
        return
      }
      let events = Int16(awaits == PGRES_POLLING_READING ? POLLIN : POLLOUT)
      var socket = pollfd(fd: PQsocket(handle), events: events, revents: 0)
      // A signal ends the wait, too.
      guard poll(&socket, 1, Int32(left.rounded(.up))) > 0 else { continue }
      phase = PQstatus(handle)
      // To read from a broken connection would take its error from libpq.
      let isReadable = Int32(socket.revents) & (POLLIN | POLLERR) == POLLIN
      answer = isReadable ? nextByte() : nil
      awaits = PQconnectPoll(handle)
    }
  }

  deinit { PQfinish(handle) }

  /// A completed attempt with the settings.
  ///
  /// - Throws: `PostgresError` of a failed one, which may be a reason why no session can write.
  static func successful(_ settings: ConnectionSettings) throws -> ConnectionAttempt {
    let attempt = try ConnectionAttempt(settings.parameters)
    if attempt.isComplete { return attempt }
    var error = attempt.error
    if error.refusal == .password, error.sqlState == nil, let file = settings.refusedPasswordFile {
      error.message +=
        "; the password file \(file) is not read: make it a regular file with mode 600"
    }
    let kind =
      ConnectionOptions(taking: PQconninfo(attempt.handle)).values["target_session_attrs"] ?? "any"
    let kinds = ["read-write", "primary", "read-only", "standby", "prefer-standby"]
    if kind != "any", !kinds.contains(kind) { error.refusal = .other }
    guard kinds.contains(kind), error.refusal ?? .other == .other else { throw error }
    // Perhaps the servers accept only no session of this kind; the last one has told what it is.
    let login =
      attempt.isLetIn
      ? attempt : try ConnectionAttempt(settings.parameters + [("target_session_attrs", "any")])
    error.refusal = login.isLetIn ? nil : login.error.refusal
    if login.reported("in_hot_standby") == "on" {
      error.readOnlyCause = .standby
    } else if kind == "read-write", login.reported("default_transaction_read_only") == "on" {
      error.readOnlyCause = .setting
    } else if login.isLetIn, ["read-only", "standby"].contains(kind) {
      error.message +=
        "; target_session_attrs=\(kind) asks for a standby, and this server is none: set read-write, or "
        + "run again when a standby is up"
    }
    throw error
  }

  /// True when a server has accepted the login, whether or not the session is of the kind.
  private var isLetIn: Bool { isComplete || reported("in_hot_standby") != nil }

  /// A setting that the server reports to its clients; nil: it does not report this setting.
  func reported(_ name: String) -> String? {
    PQparameterStatus(handle, name).map { String(cString: $0) }
  }

  /// The time in which nearly every server answers.
  private static let usualTime = Duration.seconds(2)

  var isComplete: Bool { PQstatus(handle) == CONNECTION_OK }

  /// The error of a failed attempt.
  var error: PostgresError {
    var sqlState: SQLState?
    var sentences: [Substring] = []
    // A server's error is `FATAL:  28000: role "x" does not exist` in its language, and ends with a line
    // such as `LOCATION:  InitializeSessionUserId, miscinit.c:724`.
    for line in String(cString: PQerrorMessage(handle)).split(whereSeparator: \.isNewline) {
      if let told = line.wholeMatch(of: /(.*?:  )([0-9A-Z]{5}): (.*)/) {
        sqlState = SQLState(rawValue: String(told.2))
        sentences.append(told.1 + told.3)
      } else if line.wholeMatch(of: /[^ ]+ ?: +\w+, [^ ]+:\d+/) == nil {
        sentences.append(line)
      }
    }
    return PostgresError(
      sqlState: sqlState, message: oneLine(sentences.joined(separator: "\n")),
      isConnectionLost: true, refusal: refusal(sqlState))
  }

  private func refusal(_ sqlState: SQLState?) -> ConnectionRefusal? {
    if let sqlState { return ConnectionRefusal(sqlState) }
    if PQconnectionNeedsPassword(handle) == 1 { return .password }
    return switch (phase, answer.map { UnicodeScalar($0) }) {
    // The server, or a proxy before it, has gone; or it is short of memory, and its error has no code.
    case (_, nil), (_, "E"): nil
    case (CONNECTION_SSL_STARTUP, "N"): .withoutTLS
    // The server speaks TLS. It has gone since, or libpq cannot use its own files.
    case (CONNECTION_SSL_STARTUP, "S") where !isOpen: nil
    case (CONNECTION_SSL_STARTUP, _): .certificate
    // The options do not accept what the server asks for, such as its method of authentication.
    default: .other
    }
  }

  /// The server's next byte, which stays for libpq; nil: there is none.
  private func nextByte() -> UInt8? {
    var byte: UInt8 = 0
    return recv(PQsocket(handle), &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 1 ? byte : nil
  }

  /// True while the server has not closed the connection.
  private var isOpen: Bool { nextByte() != nil || errno == EAGAIN }
}

/// Starts an attempt to connect; nil: memory is exhausted.
func startConnection(_ parameters: [(keyword: String, value: String)]) -> OpaquePointer? {
  let keywords = parameters.map { strdup($0.keyword) }
  let values = parameters.map { strdup($0.value) }
  defer { (keywords + values).forEach { free($0) } }
  return PQconnectStartParams(
    keywords.map { UnsafePointer($0) } + [nil], values.map { UnsafePointer($0) } + [nil], 1)
}
