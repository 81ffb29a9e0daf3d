import Foundation
import TestSupport
import Testing

/// Encodings, time zones and formats of the session must not affect the stored data.
@Suite(.serialized, .needsServer, .ownDatabase) struct SurroundingsTests {
  private static let lines = [
    #"{"userId":"caf\u00e9 Å","paymentSeq":"p1","purchaseTime":"2025-03-30T02:30:00+01:00","#
      + #""price":4.989999771118164,"currency":"USD","payload":"é € 😀 \\ ' \u0000","x":"ÿ\ud800","#
      + #""purchaseToken":"t","expiryTime":1767225599999,"storeCode":"I\u0307 ı i I"}"#,
    #"{"userId":"cafe\#u{301}","paymentSeq":"p2","purchaseTime":1751328000000,"price":"1234.5","#
      + #""currency":"usd","sandboxPayment":"true"}"#,
    #"{"userId":"u2","paymentSeq":"p1","purchaseTime":1751328000001,"price":5,"currency":"EUR"}"#,
    #"{"paymentSeq":"p2","userId":"cafe\#u{301}","purchaseTime":1751328000000,"price":1234.5,"#
      + #""currency":"USD","marketId":"É"}"#,
    #"{"userId":"ü","paymentSeq":"p3","purchaseToken":"t\\'"}"#,
  ]

  private static let odd: [String: String?] = [
    "PGCLIENTENCODING": "LATIN1", "TZ": "Asia/Seoul", "PGTZ": "America/St_Johns",
    "PGDATESTYLE": "SQL, DMY", "LC_ALL": "tr_TR.UTF-8", "LANG": "de_DE.ISO-8859-1",
    "PGOPTIONS": "-c bytea_output=escape -c standard_conforming_strings=off"
      + " -c escape_string_warning=off -c intervalstyle=sql_standard -c extra_float_digits=-15"
      + " -c xmloption=document -c default_transaction_isolation=serializable"
      + " -c search_path=report,public -c lc_monetary=C",
  ]

  /// Everything a load has stored, except times.
  private func leftBy(_ environment: [String: String?]) throws -> [[String?]] {
    let fixture = try CommandFixture()
    let path = try fixture.folder.write("receipt.jsonl", lines: Self.lines)
    let players = try fixture.folder.write(
      "levelup.jsonl",
      lines: [
        #"{"userId":"é","userLevel":1,"levelUpTime":"2025-10-26T02:30:00.001+02:00"}"#,
        #"{"userId":"é","userLevel":1,"levelUpTime":1704067199999,"eventTime":"1704067199999"}"#,
      ])
    var program = fixture.program
    program.environment = environment
    let result = try program.run(
      ["load", path, players, "--database", fixture.database.conninfo]
        // In parallel, the two files would get their numbers in any order.
        + ["--max-rejects", "unlimited", "--jobs", "1"] + CommandFixture.asOf)
    #expect(result.exitCode == 3, "\(result.errors)")
    return try fixture.database.rows(
      """
      select 'receipt', encode(convert_to((to_jsonb(t) - 'row_digest')::text, 'UTF8'), 'hex')
        from game.receipt t
      union all select 'level', encode(convert_to((to_jsonb(t) - 'row_digest')::text, 'UTF8'), 'hex')
        from game.level_up t
      union all select 'conflict', encode(convert_to(
          concat_ws('|', natural_key, field, kept, refused, refused_row, line_number), 'UTF8'), 'hex')
        from ingest.conflict
      union all select 'fill', encode(convert_to(
          concat_ws('|', natural_key, field, line_number), 'UTF8'), 'hex') from ingest.fill
      union all select 'reject', concat_ws('|', line_number, byte_offset, code, field, reason,
          encode(raw, 'hex')) from ingest.reject
      union all select 'file', concat_ws('|', stream, encode(sha256, 'hex'), byte_count, line_count,
          inserted_count, filled_count, conflict_count, rejected_count) from ingest.source_file
      order by 1, 2
      """)
  }

  @Test func `no encoding, time zone, locale or date style of the session changes a stored byte`()
    throws
  {
    let plain = try leftBy([:])
    // The five lines: two rows, a fill, a conflict over four columns, a reject.
    let kinds = Dictionary(grouping: plain) { $0[0] ?? "" }.mapValues(\.count)
    #expect(
      kinds
        == ["receipt": 2, "level": 2, "conflict": 4, "fill": 1, "reject": 1, "file": 2])
    #expect(try leftBy(Self.odd) == plain)
  }
}
