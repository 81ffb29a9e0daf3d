internal import CLibpq
internal import Glibc

/// Looks for the cause of a connection that did not come about.
///
/// Of a failed attempt libpq keeps a text and no SQLSTATE. So the attempt is made again, step by step:
/// then it is known how far it came, and libpq can be told to write nothing but the server's SQLSTATE.
struct ConnectionProbe {
  /// What the failed attempt was made with.
  let parameters: [(keyword: String, value: String)]
  /// Seconds that each look may take.
  let seconds: Int

  struct Finding: Equatable {
    var sqlState: SQLState?
    /// nil: the cause may pass, or is over.
    var refusal: ConnectionRefusal?
  }

  func look() -> Finding {
    if areOptionsInvalid { return Finding(refusal: .options) }
    guard let attempt = ConnectionAttempt(parameters, seconds: seconds) else { return Finding() }
    while attempt.step() {}
    guard attempt.isFailed else { return Finding() }
    if let sqlState = attempt.sqlState {
      return Finding(sqlState: sqlState, refusal: ConnectionRefusal(sqlState))
    }
    if attempt.portIsNone { return Finding(refusal: .options) }
    if attempt.needsPassword { return Finding(refusal: .passwordMissing) }
    switch attempt.phase {
    case CONNECTION_SSL_STARTUP: return Finding(refusal: lookAtTLS())
    // The server has asked for a login that this end cannot or may not give, unless it went away.
    case CONNECTION_AWAITING_RESPONSE:
      let ping = withConnectionParameters(parameters) { PQpingParams($0, $1, 1) }
      return Finding(refusal: ping == PQPING_OK ? .authentication : nil)
    default: return Finding()
    }
  }

  /// True when libpq makes no attempt with these options, wherever the server is: it is asked for one
  /// where no server can be, which needs no network.
  private var areOptionsInvalid: Bool {
    let nowhere = [("host", "/dev/null"), ("hostaddr", ""), ("port", "")]
    return withConnectionParameters(parameters + nowhere) { PQpingParams($0, $1, 1) }
      == PQPING_NO_ATTEMPT
  }

  /// Asks the server whether it speaks TLS, and goes no further: no name and no password is sent.
  ///
  /// Certificates are left out of this, so that only what is wrong with them is left when it succeeds.
  private func lookAtTLS() -> ConnectionRefusal? {
    let noFile = "/dev/null/none"
    let asking = [
      ("sslmode", "prefer"), ("gssencmode", "disable"), ("sslrootcert", noFile),
      ("sslcert", noFile),
    ]
    guard let attempt = ConnectionAttempt(parameters + asking, seconds: seconds) else { return nil }
    while attempt.step() {
      guard attempt.phase == CONNECTION_SSL_STARTUP else { continue }
      switch attempt.status {
      case CONNECTION_SSL_STARTUP: continue
      case CONNECTION_MADE: return attempt.speaksTLS ? .certificate : .withoutTLS
      // libpq would begin anew without TLS: this server may have gone away in the middle.
      default: return nil
      }
    }
    return nil
  }
}

/// One attempt at a connection, taken step by step.
final class ConnectionAttempt {
  private let handle: OpaquePointer
  private let deadline: ContinuousClock.Instant
  private var awaits = PGRES_POLLING_WRITING
  /// Where the attempt stood before its last step.
  private(set) var phase: ConnStatusType

  /// - Returns: nil when there is no memory for it.
  init?(_ parameters: [(keyword: String, value: String)], seconds: Int) {
    deadline = .now + .seconds(seconds)
    let handle = withConnectionParameters(parameters) { PQconnectStartParams($0, $1, 1) }
    guard let handle else { return nil }
    self.handle = handle
    phase = PQstatus(handle)
    if phase == CONNECTION_BAD { awaits = PGRES_POLLING_FAILED }
    // A message of the server is then its severity, two blanks, and its SQLSTATE.
    PQsetErrorVerbosity(handle, PQERRORS_SQLSTATE)
    PQsetNoticeProcessor(handle, { _, _ in }, nil)
  }

  deinit { PQfinish(handle) }

  var status: ConnStatusType { PQstatus(handle) }
  var isFailed: Bool { awaits == PGRES_POLLING_FAILED }
  var needsPassword: Bool { PQconnectionNeedsPassword(handle) == 1 }
  /// True when the number that stands for the port cannot be one: libpq notices that on its way only.
  var portIsNone: Bool {
    let text = String(cString: PQport(handle))
    guard let port = Int(text) else { return !text.isEmpty }
    return !(1...65535).contains(port)
  }
  var speaksTLS: Bool { PQsslInUse(handle) == 1 }

  /// Waits until the attempt can go on, and takes it on.
  ///
  /// - Returns: false when it is over, one way or the other, or the time is.
  func step() -> Bool {
    guard awaits == PGRES_POLLING_READING || awaits == PGRES_POLLING_WRITING, waitForSocket() else {
      return false
    }
    phase = PQstatus(handle)
    awaits = PQconnectPoll(handle)
    return !isFailed && awaits != PGRES_POLLING_OK
  }

  /// The code of the server's last message, taken from its fixed place at the end.
  var sqlState: SQLState? {
    let message = oneLine(String(cString: PQerrorMessage(handle)))
    guard let code = message.wholeMatch(of: /.*:  ([0-9A-Z]{5})/)?.1 else { return nil }
    return SQLState(rawValue: String(code))
  }

  private func waitForSocket() -> Bool {
    while true {
      let left = deadline - .now
      let milliseconds =
        left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000
      guard milliseconds > 0 else { return false }
      let events = awaits == PGRES_POLLING_READING ? POLLIN : POLLOUT
      var descriptor = pollfd(fd: PQsocket(handle), events: Int16(events), revents: 0)
      let count = poll(&descriptor, 1, Int32(clamping: milliseconds))
      if count > 0 { return true }
      if count < 0, errno != EINTR { return false }
    }
  }
}
