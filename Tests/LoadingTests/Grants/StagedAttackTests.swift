import Foundation
import Loading
import Postgres
import RecordPipeline
import TestSupport
import Testing

/// Attacks by a malicious loader through the functions that run as the owner.
@Suite(.serialized, .needsServer) struct StagedAttackTests {
  let fixture: RoleFixture

  init() throws { fixture = try RoleFixture() }

  private static let token = "marker-7f3a"

  /// Stores one receipt with its token from its own file.
  private func storeToken() throws {
    var options = LoadFixture.options
    options.storesPurchaseTokens = true
    let path = try fixture.folder.write(
      "receipt.jsonl", lines: [Lines.receipt(["purchaseToken": "\"\(Self.token)\""])])
    #expect(try fixture.load([path], options: options).exitCode == 0)
  }

  /// Runs `body` in a transaction of the loader that has opened a file and staging by hand.
  private func attack(
    stream: String = "receipt", _ body: (Connection, _ file: Int) throws -> Void
  ) throws {
    let loader = try fixture.connect(as: fixture.roles.loader)
    try loader.begin()
    defer { loader.rollback() }
    let file = try loader.onlyRow(
      of: Int.self,
      """
      select ingest.open_files(max(load_id), $1, '{attack}', null, null, now(), 'ms', null, 'store',
        1, 1, 1, 1) from ingest.load
      """, [.text(stream)])
    try loader.query("select staging.open($1)", [.text(stream)])
    try body(loader, file)
  }

  /// Stages the loader-readable columns of the stored receipt, with some of them changed.
  private func stageCopy(
    changing changes: [String: String], on loader: Connection, file: Int
  ) throws {
    let columns =
      try loader.query(
        """
        select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
          where attrelid = 'game.receipt'::regclass and attnum > 0 and attname <> 'purchase_token'
        """)[0, 0] ?? ""
    let changes = changes.merging(["source_file_id": "\(file)"]) { own, _ in own }
    let values = columns.split(separator: ", ").map { changes[String($0)] ?? String($0) }
    try loader.execute(
      """
      insert into pg_temp.staging_receipt (\(columns))
        select \(values.joined(separator: ", ")) from game.receipt
      """)
  }

  private func expectNoToken(in error: PostgresError) {
    for text in [error.message, error.detail, error.hint, error.context] {
      #expect(text?.contains(Self.token) != true)
    }
  }

  /// For each check of the receipt's table, a value that it refuses.
  private static let refused = [
    "expires_at": "'infinity'", "purchased_at": "'9999-12-31'", "amount_minor": "-1",
    "currency": "'EURO'", "product_type": "'OTHER'", "purchase_token_sha256": "'\\x00'",
    "price_repaired": "null", "payment_seq": "''", "user_id": "'0'", "line_number": "0",
    "app_id": "repeat('x', 513)", "gamebase_product_id": "repeat('x', 513)",
    "market_item_id": "repeat('x', 513)", "store_code": "repeat('x', 513)",
  ]

  @Test func `a row that breaks a check of the target fails on its way into staging`() throws {
    try storeToken()
    let checked = try fixture.database.rows(
      """
      select distinct a.attname from pg_constraint c
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
        where c.conrelid = 'game.receipt'::regclass and c.contype = 'c'
      """
    ).compactMap { $0[0] }
    #expect(Set(checked).isSubset(of: Self.refused.keys))
    for (column, value) in Self.refused {
      try attack { loader, file in
        let error = try #require(
          #expect(throws: PostgresError.self) {
            try stageCopy(changing: [column: value], on: loader, file: file)
          })
        #expect(error.sqlState?.errorClass == "23", "\(column)")
        expectNoToken(in: error)
      }
    }
  }

  @Test(arguments: StreamCatalog.all.map(\.name))
  func `staging has every check of its target`(stream: String) throws {
    try storeToken()
    let connection = try fixture.database.connect()
    try connection.transaction {
      try connection.query("select staging.open($1)", [.text(stream)])
      let missing = try connection.query(
        """
        select pg_get_constraintdef(c.oid) from pg_constraint c join ingest.stream s
            on c.conrelid = format('game.%I', s.target_table)::regclass
          where s.stream = $1 and c.contype = 'c'
        except
        select pg_get_constraintdef(oid) from pg_constraint
          where conrelid = format('pg_temp.%I', 'staging_' || $1)::regclass
        """, [.text(stream)])
      #expect(missing.rowCount == 0)
    }
  }

  @Test func `a check that fails only in the target shows no value of the stored row`() throws {
    try storeToken()
    let administrator = try fixture.database.connect()
    try administrator.execute("update game.receipt set store_code = null")
    // Staging copies checks, but a check that calls a function can change its result.
    try administrator.execute(
      """
      create table public.mood (); grant select on public.mood to public;
      create function public.is_calm() returns boolean language sql stable set search_path = ''
        as $$ select not exists (select from public.mood) $$;
      alter table game.receipt add constraint calm check (public.is_calm())
      """)
    try attack { loader, file in
      try stageCopy(changing: ["store_code": "'EVIL'"], on: loader, file: file)
      try administrator.execute("insert into public.mood default values")
      let error = try #require(
        #expect(throws: PostgresError.self) {
          try loader.query("select staging.merge('receipt', $1)", [.integer(file)])
        })
      #expect(error.sqlState == SQLState(rawValue: "23514"))
      #expect(error.message.contains("calm"))
      expectNoToken(in: error)
    }
  }

  @Test func `a stored row changes only for a file of the same transaction`() throws {
    try storeToken()
    let loader = try fixture.connect(as: fixture.roles.loader)
    for file in ["1", "null"] {
      try loader.begin()
      try loader.query("select staging.open('receipt')")
      try stageCopy(changing: ["is_sandbox": "true"], on: loader, file: 1)
      let error = #expect(throws: PostgresError.self) {
        try loader.query("select staging.merge('receipt', \(file))")
      }
      #expect(error?.sqlState == .insufficientPrivilege)
      loader.rollback()
    }
    // The number of another file among the rows of an opened one is refused too.
    try attack { loader, file in
      try stageCopy(
        changing: ["is_sandbox": "true", "source_file_id": "1"], on: loader, file: 1)
      let error = #expect(throws: PostgresError.self) {
        try loader.query("select staging.merge('receipt', $1)", [.integer(file)])
      }
      #expect(error?.sqlState == .insufficientPrivilege)
    }
    #expect(
      try fixture.database.value("select is_sandbox is null from game.receipt") == "t")
  }

  @Test func `changes by hand as the loader are counted, recorded and undoable`() throws {
    try storeToken()
    let loader = try fixture.connect(as: fixture.roles.loader)
    try loader.transaction {
      let file = try loader.onlyRow(
        of: Int.self,
        """
        select ingest.open_files(1, 'receipt', '{by hand}', null, null, now(), 'ms', null, 'hash',
          1, 1, 1, 1)
        """)
      try loader.query("select staging.open('receipt')")
      try stageCopy(
        changing: ["is_sandbox": "true", "line_number": "1"], on: loader,
        file: file)
      try loader.query("select staging.merge('receipt', $1)", [.integer(file)])
      try loader.query(
        "select ingest.close_files(array[$1]::bigint[], array[sha256('by hand')], array[9], array[1], array[0], array[0], array[0], array[0], array[0])",
        [.integer(file)])
    }
    #expect(
      try fixture.database.rows(
        "select line_count, filled_count from ingest.source_file where path = 'by hand'")
        == [["1", "1"]])
    #expect(
      try fixture.database.rows("select field, source_file_id from ingest.fill")
        == [["is_sandbox", "2"]])
    let undone = try Undo(.file("by hand"), connection: try fixture.database.connect()).run()
    #expect(undone.files.map(\.fills) == [1])
    #expect(
      try fixture.database.value("select is_sandbox is null from game.receipt") == "t")
  }

  @Test func `rows without a file of the same transaction are refused`() throws {
    try storeToken()
    try fixture.database.execute("select ingest.ensure_partition('level_up', '2025-07-01')")
    let level = """
      (leveled_up_at, user_id, user_level, app_id, text_repaired, source_file_id, line_number)
        values ('2025-07-02', 'u', 1, '', false, 1, 1)
      """
    try fixture.expectForbidden(
      [
        """
        insert into game.receipt (payment_seq, app_id, user_id, currency, price_repaired,
            price_imprecise, purchased_at, text_repaired, source_file_id, line_number)
          values ('forged', '', 'u', 'EUR', false, false, now(), false, 1, 1)
        """,
        "insert into game.level_up \(level)", "insert into game.level_up_2025_07 \(level)",
      ], to: fixture.roles.loader)
  }

  /// Expects that a transaction of the loader fails, at COMMIT at the latest.
  private func expectRefused(
    _ sqlState: String, _ statements: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let loader = try fixture.connect(as: fixture.roles.loader)
    let error = #expect(throws: PostgresError.self, sourceLocation: sourceLocation) {
      try loader.transaction { for statement in statements { try loader.execute(statement) } }
    }
    #expect(error?.sqlState?.rawValue == sqlState, sourceLocation: sourceLocation)
  }

  @Test func `a reopened file allows a replay and nothing else`() throws {
    let path = try fixture.folder.write(
      "receipt.jsonl", lines: [Lines.receipt(), Lines.receipt(["price": "-2"])])
    #expect(try fixture.load([path]).exitCode == 3)
    let before = try fixture.database.rows("select * from ingest.source_file")
    let row = """
      insert into pg_temp.staging_receipt (payment_seq, app_id, user_id, currency, price_repaired,
          price_imprecise, purchased_at, text_repaired, source_file_id, line_number, is_sandbox)
        select payment_seq, app_id, user_id, currency, false, false, purchased_at, false, 1, 2, true
          from game.receipt
      """
    // The digest, the size and the counts do not change, and a line has one outcome.
    try expectRefused(
      "55000", "select ingest.reopen_file(1)",
      "select ingest.close_files(array[1], array[sha256('x')], array[77], array[9], array[7], array[0], array[0], array[0], array[0])"
    )
    try expectRefused(
      "23514", "select ingest.reopen_file(1)", "select ingest.count_replayed(1, 5, 0)")
    try expectRefused(
      "23514", "select ingest.reopen_file(1)", "select staging.open('receipt')", row,
      "select staging.merge('receipt', 1)")
    // A resolved reject must have an outcome.
    let resolve =
      "select ingest.resolve_rejects(1, array(select reject_id from ingest.reject), '{}')"
    try expectRefused("55000", "select ingest.reopen_file(1)", resolve)
    try expectRefused(
      "22004", "select ingest.reopen_file(1)", "select ingest.resolve_rejects(1, '{}', null)")
    #expect(
      try fixture.database.rows("select * from ingest.source_file").map { $0.dropLast(2) }
        == before.map { $0.dropLast(2) })
  }

  @Test func `an opened ledger entry must be closed with the rejects it has`() throws {
    try storeToken()
    let open = """
      select ingest.open_files(1, 'receipt', '{by hand}', null, null, now(), 'ms', null, 'hash',
        1, 1, 1, 1)
      """
    try expectRefused("55000", open)
    try expectRefused(
      "55000", open,
      """
      select ingest.close_files(array[max(source_file_id)], array[sha256('x')], array[1], array[1], array[0], array[0], array[1], array[0], array[0])
        from ingest.source_file
      """)
    let columns =
      "source_file_id, stream, line_number, byte_offset, code, reason, raw, raw_byte_count"
    let reject =
      "insert into ingest.reject (\(columns)) values (1, 'receipt', 1, 0, 'x', 'r', '', 0)"
    try fixture.expectForbidden(
      [
        reject,
        "insert into ingest.reject (\(columns), resolved_order) values (1, 'receipt', 1, 0, 'x', 'r', '', 0, 9)",
        "insert into ingest.unknown_field values (1, 'f', 1, 1)",
      ], to: fixture.roles.loader)
    // A reject of a file that is not open is refused too.
    try expectRefused("42501", open, reject)
  }

  @Test func `two staged rows with the same line number are refused`() throws {
    try storeToken()
    try attack { loader, file in
      try stageCopy(changing: ["is_sandbox": "true", "line_number": "1"], on: loader, file: file)
      try stageCopy(changing: ["payload": "'x'", "line_number": "1"], on: loader, file: file)
      let error = #expect(throws: PostgresError.self) {
        try loader.query("select staging.merge('receipt', $1)", [.integer(file)])
      }
      #expect(error?.sqlState?.rawValue == "21000")
    }
  }

  @Test func `an erasure takes a row that names a file missing from the ledger`() throws {
    try storeToken()
    let loader = try fixture.connect(as: fixture.roles.loader)
    try loader.transaction {
      let file = try loader.onlyRow(
        of: Int.self,
        """
        select ingest.open_files(1, 'receipt', '{by hand}', null, null, now(), 'ms', null, 'hash',
          1, 1, 1, 1)
        """)
      try loader.execute(
        """
        insert into game.receipt (payment_seq, app_id, user_id, currency, price_repaired,
            price_imprecise, purchased_at, text_repaired, source_file_id, line_number)
          values ('forged', '', 'victim', 'EUR', false, false, now(), false, -1, 1)
        """)
      try loader.query(
        "select ingest.close_files(array[$1]::bigint[], array[sha256('f')], array[9], array[0], array[0], array[0], array[0], array[0], array[0])",
        [.integer(file)])
    }
    _ = try UserErasure(
      userID: "victim", appID: nil, connection: try fixture.connect(as: fixture.roles.eraser)
    ).erase(key: EraseUserTests.key)
    #expect(
      try fixture.database.value("select count(*) from game.receipt where user_id = 'victim'")
        == "0")
  }

  @Test func `a staging table created by another role is not used`() throws {
    try storeToken()
    // Simulates a database where PUBLIC may create temporary tables again.
    try fixture.database.execute(
      "grant temporary on database \(fixture.database.name) to public")
    let loader = try fixture.connect(as: fixture.roles.loader)
    try loader.begin()
    defer { loader.rollback() }
    try loader.execute("create temporary table staging_receipt (payment_seq text)")
    let error = #expect(throws: PostgresError.self) {
      try loader.query("select staging.open('receipt')")
    }
    #expect(error?.sqlState == .insufficientPrivilege)
  }
}
