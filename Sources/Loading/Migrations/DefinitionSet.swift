internal import Postgres

/// Rebuilds the functions and views of a database in the caller's transaction.
///
/// `create or replace` keeps a function's grants and dependents, but cannot change its parameters
/// or its result. In that case the old function is dropped, and the new one gets its grants. A
/// function that an earlier version built and this version no longer has is dropped, too. No drop
/// cascades: if a user's own object depends on the old function, the rebuild fails with an error
/// that names the object.
struct DefinitionSet {
  let functions: [SQLFile]
  let views: [SQLFile]
  let connection: Connection

  func build(checksum: [UInt8]) throws {
    let names = functions.map(\.name)
    for file in try DefinitionOrder.sort(functions + views) {
      if names.contains(file.name) {
        try build(function: file)
      } else {
        try file.run(on: connection)
      }
    }
    // Dropped after all files have run, because until then a view of the previous version may
    // depend on such a function.
    let built = try connection.rows(
      of: String.self, "select unnest(function_names) from ingest.definition_set")
    for name in built where !names.contains(name) { try drop(name) }
    try connection.query(
      """
      insert into ingest.definition_set (checksum, function_names)
        values ($1, string_to_array($2, ' '))
        on conflict (is_current) do update set checksum = excluded.checksum,
          function_names = excluded.function_names, built_at = now()
      """, [.bytes(checksum), .text(names.sorted().joined(separator: " "))])
  }

  // MARK: - Implementation

  /// The server's errors when a new function cannot replace the old one.
  ///
  /// The result or the name of a parameter differs; or the old object is not a function; or the
  /// types of the parameters differ, so that both functions exist and a statement by name is
  /// ambiguous.
  private static let replacementErrors: Set<SQLState> = [
    .invalidFunctionDefinition, .wrongObjectType, .ambiguousFunction,
  ]

  private func build(function file: SQLFile) throws {
    let isBuilt = try file.reporting {
      try connection.execute("savepoint before_function")
      do {
        try connection.execute(file.text)
        try connection.execute("release savepoint before_function")
        return true
      } catch let error as PostgresError
        where error.sqlState.map(Self.replacementErrors.contains) == true
      {
        try connection.execute("rollback to savepoint before_function")
        return false
      }
    }
    if isBuilt { return }
    let callers = try connection.rows(
      of: String.self,
      """
      select distinct pg_get_userbyid(a.grantee) from pg_proc p, aclexplode(p.proacl) a
        where format('%s.%s', p.pronamespace::regnamespace, p.proname) = $1
          and a.grantee not in (0, p.proowner)
      """, [.text(file.name)])
    try drop(file.name)
    try file.run(on: connection)
    for caller in callers {
      let role = try connection.quotedIdentifier(caller)
      try connection.execute("grant execute on routine \(file.name) to \(role)")
    }
  }

  /// Drops all routines with this name.
  private func drop(_ name: String) throws {
    let signatures = try connection.rows(
      of: String.self,
      """
      select oid::regprocedure from pg_proc
        where format('%s.%s', pronamespace::regnamespace, proname) = $1
      """, [.text(name)])
    for signature in signatures {
      do {
        try connection.execute("drop routine \(signature)")
      } catch let error as PostgresError where error.sqlState == .dependentObjectsStillExist {
        // The detail names one object on each line, and never a value of a row.
        let needs = (error.detail ?? "see pg_depend").replacing("\n", with: "; ")
        throw LoadError(
          .configuration,
          "the function \(signature) is changed or removed in this version, and other objects depend on it: "
            + "\(needs). Drop those, migrate, and create them again. Nothing was changed",
          endsRun: true)
      }
    }
  }
}
