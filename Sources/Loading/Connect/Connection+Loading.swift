package import Postgres
internal import RecordPipeline

extension Connection {
  /// Ends a transaction: commits it, or checks it as a commit does and rolls it back.
  ///
  /// - Parameter isKept: false in a dry run.
  /// - Throws: the server's error, that of a deferred constraint included.
  func end(isKept: Bool) throws {
    guard !isKept else { return try commit() }
    try execute("set constraints all immediate")
    rollback()
  }

  /// Opens a connection, and reports a failure with the exit code of its cause.
  ///
  /// - Throws: `LoadError` with exit code 78 for a permanent cause, 69 or 75 for a transient one.
  package static func open(_ target: ConnectionTarget) throws(LoadError) -> Connection {
    do { return try Connection(target) } catch let error as PostgresError {
      throw LoadError.connecting(error)
    } catch {
      throw LoadError(wrapping: error, during: "connecting")
    }
  }

  /// Sends rows with one COPY statement.
  ///
  /// - Returns: the number of rows that the server has stored.
  /// - Throws: `PostgresError` when the COPY fails; `LoadError` when the server reports a different
  ///   number of rows.
  @discardableResult
  func copyRows(_ rows: borrowing RowBuffer, with statement: String) throws -> Int {
    let copy = try copyIn(statement)
    do {
      try RowBuffer.header.withUnsafeBytes { try copy.write($0) }
      try copy.write(rows.bytes)
      FaultPoint.copyBegun.reached()
      try RowBuffer.trailer.withUnsafeBytes { try copy.write($0) }
    } catch {
      copy.abort(reason: "the loader aborted the COPY")
      throw error
    }
    let accepted = try copy.finish()
    guard accepted == rows.rowCount else {
      throw LoadError(
        .defect, "COPY stored \(accepted) of \(rows.rowCount) rows")
    }
    return accepted
  }

  /// Checks that the session's role has the rights of the owner; does so for a database without the
  /// schemas, too.
  ///
  /// Otherwise PostgreSQL would name the first function or table that the role may not use.
  ///
  /// - Parameter command: the command that needs the rights, for the message.
  /// - Throws: `LoadError` with exit code 78 when the role lacks them.
  package func requireOwner(for command: String) throws {
    let lack = try transaction {
      try row(
        of: String.self,
        """
        select pg_catalog.format('%1$s needs the rights of the owner, %2$s, and the role %3$s lacks them. Connect as a '
            'member of %2$s, or as a superuser', $1::text, pg_catalog.pg_get_userbyid(nspowner), current_user)
          from pg_catalog.pg_namespace
          where nspname = 'ingest' and not pg_catalog.pg_has_role(nspowner, 'usage')
        """, [.text(command)])
    }
    if let lack { throw LoadError(.missingRight, lack) }
  }

  /// Switches to the role of the schema's owner for the rest of the transaction, if the caller is a
  /// member of it.
  ///
  /// Objects that a migration creates then belong to the owner, and the owner's default privileges
  /// apply to them.
  static let becomingOwner = """
    select pg_catalog.set_config('role', pg_catalog.pg_get_userbyid(nspowner), true)
      from pg_catalog.pg_namespace
      where nspname = 'ingest' and pg_catalog.pg_get_userbyid(nspowner) <> current_user
        and pg_catalog.pg_has_role(nspowner, 'member')
    """

  func becomeOwner() throws { try execute(Self.becomingOwner) }

  /// True if a table of the facts is spread over the servers of a cluster.
  func isDistributed() throws -> Bool {
    try onlyRow(
      of: Bool.self,
      "select coalesce(bool_or(ingest.is_distributed(stream)), false) from ingest.stream")
  }
}
