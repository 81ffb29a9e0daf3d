internal import Foundation
internal import Postgres
internal import SHA256

/// The statements that rebuild the functions and views of a database, in one transaction.
///
/// `create or replace` keeps a function's grants and dependents, but cannot change its parameters
/// or its result. In that case the old function is dropped, and the new one gets its grants. A
/// function that an earlier version built and this version no longer has is dropped, too. No drop
/// cascades: if a user's own object depends on the old function, the rebuild fails with an error
/// that names the object.
struct DefinitionSet {
  let functions: [SQLFile]
  let views: [SQLFile]

  /// The statements in their order, each named after its file.
  func statements(checksum: [UInt8]) throws -> [SQLFile] {
    let names = functions.map(\.name).sorted()
    let built = try DefinitionOrder.sort(functions + views).map { file in
      names.contains(file.name) ? SQLFile(name: file.name, text: Self.building(file)) : file
    }
    let list = "'{\(names.joined(separator: ","))}'::text[]"
    // The drops come after all files, because until then a view of the previous version may depend on
    // such a function.
    let last = """
      \(Self.block("""
        \(Self.dropping("""
          format('%s.%s', p.pronamespace::regnamespace, p.proname) in (
            select unnest(function_names) from ingest.definition_set except select unnest(\(list)))
          """))
        """))
      \(names.contains("ingest.switch_jit_off") ? "select ingest.switch_jit_off();" : "")
      insert into ingest.definition_set (checksum, function_names)
        values ('\\x\(hexadecimal(checksum))', \(list))
        on conflict (is_current) do update set checksum = excluded.checksum,
          function_names = excluded.function_names, built_at = now();
      """
    return built + [SQLFile(name: "definition_set", text: last)]
  }

  // MARK: - Implementation

  /// Creates or replaces a function.
  ///
  /// The caught errors are those of a function that cannot replace the old one. The result or the name of
  /// a parameter differs; or the old object is not a function; or the types of the parameters differ, so
  /// that both functions exist and a statement by name is ambiguous.
  private static func building(_ file: SQLFile) -> String {
    block(
      """
        begin
          execute definition;
          return;
        exception when invalid_function_definition or wrong_object_type or ambiguous_function then
          null;
        end;
        callers := array(select distinct pg_get_userbyid(a.grantee) from pg_proc p, aclexplode(p.proacl) a
          where format('%s.%s', p.pronamespace::regnamespace, p.proname) = '\(file.name)'
            and a.grantee not in (0, p.proowner));
      \(dropping("format('%s.%s', p.pronamespace::regnamespace, p.proname) = '\(file.name)'"))
        execute definition;
        foreach caller in array callers loop
          execute format('grant execute on routine \(file.name) to %I', caller);
        end loop;
      """,
      declaring: """
          definition constant text := $text$\(file.text)$text$;
          caller text;
          callers text[];
        """)
  }

  private static func block(_ body: String, declaring more: String = "") -> String {
    """
    do $build$
    declare
      signature text;
      dependents text;
    \(more)
    begin
    \(body)
    end
    $build$;
    """
  }

  /// Drops the routines `p` that meet a condition.
  private static func dropping(_ condition: String) -> String {
    """
      for signature in select p.oid::regprocedure from pg_proc p where \(condition) loop
        begin
          execute 'drop routine ' || signature;
        exception when dependent_objects_still_exist then
          -- The detail names one object on each line, and never a value of a row.
          get stacked diagnostics dependents = pg_exception_detail;
          raise exception 'the function % is changed or removed in this version, and other objects depend on it: '
              '%. Drop those, migrate, and create them again. Nothing was changed', signature,
              replace(dependents, E'\\n', '; ')
            using errcode = 'dependent_objects_still_exist';
        end;
      end loop;
    """
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

  package var checksum: [UInt8] { SHA256.digest(of: text.utf8) }

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
