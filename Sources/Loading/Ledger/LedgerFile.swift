package import Postgres
package import RecordPipeline

/// The options that a file was loaded with, so that its lines can be read again with the same
/// meaning.
package struct FileSettings: Decodable {
  package let path: String
  private let appID: String?
  private let observedAt: Int64?
  private let asOf: Int64
  private let timeUnit: TimeUnit
  private let unwrapField: String?
  private let storesPurchaseTokens: Bool

  package var rules: NormalizationRules {
    var rules = NormalizationRules(startOfRun: asOf)
    (rules.appID, rules.timeUnit, rules.observedAt) = (appID ?? "", timeUnit, observedAt)
    (rules.unwrapField, rules.storesPurchaseTokens) = (unwrapField, storesPurchaseTokens)
    return rules
  }

  /// nil: there is no such file, or it is undone.
  package init?(of sourceFileID: Int, on connection: Connection) throws {
    let stored = try connection.row(
      of: Self.self,
      """
      select path, app_id, \(Self.milliseconds("observed_at")) as observed_at,
          \(Self.milliseconds("as_of")) as as_of, time_unit, unwrap_field,
          purchase_token_mode = 'store' as stores_purchase_tokens
        from ingest.source_file where source_file_id = $1 and undone_at is null
      """, [.integer(sourceFileID)])
    guard let stored else { return nil }
    self = stored
  }

  /// The SQL expression that turns a time column into epoch milliseconds.
  private static func milliseconds(_ column: String) -> String {
    "floor(extract(epoch from \(column)) * 1000)::bigint"
  }
}

/// A file of the ledger, with the facts by which people recognize it.
package struct LedgerFile: Sendable, Equatable, Decodable {
  package let sourceFileID: Int
  package let loadID: Int
  package let stream: String
  package let path: String
  /// Hexadecimal.
  package let sha256: String
  package let lineCount: Int
  /// As text, UTC.
  package let loadedAt: String
  /// As text, UTC; nil: the file is not undone.
  package let undoneAt: String?

  /// The columns of `ingest.source_file f` for the properties.
  static let columns = """
    f.source_file_id, f.load_id, f.stream, f.path, encode(f.sha256, 'hex') as sha256, f.line_count,
    to_char(f.loaded_at, 'YYYY-MM-DD HH24:MI:SS "UTC"') as loaded_at,
    to_char(f.undone_at, 'YYYY-MM-DD HH24:MI:SS "UTC"') as undone_at
    """
}
