import Foundation
import Loading
import Postgres
import RecordPipeline
import TestSupport
import Testing

/// The stream declarations in Swift equal the tables on the server.
@Suite(.serialized, .needsServer, .ownDatabase) struct StreamSchemaTests {
  let database: TestDatabase

  init() throws { database = try LoadFixture().database }

  private func columns(of table: String) throws -> [[String?]] {
    try database.rows(
      """
      select attname, atttypid::text from pg_catalog.pg_attribute
        where attrelid = $1::text::regclass and attnum > 0 and not attisdropped order by attname
      """, [.text(table)])
  }

  @Test(arguments: StreamCatalog.all.map(\.name))
  func `the columns of a stream equal those of its table`(
    name: String
  ) throws {
    let stream = try #require(StreamCatalog.stream(named: name))
    let expected = stream.allColumns.sorted { $0.name < $1.name }
      .map { [$0.name, String($0.type.rawValue)] as [String?] }
    let columns = try columns(of: stream.targetTable)
    #expect(columns == expected)
  }

  /// Compares the columns of the registry and the order of list elements, but for that of the natural key.
  ///
  /// The other column is about reports; `sql/tests/refresh_steps.sql` tests it.
  @Test func `the database registry of streams equals the catalog's declarations`() throws {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let registered = try database.rows("select stream from ingest.stream order by stream")
    #expect(registered.map { $0[0] } == StreamCatalog.all.map(\.name).sorted())
    for stream in StreamCatalog.all {
      let declared = String(decoding: try encoder.encode(stream.registration), as: UTF8.self)
      let row = try database.rows(
        """
        select (jsonb_strip_nulls(to_jsonb(s)) - 'has_player' || jsonb_build_object('key_columns',
                array(select k collate "C" from unnest(s.key_columns) k order by 1)))::text,
            $2::text::jsonb::text
          from ingest.stream s
          where stream = $1
        """, [.text(stream.name), .text(declared)])
      let (stored, wanted) = (row.first?[0], row.first?[1])
      #expect(stored == wanted, "ingest.stream against the declaration of \(stream.name)")
    }
  }

  @Test(arguments: StreamCatalog.all.map(\.name))
  func `the natural key has a unique index that treats NULLs as equal`(name: String) throws {
    let stream = try #require(StreamCatalog.stream(named: name))
    let indexes = try database.rows(
      """
      select string_agg(a.attname, ',' order by k.position), i.indnullsnotdistinct,
          bool_or(not a.attnotnull),
          coalesce(string_agg(a.attname, ',' order by k.position) filter (where not a.attnotnull), '')
        from pg_index i, unnest(i.indkey::int[]) with ordinality k (number, position),
          pg_attribute a
        where i.indrelid = $1::text::regclass and i.indisunique
          and a.attrelid = i.indrelid and a.attnum = k.number
        group by i.indexrelid, i.indnullsnotdistinct
      """, [.text(stream.targetTable)])
    #expect(indexes.count == 1)
    #expect(indexes.first?[0] == stream.keyColumns.map(\.name).joined(separator: ","))
    #expect(indexes.first?[1] == "t" || indexes.first?[2] == "f")
    let optional = stream.keyColumns.filter(\.isOptionalKey).map(\.name)
    #expect(indexes.first?[3] == optional.joined(separator: ","))
  }

  @Test(arguments: StreamCatalog.all.map(\.name))
  func `every column is a key, a compared column, a follower or a remark`(
    name: String
  ) throws {
    let stream = try #require(StreamCatalog.stream(named: name))
    let registered = try #require(
      try database.rows(
        """
        select array_to_string(key_columns || compared_columns, ','),
          (select string_agg(follower, ',') from jsonb_each(followers) f (leader, list),
            jsonb_array_elements_text(list) follower)
          from ingest.stream where stream = $1
        """, [.text(name)]
      ).first)
    let named = Set(
      registered.compactMap(\.self).flatMap { $0.split(separator: ",") }.map { String($0) })
    let uncompared = Set(stream.allColumns.map(\.name)).subtracting(named)
    #expect(uncompared == Set(stream.allColumns.filter { $0.role == .remark }.map(\.name)))
  }
}
