internal import CLibpq
internal import Glibc

/// One connection to a PostgreSQL server, used by one thread at a time.
///
/// Every call blocks until the server answers, so none may run on Swift's cooperative pool. No
/// setting outlives its transaction (`SET LOCAL` only), so a pooler in transaction mode works.
package final class Connection {
  private let attempt: ConnectionAttempt
  var handle: OpaquePointer { attempt.handle }
  /// The SET statements of each transaction; they take no snapshot.
  private let settings: String
  /// True when `default_transaction_read_only` was on at the start of the session.
  private let isReadOnlyByDefault: Bool
  /// The notices of migrations since the last `takeNotes()`.
  private var notes: [String] = []
  /// The function of the target, called with what the connection waits for.
  package let tell: (String) -> Void

  /// Connects, and checks the server's version and encoding.
  ///
  /// - Parameter applicationName: shown in `pg_stat_activity` unless the target names another.
  /// - Throws: `PostgresError`. `isConnectionLost` is true when the connection failed; `refusal` is
  ///   then set if the cause is permanent.
  package init(_ target: ConnectionTarget, applicationName: String = "gamebase-ingest") throws {
    tell = target.tell
    attempt = try .successful(ConnectionSettings(target, applicationName: applicationName))
    (settings, isReadOnlyByDefault) = try Self.inspectServer(attempt)
    let receiver: PQnoticeReceiver = { connection, result in
      // The SQLSTATE of notices that a migration raises for the user; all others are dropped.
      guard let connection, let state = PQresultErrorField(result, Int32(UInt8(ascii: "C"))),
        String(cString: state) == "NOTED",
        let message = PQresultErrorField(result, Int32(UInt8(ascii: "M")))
      else { return }
      Unmanaged<Connection>.fromOpaque(connection).takeUnretainedValue().notes
        .append(String(cString: message))
    }
    PQsetNoticeReceiver(handle, receiver, Unmanaged.passUnretained(self).toOpaque())
  }

  /// The messages of migrations to the user since the last call.
  package func takeNotes() -> [String] {
    defer { notes = [] }
    return notes
  }

  /// False once a call has found the connection broken.
  package var isUsable: Bool { PQstatus(handle) == CONNECTION_OK }

  /// True when the server was a standby at its last answer.
  ///
  /// Servers report this by themselves, also at the promotion of a standby; PgBouncer does not pass
  /// it on.
  package var isStandby: Bool { attempt.reported("in_hot_standby") == "on" }

  /// Runs one or more statements without parameters.
  package func execute(_ sql: String) throws {
    _ = try checked(PQexec(handle, sql))
  }

  /// Runs one statement with parameters.
  ///
  /// - Parameter binaryResult: true to get the values in PostgreSQL's binary format instead of
  ///   text.
  @discardableResult
  package func query(
    _ sql: String, _ parameters: [Parameter] = [], binaryResult: Bool = false
  ) throws -> QueryResult {
    let values = parameters.map(\.encoded)
    // One block for all values, so that all pointers into it stay valid together.
    let offsets = values.reduce(into: [0]) { $0.append($0[$0.count - 1] + ($1?.count ?? 0)) }
    let block = values.compactMap(\.self).flatMap(\.self) + [0]
    let result = block.withUnsafeBytes { block in
      let pointers = zip(values, offsets).map { value, offset -> UnsafePointer<CChar>? in
        guard value != nil, let base = block.baseAddress else { return nil }
        return (base + offset).assumingMemoryBound(to: CChar.self)
      }
      return PQexecParams(
        handle, sql, Int32(values.count), nil, pointers, values.map { Int32($0?.count ?? 0) },
        parameters.map(\.isBinary), binaryResult ? 1 : 0)
    }
    return try checked(result)
  }

  /// Opens a transaction with the settings that every transaction of the program uses.
  ///
  /// The search path is empty, because all names are qualified. Times and `bytea` values have one
  /// text form, whatever the server's settings are. JIT is off, because compiling the short
  /// statements takes longer than running them. `synchronous_commit` is raised from `off` to `on`,
  /// so that a reported commit is on disk; other values stay. Row security is off, so that the server
  /// refuses a table whose policies would hide rows. The role's timeouts end no transaction that
  /// writes: a source may pause, and `--lock-wait` limits the waits.
  ///
  /// - Throws: `PostgresError`; no transaction is open then.
  package func begin(_ isolation: Isolation = .readCommitted) throws {
    do {
      try execute(
        "begin isolation level \(isolation.mode); \(settings); "
          + (isolation.hasTimeouts ? "" : Self.withoutTimeouts) + isolation.lock
          + Self.raisedDurability)
    } catch {
      rollback()
      throw error
    }
  }

  /// Commits.
  ///
  /// COMMIT is sent as a message of its own, so that a client that is killed while it sends
  /// statements cannot commit by accident.
  ///
  /// - Throws: the server's error; also an error when a statement has failed before, because the
  ///   server then rolls back and reports success.
  package func commit() throws {
    guard try checked(PQexec(handle, "commit")).commandTag == "COMMIT" else {
      throw PostgresError(
        sqlState: .inFailedTransaction,
        message: "the transaction was rolled back because a statement in it failed")
    }
  }

  /// Rolls back; does nothing when the connection is gone, because the server then rolls back by
  /// itself.
  package func rollback() {
    guard isUsable, PQtransactionStatus(handle) != PQTRANS_IDLE else { return }
    PQclear(PQexec(handle, "rollback"))
  }

  /// Runs `body` in a transaction: committed when it returns, rolled back when it throws.
  @discardableResult
  package func transaction<Value>(
    _ isolation: Isolation = .readCommitted, _ body: () throws -> Value
  ) throws -> Value {
    try begin(isolation)
    do {
      let value = try body()
      try commit()
      return value
    } catch {
      rollback()
      throw error
    }
  }

  /// A handle with which another thread can cancel the running statement.
  package func canceller() -> Canceller? { PQgetCancel(handle).map { Canceller(taking: $0) } }

  // MARK: - Implementation

  /// Raises `synchronous_commit` from `off`.
  ///
  /// The statement takes the snapshot of a REPEATABLE READ transaction, so it follows the lock.
  private static let raisedDurability = """
    select pg_catalog.set_config('synchronous_commit', 'on', true) \
    where pg_catalog.current_setting('synchronous_commit') = 'off'
    """

  /// The settings of each transaction on every server.
  package static let transactionSettings = """
    set local search_path = ''; set local timezone = 'UTC'; \
    set local datestyle = 'ISO, YMD'; set local bytea_output = 'hex'; set local jit = off; \
    set local standard_conforming_strings = on; set local array_nulls = on; \
    set local row_security = off
    """

  private static let withoutTimeouts = """
    set local statement_timeout = 0; set local lock_timeout = 0; \
    set local idle_in_transaction_session_timeout = 0; 
    """

  /// Refuses servers before the first version with `nulls not distinct`, and other encodings.
  ///
  /// - Returns: the settings of each transaction, and whether transactions are read-only by default.
  private static func inspectServer(
    _ attempt: ConnectionAttempt
  ) throws -> (settings: String, isReadOnly: Bool) {
    let (version, oldestVersion) = (PQserverVersion(attempt.handle) / 10_000, 15)
    let encoding = attempt.reported("server_encoding") ?? "unknown"
    guard version >= oldestVersion, encoding == "UTF8" else {
      throw PostgresError(
        sqlState: SQLState(rawValue: "0A000"),
        message: version < oldestVersion
          ? "the server is PostgreSQL \(version); version \(oldestVersion) or later is required"
          : "the encoding of the database is \(encoding); create a database with encoding UTF8")
    }
    let server = PQexec(
      attempt.handle,
      "select pg_catalog.version(), pg_catalog.current_setting('default_transaction_read_only')"
    ).map { QueryResult(taking: $0) }
    // Without this setting a server notices a lost client only when it next sends something.
    // PostgreSQL refuses the setting on systems where it cannot check the socket.
    let check =
      server?[0, 0]?.contains("linux") == true
      ? "; set local client_connection_check_interval = '5s'" : ""
    return (transactionSettings + check, server?[0, 1] == "on")
  }

  /// Returns a successful result; throws the error of any other.
  func checked(_ result: OpaquePointer?) throws(PostgresError) -> QueryResult {
    guard let result = result.map({ QueryResult(taking: $0) }) else { throw connectionError() }
    switch result.status {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_COPY_IN, PGRES_COPY_OUT: return result
    default: throw error(from: result)
    }
  }

  /// Reads all pending results, and returns the last one; the first error wins.
  func lastResult() throws -> QueryResult? {
    var last: QueryResult?
    var firstError: PostgresError?
    while let result = PQgetResult(handle) {
      do throws(PostgresError) { last = try checked(result) } catch {
        firstError = firstError ?? error
      }
      // After a broken connection libpq may return "copy in" forever.
      if last?.status == PGRES_COPY_IN { throw firstError ?? connectionError() }
    }
    guard var error = firstError else { return last }
    // When the server ends the session, its error arrives before libpq sees the end of the
    // connection.
    if !isUsable { error.isConnectionLost = true }
    throw error
  }

  func connectionError() -> PostgresError {
    PostgresError(
      message: oneLine(String(cString: PQerrorMessage(handle))), isConnectionLost: !isUsable)
  }

  private func error(from result: QueryResult) -> PostgresError {
    let sqlState = result.errorField("C").map { SQLState(rawValue: $0) }
    let message = result.errorField("M") ?? oneLine(String(cString: PQerrorMessage(handle)))
    // Citus reports every failed connection to a worker as 08006, and the cause only by its text.
    let isOnWorker =
      sqlState?.errorClass == "08" && message.contains("is not permitted to log in")
    return PostgresError(
      sqlState: sqlState, message: message, hint: result.errorField("H"),
      context: result.errorField("W"),
      // An error without a code comes from libpq: it could not write, and the status of the
      // connection may show that only at the next call.
      isConnectionLost: !isUsable || sqlState == nil,
      // Such an error names the table and no constraint, that of a trigger names neither.
      isMissingPartition: sqlState == .checkViolation && result.errorField("n") == nil
        && result.errorField("t") != nil,
      refusal: isOnWorker ? .loginOnWorker : nil,
      // A transaction that began on a standby stays read-only after the promotion.
      readOnlyCause: sqlState != .readOnlyTransaction
        ? nil : isReadOnlyByDefault && !isStandby ? .setting : .standby)
  }
}

extension Connection {
  /// The database of a session, without the role, the password or any other option.
  package struct Place: Encodable, Sendable, Equatable {
    package let name: String
    /// A host name or address, or the folder of a Unix socket.
    package let host: String
    package let port: String
    /// As the server writes it, such as 15.8.
    package let serverVersion: String
  }

  package var place: Place {
    Place(
      name: String(cString: PQdb(handle)), host: String(cString: PQhost(handle)),
      port: String(cString: PQport(handle)), serverVersion: attempt.reported("server_version") ?? ""
    )
  }
}

/// Cancels the statement that a connection is running, from any thread.
package final class Canceller: @unchecked Sendable {
  // Safe to share: libpq's PQcancel only reads the handle and is documented as signal-safe.
  private let handle: OpaquePointer

  init(taking handle: OpaquePointer) { self.handle = handle }

  deinit { PQfreeCancel(handle) }

  /// Asks the server to cancel; a running statement then fails with SQLSTATE 57014.
  package func cancel() {
    var message = [CChar](repeating: 0, count: 256)
    _ = PQcancel(handle, &message, Int32(message.count))
  }
}
