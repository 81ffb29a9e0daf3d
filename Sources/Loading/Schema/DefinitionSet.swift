internal import Crypto
internal import Foundation
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

/// Sorts functions and views topologically: each comes after those that its text names.
///
/// A file is named after the object that it creates, `schema.name`, so the texts give the
/// dependencies and no list of them is needed. Comments and quoted texts are ignored: a statement
/// that a function assembles at run time is quoted, and the objects that it names may be created
/// later. A function's body is dollar-quoted and is not ignored.
enum DefinitionOrder {
  /// - Throws: `LoadError` when the dependencies form a cycle.
  static func sort(_ files: [SQLFile]) throws -> [SQLFile] {
    let byName = Dictionary(files.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var sorted: [SQLFile] = []
    var placed: Set<String> = []
    func place(_ file: SQLFile, path: [String]) throws {
      guard !placed.contains(file.name) else { return }
      if let start = path.firstIndex(of: file.name) {
        throw LoadError(
          .defect,
          "files of sql/ depend on each other in a cycle: "
            + (path[start...] + [file.name]).joined(separator: ", "), endsRun: true)
      }
      for name in names(in: file.text).sorted() where name != file.name {
        if let needed = byName[name] { try place(needed, path: path + [file.name]) }
      }
      placed.insert(file.name)
      sorted.append(file)
    }
    for file in files.sorted(by: { $0.name < $1.name }) { try place(file, path: []) }
    return sorted
  }

  /// All lower-case words with a dot, outside comments and quoted texts.
  static func names(in text: String) -> Set<String> {
    var names: Set<String> = []
    var word: [UInt8] = []
    var bytes = Array(text.utf8)[...]
    func endWord() {
      if word.contains(UInt8(ascii: ".")) { names.insert(String(decoding: word, as: UTF8.self)) }
      word.removeAll(keepingCapacity: true)
    }
    while let byte = bytes.popFirst() {
      switch byte {
      case UInt8(ascii: "-") where bytes.first == byte:
        endWord()
        bytes = bytes.drop { $0 != UInt8(ascii: "\n") }
      case UInt8(ascii: "'"):
        // A doubled quote ends one text and starts the next, which skips the same bytes.
        endWord()
        bytes = bytes.drop { $0 != byte }.dropFirst()
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "_"), UInt8(ascii: "."):
        word.append(byte)
      default: endWord()
      }
    }
    endWord()
    return names
  }
}

/// A file of `sql/`, embedded in the program when it was built.
package struct SQLFile: Sendable, Equatable {
  /// The file's name without `.sql`.
  package let name: String
  package let text: String

  package var checksum: [UInt8] { Array(SHA256.hash(data: Data(text.utf8))) }

  /// Runs all statements of the file.
  ///
  /// - Throws: `LoadError` that names the file, or a `PostgresError` when a retry may succeed.
  func run(on connection: Connection) throws {
    try reporting { try connection.execute(text) }
  }

  /// Runs `body`, and turns a server's error into one that names the file, unless a retry may
  /// succeed.
  func reporting<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as PostgresError
      where ![.contention, .unavailable].contains(error.kind) && !error.isConnectionLost
    {
      throw LoadError(
        .configuration, "\(name).sql: \(error). It was rolled back as a whole", endsRun: true)
    }
  }
}
