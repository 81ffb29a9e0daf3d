internal import CLibpq
internal import Glibc

/// Finds the cause of a failed connection attempt.
///
/// libpq keeps the text of the error but not its SQLSTATE. The probe therefore repeats the attempt
/// in single steps. That shows the phase that failed, and libpq can be set to print only the
/// server's SQLSTATE.
struct ConnectionProbe {
  /// The parameters of the failed attempt.
  let parameters: [(keyword: String, value: String)]
  /// The time limit of each attempt, in seconds.
  let seconds: Int

  struct Finding: Equatable {
    var sqlState: SQLState?
    /// nil: the cause is temporary, or gone by now.
    var refusal: ConnectionRefusal?
    /// The reason why no server accepts changes; nil: the options do not require it, or another
    /// cause was found.
    var readOnlyCause: ReadOnlyCause?
  }

  /// Repeats the attempt, and returns the cause; without a cause if the attempt now succeeds.
  func diagnose() -> Finding {
    guard let attempt = probe() else { return Finding() }
    if areOptionsInvalid(portCount: attempt.portCount) { return Finding(refusal: .options) }
    while attempt.step() {}
    guard attempt.isFailed else { return Finding() }
    let sqlState = attempt.sqlState
    if let refusal = sqlState.flatMap({ ConnectionRefusal($0) }) {
      return Finding(sqlState: sqlState, refusal: refusal)
    }
    if attempt.isPortInvalid { return Finding(refusal: .options) }
    if attempt.needsPassword { return Finding(refusal: .passwordMissing) }
    if attempt.attributes.wantsPrimary, let cause = probeReadOnlyCause() {
      return Finding(sqlState: sqlState, readOnlyCause: cause)
    }
    if attempt.attributes.wantsStandby, session(with: .any) != nil {
      return Finding(sqlState: sqlState, readOnlyCause: .option)
    }
    if let sqlState { return Finding(sqlState: sqlState) }
    switch attempt.phase {
    case CONNECTION_SSL_STARTUP: return Finding(refusal: probeTLS())
    // The server requires an authentication method that the client cannot or may not use. Or the
    // server has gone away, which the ping shows.
    case CONNECTION_AWAITING_RESPONSE:
      let ping = withConnectionParameters(parameters) { PQpingParams($0, $1, 1) }
      return Finding(refusal: ping == PQPING_OK ? .authentication : nil)
    default: return Finding()
    }
  }

  private func probe(with more: [(keyword: String, value: String)] = []) -> ConnectionAttempt? {
    let attempt = ConnectionAttempt(parameters + more, seconds: seconds)
    // A server message then consists of its severity, a colon, two blanks, and its SQLSTATE.
    if let attempt { PQsetErrorVerbosity(attempt.handle, PQERRORS_SQLSTATE) }
    return attempt
  }

  /// True when libpq refuses these options before any connection attempt.
  ///
  /// The ping has ports that no server can have, so it needs no network. libpq compares the numbers
  /// of ports and hosts, so there are as many ports as in the options.
  private func areOptionsInvalid(portCount: Int) -> Bool {
    let ports = Array(repeating: "0", count: portCount).joined(separator: ",")
    return withConnectionParameters(parameters + [("port", ports)]) { PQpingParams($0, $1, 1) }
      == PQPING_NO_ATTEMPT
  }

  /// Finds out why the reached servers do not accept changes, as the options require; nil: no server
  /// accepts the connection for another reason.
  ///
  /// A primary server that accepts no changes is read-only by a setting. Without a primary server,
  /// the reached ones are standbys.
  private func probeReadOnlyCause() -> ReadOnlyCause? {
    if let primary = session(with: .primary) { return primary.isReadOnlyByDefault ? .setting : nil }
    return session(with: .any) == nil ? nil : .standby
  }

  /// A session on a server of this kind; nil: none of the servers accepts it.
  private func session(with attributes: TargetSessionAttributes) -> ConnectionAttempt? {
    guard let attempt = probe(with: [attributes.parameter]) else { return nil }
    while attempt.step() {}
    return attempt.isComplete ? attempt : nil
  }

  /// Asks the server whether it supports TLS; sends no user name and no password.
  ///
  /// The handshake uses no certificates. If it succeeds, the certificates caused the failure.
  private func probeTLS() -> ConnectionRefusal? {
    let noFile = "/dev/null/none"
    let asking = [
      ("sslmode", "prefer"), ("gssencmode", "disable"), ("sslrootcert", noFile),
      ("sslcert", noFile),
    ]
    guard let attempt = probe(with: asking) else { return nil }
    while attempt.step() {
      guard attempt.phase == CONNECTION_SSL_STARTUP else { continue }
      switch attempt.status {
      case CONNECTION_SSL_STARTUP: continue
      case CONNECTION_MADE: return attempt.speaksTLS ? .certificate : .withoutTLS
      // The handshake failed, and libpq would go on without TLS; the server may have gone away.
      default: return nil
      }
    }
    return nil
  }
}

/// A connection attempt that is advanced step by step; the connection once it is complete.
///
/// libpq's blocking calls would print what the server tells each new connection to standard error, such as
/// a changed collation version; the server's log has it, too.
final class ConnectionAttempt {
  let handle: OpaquePointer
  private let deadline: ContinuousClock.Instant
  private var awaits = PGRES_POLLING_WRITING
  /// The phase of the attempt before its last step.
  private(set) var phase: ConnStatusType

  /// - Returns: nil when memory is exhausted.
  init?(_ parameters: [(keyword: String, value: String)], seconds: Int) {
    deadline = .now + .seconds(seconds)
    let handle = withConnectionParameters(parameters) { PQconnectStartParams($0, $1, 1) }
    guard let handle else { return nil }
    self.handle = handle
    phase = PQstatus(handle)
    if phase == CONNECTION_BAD { awaits = PGRES_POLLING_FAILED }
    PQsetNoticeProcessor(handle, { _, _ in }, nil)
  }

  deinit { PQfinish(handle) }

  var status: ConnStatusType { PQstatus(handle) }
  var isFailed: Bool { awaits == PGRES_POLLING_FAILED }
  var isComplete: Bool { awaits == PGRES_POLLING_OK }
  var needsPassword: Bool { PQconnectionNeedsPassword(handle) == 1 }
  /// True when the port is not a valid number; libpq checks it only during the attempt.
  var isPortInvalid: Bool {
    let text = String(cString: PQport(handle))
    guard let port = Int(text) else { return !text.isEmpty }
    return !(1...65535).contains(port)
  }
  /// The number of ports in the options, at least 1.
  var portCount: Int {
    let ports = connectionOption("port", of: handle) ?? ""
    return ports.split(separator: ",", omittingEmptySubsequences: false).count
  }
  var attributes: TargetSessionAttributes { TargetSessionAttributes(of: handle) }
  /// True when `default_transaction_read_only` is on, which servers report by themselves.
  var isReadOnlyByDefault: Bool {
    parameterStatus(of: handle, "default_transaction_read_only") == "on"
  }
  var speaksTLS: Bool { PQsslInUse(handle) == 1 }

  /// Waits until the attempt can continue, and advances it.
  ///
  /// - Returns: false when the attempt has succeeded or failed, or the deadline has passed.
  func step() -> Bool {
    guard awaits == PGRES_POLLING_READING || awaits == PGRES_POLLING_WRITING, waitForSocket() else {
      return false
    }
    phase = PQstatus(handle)
    awaits = PQconnectPoll(handle)
    return !isFailed && !isComplete
  }

  /// The SQLSTATE of the server's last message.
  ///
  /// The message is one line that ends with it. libpq adds lines of its own, such as the password
  /// file that a wrong password comes from.
  var sqlState: SQLState? {
    let lines = String(cString: PQerrorMessage(handle)).split(whereSeparator: \.isNewline)
    let code = lines.compactMap { $0.wholeMatch(of: /.*:  ([0-9A-Z]{5})/)?.1 }.last
    return code.map { SQLState(rawValue: String($0)) }
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
