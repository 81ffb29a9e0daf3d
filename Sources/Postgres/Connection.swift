internal import CLibpq
internal import Glibc

/// One connection to a PostgreSQL server, used by one thread at a time.
///
/// Every call blocks until the server has answered, so none may run on Swift's cooperative pool.
/// Nothing here keeps state between transactions (`SET LOCAL` only), so that a pooler in
/// transaction mode may stand between.
package final class Connection {
  let handle: OpaquePointer
  private let settings: String

  /// The oldest server that has `nulls not distinct`.
  package static let oldestServerVersion = 150_000

  /// Connects, and checks the server's version and encoding.
  ///
  /// - Parameter applicationName: shown in `pg_stat_activity` unless the target names another.
  /// - Throws: `PostgresError`; `isConnectionLost` is true when no session came about, and `refusal`
  ///   is set when none would come about later either.
  package init(_ target: ConnectionTarget, applicationName: String = "gamebase-ingest") throws {
    handle = try Self.connect(ConnectionSettings(target, applicationName: applicationName))
    // No notice may reach standard error by itself: it could quote a row.
    PQsetNoticeProcessor(handle, { _, _ in }, nil)

    do {
      settings = try Self.inspectServer(handle)
    } catch {
      PQfinish(handle)
      throw error
    }
  }

  deinit { PQfinish(handle) }

  /// True as long as the session exists, as far as this end knows.
  package var isUsable: Bool { PQstatus(handle) == CONNECTION_OK }

  /// The server's version as a number, 150004 for 15.4.
  package var serverVersion: Int { Int(PQserverVersion(handle)) }

  /// Runs one or more statements without parameters.
  package func execute(_ sql: String) throws {
    _ = try checked(PQexec(handle, sql))
  }

  /// Runs one statement with parameters.
  ///
  /// - Parameter binaryResult: the values come in PostgreSQL's binary format instead of text.
  @discardableResult
  package func query(
    _ sql: String, _ parameters: [Parameter] = [], binaryResult: Bool = false
  ) throws -> QueryResult {
    let result = withParameters(parameters) { values, lengths, formats in
      PQexecParams(
        handle, sql, Int32(parameters.count), nil, values, lengths, formats, binaryResult ? 1 : 0)
    }
    return QueryResult(taking: try checked(result))
  }

  /// Opens a transaction with the settings that every transaction of ours has.
  ///
  /// Names are always qualified, so the search path is empty; times and bytes print in one form.
  /// Compiling our short statements takes longer than running them. What is said to be committed has
  /// been written to disk, even where a role or database is set to be told sooner; any other setting
  /// of that stays as it is.
  /// Each statement sees what was committed before it: who waits for a lock and then looks must not
  /// look at the state of before.
  package func begin() throws {
    try execute("begin isolation level read committed; " + settings)
  }

  /// Commits, as a message of its own: a killed client then never commits what it did not mean to.
  ///
  /// - Throws: also when a statement has failed before, for the server then rolls back instead and
  ///   calls that a success.
  package func commit() throws {
    let result = try checked(PQexec(handle, "commit"))
    defer { PQclear(result) }
    guard String(cString: PQcmdStatus(result)) == "COMMIT" else {
      throw PostgresError(
        sqlState: .inFailedTransaction,
        message: "the transaction was rolled back, for a statement in it had failed")
    }
  }

  /// Rolls back; quiet when the connection is gone, for then the server has done it.
  package func rollback() {
    guard isUsable, PQtransactionStatus(handle) != PQTRANS_IDLE else { return }
    PQclear(PQexec(handle, "rollback"))
  }

  /// Runs `body` in a transaction: committed when it returns, rolled back when it throws.
  @discardableResult
  package func transaction<Value>(_ body: () throws -> Value) throws -> Value {
    try begin()
    do {
      let value = try body()
      try commit()
      return value
    } catch {
      rollback()
      throw error
    }
  }

  /// A handle by which another thread can cancel the statement that is running.
  package func canceller() -> Canceller? { PQgetCancel(handle).map { Canceller(taking: $0) } }

  // MARK: - Inside

  private static func connect(_ settings: ConnectionSettings) throws -> OpaquePointer {
    let handle = withConnectionParameters(settings.parameters) { PQconnectdbParams($0, $1, 1) }
    guard let handle else { throw PostgresError(message: "out of memory", isConnectionLost: true) }
    if PQstatus(handle) == CONNECTION_OK { return handle }
    defer { PQfinish(handle) }
    let finding = ConnectionProbe(parameters: settings.parameters, seconds: settings.connectSeconds)
      .look()
    var error = PostgresError(
      sqlState: finding.sqlState, message: oneLine(String(cString: PQerrorMessage(handle))),
      isConnectionLost: true)
    error.refusal = finding.refusal
    throw error
  }

  /// Refuses servers that cannot work, and returns the settings for each transaction.
  private static func inspectServer(_ handle: OpaquePointer) throws -> String {
    guard PQserverVersion(handle) >= oldestServerVersion else {
      throw PostgresError(
        sqlState: SQLState(rawValue: "0A000"),
        message: "the server is PostgreSQL \(PQserverVersion(handle) / 10_000); "
          + "15 or later is needed")
    }
    let encoding = PQparameterStatus(handle, "server_encoding").map { String(cString: $0) }
    guard encoding == "UTF8" else {
      throw PostgresError(
        sqlState: SQLState(rawValue: "0A000"),
        message: "the database's encoding is \(encoding ?? "unknown"); "
          + "create one with encoding UTF8")
    }
    var settings = """
      set local search_path = ''; set local timezone = 'UTC'; \
      set local datestyle = 'ISO, YMD'; set local bytea_output = 'hex'; set local jit = off; \
      set local standard_conforming_strings = on; \
      select pg_catalog.set_config('synchronous_commit', 'on', true) \
      where pg_catalog.current_setting('synchronous_commit') = 'off'
      """
    // A server notices a vanished client only when it next talks to it, unless told to look. Not
    // every operating system can look, and PostgreSQL refuses the setting there.
    let version = PQexec(handle, "select pg_catalog.version()")
    defer { PQclear(version) }
    if let text = PQgetvalue(version, 0, 0), String(cString: text).contains("linux") {
      settings += "; set local client_connection_check_interval = '5s'"
    }
    return settings
  }

  /// The result when it is one, else the error that it carries.
  func checked(_ result: OpaquePointer?) throws -> OpaquePointer {
    guard let result else { throw connectionError() }
    switch PQresultStatus(result) {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_COPY_IN: return result
    default:
      defer { PQclear(result) }
      throw error(from: result)
    }
  }

  func connectionError() -> PostgresError {
    PostgresError(
      message: oneLine(String(cString: PQerrorMessage(handle))), isConnectionLost: !isUsable)
  }

  private func error(from result: OpaquePointer) -> PostgresError {
    func field(_ code: Character) -> String? {
      guard let ascii = code.asciiValue else { return nil }
      return PQresultErrorField(result, Int32(ascii)).map { oneLine(String(cString: $0)) }
    }
    // The letters are libpq's PG_DIAG_ codes, which are the protocol's field types.
    let sqlState = field("C").map { SQLState(rawValue: $0) }
    return PostgresError(
      sqlState: sqlState,
      message: field("M") ?? oneLine(String(cString: PQerrorMessage(handle))),
      detail: field("D"), hint: field("H"), context: field("W"),
      constraint: field("n"),
      // An error without a code is libpq's own: it could not write, and may only notice with the
      // next call that the connection is gone.
      isConnectionLost: !isUsable || sqlState == nil)
  }
}
