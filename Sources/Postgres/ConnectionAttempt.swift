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
      guard let events = waitForSocket(to: awaits, until: deadline) else {
        // libpq's own loop waits for each host as long as the options say, and goes on with the next.
        PQreset(handle)
        answer = nil
        return
      }
      phase = PQstatus(handle)
      // To read from a broken connection would take its error from libpq.
      answer = events & POLLIN != 0 && events & POLLERR == 0 ? nextByte() : nil
      awaits = PQconnectPoll(handle)
    }
  }

  deinit { PQfinish(handle) }

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

  /// Waits for the socket, and returns what can be done with it; nil: nothing until the deadline.
  private func waitForSocket(
    to work: PostgresPollingStatusType, until deadline: ContinuousClock.Instant
  ) -> Int32? {
    let events = work == PGRES_POLLING_READING ? POLLIN : POLLOUT
    var descriptor = pollfd(fd: PQsocket(handle), events: Int16(events), revents: 0)
    while true {
      let left = (deadline - .now) / .milliseconds(1)
      guard left > 0 else { return nil }
      let count = poll(&descriptor, 1, Int32(left.rounded(.up)))
      if count > 0 { return Int32(descriptor.revents) }
      if count < 0, errno != EINTR { return nil }
    }
  }
}

/// Starts an attempt to connect; nil: memory is exhausted.
func startConnection(_ parameters: [(keyword: String, value: String)]) -> OpaquePointer? {
  let keywords = parameters.map { strdup($0.keyword) }
  let values = parameters.map { strdup($0.value) }
  defer { (keywords + values).forEach { free($0) } }
  return PQconnectStartParams(
    keywords.map { UnsafePointer($0) } + [nil], values.map { UnsafePointer($0) } + [nil], 1)
}
