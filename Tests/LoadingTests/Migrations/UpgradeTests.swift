import Postgres
import TestSupport
import Testing

@testable import Loading

/// Upgrade of a database with rows that the first set of migrations created.
@Suite(.serialized, .needsServer, .ownDatabase) struct UpgradeTests {
  /// The newest migration of the first set; it never changes.
  private static let newestOfFirstSet = "20261124175005_create_game_user"

  /// A row in every table of the first set, by its column names at the time.
  private static let rows = """
    insert into ingest.load (started_at, seen_at, finished_at, exit_code, loader_version)
      values ('2026-01-01', '2026-01-01', '2026-01-01', 3, '0');
    insert into ingest.source_file (load_id, stream, path, sha256, byte_count, line_count, inserted_count,
        filled_count, duplicate_count, conflict_count, rejected_count, suppressed_count, blank_count, as_of,
        time_unit, purchase_token_mode, max_line_bytes, max_nesting, max_identifier_bytes, max_text_bytes)
      values (1, 'receipt', 'receipt.jsonl', sha256('receipt'), 900, 5, 1, 1, 0, 1, 1, 1, 0, '2026-01-01',
        'ms', 'hash', 1, 1, 1, 1);
    insert into ingest.failed_file (load_id, stream, path, reason) values (1, 'receipt', 'a.jsonl', 'x');
    insert into ingest.failed_reject (failed_file_id, line_number, byte_offset, code, reason, raw,
        raw_byte_count, user_id) values (1, 1, 0, 'not_json', 'x', 'x', 1, 'u');
    insert into ingest.failure_dismissal (failed_file_id, load_id, path, reason, failed_at)
      values (2, 1, 'b.jsonl', 'x', '2026-01-01');
    insert into ingest.reject (source_file_id, stream, line_number, byte_offset, code, reason, raw,
        raw_byte_count, user_id, app_id) values (1, 'receipt', 4, 10, 'not_json', 'x', 'x', 1, 'u', 'a');
    insert into ingest.unknown_field (source_file_id, field, line_count, first_line_number)
      values (1, 'f', 1, 1);
    insert into ingest.fill (stream, natural_key, field, source_file_id, line_number)
      values ('receipt', '["p1"]', 'store_code', 1, 2), ('receipt', '["p1"]', 'payload', 1, 2);
    insert into ingest.acceptance (streams, is_asked_by_key) values ('{receipt}', true);
    insert into ingest.conflict (stream, natural_key, field, kept, refused, source_file_id, line_number,
        refused_row, acceptance_id)
      select 'receipt', '["p1"]', 'user_id', 'u', 'v', 1, 3, '{"user_id": "v", "payment_id": "x"}', acceptance_id
        from ingest.acceptance;
    insert into ingest.accepted_value (acceptance_id, stream, natural_key, field, before, after,
        source_file_id, line_number)
      select acceptance_id, 'receipt', '["p1"]', v.field, v.before, v.after, 1, v.line
        from ingest.acceptance, (values ('payload', 'a', 'b', 4), ('payment_id', null, 'x', 3),
          ('payment_id', 'x', 'y', 5)) v (field, before, after, line);
    insert into ingest.erasure_key (check_value) values (sha256('key'));
    insert into ingest.erased_user (user_hmac, app_id, user_filter) values (sha256('w'), 'a', 7);
    insert into ingest.erased_line (source_file_id, outcome, line_count) values (1, 'rejected', 1);
    insert into ingest.erased_record (source_file_id, stream, outcome, record_count)
      values (1, 'receipt', 'inserted', 1);
    insert into ingest.embedded_count (source_file_id, stream) values (1, 'receipt');
    insert into ingest.file_app (source_file_id, app_id) values (1, 'a');
    insert into game.exchange_rate (base_currency, currency, valid_on, rate)
      values ('USD', 'KRW', '2026-01-01', 0.0007);
    insert into game.push_action (app_id, action) values ('a', 'open_app');
    insert into game.push_action_title (app_id, action, language, title)
      values ('a', 'open_app', 'en', 't');
    insert into game.push_category_action (app_id, category, position, action)
      values ('a', 'c', 1, 'open_app');
    insert into ingest.reference_file (kind, app_id, path, sha256, byte_count, loader_version)
      values ('push-actions', 'a', 'p.json', sha256('p'), 1, '0');
    insert into ingest.setting (name, value) values ('app-id', 'a');
    insert into game.receipt (payment_seq, app_id, user_id, store_code, currency, amount_minor,
        price_repaired, price_imprecise, purchased_at, text_repaired, source_file_id, line_number)
      values ('p1', 'a', 'u', 'GG', 'USD', 499, false, false, '2026-01-01', false, 1, 1);
    create table game.level_up_2026_01 partition of game.level_up
      for values from ('2026-01-01 00:00Z') to ('2026-02-01 00:00Z');
    insert into game.level_up (leveled_up_at, user_id, user_level, app_id, text_repaired, source_file_id,
        line_number) values ('2026-01-02', 'u', 2, 'a', false, 2, 1);
    create table game.game_user_snapshot_2026_01 partition of game.game_user_snapshot
      for values from ('2026-01-01 00:00Z') to ('2026-02-01 00:00Z');
    insert into game.game_user_snapshot (observed_at, user_id, app_id, user_level, observed_at_source,
        text_repaired, source_file_id, line_number)
      values ('2026-01-02', 'u', 'a', 2, 'line', false, 3, 1);
    """

  /// Stands for a later migration, so that one always follows the first set.
  private static let later = SQLFile(
    name: "29990101000000_add_note",
    text: """
      alter table ingest.source_file add column note text not null default '';
      comment on column ingest.source_file.note is 'A note.';
      """)

  @Test func `rows of the first schema survive later migrations, and loads continue from them`()
    throws
  {
    let database = try TestDatabase.current
    let first = EmbeddedSQL.migrations.filter { $0.name <= Self.newestOfFirstSet }
    #expect(first.last?.name == Self.newestOfFirstSet)
    let connection = try database.connect()
    try Migrator(connection: connection, migrations: first, functions: [], views: []).migrate()
    try connection.execute("set timezone = 'UTC'")
    try connection.execute(Self.rows)
    let tables = try database.rows(
      """
      select oid::regclass::text, array(select attname::text from pg_attribute
            where attrelid = c.oid and attnum > 0 and not attisdropped)::text
        from pg_class c
        where relnamespace::regnamespace::text in ('ingest', 'game') and relkind in ('r', 'p')
          and oid not in ('ingest.schema_migration'::regclass, 'ingest.definition_set'::regclass,
            -- Migrations write these tables: a new field or currency changes their rows.
            'ingest.stream'::regclass, 'game.currency'::regclass,
            -- A later migration says by what a dismissal holds.
            'ingest.failure_dismissal'::regclass,
            -- A later migration replaces accepted values, and deletes the fills under pruned ones.
            'ingest.accepted_value'::regclass, 'ingest.fill'::regclass)
      """)
    func contents() throws -> [String: [[String?]]] {
      var contents: [String: [[String?]]] = [:]
      for table in tables {
        let (name, columns) = (table[0] ?? "", (table[1] ?? "").dropFirst().dropLast())
        contents[name] = try database.rows("select \(columns) from \(name) t order by t::text")
        #expect(contents[name]?.isEmpty == false, "\(name) needs a row in this test")
      }
      return contents
    }
    let before = try contents()
    try connection.execute(
      """
      insert into ingest.reject (source_file_id, stream, line_number, byte_offset, code, reason, raw,
          raw_byte_count) values (1, 'receipt', 5, 20, 'not_json', 'x', 'u', 1);
      insert into ingest.failed_reject (failed_file_id, line_number, byte_offset, code, reason, raw,
          raw_byte_count) values (1, 2, 20, 'not_json', 'x', 'u', 1)
      """)

    try Migrator(connection: connection).migrate()
    // No erasure finds the user of these lines.
    for table in ["ingest.reject", "ingest.failed_reject"] {
      #expect(try database.rows("select raw from \(table) where user_id is null") == [["\\x"]])
      try connection.execute("delete from \(table) where user_id is null")
    }
    let after = try contents()
    #expect(after == before)
    #expect(
      try database.rows("select stream, natural_key, loaded_values from ingest.overlaid_row")
        == [["receipt", #"["p1"]"#, #"{"user_id": "v", "payment_id": null}"#]])
    #expect(try database.rows("select field from ingest.fill") == [["store_code"]])
    let later = EmbeddedSQL.migrations + [Self.later]
    #expect(try Migrator(connection: connection, migrations: later).migrate() == 1)
    let afterLater = try contents()
    #expect(afterLater == before)
    #expect(try database.rows("select note from ingest.source_file") == [[""]])
    try connection.execute(
      """
      alter table ingest.source_file drop column note;
      delete from ingest.schema_migration where version = '\(Self.later.name)';
      -- Otherwise a load would require the key.
      delete from ingest.erased_user; delete from ingest.erasure_key;
      """)
    try Migrator(connection: connection).migrate()

    let known = Lines.receipt([
      "appId": #""a""#, "userId": #""u""#, "purchaseTime": "1767225600000",
    ])
    let lines = [known, Lines.receipt(["paymentSeq": #""p2""#, "purchaseTime": "1767225600000"])]
    let folder = try TemporaryFolder()
    let path = try folder.write("receipt.jsonl", lines: lines)
    let report = LoadRun(
      LoadFixture.options, target: try database.target, logger: LoadFixture.quiet
    ).load(try LoadFixture.inputs([path]))
    #expect(report.exitCode == 0)
    #expect(
      try database.rows(
        """
        select line_count, inserted_count, duplicate_count from ingest.source_file
          order by source_file_id desc limit 1
        """) == [["2", "1", "1"]])
  }
}
